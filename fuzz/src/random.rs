//! Random numbers, expressions and changes of text, from a seed.

/// A small deterministic generator (splitmix64).
pub struct Random(u64);

impl Random {
    /// From a seed.
    pub fn new(seed: u64) -> Random {
        Random(seed.wrapping_mul(0x2545_f491_4f6c_dd1d) ^ 0x9e37_79b9)
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number below `n`.
    pub fn below(&mut self, n: usize) -> usize {
        (self.next() % n.max(1) as u64) as usize
    }

    /// One of these.
    pub fn pick<'a, T>(&mut self, list: &'a [T]) -> &'a T {
        &list[self.below(list.len())]
    }

    /// A number in [−1, 1).
    pub fn unit(&mut self) -> f64 {
        (self.next() >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    }

    /// An expression over these names, by the grammar.
    pub fn expression(&mut self, names: &[&str], depth: usize) -> String {
        if depth == 0 || self.below(8) == 0 {
            return match self.below(3) {
                0 => (*self.pick(&["1", "2", "3", "1/2", "0.7", "5/3", "pi"])).to_owned(),
                _ => (*self.pick(names)).to_owned(),
            };
        }
        let part = |r: &mut Random| r.expression(names, depth - 1);
        match self.below(12) {
            0..=2 => format!("({} + {})", part(self), part(self)),
            3 => format!("({} - {})", part(self), part(self)),
            4..=6 => format!("{}*{}", part(self), part(self)),
            7 => format!("{}/(2 + ({})^2)", part(self), part(self)),
            8 => format!("({})^{}", part(self), self.pick(&["2", "3"])),
            9 => format!("sqrt(1 + ({})^2)", part(self)),
            _ => {
                let f = *self.pick(&["sin", "cos", "tanh", "atan", "exp", "sin", "cos", "abs"]);
                format!("{f}({})", part(self))
            }
        }
    }

    /// A text with another number, sign, function or name in one place: most often still a text of the same kind.
    pub fn respelled(&mut self, text: &str) -> String {
        const ALIKE: [&[&str]; 4] = [
            &["sin", "cos", "tanh", "atan", "exp"],
            &["+", "-"],
            &["*", "/"],
            &["1", "2", "3", "0", "1/2", "0.7", "pi", "(-1)"],
        ];
        let kind = |c: char| match c {
            c if c.is_ascii_digit() || c == '.' => 0,
            c if c.is_alphanumeric() || c == '_' => 1,
            _ => 2,
        };
        // Runs of letters and of digits, and single signs.
        let mut words: Vec<String> = Vec::new();
        for c in text.chars() {
            match words.last_mut() {
                Some(word) if kind(c) < 2 && word.chars().last().map(kind).is_some_and(|k| k == kind(c) || k == 1) => {
                    word.push(c);
                }
                _ => words.push(c.to_string()),
            }
        }
        let is_number = |w: &str| w.chars().next().is_some_and(|c| c.is_ascii_digit());
        let names: Vec<String> = words.iter().filter(|w| w.starts_with(char::is_alphabetic)).cloned().collect();
        // A handful of attempts: not every place can be changed.
        for _ in 0..20 {
            let at = self.below(words.len());
            let Some(word) = words.get(at) else { break };
            let group = ALIKE.iter().position(|g| g.contains(&word.as_str())).or(is_number(word).then_some(3));
            let other = match group {
                Some(g) => (*self.pick(ALIKE[g])).to_owned(),
                None if names.contains(word) => self.pick(&names).clone(),
                None => continue,
            };
            if other != *word {
                words[at] = other;
                break;
            }
        }
        words.concat()
    }

    /// A text with a few changes: bytes dropped, doubled, swapped for others, pieces moved.
    pub fn mutated(&mut self, text: &str, dictionary: &[&str]) -> String {
        let mut chars: Vec<char> = text.chars().collect();
        for _ in 0..=self.below(4) {
            let at = self.below(chars.len().max(1)).min(chars.len());
            match self.below(5) {
                0 if at < chars.len() => {
                    chars.remove(at);
                }
                1 if at < chars.len() => chars.insert(at, chars[at]),
                2 => {
                    let word: Vec<char> = self.pick(dictionary).chars().collect();
                    chars.splice(at..at, word);
                }
                3 if at < chars.len() => {
                    let end = (at + self.below(12)).min(chars.len());
                    let piece: Vec<char> = chars.drain(at..end).collect();
                    let to = self.below(chars.len() + 1);
                    chars.splice(to..to, piece);
                }
                _ if at < chars.len() => {
                    chars[at] = *self.pick(&['0', '9', '(', ')', '\'', '*', '/', '^', '-', '.', 'x', '=', ' ']);
                }
                _ => {}
            }
        }
        chars.into_iter().collect()
    }
}
