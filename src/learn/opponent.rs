//! Whom a learner plays.

use super::LearnError;
use crate::agents::Agent;
use crate::arena::player_kroon::KroonPlayer;
use crate::arena::spec::{EngineSpec, Protocol};
use crate::rules::VariantId;
use crate::search::Limits;
use crate::words::quote;
use std::fmt;

/// A player of this program other than the engine, described as in a match: `player=minimax depth=3 score=f`.
///
/// ```
/// use kroon::learn::Opponent;
/// use kroon::rules::VariantId::English;
/// let opponent = Opponent::new("player=minimax depth=3", English)?;
/// assert_eq!(opponent.to_string(), "player=minimax depth=3");
/// let error = Opponent::new("player=minimax move-time=1", English).unwrap_err().to_string();
/// assert!(error.contains("move-time=1") && error.contains("depth or nodes"), "{error}");
/// assert!(Opponent::new("player=minimax depth=1 noise=0.1", English).is_err());
/// # Ok::<(), kroon::learn::LearnError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Opponent {
    text: String,
    variant: VariantId,
    player: KroonPlayer,
    limits: Limits,
}

impl Opponent {
    /// Reads a description.
    ///
    /// # Errors
    /// When it describes no player of this program that plays the variant, or one that is limited by time: its games
    /// could not be played again.
    pub fn new(text: &str, variant: VariantId) -> Result<Opponent, LearnError> {
        let error = |fault: String| LearnError::Opponent { text: quote(text), fault };
        let with_protocol =
            if text.contains("proto=") { text.to_owned() } else { format!("proto=kroon {text}") };
        let spec: EngineSpec =
            with_protocol.parse().map_err(|fault: crate::arena::spec::SpecError| error(fault.to_string()))?;
        let given = spec.limits;
        if spec.protocol != Protocol::Kroon {
            return Err(error("a learner plays players of this program: proto=kroon".to_owned()));
        }
        if given.control.is_some() || given.move_time.is_some() {
            return Err(error(
                "expected limits of depth or nodes, time would make every training another one".to_owned(),
            ));
        }
        if !spec.noise.is_none() {
            return Err(error("noise= is of a match, a learner's opponent has none".to_owned()));
        }
        let player = KroonPlayer::new(&spec, variant).map_err(error)?;
        let limits = Limits { depth: given.depth, nodes: given.nodes, ..Limits::default() };
        let opponent = Opponent { text: text.trim().to_owned(), variant, player, limits };
        match opponent.build() {
            Some(_) => Ok(opponent),
            None => Err(error("expected a player of the literature, such as player=random".to_owned())),
        }
    }

    fn build(&self) -> Option<Box<dyn Agent>> {
        self.player.options().agent_for(self.variant).ok().flatten()
    }

    /// A new one.
    ///
    /// # Errors
    /// When its file has become unreadable since it was described.
    pub fn agent(&self) -> Result<Box<dyn Agent>, LearnError> {
        let fault =
            || LearnError::Opponent { text: quote(&self.text), fault: "its file has changed".to_owned() };
        self.build().ok_or_else(fault)
    }

    /// Its description, and which file it plays from, if one is named there.
    pub fn what(&self) -> String {
        let options = self.player.options();
        let read = options.player.filter(|_| options.agent.file.is_some());
        let told = read.and_then(|player| player.describe(&options.agent, self.variant).ok());
        told.map_or_else(|| self.text.clone(), |told| format!("{}: {told}", self.text))
    }

    /// The limits of its moves.
    pub fn limits(&self) -> &Limits {
        &self.limits
    }
}

impl fmt::Display for Opponent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}
