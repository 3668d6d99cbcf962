//! L6: the worker threads. They live as long as the pool and wait for jobs; the first of them
//! watches the clock, reports, and chooses among the answers.

use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;
use std::thread::JoinHandle;

use crossbeam_channel::{Receiver, Sender, bounded, unbounded};

use crate::board::Board;
use crate::search::{Outcome, Params, Question, Reporter, Shared, Silent, Worker};
use crate::types::score;

type Job = Box<dyn FnOnce(&mut Worker) + Send>;

/// Worker threads over one shared table.
pub struct Pool {
    shared: Arc<Shared>,
    jobs: Vec<Sender<Job>>,
    handles: Vec<JoinHandle<()>>,
}

impl Pool {
    /// `threads` threads with a table that can grow to `table_bytes`; `board` is any position
    /// under the rule and size to come. `params` replace the rule's own numbers of the search.
    pub fn new(threads: usize, table_bytes: u64, board: &Board, params: Option<&Params>) -> Pool {
        let shared = Arc::new(Shared::new(threads, table_bytes));
        let mut pool = Pool {
            shared,
            jobs: Vec::new(),
            handles: Vec::new(),
        };
        for id in 0..pool.shared.threads() {
            let (sender, receiver): (Sender<Job>, Receiver<Job>) = unbounded();
            let mut worker = Worker::new(Arc::clone(&pool.shared), id, board.clone());
            if let Some(params) = params {
                worker.set_params(params.clone());
            }
            pool.jobs.push(sender);
            pool.handles.push(std::thread::spawn(move || {
                for job in receiver {
                    job(&mut worker);
                }
            }));
        }
        pool
    }

    /// What the threads share: table, limits, stop flag.
    pub fn shared(&self) -> &Arc<Shared> {
        &self.shared
    }

    /// Runs `job` on the first thread. It may call [`Crew::think`].
    pub fn run(&self, job: impl FnOnce(&mut Crew) + Send + 'static) {
        let helpers = self.jobs[1..].to_vec();
        let shared = Arc::clone(&self.shared);
        let job: Job = Box::new(move |worker| {
            job(&mut Crew {
                worker,
                helpers,
                shared,
            });
        });
        // The thread ends only with the pool, so the job is always taken.
        let _ = self.jobs[0].send(job);
    }
}

impl Drop for Pool {
    fn drop(&mut self) {
        self.shared.stop.store(true, Relaxed);
        self.jobs.clear();
        for handle in self.handles.drain(..) {
            let _ = handle.join();
        }
    }
}

/// The threads as seen from the first of them while it runs a job.
pub struct Crew<'a> {
    worker: &'a mut Worker,
    helpers: Vec<Sender<Job>>,
    shared: Arc<Shared>,
}

impl Crew<'_> {
    /// Lets all threads search `board` and returns the best answer.
    pub fn think(
        &mut self,
        board: &Board,
        question: &Question,
        reporter: &mut dyn Reporter,
    ) -> Outcome {
        let (sender, receiver) = bounded(self.helpers.len());
        for (number, helper) in self.helpers.iter().enumerate() {
            let (sender, board, mut question) = (sender.clone(), board.clone(), question.clone());
            // Half of the helpers run one iteration ahead of the others.
            question.first_depth += number as i32 % 2;
            let job: Job = Box::new(move |worker| {
                worker.set_board(board);
                let _ = sender.send(worker.think(&question, &mut Silent));
            });
            let _ = helper.send(job);
        }
        self.worker.set_board(board.clone());
        let own = self.worker.think(question, reporter);
        if self.helpers.is_empty() {
            return own;
        }
        let mut answers = vec![own];
        self.shared.halt.store(true, Relaxed);
        answers.extend(receiver.iter().take(self.helpers.len()));
        let elected = match question.lines {
            1 => elect(&answers),
            _ => 0,
        };
        answers.swap_remove(elected)
    }

    /// What the threads share.
    pub fn shared(&self) -> &Shared {
        &self.shared
    }
}

/// The answer to give, of those of all threads, the first thread's first. A proven win is beyond
/// doubt, the shortest above all. Otherwise each thread votes for its move with the depth it has
/// reached, and of those whose move has most votes the deepest answers.
fn elect(answers: &[Outcome]) -> usize {
    let depth = |answer: &Outcome| answer.lines.first().map_or(0, |line| line.depth);
    let votes = |answer: &Outcome| -> u32 {
        let same = answers.iter().filter(|other| other.best == answer.best);
        same.map(depth).sum()
    };
    let trust = |answer: &Outcome| {
        let line = answer.lines.first().filter(|line| !line.pv.is_empty());
        let win = line.map_or(0, |line| line.score.max(score::WIN_BOUND));
        (win, votes(answer), depth(answer))
    };
    // The last of equals counts as the greatest, so the first thread is asked last.
    let numbers = (0..answers.len()).rev();
    numbers
        .max_by_key(|number| trust(&answers[*number]))
        .unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::Line;
    use crate::types::{Point, Score};
    use std::time::Duration;

    fn answer(x: u8, depth: u32, score: Score) -> Outcome {
        let best = Point::new(x, 7);
        let line = Line {
            index: 0,
            count: 1,
            depth,
            seldepth: depth,
            score,
            win_rate: 0.5,
            nodes: 0,
            total_nodes: 0,
            elapsed: Duration::ZERO,
            pv: vec![best],
        };
        Outcome {
            best,
            lines: vec![line],
        }
    }

    #[test]
    fn a_proven_win_is_elected_and_the_shortest_of_several() {
        let win = |plies| score::win_in(plies);
        let answers = [
            answer(1, 12, 300),
            answer(2, 9, win(9)),
            answer(3, 8, win(7)),
            answer(1, 20, 900),
        ];
        assert_eq!(elect(&answers), 2);
        assert_eq!(elect(&answers[..2]), 1);
    }

    #[test]
    fn without_a_win_the_threads_vote_by_depth() {
        let deeper = [answer(1, 10, 50), answer(2, 11, -50)];
        assert_eq!(elect(&deeper), 1);
        let equal = [answer(1, 10, 50), answer(2, 10, 90)];
        assert_eq!(elect(&equal), 0);
        let outvoted = [
            answer(1, 12, 0),
            answer(2, 10, 0),
            answer(2, 11, 0),
            answer(3, 13, 0),
        ];
        assert_eq!(elect(&outvoted), 2);
        let lost = [answer(1, 10, score::loss_in(6)), answer(2, 3, 200)];
        assert_eq!(elect(&lost), 0, "no thread is believed for hoping");
    }
}
