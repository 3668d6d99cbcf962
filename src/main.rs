//! The `pbrain-tengen` program.
fn main() {}
