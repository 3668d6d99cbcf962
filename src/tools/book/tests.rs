use std::collections::BTreeSet;
use std::fs::OpenOptions;
use std::io::Write;
use std::path::PathBuf;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use clap::Parser;

use super::build::{BuildArgs, Oracle, build};
use super::canonical;
use super::import::{self, ImportArgs};
use super::log::{Found, Log};
use super::prune::{self, PruneArgs};
use super::tree::{Prices, Tree};
use crate::book::{Book, Entry, Key, write};
use crate::record::renlib::{Library, Node};
use crate::rules::RuleSpec;
use crate::types::rng::{SplitMix64, split_mix};
use crate::types::{BoardSize, Point, Position, score};

/// A folder of its own for each test.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Folder {
        let name = format!("tengen-book-{name}-{}", std::process::id());
        let folder = Folder(std::env::temp_dir().join(name));
        let _ = std::fs::remove_dir_all(&folder.0);
        std::fs::create_dir_all(&folder.0).unwrap();
        folder
    }

    fn file(&self, name: &str) -> String {
        self.0.join(name).display().to_string()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

#[derive(Parser)]
struct Build {
    #[command(flatten)]
    args: BuildArgs,
}

#[derive(Parser)]
struct Import {
    #[command(flatten)]
    args: ImportArgs,
}

#[derive(Parser)]
struct Prune {
    #[command(flatten)]
    args: PruneArgs,
}

fn build_args(out: &str, positions: usize, more: &str) -> BuildArgs {
    let line = format!("build --nodes 77 --size 9 --positions {positions} --out {out} {more}");
    Build::try_parse_from(line.split_whitespace()).unwrap().args
}

/// Three moves near the middle with scores that follow from the position alone, as if each were
/// worth what a hash says.
struct Toy<'a> {
    size: BoardSize,
    asked: &'a Mutex<Vec<u64>>,
    stop_after: usize,
    stop: &'a AtomicBool,
}

impl Oracle for Toy<'_> {
    fn search(&mut self, stones: &[Point]) -> Result<Found, String> {
        let position = Position::after(self.size, stones.iter().copied());
        let key = Key::of(&position).hash;
        let mut asked = self.asked.lock().unwrap();
        asked.push(key);
        if asked.len() >= self.stop_after {
            self.stop.store(true, Relaxed);
        }
        drop(asked);
        let mut rng = SplitMix64::new(split_mix(key));
        let mut moves: Vec<(Point, i16)> = Vec::new();
        while moves.len() < 3 {
            let point = Point::new(2 + rng.below(5) as u8, 2 + rng.below(5) as u8);
            let is_new = position.at(point).is_none() && moves.iter().all(|m| m.0 != point);
            if is_new {
                moves.push((point, rng.below(200) as i16 - 60));
            }
        }
        moves.sort_by_key(|(_, score)| -score);
        Ok(Found {
            depth: 7,
            nodes: 77,
            moves,
        })
    }
}

/// Builds with the toy; the book and the keys that were searched.
fn toy_build(
    args: &BuildArgs,
    threads: usize,
    stop_after: usize,
) -> (Result<Vec<u8>, String>, Vec<u64>) {
    let size = BoardSize::square(9).unwrap();
    let (asked, stop) = (Mutex::new(Vec::new()), AtomicBool::new(false));
    let toy = || Toy {
        size,
        asked: &asked,
        stop_after,
        stop: &stop,
    };
    let log = match Log::open(&args.searches) {
        Ok(log) => log,
        Err(error) => return (Err(error), Vec::new()),
    };
    let tree = build(args, log, threads, &stop, &toy);
    let bytes = tree.map(|tree| write(RuleSpec::FREESTYLE, size, "toy", tree.entries()));
    (bytes, asked.into_inner().unwrap())
}

#[test]
fn the_book_does_not_depend_on_threads_or_stops() {
    let folder = Folder::new("stops");
    let one = build_args(&folder.file("one.book"), 300, "--stones 1");
    let many = build_args(&folder.file("many.book"), 300, "--stones 1");
    let (bytes, searched) = toy_build(&one, 1, usize::MAX);
    let bytes = bytes.unwrap();
    assert_eq!(searched.len(), 300);
    assert_eq!(searched.iter().collect::<BTreeSet<_>>().len(), 300);
    let book = Book::read("toy", bytes.clone()).unwrap();
    assert!(book.len() > 30, "{}", book.len());
    let mut all = Vec::new();
    for stop_after in [1, 20, 90, 1] {
        let (stopped, searched) = toy_build(&many, 3, stop_after);
        let error = stopped.unwrap_err();
        assert!(error.starts_with("stopped after"), "{error}");
        all.extend(searched);
        // What a kill leaves behind.
        let mut log = OpenOptions::new()
            .append(true)
            .open(folder.file("many.book.log"))
            .unwrap();
        log.write_all(b"node h8 7 77 e5:1").unwrap();
    }
    let (again, searched) = toy_build(&many, 2, usize::MAX);
    all.extend(searched);
    assert_eq!(again.unwrap(), bytes);
    // Nothing that was finished was searched twice.
    assert_eq!(all.len(), 300);
    assert_eq!(all.iter().collect::<BTreeSet<_>>().len(), 300);
    let (again, searched) = toy_build(&many, 2, usize::MAX);
    assert_eq!((again.unwrap(), searched.len()), (bytes, 0));
}

#[test]
fn logs_of_other_searches_second_runs_and_damage_are_refused() {
    let folder = Folder::new("refused");
    let args = build_args(&folder.file("a.book"), 20, "");
    toy_build(&args, 1, usize::MAX).0.unwrap();
    let other = build_args(&folder.file("a.book"), 20, "--rule renju");
    let error = toy_build(&other, 1, usize::MAX).0.unwrap_err();
    assert!(
        error.contains("searches of freestyle 9x9: 77 nodes"),
        "{error}"
    );
    let open = Log::open(&args.searches).unwrap();
    let error = Log::open(&args.searches).err().unwrap();
    assert!(error.ends_with("another run is using it"), "{error}");
    drop(open);
    let path = folder.file("a.book.log");
    let text = std::fs::read_to_string(&path).unwrap();
    let line = text.lines().nth(7).unwrap();
    for bad in [&line[1..], &line.replace(" 77 ", " 78 "), "x #0", ""] {
        std::fs::write(&path, text.replace(line, bad)).unwrap();
        let error = Log::open(&args.searches).err().unwrap();
        assert!(error.ends_with("line 8: damaged"), "{error}");
    }
    std::fs::write(&path, &text).unwrap();
    let log = Log::open(&args.searches).unwrap();
    assert_eq!(log.len(), 20);
}

fn tree(roots: &[Vec<Point>]) -> Tree {
    let prices = Prices {
        ply: 10,
        margin: 150,
        level: 100,
    };
    Tree::new(RuleSpec::FREESTYLE, BoardSize::STANDARD, prices, roots)
}

fn found(moves: &[(u8, u8, i16)]) -> Found {
    Found {
        depth: 9,
        nodes: 1000,
        moves: moves
            .iter()
            .map(|(x, y, score)| (Point::new(*x, *y), *score))
            .collect(),
    }
}

/// Adds what is found in the next position.
fn expand(tree: &mut Tree, moves: &[(u8, u8, i16)]) -> Vec<Point> {
    let next = tree.next(1).remove(0);
    tree.add(next.stones.clone(), &found(moves));
    tree.update();
    next.stones
}

#[test]
fn the_nearest_comes_first_and_values_are_backed_up() {
    let root = vec![Point::new(0, 0), Point::new(0, 7)];
    let mut tree = tree(&[root.clone(), root]);
    assert_eq!(tree.roots(), 1, "the same position twice");
    let root = expand(&mut tree, &[(3, 4, 40), (5, 4, 30), (9, 9, -300)]);
    assert_eq!(root.len(), 2);
    let after = |x: u8, y: u8| {
        let stones = root.iter().copied().chain([Point::new(x, y)]);
        canonical(&Position::after(BoardSize::STANDARD, stones)).unwrap()
    };
    // The best move first. What follows is worse for the mover than its search had said.
    let first = expand(&mut tree, &[(1, 1, 100), (1, 2, 90)]);
    assert_eq!(first, after(3, 4));
    // Now the second is better than what is left of the first.
    let second = expand(&mut tree, &[(2, 2, -35), (2, 3, -60)]);
    assert_eq!(second, after(5, 4));
    let entries = tree.entries();
    let (_, entry) = entries.iter().find(|(_, entry)| entry.stones == 2).unwrap();
    assert_eq!(entry.score, 35);
    assert_eq!(entry.moves[0].point, Point::new(5, 4));
    // 1 / (1 + e^0.5) against 1 / (1 + e^-0.175): more than a tenth worse is not kept.
    assert_eq!(entry.moves.len(), 1);
    assert_eq!(entry.nodes(), nodes_of(3000));
    // Positions without a searched move are not in the book.
    assert_eq!(entries.len(), 1);
    // The move that gives away more than the margin is never looked at.
    let all = tree.next(100);
    assert!(all.iter().all(|next| next.stones != after(9, 9)));
    // Nor is what follows the first, now that it gives away so much.
    assert_eq!(all.len(), 2);
}

/// What a book keeps of a number of nodes.
fn nodes_of(nodes: u64) -> u64 {
    (1_u64 << Entry::effort_of(nodes)).isqrt()
}

#[test]
fn uneven_roots_come_later_and_proven_ones_never() {
    let even = vec![Point::new(7, 7), Point::new(7, 8)];
    let uneven = vec![Point::new(7, 7), Point::new(3, 8)];
    let won = vec![Point::new(7, 7), Point::new(0, 8)];
    let mut tree = tree(&[uneven, won, even]);
    expand(&mut tree, &[(4, 4, 500)]);
    expand(&mut tree, &[(4, 4, (score::WIN - 9) as i16), (5, 5, 0)]);
    expand(&mut tree, &[(4, 4, 50), (5, 4, 0)]);
    let next = tree.next(100);
    // Only the uneven root has a stone so far out.
    let is_far = |point: &Point| point.distance(BoardSize::STANDARD.center()) == 4;
    let far = next.iter().map(|next| next.stones.iter().any(is_far));
    assert_eq!(far.collect::<Vec<_>>(), [false, false, true], "{next:?}");
}

#[test]
fn transpositions_are_one_position() {
    let root = vec![Point::new(7, 7), Point::new(7, 8)];
    let mut tree = tree(&[root]);
    expand(&mut tree, &[(4, 4, 10), (10, 4, 10), (4, 5, 0)]);
    // The two moves mirror each other.
    assert_eq!(tree.next(100).len(), 2);
    expand(&mut tree, &[(9, 9, -10)]);
    let next = tree.next(100);
    let keys: BTreeSet<u64> = next
        .iter()
        .map(|n| Key::of(&Position::after(BoardSize::STANDARD, n.stones.clone())).hash)
        .collect();
    assert_eq!(keys.len(), next.len());
}

#[test]
fn games_become_roots_once() {
    let folder = Folder::new("import");
    let psq = "Piskvorky 9x9, 11:11, 0\n5,5,0\n6,6,10\n5,6,10\n-1\n";
    std::fs::write(folder.file("a.psq"), psq).unwrap();
    std::fs::write(
        folder.file("b.txt"),
        "# two games\n0,0, 1,1, 3,3\n0,0, -1,-1, 0,2\n",
    )
    .unwrap();
    std::fs::write(folder.file("c.txt"), "e5 f4 e4\nE5D6\n").unwrap();
    let run = |names: &[&str], more: &str| {
        let names: Vec<String> = names.iter().map(|name| folder.file(name)).collect();
        let (out, names) = (folder.file("b.book"), names.join(" "));
        let line = format!("import --nodes 77 --size 9 --out {out} {more} {names}");
        import::run(
            &Import::try_parse_from(line.split_whitespace())
                .unwrap()
                .args,
        )
    };
    let args = build_args(&folder.file("b.book"), 500, "--no-empty");
    let roots = || Log::open(&args.searches).unwrap().roots.len();
    run(&["a.psq", "b.txt", "c.txt"], "--games-each 5").unwrap();
    // e5 and e5f4 and their mirror images occur in all five games.
    assert_eq!(roots(), 2);
    run(&["a.psq", "b.txt", "c.txt"], "--plies 2").unwrap();
    assert_eq!(roots(), 2);
    run(&["a.psq", "b.txt", "c.txt"], "").unwrap();
    // a and c have the same third stone up to symmetry.
    assert_eq!(roots(), 5);
    std::fs::write(folder.file("d.psq"), psq.replace("9x9", "10x9")).unwrap();
    std::fs::write(folder.file("e.txt"), "0,0, x\n").unwrap();
    let error = run(&["d.psq"], "").unwrap_err();
    assert!(error.ends_with("a game on 10x9, not 9x9"), "{error}");
    let error = run(&["a.psq", "e.txt"], "").unwrap_err();
    assert!(
        error.ends_with("line 1: 'x' is not a whole number"),
        "{error}"
    );
    assert_eq!(roots(), 5);
    // A build begins with them.
    let (built, searched) = toy_build(&args, 2, usize::MAX);
    assert!(built.is_ok() && searched.len() > 5);
    let none = build_args(&folder.file("none.book"), 20, "--no-empty");
    let error = toy_build(&none, 1, usize::MAX).0.unwrap_err();
    assert!(
        error.starts_with("there is nothing to begin with"),
        "{error}"
    );
}

#[test]
fn libraries_become_roots() {
    let folder = Folder::new("library");
    let mut library = Library::default();
    let node = |x, y| Node {
        point: Some(Point::new(x, y)),
        ..Node::default()
    };
    let middle = library.add(Library::ROOT, node(7, 7));
    let above = library.add(middle, node(7, 6));
    library.add(middle, node(8, 6));
    // The left and the right of it are mirror images.
    library.add(above, node(6, 5));
    library.add(above, node(8, 5));
    std::fs::write(folder.file("a.lib"), library.to_bytes()).unwrap();
    std::fs::write(folder.file("b.lib"), "no library").unwrap();
    let run = |name: &str, size: &str| {
        let (out, name) = (folder.file("b.book"), folder.file(name));
        let line = format!("import --nodes 77 --size {size} --out {out} {name}");
        import::run(
            &Import::try_parse_from(line.split_whitespace())
                .unwrap()
                .args,
        )
    };
    let error = run("b.lib", "15").unwrap_err();
    assert!(error.ends_with("b.lib: not a RenLib library"), "{error}");
    let error = run("a.lib", "9").unwrap_err();
    assert!(error.ends_with("a library on 15x15, not 9x9"), "{error}");
    run("a.lib", "15").unwrap();
    let log = std::fs::read_to_string(folder.file("b.book.log")).unwrap();
    let roots = log.lines().filter(|line| line.starts_with("root "));
    assert_eq!(roots.count(), 4);
}

#[test]
fn pruning_keeps_what_is_asked_for() {
    let folder = Folder::new("prune");
    let args = build_args(&folder.file("whole.book"), 300, "--stones 1");
    let bytes = toy_build(&args, 2, usize::MAX).0.unwrap();
    std::fs::write(folder.file("whole.book"), bytes).unwrap();
    let whole = Book::open(folder.file("whole.book").as_ref()).unwrap();
    let pruned = |more: &str| {
        let (from, out) = (folder.file("whole.book"), folder.file("less.book"));
        let line = format!("prune {from} --out {out} {more}");
        prune::run(&Prune::try_parse_from(line.split_whitespace()).unwrap().args).unwrap();
        Book::open(out.as_ref()).unwrap()
    };
    assert_eq!(pruned("").len(), whole.len());
    let most = whole.len() / 2;
    let kept = pruned(&format!("--keep {most}"));
    assert_eq!(kept.len(), most);
    let worst = kept.entries().map(|e| (e.cost, e.stones)).max().unwrap();
    let nearer = whole
        .entries()
        .filter(|e| (e.cost, e.stones) < worst)
        .count();
    assert!(nearer <= most);
    assert!(pruned("--cost 5").entries().all(|e| e.cost <= 5));
    let few = pruned("--stones 2 --moves 1");
    assert!(few.entries().all(|e| e.stones <= 2 && e.moves.len() == 1) && !few.is_empty());
    let deep = pruned("--effort 500");
    assert!(deep.entries().all(|e| e.nodes() >= 500) && !deep.is_empty());
    assert!(deep.len() < whole.len());
    assert!(
        deep.origin.ends_with("; book prune --effort 500"),
        "{}",
        deep.origin
    );
    assert!(pruned("--keep 0").is_empty());
}
