//! HTTP dates (RFC 9110, section 5.6.7), all three forms.

const MONTHS: [&str; 12] = [
    "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec",
];

/// Seconds since 1970-01-01 UTC. `None` when it is no date.
///
/// `Sun, 06 Nov 1994 08:49:37 GMT`, `Sunday, 06-Nov-94 08:49:37 GMT` or `Sun Nov  6 08:49:37 1994`: the
/// weekday is not checked, and the order of the parts follows from what they look like.
pub(super) fn parse(text: &str) -> Option<i64> {
    let (mut day, mut month, mut year, mut time) = (None, None, None, None);
    let parts = text
        .split([' ', ',', '-', '\t'])
        .filter(|part| !part.is_empty());
    for part in parts {
        if part.contains(':') {
            time = time.or(clock(part));
        } else if let Some(number) = digits(part) {
            let is_day = day.is_none() && part.len() <= 2;
            *(if is_day { &mut day } else { &mut year }) = Some((number, part.len()));
        } else {
            month = month.or_else(|| month_number(part));
        }
    }
    let (year, length) = year?;
    let year = if length > 2 {
        year
    } else {
        two_digit_year(year)
    };
    let (day, _) = day?;
    if !(1..=days_in(month?, year)).contains(&day) || !(1601..=9999).contains(&year) {
        return None;
    }
    Some(days_since_1970(year, month?, day) * 86_400 + time?)
}

/// RFC 9110: a two-digit year more than 50 years ahead is a past one. Seen from this decade.
const fn two_digit_year(year: i64) -> i64 {
    if year < 77 { 2000 + year } else { 1900 + year }
}

fn month_number(part: &str) -> Option<i64> {
    let start = part.get(..3)?;
    let at = MONTHS
        .iter()
        .position(|name| start.eq_ignore_ascii_case(name))?;
    i64::try_from(at).ok().map(|at| at + 1)
}

fn clock(part: &str) -> Option<i64> {
    let mut seconds = 0;
    let mut fields = part.split(':');
    for limit in [24, 60, 61] {
        let field = digits(fields.next()?).filter(|field| *field < limit)?;
        seconds = seconds * 60 + field;
    }
    fields.next().is_none().then_some(seconds)
}

fn digits(part: &str) -> Option<i64> {
    let all = (1..=4).contains(&part.len()) && part.bytes().all(|byte| byte.is_ascii_digit());
    all.then(|| {
        part.bytes()
            .fold(0, |number, byte| number * 10 + i64::from(byte - b'0'))
    })
}

const fn days_in(month: i64, year: i64) -> i64 {
    match month {
        4 | 6 | 9 | 11 => 30,
        2 if year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) => 29,
        2 => 28,
        _ => 31,
    }
}

/// Days from 1970-01-01, by Howard Hinnant's `days_from_civil`: years start in March, so that the leap
/// day is the last one.
const fn days_since_1970(year: i64, month: i64, day: i64) -> i64 {
    let year = if month <= 2 { year - 1 } else { year };
    let era = year.div_euclid(400);
    let of_era = year.rem_euclid(400);
    let of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
    era * 146_097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719_468
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_three_forms_name_the_same_second() {
        for text in [
            "Sun, 06 Nov 1994 08:49:37 GMT",
            "Sunday, 06-Nov-94 08:49:37 GMT",
            "Sun Nov  6 08:49:37 1994",
        ] {
            assert_eq!(parse(text), Some(784_111_777), "{text}");
        }
        assert_eq!(parse("Sun, 29 Nov 2026 19:00:45 GMT"), Some(1_795_978_845));
        assert_eq!(parse("Thu, 29 Feb 2024 00:00:00 GMT"), Some(1_709_164_800));
    }

    #[test]
    fn what_is_no_date_gives_none() {
        for text in [
            "",
            "soon",
            "30",
            "Sun, 06 Nov 1994",
            "Sun, 31 Feb 2026 00:00:00 GMT",
            "Sun, 06 Nov 1994 25:00:00 GMT",
            "06 06 06 06:06:06",
            "Sun, 06 Nov 19940 08:49:37 GMT",
        ] {
            assert_eq!(parse(text), None, "{text:?}");
        }
    }
}
