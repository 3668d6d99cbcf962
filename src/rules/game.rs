//! A game from the empty board to its end: whose turn it is, which moves exist, when it is over.

use super::grid::{Cell, Grid};
use super::referee::{forbidden, only_forbidden_left, wins};
use super::spec::RuleSpec;
use crate::types::{BoardSize, Color, Point};

/// Customs of play beside the rule. Everywhere a winning row wins, a stone on a forbidden point
/// loses and a full board is a draw.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Profile {
    /// The Gomocup judge: the game is also drawn once [`RuleSpec::draw_margin`] points are left.
    #[default]
    Judge,
    /// The game is also drawn when the side to move has only forbidden points left.
    Casual,
    /// Either side may pass; the game is also drawn when both pass in turn.
    Pass,
}

impl Profile {
    /// The number of empty points at which a game under `spec` that goes on with `left` of them
    /// will be drawn. Play goes on below the judge's margin only where no judge ends the game
    /// there.
    pub fn draw_margin(self, spec: &RuleSpec, left: usize) -> usize {
        let margin = usize::from(spec.draw_margin);
        match self {
            Profile::Judge if left > margin => margin,
            _ => 0,
        }
    }
}

impl std::fmt::Display for Profile {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Profile::Judge => "judge",
            Profile::Casual => "casual",
            Profile::Pass => "pass",
        })
    }
}

impl std::str::FromStr for Profile {
    type Err = String;

    fn from_str(text: &str) -> Result<Profile, String> {
        [Profile::Judge, Profile::Casual, Profile::Pass]
            .into_iter()
            .find(|profile| profile.to_string().eq_ignore_ascii_case(text))
            .ok_or_else(|| format!("unknown profile '{text}': use judge, casual or pass"))
    }
}

/// How a game ended.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Outcome {
    /// One side won.
    Win {
        /// The side that won.
        winner: Color,
        /// By what.
        reason: WinReason,
    },
    /// Nobody won.
    Draw(DrawReason),
}

/// What won a game.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum WinReason {
    /// A winning row of the winner.
    Five,
    /// A forbidden move of the loser.
    ForbiddenMove,
}

/// What made a game a draw.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum DrawReason {
    /// Every point is taken.
    BoardFull,
    /// No more than [`RuleSpec::draw_margin`] points are left.
    FewPointsLeft,
    /// The side to move has only forbidden points left.
    OnlyForbiddenPoints,
    /// Both sides passed in turn.
    TwoPasses,
}

impl Outcome {
    /// The winner, if there is one.
    pub const fn winner(self) -> Option<Color> {
        match self {
            Outcome::Win { winner, .. } => Some(winner),
            Outcome::Draw(_) => None,
        }
    }
}

impl std::fmt::Display for Outcome {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Outcome::Win { winner, reason } => write!(f, "{winner} wins: {reason}"),
            Outcome::Draw(reason) => write!(f, "draw: {reason}"),
        }
    }
}

impl std::fmt::Display for WinReason {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            WinReason::Five => "five in a row",
            WinReason::ForbiddenMove => "forbidden move",
        })
    }
}

impl std::fmt::Display for DrawReason {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            DrawReason::BoardFull => "board full",
            DrawReason::FewPointsLeft => "few points left",
            DrawReason::OnlyForbiddenPoints => "only forbidden points left",
            DrawReason::TwoPasses => "two passes",
        })
    }
}

/// Why a move was refused; the game stays as it was.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Illegal {
    /// The point is not on the board.
    OffBoard(BoardSize),
    /// The point is taken.
    Occupied(Point),
    /// The profile knows no passes.
    NoPasses(Profile),
    /// The game has ended.
    GameOver(Outcome),
}

impl std::fmt::Display for Illegal {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Illegal::OffBoard(size) => write!(f, "the point is not on the {size} board"),
            Illegal::Occupied(point) => write!(f, "{},{} is taken", point.x(), point.y()),
            Illegal::NoPasses(profile) => {
                write!(f, "passing is not allowed under the {profile} profile")
            }
            Illegal::GameOver(outcome) => write!(f, "the game is over ({outcome})"),
        }
    }
}

impl std::error::Error for Illegal {}

/// What a stone of `color` on the empty `point` of `grid` decides at once: its winning row, or
/// the loss that a forbidden point costs.
pub fn stone_outcome(spec: &RuleSpec, grid: &Grid, point: Point, color: Color) -> Option<Outcome> {
    let (winner, reason) = if wins(spec, grid, point, color) {
        (color, WinReason::Five)
    } else if forbidden(spec, grid, point, color).is_some() {
        (color.opponent(), WinReason::ForbiddenMove)
    } else {
        return None;
    };
    Some(Outcome::Win { winner, reason })
}

/// A game in progress or ended. Black moves first and the sides alternate.
#[derive(Clone)]
pub struct Game {
    spec: &'static RuleSpec,
    profile: Profile,
    grid: Grid,
    moves: Vec<Point>,
    outcome: Option<Outcome>,
}

impl Game {
    /// A game that begins on the empty board.
    pub fn new(spec: &'static RuleSpec, size: BoardSize, profile: Profile) -> Game {
        Game {
            spec,
            profile,
            grid: Grid::new(size),
            moves: Vec::new(),
            outcome: None,
        }
    }

    /// The rule.
    pub fn spec(&self) -> &'static RuleSpec {
        self.spec
    }

    /// The customs of play.
    pub fn profile(&self) -> Profile {
        self.profile
    }

    /// The board size.
    pub fn size(&self) -> BoardSize {
        self.grid.size()
    }

    /// The stones on the board.
    pub fn grid(&self) -> &Grid {
        &self.grid
    }

    /// The moves from the first; a pass is [`Point::NONE`].
    pub fn moves(&self) -> &[Point] {
        &self.moves
    }

    /// The side whose turn it is (or would be, once the game is over).
    pub fn to_move(&self) -> Color {
        Color::of_ply(self.moves.len())
    }

    /// How the game ended; none while it goes on.
    pub fn outcome(&self) -> Option<Outcome> {
        self.outcome
    }

    /// Places a stone of the side to move. A forbidden point is no illegal move: it is played
    /// and loses.
    ///
    /// # Errors
    /// [`Illegal`], and nothing is changed.
    pub fn play(&mut self, point: Point) -> Result<(), Illegal> {
        self.check_running()?;
        match self.grid.cell(point) {
            Cell::Edge => return Err(Illegal::OffBoard(self.size())),
            Cell::Stone(_) => return Err(Illegal::Occupied(point)),
            Cell::Empty => {}
        }
        let color = self.to_move();
        let decided = stone_outcome(self.spec, &self.grid, point, color);
        self.grid.set(point, Some(color));
        self.moves.push(point);
        self.outcome = decided.or_else(|| self.draw_by_stones().map(Outcome::Draw));
        Ok(())
    }

    /// Gives the turn away.
    ///
    /// # Errors
    /// [`Illegal`] unless the profile knows passes and the game goes on; nothing is changed.
    pub fn pass(&mut self) -> Result<(), Illegal> {
        self.check_running()?;
        if self.profile != Profile::Pass {
            return Err(Illegal::NoPasses(self.profile));
        }
        if self.moves.last() == Some(&Point::NONE) {
            self.outcome = Some(Outcome::Draw(DrawReason::TwoPasses));
        }
        self.moves.push(Point::NONE);
        Ok(())
    }

    fn check_running(&self) -> Result<(), Illegal> {
        self.outcome
            .map_or(Ok(()), |outcome| Err(Illegal::GameOver(outcome)))
    }

    /// The draw that the stones on the board make, when the newest did not decide the game.
    fn draw_by_stones(&self) -> Option<DrawReason> {
        let left = self.grid.empty_points().count();
        if left == 0 {
            return Some(DrawReason::BoardFull);
        }
        match self.profile {
            Profile::Judge => {
                (left <= usize::from(self.spec.draw_margin)).then_some(DrawReason::FewPointsLeft)
            }
            Profile::Casual => only_forbidden_left(self.spec, &self.grid, self.to_move())
                .then_some(DrawReason::OnlyForbiddenPoints),
            Profile::Pass => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn game(rule: &str, side: i64, profile: Profile) -> Game {
        let spec = RuleSpec::by_name(rule).unwrap();
        Game::new(spec, BoardSize::square(side).unwrap(), profile)
    }

    /// Plays the points `x,y` of a text; returns the text of the outcome.
    fn play(game: &mut Game, moves: &str) -> Option<String> {
        for (x, y) in moves.split_whitespace().map(|m| m.split_once(',').unwrap()) {
            let point = Point::new(x.parse().unwrap(), y.parse().unwrap());
            game.play(point).unwrap();
        }
        game.outcome().map(|outcome| outcome.to_string())
    }

    /// Plays on without a row of three, `X X O O X X` under `O O X X O O`, until `leave` points
    /// are empty or the game is over.
    fn fill(game: &mut Game, leave: usize) {
        while game.outcome().is_none() && game.grid().empty_points().count() > leave {
            let parity = game.to_move().index() as u8;
            let own = |p: &Point| (p.x() / 2 + p.y()) % 2 == parity;
            let point = game.grid().empty_points().find(own);
            let point = point.or_else(|| game.grid().empty_points().next()).unwrap();
            game.play(point).unwrap();
        }
    }

    #[test]
    fn a_five_wins_for_either_side() {
        let black = "0,0 0,1 1,0 1,1 2,0 2,1 3,0 3,1 4,0";
        let mut first = game("standard", 15, Profile::Judge);
        assert_eq!(
            play(&mut first, black).unwrap(),
            "black wins: five in a row"
        );
        assert_eq!(first.outcome().unwrap().winner(), Some(Color::Black));
        let white = "9,9 0,0 0,1 1,0 1,1 2,0 2,1 3,0 3,1 4,0";
        let mut second = game("renju", 15, Profile::Judge);
        assert_eq!(
            play(&mut second, white).unwrap(),
            "white wins: five in a row"
        );
        let refused = second.play(Point::new(7, 7)).unwrap_err().to_string();
        assert_eq!(refused, "the game is over (white wins: five in a row)");
        assert_eq!(second.moves().len(), 10);
    }

    /// Black's fifth stone makes two threes.
    #[test]
    fn a_forbidden_move_loses_where_it_is_forbidden() {
        let moves = "7,5 0,0 7,6 2,0 5,7 0,2 6,7 2,2 7,7";
        for profile in [Profile::Judge, Profile::Casual, Profile::Pass] {
            let mut renju = game("renju", 15, profile);
            let outcome = play(&mut renju, moves).unwrap();
            assert_eq!(outcome, "white wins: forbidden move");
            assert_eq!(play(&mut game("standard", 15, profile), moves), None);
        }
        let mut white = game("omok", 15, Profile::Judge);
        let outcome = play(&mut white, &format!("14,14 {moves}")).unwrap();
        assert_eq!(outcome, "black wins: forbidden move");
    }

    #[test]
    fn illegal_moves_change_nothing() {
        let mut game = game("freestyle", 15, Profile::Judge);
        game.play(Point::new(7, 8)).unwrap();
        for (point, text) in [
            (Point::new(7, 8), "7,8 is taken"),
            (Point::new(15, 0), "the point is not on the 15x15 board"),
            (Point::NONE, "the point is not on the 15x15 board"),
        ] {
            assert_eq!(game.play(point).unwrap_err().to_string(), text);
        }
        let refused = game.pass().unwrap_err().to_string();
        assert_eq!(refused, "passing is not allowed under the judge profile");
        assert_eq!(game.moves(), [Point::new(7, 8)]);
        assert_eq!(game.to_move(), Color::White);
    }

    #[test]
    fn two_passes_in_turn_are_a_draw() {
        let mut game = game("renju", 15, Profile::Pass);
        game.pass().unwrap();
        assert_eq!(game.to_move(), Color::White);
        game.play(Point::new(7, 7)).unwrap();
        assert_eq!(game.grid().get(Point::new(7, 7)), Some(Color::White));
        game.pass().unwrap();
        assert_eq!(game.outcome(), None);
        game.pass().unwrap();
        assert_eq!(game.outcome().unwrap().to_string(), "draw: two passes");
        assert!(game.pass().is_err());
        assert_eq!(game.moves().len(), 4);
    }

    #[test]
    fn a_full_board_is_a_draw() {
        for (rule, profile) in [
            ("freestyle", Profile::Judge),
            ("standard", Profile::Casual),
            ("renju", Profile::Pass),
        ] {
            let mut game = game(rule, 6, profile);
            fill(&mut game, 1);
            assert_eq!(game.outcome(), None);
            fill(&mut game, 0);
            assert_eq!(game.outcome().unwrap().to_string(), "draw: board full");
        }
    }

    #[test]
    fn the_judge_draws_renju_with_25_points_left() {
        for side in [15, 20] {
            let mut judged = game("renju", side, Profile::Judge);
            fill(&mut judged, 26);
            assert_eq!(judged.outcome(), None);
            fill(&mut judged, 25);
            let outcome = judged.outcome().unwrap();
            assert_eq!(outcome, Outcome::Draw(DrawReason::FewPointsLeft));
            assert_eq!(outcome.winner(), None);
            for (rule, profile) in [("standard", Profile::Judge), ("renju", Profile::Casual)] {
                let mut other = game(rule, side, profile);
                fill(&mut other, 25);
                assert_eq!(other.outcome(), None);
            }
        }
    }

    #[test]
    fn profiles_are_read_by_name() {
        assert_eq!("Casual".parse(), Ok(Profile::Casual));
        let error = "strict".parse::<Profile>().unwrap_err();
        assert!(error.contains("judge, casual or pass"), "{error}");
    }
}
