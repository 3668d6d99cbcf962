//! The board as an SVG picture: plain shapes, no script, no external file.

use std::fmt::Write;

use super::{Mark, View};
use crate::record::notation::column_letter;
use crate::types::{Color, Point};

/// Distance of two lines. This and all lengths below are in user units (pixels at 100 %).
const CELL: i32 = 40;
/// From the border of the picture to the first line: room for the labels.
const MARGIN: i32 = 58;
/// From the border of the picture to the middle of the labels.
const LABEL: i32 = 22;
/// Room for the caption below the board.
const CAPTION: i32 = 34;

/// Sides from this on have dots on the fourth lines, as boards in use do.
const DOTS_FROM: u8 = 13;

/// The classes of all shapes; colours stand here only.
const STYLE: &str = "\
text{font-family:Helvetica,Arial,sans-serif;text-anchor:middle}
.ground{fill:#f0d7a3}
.line{stroke:#6b5130;stroke-width:1.2;fill:none}
.dot{fill:#6b5130}
.label{font-size:15px;fill:#6b5130}
.caption{font-size:16px;fill:#3d2f1c}
.black{fill:#1c1c1c;stroke:#000}
.white{fill:#fdfdfb;stroke:#444}
.on-black{fill:#fff}
.on-white{fill:#111}
.last{fill:#f0483c;font-weight:bold}
.two{font-size:17px}
.three{font-size:14px}
.forbidden{stroke:#c8281e;stroke-width:3.5;stroke-linecap:round;fill:none}
.wins{stroke:#1f8a3b;stroke-width:3.5;fill:none}
.offered{stroke:#2a5db0;stroke-width:3.5;fill:none}
";

/// The whole picture.
pub(super) fn render(view: &View) -> String {
    let size = view.size();
    let width = 2 * MARGIN + CELL * (i32::from(size.width()) - 1);
    let height = 2 * MARGIN + CELL * (i32::from(size.height()) - 1) + CAPTION;
    let caption = view.caption();
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" \
         width=\"{width}\" height=\"{height}\">\n<title>{caption}</title>\n\
         <style>\n{STYLE}</style>\n\
         <rect class=\"ground\" width=\"{width}\" height=\"{height}\"/>\n",
    );
    draw_lines(&mut svg, view);
    for point in size.points() {
        if let Some(color) = view.grid.get(point) {
            draw_stone(&mut svg, view, point, color);
        } else if let Some(mark) = view.mark(point) {
            draw_mark(&mut svg, point, mark);
        }
    }
    let y = height - CAPTION + CAPTION / 4;
    draw_text(&mut svg, (width / 2, y), "caption", &caption);
    svg.push_str("</svg>\n");
    svg
}

/// Centre of a column or row.
fn at(index: u8) -> i32 {
    MARGIN + CELL * i32::from(index)
}

/// Text with its middle at a point: a third of an em below it lies the base line of digits.
fn draw_text(svg: &mut String, (x, y): (i32, i32), class: &str, text: &str) {
    let element =
        format_args!("<text class=\"{class}\" x=\"{x}\" y=\"{y}\" dy=\".35em\">{text}</text>");
    push(svg, element);
}

/// Adds one line. Writing to a string cannot fail.
fn push(svg: &mut String, element: std::fmt::Arguments<'_>) {
    let _ = writeln!(svg, "{element}");
}

/// Lines, dots and labels.
fn draw_lines(svg: &mut String, view: &View) {
    let size = view.size();
    let (columns, rows) = (size.width(), size.height());
    let (right, bottom) = (at(columns - 1), at(rows - 1));
    let mut path = String::new();
    for x in 0..columns {
        let _ = write!(path, "M{} {MARGIN}V{bottom}", at(x));
        let label = column_letter(x).to_string();
        draw_text(svg, (at(x), LABEL), "label", &label);
        draw_text(svg, (at(x), bottom + MARGIN - LABEL), "label", &label);
    }
    for y in 0..rows {
        let _ = write!(path, "M{MARGIN} {}H{right}", at(y));
        let label = view.row_label(y).to_string();
        draw_text(svg, (LABEL, at(y)), "label", &label);
        draw_text(svg, (right + MARGIN - LABEL, at(y)), "label", &label);
    }
    push(svg, format_args!("<path class=\"line\" d=\"{path}\"/>"));
    let dots = |side: u8| {
        if side < DOTS_FROM {
            vec![]
        } else {
            vec![3, side - 4]
        }
    };
    let mut points: Vec<(u8, u8)> = Vec::new();
    for y in dots(rows) {
        points.extend(dots(columns).into_iter().map(|x| (x, y)));
    }
    if columns % 2 == 1 && rows % 2 == 1 {
        points.push((columns / 2, rows / 2));
    }
    for (x, y) in points {
        let (x, y) = (at(x), at(y));
        push(
            svg,
            format_args!("<circle class=\"dot\" cx=\"{x}\" cy=\"{y}\" r=\"4\"/>"),
        );
    }
}

fn draw_stone(svg: &mut String, view: &View, point: Point, color: Color) {
    let (x, y) = (at(point.x()), at(point.y()));
    push(
        svg,
        format_args!("<circle class=\"{color}\" cx=\"{x}\" cy=\"{y}\" r=\"18\"/>"),
    );
    let Some(number) = view.number(point) else {
        return;
    };
    let on = match view.last() == Some(point) {
        true => "last".to_owned(),
        false => format!("on-{color}"),
    };
    // Three digits fit the stone in a smaller type only.
    let type_size = if number < 100 { "two" } else { "three" };
    draw_text(
        svg,
        (x, y),
        &format!("{on} {type_size}"),
        &number.to_string(),
    );
}

/// A cross on a forbidden point, a ring on a winning or an offered one; the reason shows as a
/// tool tip.
fn draw_mark(svg: &mut String, point: Point, mark: Mark) {
    let (x, y) = (at(point.x()), at(point.y()));
    let ring = |svg: &mut String, why: &str| {
        push(
            svg,
            format_args!(
                "<circle class=\"{why}\" cx=\"{x}\" cy=\"{y}\" r=\"11\"><title>{why}</title></circle>"
            ),
        );
    };
    match mark {
        Mark::Wins => ring(svg, "wins"),
        Mark::Offered => ring(svg, "offered"),
        Mark::Forbidden(kind) => {
            let (left, top) = (x - 9, y - 9);
            push(
                svg,
                format_args!(
                    "<path class=\"forbidden\" d=\"M{left} {top}l18 18m0 -18l-18 18\">\
                     <title>{kind}</title></path>"
                ),
            );
        }
    }
}
