//! Soosõrv's opening rule in the steps of Yixin's board.

use std::time::Instant;

use super::{Session, Thinker};
use crate::engine::{SoosorvChoice, SoosorvStep, Task, soosorv};
use crate::protocol::block::Block;
use crate::protocol::{reply, setup};
use crate::types::Point;

impl<T: Thinker> Session<T> {
    /// Thinks about one step; its block holds the stones so far, Black first.
    pub(super) fn soosorv_step(
        &mut self,
        step: u8,
        fifths: i64,
        block: &Block,
        arrival: Instant,
    ) -> Result<(), String> {
        let stones = setup::in_turn(self.position()?.size(), block);
        if let Some(text) = stones.skipped.first() {
            return Err(format!("YXSOOSORVSTEP{step}: {text}"));
        }
        let most = soosorv::MAX_FIFTHS;
        let fifths = usize::try_from(fifths)
            .ok()
            .filter(|fifths| (1..=most).contains(fifths))
            .ok_or_else(|| format!("the number of fifth moves must be 1 to {most}"))?;
        let (expected, task) = match step {
            1 => (0, SoosorvStep::Propose),
            2 => (3, SoosorvStep::Swap),
            3 => (3, SoosorvStep::Fourth),
            4 => (4, SoosorvStep::SwapAgain { fifths }),
            5 => (4, SoosorvStep::Offer { fifths }),
            _ => (5, SoosorvStep::Pick),
        };
        let count = stones.position.stones().len();
        let fits = match task {
            SoosorvStep::Pick => (expected..expected + most).contains(&count),
            _ => count == expected,
        };
        match fits {
            true => self.think(stones.position, Task::Soosorv(task), arrival),
            false => Err(format!(
                "YXSOOSORVSTEP{step} needs {expected} stones, not {count}"
            )),
        }
    }

    /// The answer to a step. Coordinates are parted by a blank: a comma would make it a move.
    pub(super) fn tell_soosorv(&mut self, task: Task, choice: &SoosorvChoice) {
        let place = |point: &Point| format!("{} {}", point.x(), point.y());
        let yes = |swap: &bool| if *swap { "YES" } else { "NO" };
        let words: Vec<String> = match (task, choice) {
            (Task::Soosorv(SoosorvStep::Swap), SoosorvChoice::Swap(swap)) => {
                vec![format!("SWAP1 {}", yes(swap))]
            }
            (_, SoosorvChoice::Swap(swap)) => vec![format!("SWAP2 {}", yes(swap))],
            (_, SoosorvChoice::Fourth(point, fifths)) => {
                vec![format!("MOVE4 {} {fifths}", place(point))]
            }
            (Task::Soosorv(SoosorvStep::Propose), SoosorvChoice::Stones(points)) => points
                .iter()
                .enumerate()
                .map(|(index, point)| format!("MOVE{} {}", index + 1, place(point)))
                .collect(),
            (Task::Soosorv(SoosorvStep::Pick), SoosorvChoice::Stones(points)) => points
                .iter()
                .map(|point| format!("MOVE5C {}", place(point)))
                .collect(),
            (_, SoosorvChoice::Stones(points)) => {
                let offered = points.iter().map(|point| format!("MOVE5 {}", place(point)));
                let begin = std::iter::once("MOVE5 REFRESH".to_owned());
                begin
                    .chain(offered)
                    .chain(std::iter::once("MOVE5 DONE".to_owned()))
                    .collect()
            }
        };
        let lines = words
            .iter()
            .map(|text| reply::message(&format!("SOOSORV {text}")));
        self.out.extend(lines);
    }
}
