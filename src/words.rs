//! The text of options and errors: enums that are one of a few words, numbers, quoting.

pub mod number;

use thiserror::Error;

/// Longest piece of foreign text that an error message repeats, in characters.
const QUOTED: usize = 60;

/// The text as an error message should quote it: escaped, in quotes, cut after 60 characters.
pub(crate) fn quote(text: &str) -> String {
    let mut quoted = String::with_capacity(text.len().min(QUOTED) + 5);
    quoted.push('"');
    let mut chars = text.chars();
    for c in chars.by_ref().take(QUOTED) {
        quoted.extend(c.escape_debug());
    }
    if chars.next().is_some() {
        quoted.push_str("...");
    }
    quoted.push('"');
    quoted
}

/// A number of things whose plural ends in `s`.
///
/// ```
/// assert_eq!(kroon::words::counted(1, "game"), "1 game");
/// assert_eq!(kroon::words::counted(0, "game"), "0 games");
/// ```
pub fn counted(number: u64, what: &str) -> String {
    format!("{number} {what}{}", if number == 1 { "" } else { "s" })
}

/// The first 60 characters.
pub(crate) fn excerpt(text: &str) -> String {
    text.chars().take(QUOTED).collect()
}

/// The word is none of the values.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("\"{word}\" found, expected one of: {known}")]
pub struct UnknownWord {
    /// What was found.
    pub word: String,
    /// What is known, separated by commas.
    pub known: String,
}

/// Names, `FromStr` and `Display` for an enum of options.
macro_rules! words {
    ($type:ident { $($variant:ident => $name:literal),+ }) => {
        impl $type {
            /// All values with their names.
            pub const NAMES: &'static [&'static str] = &[$($name),+];

            /// The name in options and parameters.
            pub fn name(self) -> &'static str {
                match self { $($type::$variant => $name),+ }
            }
        }

        impl ::std::str::FromStr for $type {
            type Err = $crate::words::UnknownWord;

            fn from_str(text: &str) -> ::std::result::Result<$type, $crate::words::UnknownWord> {
                match text.to_ascii_lowercase().as_str() {
                    $($name => Ok($type::$variant),)+
                    _ => Err($crate::words::UnknownWord {
                        word: $crate::words::excerpt(text),
                        known: $type::NAMES.join(", "),
                    }),
                }
            }
        }

        impl ::std::fmt::Display for $type {
            fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
                f.write_str(self.name())
            }
        }
    };
}

pub(crate) use words;

#[cfg(test)]
mod tests {
    #[derive(Clone, Copy, PartialEq, Debug)]
    enum Fruit {
        Apple,
        Pear,
    }
    words!(Fruit { Apple => "apple", Pear => "pear" });

    #[test]
    fn words_come_back_and_others_are_named() {
        for (fruit, name) in [Fruit::Apple, Fruit::Pear].into_iter().zip(Fruit::NAMES) {
            assert_eq!((fruit.to_string().as_str(), name.parse()), (*name, Ok(fruit)));
        }
        assert_eq!("PEAR".parse(), Ok(Fruit::Pear));
        let error = "plum".parse::<Fruit>().unwrap_err().to_string();
        assert_eq!(error, "\"plum\" found, expected one of: apple, pear");
    }
}
