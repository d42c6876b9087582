//! Flags that a command does not have and people try: they get the reason in place of the parser's guess.

use super::usage::wrong_usage;
use anyhow::Result;

/// What changes how a game is played. Hidden: no help or completion offers it.
#[derive(clap::Args, Debug)]
pub struct OfGames {
    #[arg(long, hide = true, num_args = 0..=1, default_missing_value = "")]
    level: Option<String>,
    #[arg(long, hide = true, num_args = 0..=1, default_missing_value = "")]
    variety: Option<String>,
    #[arg(long, hide = true, num_args = 0..=1, default_missing_value = "")]
    book_ply: Option<String>,
    #[arg(long, hide = true, num_args = 0..=1, default_missing_value = "")]
    book_margin: Option<String>,
}

impl OfGames {
    /// Refuses them all.
    ///
    /// # Errors
    /// When one is given.
    pub fn refuse(&self) -> Result<()> {
        let flags = [
            ("--level", &self.level),
            ("--variety", &self.variety),
            ("--book-ply", &self.book_ply),
            ("--book-margin", &self.book_margin),
        ];
        if let Some((flag, value)) = flags.into_iter().find_map(|(flag, value)| Some((flag, value.as_ref()?)))
        {
            let given = format!("{flag} {value}");
            wrong_usage!(
                "{}: an analysis is always of full strength; {flag} changes how a game is played (kroon hub, dxp, match)",
                given.trim_end()
            );
        }
        Ok(())
    }
}
