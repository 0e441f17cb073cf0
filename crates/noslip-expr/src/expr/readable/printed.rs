//! The length of an equation as a book prints it.

/// Operations of a printed expression, by the rule of `Tree::operations`: every + − · ÷ ^ between two things, every
/// minus in front of a product, every function counts one.
pub fn printed_operations(text: &str) -> usize {
    let bytes = text.as_bytes();
    let mut count = 0;
    // Per open bracket: does a minus stand in front of everything, and is there a plus or minus between terms?
    let mut open = vec![(false, false)];
    let mut operand = false;
    for (i, &b) in bytes.iter().enumerate() {
        match b {
            b'(' => {
                count += usize::from(i > 0 && bytes[i - 1].is_ascii_alphanumeric());
                open.push((false, false));
                operand = false;
            }
            b')' => {
                let (minus, sum) = open.pop().unwrap_or_default();
                count += usize::from(minus && !sum);
                operand = true;
            }
            b'+' | b'-' if operand => {
                if let Some(bracket) = open.last_mut() {
                    bracket.1 = true;
                }
                count += 1;
                operand = false;
            }
            b'-' if i == 0 || bytes[i - 1] == b'(' => {
                if let Some(bracket) = open.last_mut() {
                    bracket.0 = true;
                }
            }
            b'-' => count += 1,
            b'*' | b'/' | b'^' => {
                count += 1;
                operand = false;
            }
            b' ' => {}
            _ => operand = true,
        }
    }
    let (minus, sum) = open.pop().unwrap_or_default();
    count + usize::from(minus && !sum)
}
