//! Speed of the parts that the search leans on: `cargo bench`, or `cargo bench -- board` for one
//! of them. Each asserts its answer, so that nothing fast and wrong is measured. Compare only
//! runs on one machine with nothing else running.

mod board;
mod candidates;
mod forbidden;
mod pattern;
mod positions;
mod tt;
mod vcf;

fn main() {
    divan::main();
}
