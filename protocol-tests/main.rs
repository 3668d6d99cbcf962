//! Tests of the real binary through its protocol.
