//! Numbers as people read them. One rule each, used everywhere.

/// What stands where nothing was observed.
pub const NONE: &str = "—";

/// A duration: milliseconds below 10 s, seconds above; never more digits than the clock's step allows,
/// and no more than help. A duration below the step is "< step".
pub fn duration(ms: f64, step_ms: Option<f64>) -> String {
    let step = step_ms.filter(|step| *step > 0.0);
    if let Some(step) = step
        && ms < step
    {
        return format!("< {}\u{202f}ms", plain(step, 3));
    }
    if ms >= 10_000.0 {
        return format!("{:.1}\u{202f}s", ms / 1e3);
    }
    format!("{}\u{202f}ms", milliseconds(ms, step))
}

/// The same without its unit, for columns whose head names it; 10 s and more stay in milliseconds.
pub fn bare(ms: f64) -> String {
    milliseconds(ms, None)
}

/// Two bounds of one duration: `9.3–17.8 ms`.
pub fn bounds(earliest_ms: f64, latest_ms: f64, step_ms: Option<f64>) -> String {
    let (from, to) = (duration(earliest_ms, step_ms), duration(latest_ms, step_ms));
    if from == to {
        return to;
    }
    let same_unit = from.split('\u{202f}').nth(1) == to.split('\u{202f}').nth(1);
    match from.split('\u{202f}').next() {
        Some(number) if same_unit => format!("{number} – {to}"),
        _ => format!("{from} – {to}"),
    }
}

/// A count with thousands set apart.
pub fn count(n: u64) -> String {
    let digits = n.to_string();
    let mut out = String::with_capacity(digits.len() + digits.len() / 3);
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

/// `1 read`, `2 reads`.
pub fn counted(n: u64, noun: &str) -> String {
    let plural = if n == 1 { "" } else { "s" };
    format!("{}\u{a0}{noun}{plural}", count(n))
}

/// A number with at most `digits` decimals and no trailing zeros.
pub fn plain(value: f64, digits: usize) -> String {
    let text = format!("{value:.digits$}");
    match text.contains('.') {
        true => text.trim_end_matches('0').trim_end_matches('.').to_owned(),
        false => text,
    }
}

fn milliseconds(ms: f64, step: Option<f64>) -> String {
    let wanted = match ms {
        ms if ms < 1.0 => 2,
        ms if ms < 100.0 => 1,
        _ => 0,
    };
    let digits = step.map_or(wanted, |step| wanted.min(decimals(step)));
    let text = format!("{ms:.digits$}");
    match text.split_once('.') {
        Some(_) => text,
        None => count(text.parse().unwrap_or(0)),
    }
}

/// The decimals of a millisecond that a clock of this step can tell apart.
fn decimals(step: f64) -> usize {
    match step {
        step if step >= 1.0 => 0,
        step if step >= 0.1 => 1,
        step if step >= 0.01 => 2,
        _ => 3,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_duration_has_as_many_digits_as_help_and_no_more_than_its_clock() {
        for (ms, step, text) in [
            (301.2345, Some(0.1), "301 ms"),
            (41.25, Some(0.1), "41.2 ms"),
            (41.25, Some(1.0), "41 ms"),
            (0.25, Some(0.1), "0.2 ms"),
            (0.25, Some(0.005), "0.25 ms"),
            (0.0, Some(0.1), "< 0.1 ms"),
            (0.5, Some(1.0), "< 1 ms"),
            (0.002, Some(0.005), "< 0.005 ms"),
            (2512.4, Some(0.1), "2,512 ms"),
            (9_999.4, None, "9,999 ms"),
            (12_345.0, Some(0.1), "12.3 s"),
            (0.0, None, "0.00 ms"),
        ] {
            assert_eq!(
                duration(ms, step).replace('\u{202f}', " "),
                text,
                "{ms} {step:?}"
            );
        }
    }

    #[test]
    fn bounds_that_read_the_same_are_written_once() {
        let text = |a, b| bounds(a, b, Some(0.1)).replace('\u{202f}', " ");
        assert_eq!(text(9.3, 17.8), "9.3 – 17.8 ms");
        assert_eq!(text(17.81, 17.82), "17.8 ms");
        assert_eq!(text(9_000.0, 12_000.0), "9,000 ms – 12.0 s");
    }

    #[test]
    fn counts_are_grouped_and_named() {
        assert_eq!(count(1_234_567), "1,234,567");
        assert_eq!(count(999), "999");
        assert_eq!(counted(1, "read"), "1\u{a0}read");
        assert_eq!(counted(1200, "read"), "1,200\u{a0}reads");
    }

    #[test]
    fn a_column_of_milliseconds_keeps_its_unit() {
        assert_eq!(bare(12_345.6), "12,346");
        assert_eq!(bare(7.25), "7.2");
    }
}
