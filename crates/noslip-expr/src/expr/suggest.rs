//! "Did you mean": the closest of the names that would have been right.

/// The candidate nearest to `name`, if it is near enough to be what was meant. The first of equally near ones wins,
/// so the answer depends only on the order of the candidates.
pub fn closest<'a>(name: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let length = name.chars().count();
    // Names of one letter are all one edit apart: suggesting one for another would be noise.
    let allowed = match length {
        0 | 1 => 0,
        2..=3 => 1,
        4..=7 => 2,
        _ => 3,
    };
    let mut best: Option<(usize, &str)> = None;
    let mut seen = Vec::new();
    for candidate in candidates {
        seen.push(candidate);
        let distance = if candidate == name {
            continue;
        } else if candidate.eq_ignore_ascii_case(name) {
            0
        } else if candidate.chars().count().abs_diff(length) > allowed {
            continue;
        } else {
            edit_distance(name, candidate)
        };
        // All letters exchanged is another name, not a misspelt one.
        let near = distance == 0 || (distance <= allowed && distance < candidate.chars().count().max(length));
        if near && best.is_none_or(|(d, _)| distance < d) {
            best = Some((distance, candidate));
        }
    }
    best.map(|(_, candidate)| candidate).or_else(|| {
        // The beginning of one name: `lambda_knife` for `lambda_knife_edge`.
        let mut longer = seen.into_iter().filter(|c| length > 3 && c.starts_with(name));
        longer.next().filter(|_| longer.next().is_none())
    })
}

/// Insertions, deletions, substitutions and exchanges of neighbours that turn `a` into `b`.
fn edit_distance(a: &str, b: &str) -> usize {
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
    let mut rows = [vec![0; b.len() + 1], (0..=b.len()).collect(), vec![0; b.len() + 1]];
    for i in 1..=a.len() {
        rows[2][0] = i;
        for j in 1..=b.len() {
            let substitution = rows[1][j - 1] + usize::from(a[i - 1] != b[j - 1]);
            let mut d = substitution.min(rows[1][j] + 1).min(rows[2][j - 1] + 1);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                d = d.min(rows[0][j - 2] + 1);
            }
            rows[2][j] = d;
        }
        rows.rotate_left(1);
    }
    rows[1][b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn misspelt_names_are_recognised_and_other_names_are_not() {
        let names = ["theta", "phi", "x", "y", "knife_edge"];
        assert_eq!(closest("thta", names), Some("theta"));
        assert_eq!(closest("hpi", names), Some("phi"));
        assert_eq!(closest("Theta", names), Some("theta"));
        assert_eq!(closest("knifedge", names), Some("knife_edge"));
        assert_eq!(closest("X", names), Some("x"));
        assert_eq!(closest("z", names), None);
        assert_eq!(closest("mass", names), None);
    }

    #[test]
    fn the_distance_of_two_names_is_the_fewest_edits_between_them() {
        for (a, b, distance) in [
            ("", "abc", 3),
            ("abc", "", 3),
            ("abc", "abc", 0),
            ("kitten", "sitting", 3),
            ("ab", "ba", 1),
            ("abcd", "badc", 2),
            ("phi", "psi", 1),
            ("omega", "omga", 1),
            ("omga", "omega", 1),
            ("xab", "abx", 2),
        ] {
            assert_eq!((edit_distance(a, b), edit_distance(b, a)), (distance, distance), "{a} {b}");
        }
    }

    #[test]
    fn the_longer_a_name_the_more_letters_may_be_wrong() {
        for (name, candidate, near) in [
            ("a", "b", false),
            ("ab", "ac", true),
            ("ab", "cd", false),
            ("abc", "abd", true),
            ("abc", "ade", false),
            ("abcd", "abef", true),
            ("abcd", "aefg", false),
            ("abcdefg", "abcdexy", true),
            ("abcdefg", "abcdxyz", false),
            ("abcdefgh", "abcdexyz", true),
            ("abcdefgh", "abcdwxyz", false),
            // As long as it may be, and one letter more.
            ("abcd", "abcdef", true),
            ("abc", "abcde", false),
            ("x", "x", false),
        ] {
            assert_eq!(closest(name, [candidate]), near.then_some(candidate), "{name} {candidate}");
        }
    }

    #[test]
    fn of_equally_near_names_the_first_is_meant_and_of_a_beginning_the_only_one() {
        assert_eq!(closest("xa", ["xb", "xc"]), Some("xb"));
        assert_eq!(closest("abcd", ["abxy", "abcx"]), Some("abcx"));
        assert_eq!(closest("THETA", ["thetb", "theta"]), Some("theta"));
        assert_eq!(closest("lambda_knife", ["lambda_knife_edge", "mu"]), Some("lambda_knife_edge"));
        assert_eq!(closest("lambda", ["lambda_front", "lambda_rear"]), None);
        assert_eq!(closest("lamb", ["lambda_front"]), Some("lambda_front"));
        assert_eq!(closest("lam", ["lambda_front"]), None);
    }
}
