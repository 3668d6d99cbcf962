//! L4: proofs. What can be said about a position for certain, by argument or by exhausting it.

pub mod threats;
