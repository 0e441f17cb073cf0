//! The mutants of a source: small changes, each of which some test should notice.
//!
//! The kinds are those of cargo-mutants: another operator, a minus or a `!` left out, a function that returns a plain value at once,
//! an arm of a match left out. Left alone is what cannot be switched while the program runs (constants, patterns, types) and what is
//! inside of macros.

use std::ops::Range;
use syn::spanned::Spanned;
use syn::visit::{self, Visit};
use syn::{BinOp, Expr, ReturnType, Type, UnOp};

/// How a change is written into the source.
#[derive(Debug, Clone, PartialEq)]
pub enum Edit {
    /// The expression in the range gives way to this text.
    Instead(Range<usize>, String),
    /// The function whose body begins here returns this at once.
    Return(usize, String),
    /// The arm whose pattern ends here is passed over.
    Pass(usize),
    /// The guard in the range is said to hold, or not.
    Guard(Range<usize>, bool),
}

impl Edit {
    /// Where it begins in the source.
    pub fn start(&self) -> usize {
        match self {
            Edit::Instead(range, _) | Edit::Guard(range, _) => range.start,
            Edit::Return(at, _) | Edit::Pass(at) => *at,
        }
    }
}

/// A change and the words that name it.
#[derive(Debug, Clone, PartialEq)]
pub struct Mutant {
    pub edit: Edit,
    pub line: usize,
    pub column: usize,
    pub what: String,
}

/// All mutants of a source text, in its order.
pub fn mutants(text: &str) -> syn::Result<Vec<Mutant>> {
    let file = syn::parse_file(text)?;
    let mut finder = Finder { text, found: Vec::new() };
    finder.visit_file(&file);
    Ok(finder.found)
}

struct Finder<'a> {
    text: &'a str,
    found: Vec<Mutant>,
}

fn range(of: &impl Spanned) -> Range<usize> {
    of.span().byte_range()
}

impl Finder<'_> {
    fn of(&self, node: &impl Spanned) -> String {
        self.text[range(node)].to_owned()
    }

    fn add(&mut self, at: &impl Spanned, edit: Edit, what: String) {
        let start = at.span().start();
        self.found.push(Mutant { edit, line: start.line, column: start.column + 1, what });
    }

    fn function(&mut self, signature: &syn::Signature, block: &syn::Block) {
        if signature.constness.is_some() {
            return;
        }
        // `{` and `}` stand at the ends of the block.
        let inside = range(block);
        let body: String = self.text[inside.start + 1..inside.end - 1].split_whitespace().collect();
        if body.is_empty() {
            return;
        }
        for value in values_of_return(&signature.output) {
            if body != value.split_whitespace().collect::<String>() {
                let what = format!("{} returns {}", signature.ident, if value.is_empty() { "at once" } else { &value });
                self.add(&signature.ident, Edit::Return(inside.start + 1, value), what);
            }
        }
    }
}

impl<'ast> Visit<'ast> for Finder<'_> {
    // What the compiler evaluates cannot be switched, and patterns have no values.
    fn visit_item_const(&mut self, _: &'ast syn::ItemConst) {}
    fn visit_item_static(&mut self, _: &'ast syn::ItemStatic) {}
    fn visit_impl_item_const(&mut self, _: &'ast syn::ImplItemConst) {}
    fn visit_trait_item_const(&mut self, _: &'ast syn::TraitItemConst) {}
    fn visit_item_enum(&mut self, _: &'ast syn::ItemEnum) {}
    fn visit_type(&mut self, _: &'ast Type) {}
    fn visit_pat(&mut self, _: &'ast syn::Pat) {}
    fn visit_generic_argument(&mut self, _: &'ast syn::GenericArgument) {}
    fn visit_attribute(&mut self, _: &'ast syn::Attribute) {}
    fn visit_expr_const(&mut self, _: &'ast syn::ExprConst) {}

    fn visit_item_mod(&mut self, node: &'ast syn::ItemMod) {
        if !is_for_tests(&node.attrs) {
            visit::visit_item_mod(self, node);
        }
    }

    fn visit_item_impl(&mut self, node: &'ast syn::ItemImpl) {
        if !is_for_tests(&node.attrs) {
            visit::visit_item_impl(self, node);
        }
    }

    fn visit_item_fn(&mut self, node: &'ast syn::ItemFn) {
        if node.sig.constness.is_none() && !is_for_tests(&node.attrs) {
            self.function(&node.sig, &node.block);
            visit::visit_item_fn(self, node);
        }
    }

    fn visit_impl_item_fn(&mut self, node: &'ast syn::ImplItemFn) {
        if node.sig.constness.is_none() && !is_for_tests(&node.attrs) {
            self.function(&node.sig, &node.block);
            visit::visit_impl_item_fn(self, node);
        }
    }

    fn visit_trait_item_fn(&mut self, node: &'ast syn::TraitItemFn) {
        if let Some(block) = &node.default {
            self.function(&node.sig, block);
        }
        visit::visit_trait_item_fn(self, node);
    }

    // The length of `[x; n]` is a constant.
    fn visit_expr_repeat(&mut self, node: &'ast syn::ExprRepeat) {
        self.visit_expr(&node.expr);
    }

    fn visit_expr_binary(&mut self, node: &'ast syn::ExprBinary) {
        // `if let … && …` is no expression that could stand in parentheses.
        if !has_let(&node.left) && !has_let(&node.right) {
            let (left, right, operator) = (self.of(&node.left), self.of(&node.right), self.of(&node.op));
            for other in others(&node.op) {
                let text = format!("({left}) {other} ({right})");
                self.add(&node.op, Edit::Instead(range(node), text), format!("{operator} becomes {other}"));
            }
        }
        visit::visit_expr_binary(self, node);
    }

    fn visit_expr_unary(&mut self, node: &'ast syn::ExprUnary) {
        if let UnOp::Neg(_) | UnOp::Not(_) = node.op {
            let what = format!("{} left out", self.of(&node.op));
            self.add(&node.op, Edit::Instead(range(node), self.of(&node.expr)), what);
        }
        visit::visit_expr_unary(self, node);
    }

    fn visit_expr_match(&mut self, node: &'ast syn::ExprMatch) {
        let rest = node.arms.iter().any(|arm| matches!(arm.pat, syn::Pat::Wild(_)) && arm.guard.is_none());
        for arm in &node.arms {
            let name = self.of(&arm.pat).split_whitespace().collect::<Vec<_>>().join(" ");
            match &arm.guard {
                Some((_, guard)) if !has_let(guard) => {
                    for value in [true, false] {
                        self.add(
                            &arm.pat,
                            Edit::Guard(range(guard), value),
                            format!("guard of {name} becomes {value}"),
                        );
                    }
                }
                None if rest && !matches!(arm.pat, syn::Pat::Wild(_)) => {
                    self.add(&arm.pat, Edit::Pass(range(&arm.pat).end), format!("arm {name} left out"));
                }
                _ => {}
            }
        }
        visit::visit_expr_match(self, node);
    }
}

fn is_for_tests(attributes: &[syn::Attribute]) -> bool {
    attributes.iter().any(|a| match &a.meta {
        syn::Meta::Path(path) => path.is_ident("test"),
        syn::Meta::List(list) => list.path.is_ident("cfg") && list.tokens.to_string() == "test",
        syn::Meta::NameValue(_) => false,
    })
}

fn has_let(expression: &Expr) -> bool {
    match expression {
        Expr::Let(_) => true,
        Expr::Binary(b) => matches!(b.op, BinOp::And(_)) && (has_let(&b.left) || has_let(&b.right)),
        _ => false,
    }
}

fn others(operator: &BinOp) -> &'static [&'static str] {
    match operator {
        BinOp::Add(_) => &["-", "*"],
        BinOp::Sub(_) => &["+", "/"],
        BinOp::Mul(_) => &["+", "/"],
        BinOp::Div(_) => &["%", "*"],
        BinOp::Rem(_) => &["/", "+"],
        BinOp::And(_) => &["||"],
        BinOp::Or(_) => &["&&"],
        BinOp::BitXor(_) => &["|", "&"],
        BinOp::BitAnd(_) => &["|", "^"],
        BinOp::BitOr(_) => &["&", "^"],
        BinOp::Shl(_) => &[">>"],
        BinOp::Shr(_) => &["<<"],
        BinOp::Eq(_) => &["!="],
        BinOp::Ne(_) => &["=="],
        BinOp::Lt(_) => &["==", ">", "<="],
        BinOp::Le(_) => &[">"],
        BinOp::Gt(_) => &["==", "<", ">="],
        BinOp::Ge(_) => &["<"],
        BinOp::AddAssign(_) => &["-=", "*="],
        BinOp::SubAssign(_) => &["+=", "/="],
        BinOp::MulAssign(_) => &["+=", "/="],
        BinOp::DivAssign(_) => &["%=", "*="],
        BinOp::RemAssign(_) => &["/=", "+="],
        BinOp::BitXorAssign(_) => &["|=", "&="],
        BinOp::BitAndAssign(_) => &["|=", "^="],
        BinOp::BitOrAssign(_) => &["&=", "^="],
        BinOp::ShlAssign(_) => &[">>="],
        BinOp::ShrAssign(_) => &["<<="],
        _ => &[],
    }
}

/// Plain values of the type a function returns; an empty text where it returns nothing.
fn values_of_return(output: &ReturnType) -> Vec<String> {
    match output {
        ReturnType::Default => vec![String::new()],
        ReturnType::Type(_, kind) => values(kind),
    }
}

fn values(kind: &Type) -> Vec<String> {
    let list = |values: &[&str]| values.iter().map(|&v| v.to_owned()).collect();
    match kind {
        Type::Tuple(t) if t.elems.is_empty() => list(&["()"]),
        Type::Reference(r) if r.mutability.is_none() => match &*r.elem {
            Type::Path(p) if p.path.is_ident("str") => list(&["\"\"", "\"xyzzy\""]),
            Type::Slice(_) => list(&["&[]"]),
            _ => Vec::new(),
        },
        Type::Path(path) if path.qself.is_none() => {
            let Some(last) = path.path.segments.last() else { return Vec::new() };
            let inner = match &last.arguments {
                syn::PathArguments::AngleBracketed(a) => a.args.iter().find_map(|a| match a {
                    syn::GenericArgument::Type(t) => Some(values(t)),
                    _ => None,
                }),
                _ => None,
            };
            let around = |name: &str| inner.iter().flatten().map(|v| format!("{name}({v})")).collect::<Vec<_>>();
            match last.ident.to_string().as_str() {
                "bool" => list(&["true", "false"]),
                "u8" | "u16" | "u32" | "u64" | "u128" | "usize" => list(&["0", "1"]),
                "i8" | "i16" | "i32" | "i64" | "i128" | "isize" => list(&["0", "1", "-1"]),
                "f32" | "f64" => list(&["0.0", "1.0", "-1.0"]),
                "String" => list(&["String::new()", "\"xyzzy\".into()"]),
                "Vec" => list(&["Vec::new()"]),
                "Option" => [list(&["None"]), around("Some")].concat(),
                // An alias without arguments, as that of `fmt`, is one of nothing.
                "Result" if inner.is_none() => list(&["Ok(())"]),
                "Result" => around("Ok"),
                _ => Vec::new(),
            }
        }
        _ => Vec::new(),
    }
}
