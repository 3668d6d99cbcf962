//! The lines of an `OPENING rule [game] … DONE` block.

/// Bytes of the actions that are kept: an offer of half the points of the largest board and much
/// more.
const MAX_ACTIONS: usize = 8192;

/// The block as it came.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Opening {
    /// The words after the verb, parted by single blanks.
    pub header: String,
    /// The lines up to DONE.
    pub actions: String,
    /// There were more lines than any opening has.
    pub is_too_long: bool,
    has_header: bool,
}

impl Opening {
    /// Takes in one line, of the first one what follows the verb. True when DONE ended the block.
    pub fn read_line(&mut self, line: &str) -> bool {
        if !self.has_header {
            let mut words: Vec<&str> = line.split_whitespace().collect();
            let ends = words.pop_if(|word| is_done(word)).is_some();
            self.header = words.join(" ");
            self.has_header = true;
            return ends;
        }
        if is_done(line.trim()) {
            return true;
        }
        self.is_too_long |= self.actions.len() + line.len() > MAX_ACTIONS;
        if !self.is_too_long {
            self.actions.push_str(line);
            self.actions.push('\n');
        }
        false
    }
}

/// The word that ends a block.
pub fn is_done(word: &str) -> bool {
    word.eq_ignore_ascii_case("DONE")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_block_ends_with_done_on_any_line() {
        let mut opening = Opening::default();
        assert!(opening.read_line(" swap2   standard done"));
        assert_eq!(opening.header, "swap2 standard");
        let mut opening = Opening::default();
        let lines = ["swap2", "place h8", ""];
        assert!(lines.iter().all(|line| !opening.read_line(line)));
        assert!(opening.read_line(" Done \r"));
        assert_eq!(opening.actions, "place h8\n\n");
    }

    #[test]
    fn a_flood_is_not_kept() {
        let mut opening = Opening::default();
        for _ in 0..1000 {
            opening.read_line("place h8 h9 i10 and so on for ever");
        }
        assert!(opening.is_too_long && opening.actions.len() <= MAX_ACTIONS);
    }
}
