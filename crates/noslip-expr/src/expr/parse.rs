//! From text to expressions.
//!
//! An operator-precedence parser with an explicit stack: depth of nesting costs memory, never stack. Sums and products
//! are collected and built once, so a flat sum of a million terms takes linear time. `^` binds tightest and to the
//! right, then unary minus, then `* /`, then `+ -`: `-x^2` is `-(x^2)`, `2^-x` is allowed. There is no implicit product.
//!
//! What a name means is decided by a [`Scope`]; the parser adds the place to whatever the scope complains about.

use super::arena::{Arena, Expr, Function, Node};
use super::lex::{Lexer, Token};
use super::number::Rational;
use super::scope::{Callable, Scope};
use crate::error::{Error, Result, Span};
use crate::limits::Limits;
use num_bigint::BigInt;
use num_integer::Integer;

/// Reads an expression.
pub fn parse_expression(arena: &mut Arena, text: &str, scope: &mut dyn Scope, limits: &Limits) -> Result<Expr> {
    let (value, rest) = parse(arena, text, scope, limits, false)?;
    debug_assert!(rest.is_none());
    Ok(value)
}

/// Reads `lhs = rhs`; a bare expression means `expression = 0`.
pub fn parse_equation(arena: &mut Arena, text: &str, scope: &mut dyn Scope, limits: &Limits) -> Result<(Expr, Expr)> {
    let (lhs, rhs) = parse(arena, text, scope, limits, true)?;
    Ok((lhs, rhs.unwrap_or(arena.zero())))
}

fn parse(
    arena: &mut Arena,
    text: &str,
    scope: &mut dyn Scope,
    limits: &Limits,
    equation: bool,
) -> Result<(Expr, Option<Expr>)> {
    if text.len() > limits.expression_bytes {
        let message = format!("expression of {} bytes; the limit is {}", text.len(), limits.expression_bytes);
        return Err(Error::limit(message).at(0..text.len()));
    }
    let lexer = Lexer::new(text, limits.number_bits);
    let previous = (Token::End, 0..0);
    let (token, span) = (Token::End, 0..0);
    let mut parser =
        Parser { arena, text, scope, limits, lexer, previous, token, span, stack: Vec::new(), calls: 0, work: 0 };
    let result = parser.run(equation);
    parser.scope.spent(parser.work);
    result
}

/// A finished operand and the text it came from.
struct Value {
    expr: Expr,
    span: Span,
}

/// What waits for the operand that is being read.
enum Frame {
    /// Terms so far and the sign in front of the next one.
    Sum { start: usize, constant: Rational, terms: Vec<(Expr, Rational)>, minus: bool },
    /// Factors so far and whether the next one divides.
    Product { start: usize, coefficient: Rational, factors: Vec<(Expr, Rational)>, divide: bool },
    /// Signs in front of an operand.
    Signs { start: usize, minus: bool },
    /// A base that waits for its exponent.
    Power { base: Expr, start: usize },
    /// An open parenthesis.
    Group { open: usize },
    /// A call.
    Call(Call),
}

/// A call with the arguments so far.
struct Call {
    callable: Callable,
    primes: u8,
    name: Span,
    open: usize,
    arguments: Vec<Expr>,
}

struct Parser<'a> {
    arena: &'a mut Arena,
    text: &'a str,
    scope: &'a mut dyn Scope,
    limits: &'a Limits,
    lexer: Lexer<'a>,
    /// The token before the current one: what a missing operand is missing after.
    previous: (Token, Span),
    token: Token,
    span: Span,
    stack: Vec<Frame>,
    calls: usize,
    work: u64,
}

impl Parser<'_> {
    fn run(&mut self, equation: bool) -> Result<(Expr, Option<Expr>)> {
        self.advance()?;
        if self.token == Token::End {
            return Err(Error::input("empty expression").at(0..self.text.len()).hint("write `0` if nothing is meant"));
        }
        let mut lhs = None;
        loop {
            let Some(operand) = self.operand()? else { continue };
            let Some(value) = self.operator(operand)? else { continue };
            // The stack is empty and the current token is `=` or the end.
            if self.token == Token::End {
                return Ok(match lhs {
                    Some(lhs) => (lhs, Some(value.expr)),
                    None => (value.expr, None),
                });
            }
            if !equation {
                return Err(Error::input("an equation stands where an expression is expected")
                    .at(self.span.clone())
                    .hint("remove `=` and what follows it"));
            }
            if lhs.is_some() {
                return Err(Error::input("a second `=` in one equation")
                    .at(self.span.clone())
                    .hint("write each equation on its own"));
            }
            lhs = Some(value.expr);
            self.advance()?;
        }
    }

    fn advance(&mut self) -> Result<()> {
        let (token, span) = self.lexer.next()?;
        self.previous = (std::mem::replace(&mut self.token, token), std::mem::replace(&mut self.span, span));
        Ok(())
    }

    /// Counts the work of building a list of `entries` whose numbers have up to `bits` bits: everything that could grow
    /// faster than the text passes here.
    fn charge(&mut self, entries: usize, bits: u64, span: &Span) -> Result<()> {
        if bits > self.limits.number_bits {
            let message = format!("a number with more than {} bits arises here", self.limits.number_bits);
            return Err(Error::limit(message).at(span.clone()));
        }
        // Arithmetic of rationals is quadratic in their length, because of the greatest common divisors.
        let words = bits / 32;
        self.work = self.work.saturating_add((entries as u64).saturating_mul(1 + words * words));
        if self.work > self.limits.parse_work {
            return Err(Error::limit("this expression takes too much work to build")
                .at(span.clone())
                .hint("nested sums and products of many terms, or very long numbers, are the usual reason"));
        }
        Ok(())
    }

    fn defined(&self, expr: Expr, span: &Span) -> Result<Expr> {
        if self.arena.is_undefined(expr) {
            return Err(Error::input("this has no value").at(span.clone()).hint("it divides by zero"));
        }
        Ok(expr)
    }

    // Operands --------------------------------------------------------------------------------------------------------

    /// Reads an operand, or opens a frame and reads on.
    fn operand(&mut self) -> Result<Option<Value>> {
        let span = self.span.clone();
        match self.token.clone() {
            Token::Number(n) => {
                self.charge(1, n.bits(), &span)?;
                self.arena.decimals.saw(&n);
                let expr = self.arena.number(n);
                self.advance()?;
                Ok(Some(Value { expr, span }))
            }
            Token::Name { length, primes } => {
                self.advance()?;
                self.name(span, length, primes)
            }
            Token::Sign(sign @ (b'+' | b'-')) => {
                let flip = sign == b'-';
                match self.stack.last_mut() {
                    Some(Frame::Signs { minus, .. }) => *minus ^= flip,
                    _ => self.stack.push(Frame::Signs { start: span.start, minus: flip }),
                }
                self.advance()?;
                Ok(None)
            }
            Token::Sign(b'(') => {
                self.stack.push(Frame::Group { open: span.start });
                self.advance()?;
                Ok(None)
            }
            Token::Sign(b')') if matches!(self.previous.0, Token::Sign(b'(')) => {
                let error = match self.stack.last() {
                    Some(Frame::Call(Call { name, .. })) => {
                        let name_text = &self.text[name.clone()];
                        Error::input(format!("function `{name_text}` without argument"))
                            .at(name.start..span.end)
                            .hint(format!("write `{name_text}(x)`, or what its argument is"))
                    }
                    _ => Error::input("empty parentheses")
                        .at(self.previous.1.start..span.end)
                        .hint("write an expression between them, or leave them out"),
                };
                Err(error)
            }
            Token::Prime => Err(self.stray_prime(span)),
            token => Err(self.missing_operand(token, span)),
        }
    }

    fn missing_operand(&self, token: Token, span: Span) -> Error {
        // An open parenthesis that is never closed explains more than the operand that is missing behind it.
        if let (Token::End, Some(Frame::Group { open } | Frame::Call(Call { open, .. }))) = (&token, self.stack.last())
        {
            return unclosed(*open);
        }
        match &self.previous {
            (Token::Sign(_), at) => {
                Error::input(format!("missing operand after `{}`", &self.text[at.clone()])).at(at.clone())
            }
            _ => Error::input(format!("missing operand before `{}`", &self.text[span.clone()])).at(span),
        }
    }

    fn stray_prime(&self, span: Span) -> Error {
        let message = match self.previous.0 {
            Token::Number(_) => "a number does not vary, so a prime on it has no meaning",
            Token::Sign(b')') => "a prime cannot follow a parenthesis",
            _ => "a prime must directly follow a name",
        };
        let hint = "a prime takes the time derivative of a coordinate or definition: `x'`; name longer expressions in \
                    [definitions]";
        Error::input(message).at(span).hint(hint)
    }

    fn name(&mut self, span: Span, length: usize, primes: u8) -> Result<Option<Value>> {
        let name = &self.text[span.start..span.start + length];
        if self.token == Token::Sign(b'(') {
            return self.open_call(span, length, primes);
        }
        let is_function = Callable::built_in(name).is_some() || self.arena.lookup_table(name).is_some();
        if is_function {
            let hint = match &self.token {
                Token::Sign(b'^') => format!("a power of it is written `{name}(x)^2`"),
                Token::Name { .. } | Token::Number(_) => format!("write `{name}({})`", &self.text[self.span.clone()]),
                _ => format!("write `{name}(...)`"),
            };
            return Err(Error::input(format!("function `{name}` without argument")).at(span).hint(hint));
        }
        if primes > self.scope.highest_derivative() {
            return Err(Error::input(format!("`{}` is a derivative of order {primes}", &self.text[span.clone()]))
                .at(span)
                .hint(
                    "only first and second time derivatives are known: `x'` and `x''`; in a constraint, third ones too",
                ));
        }
        let expr = self.scope.name(self.arena, name, primes).map_err(|e| e.at(span.clone()))?;
        self.defined(expr, &span)?;
        Ok(Some(Value { expr, span }))
    }

    /// The current token is the parenthesis behind a name.
    fn open_call(&mut self, span: Span, length: usize, primes: u8) -> Result<Option<Value>> {
        let name = &self.text[span.start..span.start + length];
        let callable =
            self.scope.function(self.arena, name).map_err(|e| match self.text[self.span.start..].get(..3) {
                Some("(t)") if self.scope.knows(self.arena, name) => {
                    e.hint(format!("its time is not written: `{}`", &self.text[span.clone()])).at(span.clone())
                }
                _ => e.at(span.clone()),
            })?;
        if primes > 0 && !matches!(callable, Callable::Table(_) | Callable::Named(_, 1)) {
            return Err(Error::input(format!("a prime cannot follow the function `{name}`"))
                .at(span)
                .hint("name the expression in [definitions] and put the prime on that name"));
        }
        self.calls += 1;
        if self.calls > self.limits.nested_calls {
            let message = format!("function calls nested deeper than {}", self.limits.nested_calls);
            return Err(Error::limit(message).at(span));
        }
        let open = self.span.start;
        self.stack.push(Frame::Call(Call { callable, primes, name: span, open, arguments: Vec::new() }));
        self.advance()?;
        Ok(None)
    }

    // Operators -------------------------------------------------------------------------------------------------------

    /// Goes on after an operand: the whole value at the end of the text or at `=`, `None` when another operand follows.
    fn operator(&mut self, mut value: Value) -> Result<Option<Value>> {
        loop {
            let sign = match &self.token {
                Token::Sign(sign) => *sign,
                Token::End => 0,
                Token::Prime => {
                    let span = self.span.clone();
                    return Err(self.stray_prime(span));
                }
                _ => return Err(self.implicit_product(&value)),
            };
            if sign == b'^' {
                self.stack.push(Frame::Power { base: value.expr, start: value.span.start });
                self.advance()?;
                return Ok(None);
            }
            if sign == b'(' {
                return Err(self.implicit_product(&value));
            }
            value = self.reduce_tight(value)?;
            if matches!(sign, b'*' | b'/') {
                self.push_factor(value, sign == b'/')?;
                self.advance()?;
                return Ok(None);
            }
            value = self.reduce_product(value)?;
            if matches!(sign, b'+' | b'-') {
                self.push_term(value, sign == b'-')?;
                self.advance()?;
                return Ok(None);
            }
            value = self.reduce_sum(value)?;
            match (sign, self.stack.pop()) {
                (0 | b'=', None) => return Ok(Some(value)),
                (0, Some(Frame::Group { open } | Frame::Call(Call { open, .. }))) => return Err(unclosed(open)),
                (b'=', Some(Frame::Group { open } | Frame::Call(Call { open, .. }))) => {
                    return Err(Error::input("`=` inside parentheses")
                        .at(self.span.clone())
                        .hint(format!("the parenthesis `{}` is still open here", self.excerpt(open))));
                }
                (b')', Some(Frame::Group { open })) => {
                    value.span = open..self.span.end;
                    self.advance()?;
                }
                (b')' | b',', Some(Frame::Call(call))) => {
                    let Some(called) = self.argument(value, sign == b',', call)? else { return Ok(None) };
                    value = called;
                }
                (b')', _) => {
                    return Err(Error::input("`)` without a matching `(`")
                        .at(self.span.clone())
                        .hint("remove it, or open a parenthesis before"));
                }
                _ => {
                    let between_digits = matches!(self.previous.0, Token::Number(_));
                    let error = Error::input("unexpected `,`").at(self.span.clone());
                    return Err(if between_digits {
                        error.hint("decimal numbers are written with a point: `1.5`")
                    } else {
                        error.hint("only functions take several arguments: `atan2(y, x)`")
                    });
                }
            }
        }
    }

    /// The text from `open` on, shortened.
    fn excerpt(&self, open: usize) -> String {
        self.text[open..].chars().take(12).collect()
    }

    fn implicit_product(&self, value: &Value) -> Error {
        let (left, right) = (&self.text[value.span.clone()], &self.text[self.span.clone()]);
        let hint = if left.len() + right.len() <= 24 && right != "(" {
            format!("write `{left}*{right}`")
        } else if left.len() <= 24 {
            format!("write `{left}*{right}...`")
        } else {
            "write `*` between them".to_owned()
        };
        Error::input("missing operator: there is no implicit product").at(value.span.start..self.span.end).hint(hint)
    }

    /// Powers and signs in front of a finished operand.
    fn reduce_tight(&mut self, mut value: Value) -> Result<Value> {
        loop {
            match self.stack.pop() {
                Some(Frame::Power { base, start }) => {
                    let span = start..value.span.end;
                    self.charge_node(base, &span)?;
                    self.charge_node(value.expr, &span)?;
                    let power = self.arena.pow(base, value.expr);
                    let expr = self.defined(power, &span)?;
                    self.charge_node(expr, &span)?;
                    value = Value { expr, span };
                }
                Some(Frame::Signs { start, minus }) => {
                    let span = start..value.span.end;
                    if minus {
                        self.charge_node(value.expr, &span)?;
                        value.expr = self.arena.neg(value.expr);
                    }
                    value.span = span;
                }
                Some(frame) => {
                    self.stack.push(frame);
                    return Ok(value);
                }
                None => return Ok(value),
            }
        }
    }

    fn charge_node(&mut self, e: Expr, span: &Span) -> Result<()> {
        let (entries, bits) = size(self.arena.node(e));
        self.charge(entries, bits, span)
    }

    fn push_factor(&mut self, value: Value, next_divides: bool) -> Result<()> {
        if !matches!(self.stack.last(), Some(Frame::Product { .. })) {
            self.stack.push(Frame::Product {
                start: value.span.start,
                coefficient: Rational::ONE,
                factors: Vec::new(),
                divide: false,
            });
        }
        self.extend_product(value)?;
        if let Some(Frame::Product { divide, .. }) = self.stack.last_mut() {
            *divide = next_divides;
        }
        Ok(())
    }

    /// Multiplies the product on top of the stack by the value; numbers are folded at once so that their growth is seen.
    fn extend_product(&mut self, value: Value) -> Result<()> {
        let Some(Frame::Product { coefficient, factors, divide, .. }) = self.stack.last_mut() else { return Ok(()) };
        let mut bits = 0;
        match self.arena.as_number(value.expr) {
            Some(n) => {
                let n = match (n.recip(), *divide) {
                    (_, false) => n.clone(),
                    (Some(reciprocal), true) => reciprocal,
                    (None, true) => return Err(Error::input("division by zero").at(value.span)),
                };
                *coefficient = &*coefficient * &n;
                bits = coefficient.bits();
            }
            None => factors.push((value.expr, if *divide { Rational::MINUS_ONE } else { Rational::ONE })),
        }
        self.charge(1, bits, &value.span)
    }

    fn reduce_product(&mut self, value: Value) -> Result<Value> {
        if !matches!(self.stack.last(), Some(Frame::Product { .. })) {
            return Ok(value);
        }
        let end = value.span.end;
        self.extend_product(value)?;
        let Some(Frame::Product { start, coefficient, factors, .. }) = self.stack.pop() else {
            unreachable!("the frame was looked at above")
        };
        let span = start..end;
        self.charge_list(&factors, &span)?;
        let product = self.arena.powers(coefficient, factors);
        let expr = self.defined(product, &span)?;
        self.charge_node(expr, &span)?;
        Ok(Value { expr, span })
    }

    fn push_term(&mut self, value: Value, next_minus: bool) -> Result<()> {
        if !matches!(self.stack.last(), Some(Frame::Sum { .. })) {
            self.stack.push(Frame::Sum {
                start: value.span.start,
                constant: Rational::ZERO,
                terms: Vec::new(),
                minus: false,
            });
        }
        self.extend_sum(value)?;
        if let Some(Frame::Sum { minus, .. }) = self.stack.last_mut() {
            *minus = next_minus;
        }
        Ok(())
    }

    fn extend_sum(&mut self, value: Value) -> Result<()> {
        let Some(Frame::Sum { constant, terms, minus, .. }) = self.stack.last_mut() else { return Ok(()) };
        let mut bits = 0;
        match self.arena.as_number(value.expr) {
            Some(n) => {
                *constant = if *minus { &*constant - n } else { &*constant + n };
                bits = constant.bits();
            }
            None => terms.push((value.expr, if *minus { Rational::MINUS_ONE } else { Rational::ONE })),
        }
        self.charge(1, bits, &value.span)
    }

    fn reduce_sum(&mut self, value: Value) -> Result<Value> {
        if !matches!(self.stack.last(), Some(Frame::Sum { .. })) {
            return Ok(value);
        }
        let end = value.span.end;
        self.extend_sum(value)?;
        let Some(Frame::Sum { start, constant, terms, .. }) = self.stack.pop() else {
            unreachable!("the frame was looked at above")
        };
        let span = start..end;
        self.charge_list(&terms, &span)?;
        let sum = self.arena.linear(constant, terms);
        let expr = self.defined(sum, &span)?;
        Ok(Value { expr, span })
    }

    /// The work of merging a list: how many entries its members bring, and how long a common denominator can become.
    fn charge_list(&mut self, list: &[(Expr, Rational)], span: &Span) -> Result<()> {
        let mut common = BigInt::from(1);
        let (mut entries, mut longest) = (0, 0);
        for (e, _) in list {
            let node = self.arena.node(*e);
            let (n, bits) = size(node);
            entries += n;
            longest = longest.max(bits);
            let mut join = |x: &Rational| {
                if !x.is_integer() && common.bits() <= self.limits.number_bits {
                    // gcd(common, d) = gcd(common mod d, d): never a gcd of a long number.
                    let d = x.denominator();
                    common *= &d / (&common % &d).gcd(&d);
                }
            };
            match node {
                Node::Sum { constant, terms } => {
                    join(constant);
                    terms.iter().for_each(|(_, c)| join(c));
                }
                Node::Product { coefficient, factors } => {
                    join(coefficient);
                    factors.iter().for_each(|(_, x)| join(x));
                }
                _ => {}
            }
        }
        self.charge(entries, longest + common.bits(), span)
    }

    // Calls -----------------------------------------------------------------------------------------------------------

    /// An argument has ended: with a comma (`another`) or with the parenthesis that ends the call.
    fn argument(&mut self, value: Value, another: bool, mut call: Call) -> Result<Option<Value>> {
        let wanted = call.callable.arguments();
        let given = 1 + call.arguments.len();
        if another != (given < wanted) {
            return Err(self.wrong_arguments(&call, wanted));
        }
        call.arguments.push(value.expr);
        if another {
            self.stack.push(Frame::Call(call));
            self.advance()?;
            return Ok(None);
        }
        let span = call.name.start..self.span.end;
        self.charge_node(value.expr, &span)?;
        let arguments = &call.arguments[..];
        let expr = match (call.callable, arguments) {
            (Callable::Function(f), _) => self.arena.call(f, value.expr),
            (Callable::Sqrt, _) => self.arena.sqrt(value.expr),
            (Callable::Table(table), _) => self.arena.table(table, call.primes, value.expr),
            (Callable::Atan2, [y, x]) => self.arena.atan2(*y, *x),
            (Callable::Diff, [e, s]) => self.partial(*e, *s, &value.span, &span)?,
            (Callable::Named(function, _), arguments) => {
                let applied = self.scope.apply(self.arena, function, call.primes, arguments);
                applied.map_err(|e| e.at(span.clone()))?
            }
            (Callable::Atan2 | Callable::Diff, _) => unreachable!("two arguments were counted"),
        };
        let expr = self.defined(expr, &span)?;
        self.calls -= 1;
        self.advance()?;
        Ok(Some(Value { expr, span }))
    }

    fn partial(&mut self, e: Expr, by: Expr, place: &Span, span: &Span) -> Result<Expr> {
        let Node::Symbol(s) = *self.arena.node(by) else {
            return Err(Error::input("a partial derivative is taken by one name")
                .at(place.clone())
                .hint("write `diff(V, x)`, `diff(T, x')` or `diff(f, t)`"));
        };
        // Zero, as nobody means it who writes it: SymPy and Matlab have the time derivative of the same look.
        if let Node::Symbol(of) = *self.arena.node(e)
            && s == self.arena.time()
            && self.arena.role(of).varies()
            && of != s
        {
            let name = self.arena.name(of);
            return Err(Error::input(format!("`{name}` does not contain t: its partial derivative by t is zero"))
                .at(span.clone())
                .hint(format!("its time derivative is written `{name}'`")));
        }
        self.scope.partial(self.arena, e, s).map_err(|e| e.at(span.clone()))
    }

    fn wrong_arguments(&self, call: &Call, wanted: usize) -> Error {
        let name_text = &self.text[call.name.clone()];
        let message = match wanted {
            1 => format!("function `{name_text}` takes one argument"),
            _ => format!("function `{name_text}` takes {wanted} arguments"),
        };
        let error = Error::input(message).at(call.name.start..self.span.end);
        match call.callable {
            Callable::Atan2 => error.hint("write `atan2(y, x)`: the angle of the point (x, y)"),
            Callable::Diff => {
                error.hint("write `diff(V, x)`: the partial derivative of V by x; time derivatives are `x'`, `x''`")
            }
            Callable::Function(Function::Atan) => error.hint("the angle of a point is `atan2(y, x)`"),
            _ if matches!(self.previous.0, Token::Number(_)) => {
                error.hint("decimal numbers are written with a point: `1.5`")
            }
            Callable::Named(..) => error.hint("they are named under [functions]"),
            _ => error.hint("only `atan2` takes two arguments"),
        }
    }
}

fn unclosed(open: usize) -> Error {
    Error::input("this parenthesis is never closed").at(open..open + 1).label("opened here").hint("add the missing `)`")
}

/// Entries of a node's list, and the bits of its longest number.
fn size(node: &Node) -> (usize, u64) {
    match node {
        Node::Number(n) => (1, n.bits()),
        Node::Sum { constant: c, terms: list } | Node::Product { coefficient: c, factors: list } => {
            (1 + list.len(), list.iter().map(|(_, x)| x.bits()).fold(c.bits(), u64::max))
        }
        _ => (1, 0),
    }
}

#[cfg(test)]
mod tests;
