//! `show`: a position or a game as a board in the terminal and as an SVG picture, with the
//! winning and the forbidden points of the side to move.

mod svg;
mod text;

use std::io::{IsTerminal, Write};
use std::path::{Path, PathBuf};

use clap::ColorChoice;

use crate::record::notation::{Rows, parse_moves, parse_size};
use crate::record::psq::Record;
use crate::rules::{ForbiddenKind, Grid, Outcome, RuleSpec, forbidden, stone_outcome, wins};
use crate::types::{BoardSize, Color, Point, Position};

/// Arguments of `show`.
#[derive(clap::Args, Clone, Debug)]
pub struct ShowArgs {
    /// Moves from the empty board, as in h8h9i9; blanks between them are free
    #[arg(conflicts_with = "file")]
    pub moves: Vec<String>,
    /// Show a Piskvorky record (.psq) instead
    #[arg(long, value_name = "PSQ")]
    pub file: Option<PathBuf>,
    /// Rule, by name or number
    #[arg(long, default_value = "freestyle", value_parser = RuleSpec::parse)]
    pub rule: &'static RuleSpec,
    /// Board size: 15, or 20x12 for columns x rows
    #[arg(long, default_value = "15", value_parser = parse_size, conflicts_with = "file")]
    pub size: BoardSize,
    /// Count rows from the top instead of from the bottom
    #[arg(long)]
    pub from_top: bool,
    /// Show the numbers of the moves (a picture always has them)
    #[arg(long)]
    pub numbers: bool,
    /// Do not mark the last move
    #[arg(long)]
    pub no_last: bool,
    /// Colours in the terminal
    #[arg(long, value_name = "WHEN", default_value = "auto")]
    pub color: ColorChoice,
    /// Also write a picture
    #[arg(long, value_name = "SVG")]
    pub svg: Option<PathBuf>,
}

/// Prints the board, and writes the picture if one is asked for.
///
/// # Errors
/// One line: what could not be read or written.
pub fn run(args: &ShowArgs) -> Result<(), String> {
    show(args, use_color(args.color), &mut std::io::stdout().lock())
}

fn show(args: &ShowArgs, color: bool, out: &mut dyn Write) -> Result<(), String> {
    let style = text::Style {
        color,
        numbers: args.numbers,
    };
    View::from_args(args)?.show(style, args.svg.as_deref(), out)
}

/// How [`draw`] shows a position.
#[derive(Clone, Copy)]
pub(super) struct Drawing<'a> {
    /// Colours in the terminal.
    pub color: ColorChoice,
    /// Also write a picture.
    pub svg: Option<&'a Path>,
}

/// Draws a position that is no alternating game, with the numbers of its stones and the points
/// that are offered for the next.
pub(super) fn draw(
    spec: &'static RuleSpec,
    position: &Position,
    offered: &[Point],
    drawing: Drawing<'_>,
    out: &mut dyn Write,
) -> Result<(), String> {
    let view = View {
        spec,
        rows: Rows::default(),
        moves: position.stones().iter().map(|stone| stone.0).collect(),
        grid: Grid::from_position(position),
        to_move: position.to_move,
        show_last: true,
        outcome: None,
        marks: offered
            .iter()
            .map(|&point| (point, Mark::Offered))
            .collect(),
    };
    let style = text::Style {
        color: use_color(drawing.color),
        numbers: true,
    };
    view.show(style, drawing.svg, out)
}

/// `auto` is: on a terminal, unless `NO_COLOR` is set.
fn use_color(choice: ColorChoice) -> bool {
    match choice {
        ColorChoice::Always => true,
        ColorChoice::Never => false,
        ColorChoice::Auto => {
            std::env::var_os("NO_COLOR").is_none() && std::io::stdout().is_terminal()
        }
    }
}

fn with_path(path: &Path, error: &dyn std::fmt::Display) -> String {
    format!("{}: {error}", path.display())
}

/// What an empty point is to the side to move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Mark {
    Wins,
    Forbidden(ForbiddenKind),
    Offered,
}

/// All there is to draw.
struct View {
    spec: &'static RuleSpec,
    rows: Rows,
    moves: Vec<Point>,
    /// The board after the last move.
    grid: Grid,
    /// Whose turn it is.
    to_move: Color,
    /// Show which move was the last?
    show_last: bool,
    /// What the last move decided.
    outcome: Option<Outcome>,
    /// Row by row from the top; none when the last move decided the game.
    marks: Vec<(Point, Mark)>,
}

impl View {
    fn from_args(args: &ShowArgs) -> Result<View, String> {
        let rows = if args.from_top {
            Rows::FromTop
        } else {
            Rows::FromBottom
        };
        let (size, moves) = match &args.file {
            Some(path) => read_psq(path)?,
            None => {
                let moves = parse_moves(&args.moves.join(" "), args.size, rows);
                (args.size, moves.map_err(|error| error.to_string())?)
            }
        };
        let mut view = View::new(args.rule, size, moves);
        view.rows = rows;
        view.show_last = !args.no_last;
        Ok(view)
    }

    /// The board after `moves`, which are different points of a board of that size. Only the
    /// last move is judged: records of looser referees go on after moves that end a game here.
    fn new(spec: &'static RuleSpec, size: BoardSize, moves: Vec<Point>) -> View {
        let mut grid = Grid::new(size);
        let mut outcome = None;
        for (ply, &point) in moves.iter().enumerate() {
            let color = Color::of_ply(ply);
            if ply + 1 == moves.len() {
                outcome = stone_outcome(spec, &grid, point, color);
            }
            grid.set(point, Some(color));
        }
        let side = Color::of_ply(moves.len());
        let marks = match outcome {
            Some(_) => Vec::new(),
            None => marks(spec, &grid, side),
        };
        View {
            spec,
            rows: Rows::default(),
            moves,
            grid,
            to_move: side,
            show_last: true,
            outcome,
            marks,
        }
    }

    /// Prints the board, and writes the picture if one is asked for.
    fn show(
        &self,
        style: text::Style,
        svg: Option<&Path>,
        out: &mut dyn Write,
    ) -> Result<(), String> {
        if let Some(path) = svg {
            std::fs::write(path, svg::render(self)).map_err(|error| with_path(path, &error))?;
        }
        let written = out.write_all(text::render(self, style).as_bytes());
        written.map_err(|error| format!("standard output: {error}"))
    }

    fn size(&self) -> BoardSize {
        self.grid.size()
    }

    fn mark(&self, point: Point) -> Option<Mark> {
        let marked = self.marks.iter().find(|(p, _)| *p == point);
        marked.map(|(_, mark)| *mark)
    }

    /// The number of the stone on `point`, from 1.
    fn number(&self, point: Point) -> Option<usize> {
        self.moves.iter().position(|&p| p == point).map(|i| i + 1)
    }

    /// The last move, if it is to be shown.
    fn last(&self) -> Option<Point> {
        self.moves.last().copied().filter(|_| self.show_last)
    }

    /// The label of row `y` (0 at the top).
    fn row_label(&self, y: u8) -> u8 {
        match self.rows {
            Rows::FromTop => y + 1,
            Rows::FromBottom => self.size().height() - y,
        }
    }

    /// Rule, size and whose turn it is or who has won, in one line.
    fn caption(&self) -> String {
        let state = match self.outcome {
            Some(outcome) => outcome.to_string(),
            None => format!("{} to move", self.to_move),
        };
        let (name, size, count) = (self.spec.name, self.size(), self.moves.len());
        let stones = if count == 1 { "stone" } else { "stones" };
        format!("{name} {size}, {count} {stones}, {state}")
    }
}

fn marks(spec: &RuleSpec, grid: &Grid, side: Color) -> Vec<(Point, Mark)> {
    let mark = |point: Point| {
        if wins(spec, grid, point, side) {
            return Some((point, Mark::Wins));
        }
        let kind = forbidden(spec, grid, point, side)?;
        Some((point, Mark::Forbidden(kind)))
    };
    grid.empty_points().filter_map(mark).collect()
}

fn read_psq(path: &Path) -> Result<(BoardSize, Vec<Point>), String> {
    let bytes = std::fs::read(path).map_err(|error| with_path(path, &error))?;
    // Names of players may be in any old encoding; all that is shown is digits.
    let record = Record::parse(&String::from_utf8_lossy(&bytes));
    let record = record.map_err(|error| with_path(path, &error))?;
    Ok((record.size, record.points().collect()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::Parser;

    #[derive(Parser)]
    struct Cli {
        #[command(flatten)]
        show: ShowArgs,
    }

    fn args(line: &str) -> ShowArgs {
        let words = std::iter::once("show").chain(line.split_whitespace());
        Cli::try_parse_from(words).unwrap().show
    }

    fn try_show(line: &str, color: bool) -> Result<String, String> {
        let mut out = Vec::new();
        show(&args(line), color, &mut out)?;
        Ok(String::from_utf8(out).unwrap())
    }

    fn shown(line: &str, color: bool) -> String {
        try_show(line, color).unwrap()
    }

    /// Black has a double three at e5 and a five at k1.
    const RENJU: &str = "--rule renju --size 12x9 c5f1 d5a1 e6a3 e7a9 g1l9 h1l7 i1l5 J1 j3";

    #[test]
    fn plain_text_marks_the_last_move_and_the_points_of_the_side_to_move() {
        let expected = "   a b c d e f g h i j k l
 9 O . . . . . . . . . . O
 8 . . . . . . . . . . . .
 7 . . . . X . . . . . . O
 6 . . . . X . . . . . . .
 5 . . X X # . . . . . . O
 4 . . . . . . . . . . . .
 3 O . . . . . . . .(O). .
 2 . . . . . . . . . . . .
 1 O . . . . O X X X X * .
   a b c d e f g h i j k l

renju 12x9, 16 stones, black to move
# double three: e5
* wins: k1
";
        assert_eq!(shown(RENJU, false), expected);
        let unmarked = shown(&format!("{RENJU} --no-last"), false);
        assert_eq!(unmarked, expected.replace("(O)", " O "));
    }

    #[test]
    fn numbers_and_rows_from_the_top() {
        let text = shown("--size 5 --from-top --numbers a1b1 e5", false);
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines[0], "     a   b   c   d   e");
        assert_eq!(lines[1], " 1   1   2   .   .   .");
        assert_eq!(lines[5], " 5   .   .   .   .(  3)");
        assert_eq!(lines[8], "freestyle 5x5, 3 stones, white to move");
    }

    #[test]
    fn colors_come_only_when_asked_for() {
        let plain = shown(RENJU, false);
        assert!(plain.is_ascii() && !plain.contains('\x1b'));
        let colored = shown(RENJU, true);
        for part in ["●", "·", "\x1b[48;5;179m", "\x1b[0m\n"] {
            assert!(colored.contains(part), "{part:?}");
        }
        assert!(use_color(ColorChoice::Always) && !use_color(ColorChoice::Never));
    }

    #[test]
    fn the_last_move_is_judged() {
        let five = "a1b1 a2b2 a3b3 a4b4 a5";
        let double_three = "--rule renju --size 12x9 c5f1 d5a1 e6a3 e7a9 e5";
        for (line, end) in [
            (five, "9 stones, black wins: five in a row\n"),
            (double_three, "9 stones, white wins: forbidden move\n"),
            ("", "freestyle 15x15, 0 stones, black to move\n"),
            ("h8", "1 stone, white to move\n"),
        ] {
            let text = shown(line, false);
            assert!(text.ends_with(end), "{text}");
        }
    }

    #[test]
    fn a_picture_has_every_stone_and_mark() {
        let picture = svg::render(&View::from_args(&args(RENJU)).unwrap());
        let count = |part: &str| picture.matches(part).count();
        assert_eq!(count("class=\"black\""), 8);
        assert_eq!(count("class=\"white\""), 8);
        assert_eq!(count("class=\"on-black two\""), 8);
        assert_eq!(count("class=\"on-white two\""), 7);
        assert_eq!(count("class=\"last two\""), 1);
        assert_eq!(count("class=\"wins\""), 1);
        assert_eq!(count("<title>double three</title>"), 1);
        assert_eq!(count("class=\"label\""), 2 * (12 + 9));
        assert!(picture.starts_with("<svg ") && picture.ends_with("</svg>\n"));
        let opened = count("<") - count("</") - count("/>");
        assert_eq!(opened, count("</"), "every element is closed");
    }

    /// A folder of this test's own, removed at its end.
    struct Folder(PathBuf);

    impl Drop for Folder {
        fn drop(&mut self) {
            let _ = std::fs::remove_dir_all(&self.0);
        }
    }

    #[test]
    fn records_are_read_and_pictures_written() {
        let name = format!("tengen-show-{}", std::process::id());
        let folder = Folder(std::env::temp_dir().join(name));
        std::fs::create_dir_all(&folder.0).unwrap();
        let (record, picture) = (folder.0.join("a.psq"), folder.0.join("a.svg"));
        let text =
            b"Piskvorky 20x20, 11:11, 0\r\n11,11,0\r\n12,10,5\r\n\xe9.exe\r\nb.exe\r\n-1\r\n";
        std::fs::write(&record, text).unwrap();
        let line = format!("--file {} --svg {}", record.display(), picture.display());
        assert!(shown(&line, false).contains("20x20, 2 stones, black to move"));
        assert!(
            std::fs::read_to_string(&picture)
                .unwrap()
                .contains("</svg>")
        );
        std::fs::write(&record, "Piskvorky 20x20, 11:11, 0\n21,1,0\n").unwrap();
        let error = try_show(&line, false).unwrap_err();
        assert!(
            error.ends_with("a.psq: line 2: '21,1,0' is not on the 20x20 board"),
            "{error}"
        );
        let error = try_show(&format!("--svg {}", folder.0.display()), false).unwrap_err();
        assert!(
            error.starts_with(&folder.0.display().to_string()),
            "{error}"
        );
    }

    #[test]
    fn wrong_arguments_are_named() {
        let error = |line| try_show(line, false).unwrap_err();
        assert_eq!(error("h8h8"), "h8 is named twice");
        assert_eq!(error("--size 9 h8p1"), "p1 is not on the 9x9 board");
        let refused = |words: &[&str]| Cli::try_parse_from(words).err().unwrap().to_string();
        assert!(refused(&["show", "--rule", "chess"]).contains("unknown rule 'chess'"));
        assert!(refused(&["show", "--size", "99"]).contains("5 to 22"));
        assert!(refused(&["show", "h8", "--file", "a.psq"]).contains("cannot be used"));
    }
}
