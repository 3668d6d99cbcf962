//! A client that was not written with this engine in mind plays a whole game with it.

use std::process::{Command, Stdio};
use std::time::Instant;

use crate::harness::{engine, ms};

#[test]
fn pygomo_lib_drives_a_whole_game() {
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/protocol-tests/pygomo_game.py");
    let engine = engine();
    let mut child = Command::new("python3")
        .arg(script)
        .arg(engine.get_program())
        .args(engine.get_args())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("python3 must be installed for this test");
    let begun = Instant::now();
    while child.try_wait().expect("a child").is_none() {
        if begun.elapsed() > ms(60_000) {
            let _ = child.kill();
            break;
        }
        std::thread::sleep(ms(10));
    }
    let output = child.wait_with_output().expect("its output");
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let (out, errors) = (text(&output.stdout), text(&output.stderr));
    assert!(
        !errors.contains("No module named"),
        "pygomo-lib must be installed for this test: pip install pygomo-lib\n{errors}"
    );
    assert!(
        output.status.success(),
        "{}\n{out}\n{errors}",
        output.status
    );
}
