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
    /// `threads` threads with a table of `table_bytes`; `board` is any position under the rule
    /// and size to come. `params` replace the rule's own numbers of the search.
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
        let mut best = self.worker.think(question, reporter);
        if self.helpers.is_empty() {
            return best;
        }
        self.shared.halt.store(true, Relaxed);
        for other in receiver.iter().take(self.helpers.len()) {
            if question.lines == 1 && is_better(&other, &best) {
                best = other;
            }
        }
        best
    }

    /// What the threads share.
    pub fn shared(&self) -> &Shared {
        &self.shared
    }
}

/// Is the answer `a` to be trusted more than `b`? A proof beats an opinion, a deeper opinion a
/// shallower one.
fn is_better(a: &Outcome, b: &Outcome) -> bool {
    let (Some(a), Some(b)) = (a.lines.first(), b.lines.first()) else {
        return false;
    };
    if score::is_win(a.score) || score::is_win(b.score) {
        return a.score > b.score && !a.pv.is_empty();
    }
    a.depth > b.depth && !a.pv.is_empty()
}
