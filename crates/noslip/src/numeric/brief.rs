//! Numbers for people: in few digits, and as counts.

/// A number with up to `digits` significant digits, without trailing zeros.
pub fn brief(x: f64, digits: usize) -> String {
    if x == 0.0 || !x.is_finite() {
        return if x == 0.0 { "0".into() } else { x.to_string() };
    }
    let text = format!("{x:.*e}", digits.saturating_sub(1));
    let (mantissa, exponent) = text.split_once('e').unwrap_or((&text, "0"));
    let exponent: i32 = exponent.parse().unwrap_or(0);
    if (-5..digits as i32).contains(&exponent) {
        let decimals = (digits as i32 - 1 - exponent).max(0) as usize;
        let fixed = format!("{x:.decimals$}");
        return if fixed.contains('.') { fixed.trim_end_matches('0').trim_end_matches('.').to_owned() } else { fixed };
    }
    let mantissa = if mantissa.contains('.') { mantissa.trim_end_matches('0').trim_end_matches('.') } else { mantissa };
    format!("{mantissa}e{exponent}")
}

/// A number with so many decimals, as its neighbours in a column; in powers of ten where it would fill the line.
pub fn aligned(x: f64, decimals: usize) -> String {
    if x.abs() < 1e9 { format!("{x:.decimals$}") } else { brief(x, decimals) }
}

/// `1 constraint`, `2 constraints`, `2 quasi-velocities`.
pub fn counted(n: usize, noun: &str) -> String {
    match (n, noun.strip_suffix('y')) {
        (1, _) => format!("1 {noun}"),
        (_, Some(stem)) => format!("{n} {stem}ies"),
        _ => format!("{n} {noun}s"),
    }
}

/// What `n` of them end with.
pub fn plural(n: usize) -> &'static str {
    if n == 1 { "" } else { "s" }
}

#[cfg(test)]
mod tests {
    use super::brief;

    #[test]
    fn numbers_are_shown_briefly() {
        let shown: Vec<String> = [0.1, 1.0 / 3.0, 1234567.0, 1e-12, -2.5e20, 100.0, 0.0].map(|x| brief(x, 6)).into();
        assert_eq!(shown, ["0.1", "0.333333", "1.23457e6", "1e-12", "-2.5e20", "100", "0"]);
    }
}
