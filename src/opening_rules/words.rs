//! Rules in words, made from the data.

use super::table::{Actor, Count, Deed, Rule, Step, Stone, Way};
use super::turn::points_in_words;
use crate::rules::Profile;

impl Rule {
    /// The whole rule in words: one line for each step, then the game that follows, other names
    /// and the readings of unclear texts.
    pub fn explain(&self) -> String {
        let mut text = format!("{}: {}\n\n", self.name, self.title);
        let counts = self.stone_counts();
        for (index, step) in self.steps.iter().enumerate() {
            let line = self.step_in_words(index, step, counts[index]);
            text.push_str(&format!("{:>3}. {line}\n", index + 1));
        }
        text.push_str(&format!("{}\n", self.game_in_words()));
        if self
            .steps
            .iter()
            .any(|step| step.ways.iter().any(Self::offers))
        {
            text.push_str(
                "Points offered together must differ under the symmetries of the position; one \
                 alone is placed at once.\n",
            );
        }
        if !self.aliases.is_empty() {
            text.push_str(&format!("Also: {}\n", self.aliases.join("; ")));
        }
        if let Some(number) = self.number {
            text.push_str(&format!(
                "Number {number} of the thirty renju opening rules.\n"
            ));
        }
        for reading in &self.readings {
            text.push_str(&format!(
                "Text: {}\n  Read: {}\n",
                reading.text, reading.reading
            ));
        }
        text
    }

    fn offers(way: &Way) -> bool {
        matches!(way.deed, Deed::Offer { .. })
    }

    fn step_in_words(&self, index: usize, step: &Step, stones: usize) -> String {
        let who = match step.by {
            Actor::A => "A",
            Actor::B => "B",
            Actor::Black => "Black",
            Actor::White => "White",
        };
        let after = |next: usize| match next {
            _ if next == index + 1 => String::new(),
            _ if next == self.steps.len() => "the opening is over".to_owned(),
            _ => format!("go on with {}", next + 1),
        };
        let first = step.ways.first().map_or(index + 1, |way| way.next);
        let together = step.ways.iter().all(|way| way.next == first);
        let in_words = |way: &Way| {
            let deed = deed_in_words(&way.deed, stones);
            match after(way.next) {
                after if together || after.is_empty() => deed,
                after => format!("{deed} ({after})"),
            }
        };
        let parts: Vec<String> = step.ways.iter().map(in_words).collect();
        let mut list = match parts.split_last() {
            Some((last, [])) => last.clone(),
            Some((last, others)) => format!("either {} or {last}", others.join(", ")),
            None => String::new(),
        };
        if together && !after(first).is_empty() {
            list.push_str(&format!("; {}", after(first)));
        }
        format!("{who}: {list}")
    }

    /// How many stones are placed or offered before each step; ways that meet bring as many.
    fn stone_counts(&self) -> Vec<usize> {
        let mut counts = vec![0; self.steps.len() + 1];
        for (index, step) in self.steps.iter().enumerate() {
            for way in &step.ways {
                counts[way.next] = match &way.deed {
                    Deed::Place(stones) => counts[index] + stones.len(),
                    Deed::Offer { .. } | Deed::Roll(_) => counts[index] + 1,
                    Deed::Refuse => 0,
                    _ => counts[index],
                };
            }
        }
        counts
    }

    fn game_in_words(&self) -> String {
        let games: Vec<&str> = self.games.iter().map(|game| game.name).collect();
        let (least, most) = self.sides;
        let board = match least == most {
            true => format!("{least}x{least}"),
            false => format!("boards of {least} to {most}, usually {}", self.board),
        };
        let passes = match self.profile {
            Profile::Pass => "either side may pass",
            Profile::Judge | Profile::Casual => "no passes",
        };
        let mut text = format!("Then {} on {board}, {passes}.", games.join(", "));
        if let Some(bound) = self.bound {
            text.push_str(&format!(
                " Forbidden moves bind player {bound}, whatever his colour."
            ));
        }
        text
    }
}

/// What is done when so many stones are placed or offered, as in "place black 1 on the centre".
fn deed_in_words(deed: &Deed, stones: usize) -> String {
    let named = |(index, stone): (usize, &Stone)| {
        format!("{} {} {}", stone.color, stones + index + 1, stone.region)
    };
    match deed {
        Deed::Place(stones) => {
            let stones: Vec<String> = stones.iter().enumerate().map(named).collect();
            format!("place {}", stones.join(", "))
        }
        Deed::Swap => "swap colours".to_owned(),
        Deed::Stay => "stay".to_owned(),
        Deed::Declare { from, to } => match to {
            Some(to) => format!("declare from {from} to {to} how many moves will be offered"),
            None => format!("declare how many moves will be offered, at least {from}"),
        },
        Deed::Offer { stone, count } => {
            let count = match count {
                Count::Between(least, most) => points_in_words(*least, *most),
                Count::Declared => "the declared number of points".to_owned(),
            };
            format!("offer {count} for {}", named((0, stone)))
        }
        Deed::Pick => "pick one of the points offered".to_owned(),
        Deed::Refuse => "refuse: the board is cleared and who refused is Black".to_owned(),
        Deed::Move { stones, region } => {
            let numbers: Vec<String> = stones.iter().map(usize::to_string).collect();
            let numbers = numbers.join(", ");
            format!(
                "move one of the stones {numbers} that was not moved before to a free point \
                 {region}, and exchange colours"
            )
        }
        Deed::Roll(stone) => format!("roll the die for {}", named((0, stone))),
    }
}
