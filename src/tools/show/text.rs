//! The board as lines of text.

use super::{Mark, View};
use crate::record::notation::{column_letter, format_point};
use crate::types::{Color, Point};

/// How the board looks.
#[derive(Clone, Copy)]
pub(super) struct Style {
    /// Escape sequences for 256 colours.
    pub color: bool,
    /// Move numbers instead of stones.
    pub numbers: bool,
}

/// Light wood, the ground of a coloured board.
const GROUND: &str = "\x1b[48;5;179m";
const RESET: &str = "\x1b[0m";
const GRID: &str = "\x1b[22;38;5;94m";
const BLACK: &str = "\x1b[1;38;5;16m";
const WHITE: &str = "\x1b[1;38;5;231m";
const WINS: &str = "\x1b[1;38;5;22m";
const FORBIDDEN: &str = "\x1b[1;38;5;124m";

/// Draws the board, a line about the game, and a line for each kind of marked point.
pub(super) fn render(view: &View, style: Style) -> String {
    let size = view.size();
    let width = if style.numbers { 3 } else { 1 };
    let letters = (0..size.width()).map(|x| format!(" {:>width$}", column_letter(x)));
    let letters = format!("  {}\n", letters.collect::<String>());
    let mut text = letters.clone();
    for y in 0..size.height() {
        text.push_str(&format!("{:>2}", view.row_label(y)));
        text.push_str(&row(view, style, y));
        text.push('\n');
    }
    text.push_str(&letters);
    text.push_str(&format!("\n{}\n", view.caption()));
    text.push_str(&legend(view));
    text
}

/// The cells of row `y`; the last move stands in parentheses.
fn row(view: &View, style: Style, y: u8) -> String {
    let paint = |color: &str, text: &str| match style.color {
        true => format!("{color}{text}"),
        false => text.to_owned(),
    };
    let is_last = |x: u8| view.last() == Some(Point::new(x, y));
    let mut text = paint(GROUND, "");
    for x in 0..view.size().width() {
        let before = match x.checked_sub(1) {
            _ if is_last(x) => "(",
            Some(left) if is_last(left) => ")",
            _ => " ",
        };
        text.push_str(&paint(FORBIDDEN, before));
        let (color, cell) = cell(view, style, Point::new(x, y));
        text.push_str(&paint(color, &cell));
    }
    let end = if is_last(view.size().width() - 1) {
        ")"
    } else {
        " "
    };
    text.push_str(&paint(FORBIDDEN, end));
    text.push_str(&paint(RESET, ""));
    text.trim_end().to_owned()
}

/// Colour and text of one point.
fn cell(view: &View, style: Style, point: Point) -> (&'static str, String) {
    let (color, glyph) = match (view.grid.get(point), view.mark(point)) {
        (Some(Color::Black), _) => (BLACK, if style.color { "●" } else { "X" }),
        (Some(Color::White), _) => (WHITE, if style.color { "●" } else { "O" }),
        (None, Some(Mark::Wins)) => (WINS, "*"),
        (None, Some(Mark::Forbidden(_))) => (FORBIDDEN, "#"),
        (None, Some(Mark::Offered)) => (WINS, "?"),
        (None, None) => (GRID, if style.color { "·" } else { "." }),
    };
    let text = match view.number(point) {
        _ if !style.numbers => glyph.to_owned(),
        Some(number) => format!("{number:>3}"),
        None => format!("{glyph:>3}"),
    };
    (color, text)
}

/// The marked points by name, one line for each kind.
fn legend(view: &View) -> String {
    let name = |point: Point| format_point(point, view.size(), view.rows);
    let mut lines: Vec<(Mark, String)> = Vec::new();
    for &(point, mark) in &view.marks {
        match lines.iter_mut().find(|(kind, _)| *kind == mark) {
            Some((_, names)) => names.push_str(&format!(" {}", name(point))),
            None => lines.push((mark, name(point))),
        }
    }
    let line = |(mark, names): (Mark, String)| match mark {
        Mark::Wins => format!("* wins: {names}\n"),
        Mark::Forbidden(kind) => format!("# {kind}: {names}\n"),
        Mark::Offered => format!("? offered: {names}\n"),
    };
    lines.into_iter().map(line).collect()
}
