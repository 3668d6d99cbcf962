//! L0: the words everybody uses. No logic of the game lives here.

mod color;
mod direction;
mod point;
mod position;
pub mod rng;
pub mod score;
mod size;
mod symmetry;

pub use color::{Color, PerColor};
pub use direction::Direction;
pub use point::{GRID_CELLS, Point};
pub use position::Position;
pub use score::{Bound, Score};
pub use size::{BoardSize, SizeError};
pub use symmetry::Symmetries;
