//! Python as SymPy prints it: `Eq(m*Derivative(x(t), (t, 2)), -k*x(t))`.
//!
//! Read are `+ - * / **`, brackets, functions with or without their module (`sin`, `sm.sin`, `np.arctan2`), `Derivative`, `diff`
//! as function and as method, `x(t)` and `x'` for what varies, `Eq`, `==`, `=`, lists and matrices of equations, and the words of
//! `srepr` (`Add`, `Mul`, `Pow`, `Symbol`, `Function`, `Integer`, `Rational`, `Float`). Anything else is refused.

mod words;

use super::notation::{Meaning, Notation};
use super::tree::{Call, Join, Piece, Shown, What};
use crate::error::{Error, Result, Span};
use crate::expr::closest;
use crate::model::Kind;
use words::{Token, WORDS, function, words};

const DEPTH: usize = 200;

/// An equation: a left side, and a right side if there is one.
type Sides = (Piece, Option<Piece>);

/// Reads the equations of a text.
pub(super) fn equations(text: &str, notation: &mut Notation) -> Result<Vec<Sides>> {
    let words = words(text)?;
    let mut parser = Parser { words, at: 0, length: text.len(), notation, depth: 0 };
    let list = parser.statement()?;
    if parser.at < parser.words.len() {
        return Err(parser.unread());
    }
    Ok(list)
}

/// A name as the table of names knows it.
pub(super) fn name(text: &str) -> Option<Vec<String>> {
    let first = text.bytes().next()?;
    let valid = |b: u8| b.is_ascii_alphanumeric() || b == b'_' || b == b'.';
    (first.is_ascii_alphabetic() && text.bytes().all(valid)).then(|| vec![text.to_owned()])
}

struct Parser<'a> {
    words: Vec<(Token, Span)>,
    at: usize,
    length: usize,
    notation: &'a mut Notation,
    depth: usize,
}

impl Parser<'_> {
    fn peek(&self) -> Option<&Token> {
        self.words.get(self.at).map(|w| &w.0)
    }

    fn sign(&mut self, sign: &str) -> bool {
        let found = matches!(self.peek(), Some(Token::Sign(s)) if *s == sign);
        self.at += usize::from(found);
        found
    }

    fn span_from(&self, start: usize) -> Span {
        let first = self.words.get(start).map_or(self.length, |w| w.1.start);
        let last = self.words.get(self.at.saturating_sub(1)).map_or(first, |w| w.1.end);
        first..last.max(first)
    }

    fn here(&self) -> Span {
        self.words.get(self.at).map_or(self.length..self.length, |w| w.1.clone())
    }

    fn unread(&self) -> Error {
        match self.peek() {
            None => Error::input("the expression ends where something is missing").at(self.here()),
            Some(Token::Sign("^")) => Error::input("`^` is not a power in Python").at(self.here()).hint("write `**`"),
            Some(_) => Error::input("this is not read here")
                .at(self.here())
                .hint("read are + - * / **, brackets, functions, Derivative, Eq and lists of equations"),
        }
    }

    fn expect(&mut self, sign: &'static str) -> Result<()> {
        if self.sign(sign) {
            return Ok(());
        }
        match self.peek() {
            None => Err(Error::input(format!("`{sign}` is missing")).at(self.here())),
            Some(_) => Err(self.unread()),
        }
    }

    /// One equation, a list of them, or an expression.
    fn statement(&mut self) -> Result<Vec<Sides>> {
        self.enter()?;
        let list = self.list_or_equation();
        self.depth -= 1;
        list
    }

    fn enter(&mut self) -> Result<()> {
        self.depth += 1;
        if self.depth > DEPTH {
            return Err(Error::limit(format!("brackets nested deeper than {DEPTH}")).at(self.here()));
        }
        Ok(())
    }

    fn list_or_equation(&mut self) -> Result<Vec<Sides>> {
        let start = self.at;
        let word = self.dotted_word();
        match word.as_deref() {
            Some("Eq" | "Equality") if self.sign("(") => {
                let lhs = self.sum()?;
                let rhs = if self.sign(",") { self.sum()? } else { Piece::new(What::Number("0".into()), self.here()) };
                if self.sign(",") {
                    self.keywords()?;
                }
                self.expect(")")?;
                return Ok(vec![(lhs, Some(rhs))]);
            }
            Some(w) if w.ends_with("Matrix") && self.sign("(") => {
                let list = self.statement()?;
                self.expect(")")?;
                return Ok(list);
            }
            _ => self.at = start,
        }
        if self.sign("[") {
            let mut list = Vec::new();
            while !self.sign("]") {
                list.extend(self.statement()?);
                if !self.sign(",") {
                    self.expect("]")?;
                    break;
                }
            }
            if list.is_empty() {
                return Err(Error::input("an empty list of equations").at(self.span_from(start)));
            }
            return Ok(list);
        }
        let lhs = self.sum()?;
        let rhs = if self.sign("=") || self.sign("==") { Some(self.sum()?) } else { None };
        Ok(vec![(lhs, rhs)])
    }

    /// A word with the modules before it dropped: `sm.Eq` → `Eq`; nothing is read where it is none of the words known here.
    fn dotted_word(&mut self) -> Option<String> {
        let start = self.at;
        let mut last = None;
        while let Some(Token::Name(name)) = self.peek().cloned() {
            // `theta.diff(t)` is a method of what the model knows, not a function of a module.
            if last.is_none()
                && self.known(&name).is_some()
                && matches!(self.words.get(start + 1), Some((Token::Sign("."), _)))
            {
                return None;
            }
            self.at += 1;
            last = Some(name);
            if !self.sign(".") {
                break;
            }
        }
        let known = last.as_deref().is_some_and(|n| WORDS.contains(&n) || function(n).is_some() || n == "Half");
        if !known {
            self.at = start;
            return None;
        }
        last
    }

    fn sum(&mut self) -> Result<Piece> {
        self.enter()?;
        let start = self.at;
        let mut terms = vec![(false, self.product()?)];
        while let Some(minus) = match self.peek() {
            Some(Token::Sign("+")) => Some(false),
            Some(Token::Sign("-")) => Some(true),
            _ => None,
        } {
            self.at += 1;
            terms.push((minus, self.product()?));
        }
        self.depth -= 1;
        // A sign in front belongs to the first term.
        let first = &mut terms[0];
        if let What::Sum(inner) = &first.1.what
            && let [(true, _)] = &inner[..]
            && let What::Sum(inner) = std::mem::replace(&mut first.1.what, What::Number("0".into()))
        {
            let (minus, term) = inner.into_iter().next().unwrap_or_else(|| unreachable!("one term was seen"));
            *first = (minus, term);
        }
        let span = self.span_from(start);
        Ok(match (terms.len(), terms.pop()) {
            (1, Some((false, only))) => only,
            (_, last) => {
                terms.extend(last);
                Piece::new(What::Sum(terms), span)
            }
        })
    }

    fn product(&mut self) -> Result<Piece> {
        let start = self.at;
        let mut factors = vec![(Join::Times, self.signed()?)];
        loop {
            let join = if self.sign("*") {
                Join::Times
            } else if self.sign("/") {
                Join::Over
            } else {
                break;
            };
            factors.push((join, self.signed()?));
        }
        // -a*b is -(a*b), which is the same.
        let mut minus = false;
        if factors.len() > 1
            && let What::Sum(inner) = &factors[0].1.what
            && let [(true, term)] = &inner[..]
        {
            minus = true;
            factors[0].1 = term.clone();
        }
        let span = self.span_from(start);
        let product = match (factors.len(), factors.pop()) {
            (1, Some((_, only))) => return Ok(only),
            (_, last) => {
                factors.extend(last);
                Piece::new(What::Product(factors), span.clone())
            }
        };
        Ok(if minus { Piece::new(What::Sum(vec![(true, product)]), span) } else { product })
    }

    fn signed(&mut self) -> Result<Piece> {
        let start = self.at;
        if self.sign("+") {
            return self.signed();
        }
        if self.sign("-") {
            self.enter()?;
            let of = self.signed()?;
            self.depth -= 1;
            return Ok(Piece::new(What::Sum(vec![(true, of)]), self.span_from(start)));
        }
        let base = self.operand()?;
        if self.sign("**") {
            self.enter()?;
            let exponent = self.signed()?;
            self.depth -= 1;
            return Ok(Piece::new(What::Power(Box::new(base), Box::new(exponent)), self.span_from(start)));
        }
        Ok(base)
    }

    /// An operand with the methods called on it.
    fn operand(&mut self) -> Result<Piece> {
        let start = self.at;
        let mut piece = self.atom()?;
        while matches!(self.peek(), Some(Token::Sign("."))) {
            let at = self.at;
            self.at += 1;
            if self.peek() != Some(&Token::Name("diff".into())) {
                return Err(Error::input("only the method `diff` is read").at(self.span_from(at)));
            }
            self.at += 1;
            self.expect("(")?;
            let order = if matches!(self.peek(), Some(Token::Sign(")"))) { 1 } else { self.orders()? };
            self.expect(")")?;
            piece = rate(piece, order, self.span_from(start))?;
        }
        Ok(piece)
    }

    fn atom(&mut self) -> Result<Piece> {
        let start = self.at;
        if let Some(word) = self.dotted_word() {
            if word == "Half" {
                return Ok(self.rational("1".into(), "2".into(), start));
            }
            if matches!(self.peek(), Some(Token::Sign("(")))
                && !matches!(self.known(&word), Some((_, kind)) if kind != Kind::Table)
            {
                self.at += 1;
                return self.called(&word, start);
            }
            self.at = start;
        }
        match self.peek().cloned() {
            Some(Token::Number(digits)) => {
                self.at += 1;
                Ok(Piece::new(What::Number(digits), self.span_from(start)))
            }
            Some(Token::Sign("(")) => {
                self.at += 1;
                let inner = self.sum()?;
                self.expect(")")?;
                Ok(Piece::new(What::Bracket('(', Box::new(inner)), self.span_from(start)))
            }
            Some(Token::Name(name)) => {
                self.at += 1;
                // Names with points, of models made of bodies.
                let mut full = name;
                while let (Some(Token::Sign(".")), Some((Token::Name(next), _))) =
                    (self.peek(), self.words.get(self.at + 1))
                    && self.known(&format!("{full}.{next}")).is_some()
                {
                    full = format!("{full}.{next}");
                    self.at += 2;
                }
                self.named(full, start)
            }
            _ => Err(self.unread()),
        }
    }

    fn known(&self, name: &str) -> Option<(String, Kind)> {
        match self.notation.look_up(&[name.to_owned()]) {
            Meaning::One(name, kind) => Some((name, kind)),
            _ => None,
        }
    }

    fn named(&mut self, text: String, start: usize) -> Result<Piece> {
        let mut primes = 0;
        if let Some(Token::Prime(n)) = self.peek() {
            primes = *n;
            self.at += 1;
        }
        let span = self.span_from(start);
        let (name, kind) = match self.notation.look_up(std::slice::from_ref(&text)) {
            Meaning::One(name, kind) => (name, kind),
            Meaning::Several(names) => {
                return Err(Error::input(format!("`{text}` may be one of {}", names.join(", ")))
                    .at(span)
                    .hint(format!("say which one is meant: name '{text}=NAME'")));
            }
            Meaning::Unknown if text == "E" => {
                let one = Piece::new(What::Number("1".into()), span.clone());
                let call = Call { function: "exp".into(), primes: 0, power: None, arguments: vec![one] };
                return Ok(Piece::new(What::Call(call), span));
            }
            Meaning::Unknown => {
                let near = closest(&text, self.notation.all()).unwrap_or("NAME");
                let hint = format!(
                    "say what it stands for: name '{text}={near}' for a name of the model, define for an expression"
                );
                return Err(Error::input(format!("`{text}` is no name of this model")).at(span).hint(hint));
            }
        };
        let shown = Shown { parts: vec![text.clone()], source: text };
        self.notation.note(&shown);
        if matches!(self.peek(), Some(Token::Sign("("))) {
            self.at += 1;
            let argument = self.sum()?;
            self.expect(")")?;
            if kind == Kind::Table {
                let call = Call { function: name, primes, power: None, arguments: vec![argument] };
                return Ok(Piece::new(What::Call(call), self.span_from(start)));
            }
            let is_time = matches!(&argument.what, What::Name { name, primes: 0, .. } if name == "t");
            if !is_time || matches!(kind, Kind::Parameter | Kind::Constant | Kind::Time) {
                return Err(Error::input(format!("`{}` is not a function of this", shown.source))
                    .at(self.span_from(start))
                    .hint("what varies is written `x(t)`, a product with `*`"));
            }
        }
        Ok(Piece::new(What::Name { name, primes, shown }, self.span_from(start)))
    }

    /// A word of SymPy, or a function, behind its opening bracket.
    fn called(&mut self, word: &str, start: usize) -> Result<Piece> {
        match word {
            "Derivative" | "diff" => {
                let of = self.sum()?;
                let order = if self.sign(",") { self.orders()? } else { 1 };
                self.expect(")")?;
                return rate(of, order, self.span_from(start));
            }
            "Symbol" | "Function" | "dynamicsymbols" => {
                let Some(Token::Text(text)) = self.peek().cloned() else { return Err(self.unread()) };
                self.at += 1;
                // real=True and the like
                if self.sign(",") {
                    self.keywords()?;
                }
                self.expect(")")?;
                return self.named(text, start);
            }
            "Integer" | "Float" | "S" | "UnevaluatedExpr" => {
                if let Some(Token::Text(text)) = self.peek().cloned() {
                    self.at += 1;
                    self.skip_arguments();
                    self.expect(")")?;
                    let inner = equations(&text, self.notation)?;
                    let [(Piece { what, .. }, None)] = &inner[..] else { return Err(self.unread()) };
                    return Ok(Piece::new(what.clone(), self.span_from(start)));
                }
                let value = self.sum()?;
                self.skip_arguments();
                self.expect(")")?;
                return Ok(Piece::new(What::Bracket('(', Box::new(value)), self.span_from(start)));
            }
            "Tuple" => {
                return Err(Error::input("a tuple stands where an expression is expected").at(self.span_from(start)));
            }
            _ => {}
        }
        let mut arguments = vec![self.sum()?];
        while self.sign(",") {
            if matches!(self.peek(), Some(Token::Sign(")"))) {
                break;
            }
            // evaluate=False
            if matches!((self.peek(), self.words.get(self.at + 1)), (Some(Token::Name(_)), Some((Token::Sign("="), _))))
            {
                self.at += 2;
                self.at += usize::from(self.peek().is_some());
                continue;
            }
            arguments.push(self.sum()?);
        }
        self.expect(")")?;
        let span = self.span_from(start);
        let what = match (word, arguments.len()) {
            ("Add", _) => What::Sum(arguments.into_iter().map(|a| (false, a)).collect()),
            ("Mul", _) => What::Product(arguments.into_iter().map(|a| (Join::Times, a)).collect()),
            ("Pow" | "Rational", 2) => {
                let second = Box::new(arguments.remove(1));
                let first = Box::new(arguments.remove(0));
                if word == "Pow" { What::Power(first, second) } else { What::Fraction(first, second) }
            }
            ("Rational", 1) => arguments.remove(0).what,
            (word, count) => {
                let Some(own) = function(word) else {
                    return Err(Error::input(format!("`{word}` is not read here")).at(span));
                };
                let wanted = if own == "atan2" { 2 } else { 1 };
                if count != wanted {
                    return Err(Error::input(format!(
                        "`{word}` takes {wanted} argument{}",
                        if wanted > 1 { "s" } else { "" }
                    ))
                    .at(span));
                }
                What::Call(Call { function: own.into(), primes: 0, power: None, arguments })
            }
        };
        // A sum or product made by a call is closed by its brackets.
        let closed = matches!(what, What::Sum(_) | What::Product(_) | What::Power(..) | What::Fraction(..));
        let piece = Piece::new(what, span.clone());
        Ok(if closed { Piece::new(What::Bracket('(', Box::new(piece)), span) } else { piece })
    }

    /// Passes over `evaluate=False` and the like.
    fn keywords(&mut self) -> Result<()> {
        while !matches!(self.peek(), Some(Token::Sign(")")) | None) {
            let keyword = matches!(self.peek(), Some(Token::Name(_)))
                && matches!(self.words.get(self.at + 1), Some((Token::Sign("="), _)))
                && matches!(self.words.get(self.at + 2), Some((Token::Name(_) | Token::Number(_), _)));
            if !keyword {
                return Err(self.unread());
            }
            self.at += 3;
            if !self.sign(",") {
                break;
            }
        }
        Ok(())
    }

    fn skip_arguments(&mut self) {
        while self.peek().is_some() && !matches!(self.peek(), Some(Token::Sign(")"))) {
            self.at += 1;
        }
    }

    fn rational(&self, a: String, b: String, start: usize) -> Piece {
        let span = self.span_from(start);
        let number = |n: String| Box::new(Piece::new(What::Number(n), span.clone()));
        Piece::new(What::Fraction(number(a), number(b)), span.clone())
    }

    /// `t, t` or `(t, 2)` or `t, 2`: how often to differentiate.
    fn orders(&mut self) -> Result<u8> {
        let mut order = self.times()?;
        while self.sign(",") {
            order = order.saturating_add(self.times()?);
        }
        Ok(order)
    }

    /// `t`, `(t, 2)` or `Tuple(t, Integer(2))`, or a number of times after `t`: how often to differentiate.
    fn times(&mut self) -> Result<u8> {
        let start = self.at;
        let tuple = self.dotted_word().as_deref() == Some("Tuple");
        if !tuple {
            self.at = start;
        }
        let open = self.sign("(");
        let by = self.dotted_time();
        if !by {
            // diff(x, t, 2)
            if let (false, Some(Token::Number(n))) = (open, self.peek().cloned()) {
                self.at += 1;
                return n.parse::<u8>().ok().and_then(|n| n.checked_sub(1)).ok_or_else(|| self.unread());
            }
            return Err(Error::input("only derivatives by the time `t` are read").at(self.here()));
        }
        let mut order = 1;
        if open {
            if self.sign(",") {
                let integer = self.dotted_word().is_some() && self.sign("(");
                let Some(Token::Number(n)) = self.peek().cloned() else { return Err(self.unread()) };
                self.at += 1;
                order = n.parse().map_err(|_| self.unread())?;
                if integer {
                    self.expect(")")?;
                }
            }
            self.expect(")")?;
        }
        Ok(order)
    }

    /// `t`, `dynamicsymbols._t`, `me.dynamicsymbols._t` or `Symbol('t')`.
    fn dotted_time(&mut self) -> bool {
        let start = self.at;
        let mut last = String::new();
        while let Some(Token::Name(name)) = self.peek().cloned() {
            self.at += 1;
            last = name;
            if !self.sign(".") {
                break;
            }
        }
        let symbol = last == "Symbol" && self.sign("(") && self.peek() == Some(&Token::Text("t".into())) && {
            self.at += 1;
            self.sign(")")
        };
        let found = symbol || last == "t" || last == "_t";
        if !found {
            self.at = start;
        }
        found
    }
}

/// A time derivative.
fn rate(of: Piece, order: u8, span: Span) -> Result<Piece> {
    let inner = match &of.what {
        What::Bracket('(', inner) => &inner.what,
        what => what,
    };
    Ok(match inner {
        What::Name { name, primes, shown } => {
            let what = What::Name { name: name.clone(), primes: primes.saturating_add(order), shown: shown.clone() };
            Piece::new(what, span)
        }
        _ if order > 2 => return Err(Error::input(format!("a derivative of order {order}")).at(span)),
        _ => Piece::new(What::Rate(order, Box::new(of), None), span),
    })
}
