//! One source with many mutants in it, each behind a switch.

use crate::list::{Edit, Mutant};
use std::ops::Range;

/// What asks for the switches: a module of the rewritten library.
pub const SWITCH: &str = r#"//! The mutant that is switched on, by NOSLIP_MUTANT; with NOSLIP_MUTANTS_REACHED, a file, what is reached is written there instead.
use std::io::Write;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering::Relaxed};

const UNREAD: u32 = u32::MAX;
const RECORD: u32 = u32::MAX - 1;
const NONE: u32 = u32::MAX - 2;
static ACTIVE: AtomicU32 = AtomicU32::new(UNREAD);
static REACHED: [AtomicBool; 1 << 16] = [const { AtomicBool::new(false) }; 1 << 16];

#[inline(always)]
pub fn on(n: u32) -> bool {
    let active = ACTIVE.load(Relaxed);
    if active < RECORD { active == n } else { asked(n, active) }
}

#[cold]
fn asked(n: u32, active: u32) -> bool {
    // What a loop comes by a million times is written once, and the environment not read again.
    if active == RECORD && REACHED[n as usize].load(Relaxed) {
        return false;
    }
    let file = std::env::var("NOSLIP_MUTANTS_REACHED").ok();
    if ACTIVE.load(Relaxed) == UNREAD {
        let set = std::env::var("NOSLIP_MUTANT").ok().and_then(|x| x.parse().ok());
        ACTIVE.store(if file.is_some() { RECORD } else { set.unwrap_or(NONE) }, Relaxed);
    }
    if let Some(file) = file {
        if !REACHED[n as usize].swap(true, Relaxed) {
            let mut file = std::fs::OpenOptions::new().create(true).append(true).open(file).expect("the file of what is reached");
            file.write_all(format!("{n}\n").as_bytes()).expect("a line of what is reached");
        }
        return false;
    }
    ACTIVE.load(Relaxed) == n
}
"#;

/// A rewritten source, and which of its bytes belong to which mutant: for the errors of the compiler.
pub struct Rewritten {
    pub text: String,
    pub places: Vec<(Range<usize>, u32)>,
}

impl Rewritten {
    /// The mutants to blame for an error in a range: those of the smallest place around it, otherwise those inside of it.
    pub fn blamed(&self, error: &Range<usize>) -> Vec<u32> {
        let around = |place: &Range<usize>| place.start <= error.start && error.end <= place.end;
        let least = self.places.iter().filter(|(place, _)| around(place)).map(|(place, _)| place.len()).min();
        let chosen = self.places.iter().filter(|(place, _)| match least {
            Some(least) => around(place) && place.len() == least,
            None => error.start <= place.start && place.end <= error.end,
        });
        chosen.map(|(_, id)| *id).collect()
    }
}

/// Writes the mutants, with the numbers of their switches, into a source.
pub fn rewrite(source: &str, mutants: &[(u32, &Mutant)]) -> Rewritten {
    // Larger ranges first where several begin at one place: they are around the others. A guard is around the expression it is.
    let mut edits: Vec<(u32, &Edit)> = mutants.iter().map(|(id, m)| (*id, &m.edit)).collect();
    let order = |edit: &Edit| match edit {
        Edit::Return(at, _) | Edit::Pass(at) => (*at, 0, 0),
        Edit::Guard(range, _) => (range.start, usize::MAX - range.end, 0),
        Edit::Instead(range, _) => (range.start, usize::MAX - range.end, 1),
    };
    edits.sort_by_key(|(id, edit)| (order(edit), *id));
    let mut writer = Writer { source, edits, next: 0, out: Rewritten { text: String::new(), places: Vec::new() } };
    writer.write(0..source.len());
    writer.out
}

struct Writer<'a> {
    source: &'a str,
    edits: Vec<(u32, &'a Edit)>,
    next: usize,
    out: Rewritten,
}

impl Writer<'_> {
    fn push(&mut self, text: &str) -> Range<usize> {
        let start = self.out.text.len();
        self.out.text.push_str(text);
        start..self.out.text.len()
    }

    /// What is inside, as it was but for its own mutants, where those around it begin at `begins`. Returns where it ends.
    fn around(&mut self, brackets: [&str; 2], inside: &Range<usize>, begins: usize, ids: &[u32]) -> usize {
        self.push(brackets[0]);
        self.write(inside.clone());
        self.push(brackets[1]);
        let place = begins..self.out.text.len();
        self.out.places.extend(ids.iter().map(|&id| (place.clone(), id)));
        inside.end
    }

    fn write(&mut self, range: Range<usize>) {
        let mut at = range.start;
        while let Some((_, edit)) = self.edits.get(self.next).filter(|(_, edit)| edit.start() < range.end) {
            let (start, edit) = (edit.start(), *edit);
            self.push(&self.source[at..start]);
            at = start;
            match edit {
                Edit::Return(..) | Edit::Pass(_) => {
                    let id = self.edits[self.next].0;
                    self.next += 1;
                    let place = self.push(&match edit {
                        Edit::Return(_, value) => format!(" if crate::mutant::on({id}) {{ return {value}; }}"),
                        _ => format!(" if !crate::mutant::on({id})"),
                    });
                    self.out.places.push((place, id));
                }
                Edit::Guard(inside, _) => {
                    let begins = self.out.text.len();
                    let mut ids = Vec::new();
                    self.push("(");
                    while let Some((id, Edit::Guard(same, value))) = self.edits.get(self.next).copied()
                        && same == inside
                    {
                        self.push(&if *value {
                            format!("crate::mutant::on({id}) || ")
                        } else {
                            format!("!crate::mutant::on({id}) && ")
                        });
                        ids.push(id);
                        self.next += 1;
                    }
                    at = self.around(["(", "))"], inside, begins, &ids);
                }
                Edit::Instead(inside, _) => {
                    let begins = self.out.text.len();
                    let mut ids = Vec::new();
                    self.push("(");
                    while let Some((id, Edit::Instead(same, text))) = self.edits.get(self.next).copied()
                        && same == inside
                    {
                        // Only one mutant is on at a time: its text is that of the source, without the others.
                        self.push(&format!("if crate::mutant::on({id}) {{ "));
                        let place = self.push(text);
                        self.out.places.push((place, id));
                        self.push(" } else ");
                        ids.push(id);
                        self.next += 1;
                    }
                    at = self.around(["{ ", " })"], inside, begins, &ids);
                }
            }
        }
        self.push(&self.source[at..range.end]);
    }
}
