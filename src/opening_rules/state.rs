//! An opening in progress: the interpreter of the table.

use super::Player;
use super::action::{Action, split_transcript};
use super::table::{Actor, Deed, Region, Rule, Step, Way};
use super::turn::{Choice, Turn};
use crate::rules::{Profile, RuleSpec};
use crate::types::{BoardSize, Color, Point, Position};

/// An opening rule with all that it leaves open.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Setup {
    /// The opening rule.
    pub rule: &'static Rule,
    /// The game that follows; one of [`Rule::games`].
    pub game: &'static RuleSpec,
    /// The board; its sides are within [`Rule::sides`].
    pub size: BoardSize,
    /// Seed of the die. None: a die of the players' own, whose numbers are taken as reported.
    pub seed: Option<u64>,
}

impl Setup {
    /// The rule with its usual game and board, and no seed.
    pub fn of(rule: &'static Rule) -> Setup {
        Setup {
            rule,
            game: rule.games[0],
            size: rule.board,
            seed: None,
        }
    }
}

/// A stone that was placed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Placed {
    pub point: Point,
    pub color: Color,
    /// Was it moved after it was placed?
    pub moved: bool,
}

/// Points offered for a stone, until one is picked.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Offered {
    pub color: Color,
    pub region: Region,
    pub points: Vec<Point>,
}

/// An opening in progress or over.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct State {
    pub(super) setup: Setup,
    /// Index of the step whose turn it is; the number of steps when the opening is over.
    step: usize,
    pub(super) stones: Vec<Placed>,
    black: Player,
    pub(super) declared: Option<usize>,
    /// Open offers, the oldest first.
    pub(super) offers: Vec<Offered>,
    pub(super) history: Vec<(Player, Action)>,
}

/// What an opening led to: the position from which the game goes on.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Settled {
    /// The stones in the order they were placed, and the side to move.
    pub position: Position,
    /// Who holds Black.
    pub black: Player,
    /// The rule of the game. Where forbidden moves are tied to a player who now holds White it
    /// is [`RuleSpec::RENJU_REVERSED`].
    pub game: &'static RuleSpec,
    /// Whether sides may pass.
    pub profile: Profile,
}

impl Settled {
    /// The player with the stones of `color`.
    pub fn holder(&self, color: Color) -> Player {
        match color {
            Color::Black => self.black,
            Color::White => self.black.other(),
        }
    }

    /// The player who moves first in the game.
    pub fn mover(&self) -> Player {
        self.holder(self.position.to_move)
    }

    /// The stones as moves that alternate from Black, for records and managers that know no
    /// other order: those of either colour in the order they were placed.
    pub fn moves(&self) -> Vec<Point> {
        self.position.in_turn()
    }
}

/// Where a transcript is wrong.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Fault {
    /// The number of the action, from 1.
    pub number: usize,
    /// Its text.
    pub action: String,
    /// What is wrong with it.
    pub reason: String,
}

impl std::fmt::Display for Fault {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(
            f,
            "action {}, '{}': {}",
            self.number, self.action, self.reason
        )
    }
}

impl std::error::Error for Fault {}

impl State {
    /// The beginning of an opening.
    ///
    /// # Errors
    /// One line, when the rule is not for that game or that board.
    pub fn new(setup: Setup) -> Result<State, String> {
        let Setup {
            rule, game, size, ..
        } = setup;
        if !rule.games.contains(&game) {
            let games: Vec<&str> = rule.games.iter().map(|game| game.name).collect();
            let (name, game, games) = (&rule.name, game.name, games.join(", "));
            return Err(format!("{name} is not played before {game}: use {games}"));
        }
        let (least, most) = rule.sides;
        let fits = |side: u8| (least..=most).contains(&side);
        if !fits(size.width()) || !fits(size.height()) {
            let sides = match least == most {
                true => format!("{least}x{least}"),
                false => format!("sides of {least} to {most}"),
            };
            return Err(format!(
                "{} is not played on {size}: use {sides}",
                rule.name
            ));
        }
        Ok(State {
            setup,
            step: 0,
            stones: Vec::new(),
            black: Player::A,
            declared: None,
            offers: Vec::new(),
            history: Vec::new(),
        })
    }

    /// The opening after the actions of a transcript (see [`split_transcript`]). An action may
    /// begin with the player whose it is, as in `B: swap`.
    ///
    /// # Errors
    /// The first action that is wrong.
    pub fn replay(setup: Setup, transcript: &str) -> Result<State, Fault> {
        let fault = |number, action: &str, reason| Fault {
            number,
            action: action.to_owned(),
            reason,
        };
        let mut state = State::new(setup).map_err(|reason| fault(0, "", reason))?;
        for (number, item) in (1..).zip(split_transcript(transcript)) {
            let applied = state.apply_text(item);
            applied.map_err(|reason| fault(number, item, reason))?;
        }
        Ok(state)
    }

    /// Reads an action, with or without its player before it, and takes it.
    ///
    /// # Errors
    /// One line; nothing is changed.
    pub fn apply_text(&mut self, text: &str) -> Result<(), String> {
        let (player, text) = match text.split_once(':') {
            Some((player, rest)) => (Some(player.trim()), rest),
            None => (None, text),
        };
        if let (Some(player), Some(actor)) = (player, self.actor())
            && !player.eq_ignore_ascii_case(&actor.to_string())
        {
            return Err(format!("it is {actor}'s turn"));
        }
        self.apply(&Action::parse(text, self.setup.size)?)
    }

    /// Rule, game, board and seed.
    pub fn setup(&self) -> Setup {
        self.setup
    }

    /// What was done so far, and by whom.
    pub fn history(&self) -> &[(Player, Action)] {
        &self.history
    }

    /// Whose turn it is; none when the opening is over.
    pub fn actor(&self) -> Option<Player> {
        self.current().map(|step| self.player(step.by))
    }

    /// Who holds Black now.
    pub fn black(&self) -> Player {
        self.black
    }

    /// The colour that `player` holds now.
    pub fn color_of(&self, player: Player) -> Color {
        match player == self.black {
            true => Color::Black,
            false => Color::White,
        }
    }

    /// The number declared, if any.
    pub fn declared(&self) -> Option<usize> {
        self.declared
    }

    /// The points offered for a stone and not yet decided on, the oldest offer first.
    pub fn offered(&self) -> impl Iterator<Item = (Color, &[Point])> {
        self.offers
            .iter()
            .map(|offer| (offer.color, offer.points.as_slice()))
    }

    /// The stones in the order they were placed, without those only offered. The side to move is
    /// the one with fewer stones, Black if both have as many.
    pub fn position(&self) -> Position {
        let mut position = Position::new(self.setup.size);
        for stone in &self.stones {
            position.add(stone.point, stone.color);
        }
        let count = |color| self.stones.iter().filter(|s| s.color == color).count();
        if count(Color::Black) > count(Color::White) {
            position.to_move = Color::White;
        }
        position
    }

    /// What the opening led to; none while it goes on.
    pub fn result(&self) -> Option<Settled> {
        let Setup { rule, game, .. } = self.setup;
        let reversed = rule.bound.is_some_and(|bound| bound != self.black);
        self.current().is_none().then(|| Settled {
            position: self.position(),
            black: self.black,
            game: if reversed {
                RuleSpec::RENJU_REVERSED
            } else {
                game
            },
            profile: rule.profile,
        })
    }

    /// What is legal now; none when the opening is over.
    pub fn legal(&self) -> Option<Turn> {
        let step = self.current()?;
        Some(Turn {
            actor: self.player(step.by),
            choices: step.ways.iter().map(|way| self.choice(&way.deed)).collect(),
            size: self.setup.size,
        })
    }

    /// Is `action` legal now?
    ///
    /// # Errors
    /// One line that says why not.
    pub fn check(&self, action: &Action) -> Result<(), String> {
        self.find(action).map(|_| ())
    }

    /// Takes the action of the player whose turn it is.
    ///
    /// # Errors
    /// One line that says why it is not legal; nothing is changed.
    pub fn apply(&mut self, action: &Action) -> Result<(), String> {
        let (choice, next) = self.find(action)?;
        let actor = self.actor().unwrap_or(Player::A);
        self.carry_out(actor, &choice, action);
        self.history.push((actor, action.clone()));
        self.step = next;
        self.skip_empty_picks();
        Ok(())
    }

    /// The step whose turn it is.
    fn current(&self) -> Option<&'static Step> {
        self.setup.rule.steps.get(self.step)
    }

    fn player(&self, actor: Actor) -> Player {
        match actor {
            Actor::A => Player::A,
            Actor::B => Player::B,
            Actor::Black => self.black,
            Actor::White => self.black.other(),
        }
    }

    /// The choice, and the step after it, that `action` is one of.
    fn find(&self, action: &Action) -> Result<(Choice, usize), String> {
        let Some(step) = self.current() else {
            return Err("the opening is over".to_owned());
        };
        for way in &step.ways {
            let choice = self.choice(&way.deed);
            if let Some(fits) = self.judge(&choice, action) {
                return fits.map(|()| (choice, way.next));
            }
        }
        let turn = self
            .legal()
            .map_or(String::new(), |turn| turn.choices_in_words());
        Err(format!("it is {}'s turn to {turn}", self.player(step.by)))
    }

    /// Changes the position by an action that was found legal.
    fn carry_out(&mut self, actor: Player, choice: &Choice, action: &Action) {
        match (choice, action) {
            (Choice::Place(slots), Action::Place(points)) => {
                for (slot, &point) in slots.iter().zip(points) {
                    self.put(point, slot.color);
                }
            }
            (Choice::Offer { slot, .. }, Action::Offer(points)) => match points[..] {
                [only] => self.put(only, slot.color),
                _ => self.offers.push(Offered {
                    color: slot.color,
                    region: slot.region,
                    points: points.clone(),
                }),
            },
            (Choice::Pick(slot), Action::Pick(point)) => {
                self.offers.remove(0);
                self.put(*point, slot.color);
            }
            (Choice::Roll { slot, .. }, Action::Roll(face)) => {
                self.put(slot.points[face - 1], slot.color);
            }
            (Choice::Move { .. }, Action::Move(from, to)) => {
                for stone in self.stones.iter_mut().filter(|stone| stone.point == *from) {
                    stone.point = *to;
                    stone.moved = true;
                }
                self.black = self.black.other();
            }
            (_, Action::Declare(number)) => self.declared = Some(*number),
            (_, Action::Swap) => self.black = self.black.other(),
            (_, Action::Refuse) => {
                self.stones.clear();
                self.black = actor;
            }
            _ => {}
        }
    }

    fn put(&mut self, point: Point, color: Color) {
        self.stones.push(Placed {
            point,
            color,
            moved: false,
        });
    }

    /// Where a single point was offered nothing is left to pick.
    fn skip_empty_picks(&mut self) {
        while let Some(step) = self.current()
            && let [
                Way {
                    deed: Deed::Pick,
                    next,
                },
            ] = step.ways[..]
            && self.offers.is_empty()
        {
            self.step = next;
        }
    }
}
