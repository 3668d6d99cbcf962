//! L2: what one line, and the four lines together, mean at an empty point.
//!
//! [`classify`] is the definition, slow and literal; [`LineTable`] is the same as a lookup by
//! [`line`] index; [`CellClass`] joins the four directions. The rule enters only as a
//! [`RuleSpec`](crate::rules::RuleSpec) value: there is no list of shapes anywhere.

mod cell;
pub mod classify;
pub mod line;
pub mod net;
mod table;
mod weights;

pub use cell::{CellClass, CellTables, pack_codes};
pub use classify::LineClass;
pub use table::LineTable;
pub use weights::{
    CELL_PAIRS, LinearWeights, MoverWeights, Packed, THREAT_MASKS, VALUE_SHIFT, swapped_pair,
};

use net::Net;

use crate::rules::RuleSpec;
use crate::types::{Color, PerColor};

/// Everything that follows from a rule and its weights; built once, shared by all threads.
pub struct RuleTables {
    /// The rule they belong to.
    pub spec: RuleSpec,
    /// Line index → classes of both sides.
    pub lines: LineTable,
    /// Four classes → cell class, per side.
    pub cells: PerColor<CellTables>,
    /// Values of the linear evaluation and of the move policy.
    pub weights: LinearWeights,
    /// The small net, where the rule has one.
    pub net: Option<Net>,
}

impl RuleTables {
    /// Builds the tables of `spec`.
    pub fn new(spec: &RuleSpec, mut weights: LinearWeights) -> RuleTables {
        let lines = LineTable::new(spec);
        weights.join_pairs(&lines);
        let movers = weights.net.take();
        let net = movers.map(|[black, white]| Net::new(PerColor([&black, &white]), &lines));
        let cells = PerColor(Color::ALL.map(|c| CellTables::new(&spec.sides[c].forbidden)));
        RuleTables {
            spec: *spec,
            lines,
            cells,
            weights,
            net,
        }
    }
}
