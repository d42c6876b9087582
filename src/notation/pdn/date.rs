//! Dates as PDN writes them.

/// Seconds since 1970 as a date in universal time, by the calendar's cycle of 400 years.
///
/// ```
/// assert_eq!(kroon::notation::pdn::date(951_782_400), "2000.02.29");
/// ```
pub fn date(seconds: u64) -> String {
    // Days since 0000-03-01: years that begin in March have the leap day at their end.
    let days = seconds / 86_400 + 719_468;
    let (era, day_of_era) = (days / 146_097, days % 146_097);
    let year_of_era = (day_of_era - day_of_era / 1_460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let month = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * month + 2) / 5 + 1;
    let month = if month < 10 { month + 3 } else { month - 9 };
    let year = era * 400 + year_of_era + u64::from(month <= 2);
    format!("{year:04}.{month:02}.{day:02}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates() {
        for (seconds, text) in [
            (0, "1970.01.01"),
            (59 * 86_400 + 86_399, "1970.03.01"),
            (951_782_399, "2000.02.28"),
            (951_782_400, "2000.02.29"),
            (951_868_800, "2000.03.01"),
            (11_322 * 86_400, "2000.12.31"),
            (20_000 * 86_400, "2024.10.04"),
            (1_735_689_599, "2024.12.31"),
            (4_107_542_400, "2100.03.01"),
        ] {
            assert_eq!(date(seconds), text);
        }
    }
}
