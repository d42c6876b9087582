//! A position for programs: both notations, the legal moves, the evaluation.

use super::{EndgameView, men, turn_name};
use crate::board::Move;
use crate::eval::{self, EvaluationKind};
use crate::game::Game;
use crate::notation::{fen, hub, moves};
use crate::rules::play_in;
use crate::tablebase::Tables;
use serde::Serialize;

/// A position with everything that a board needs to let somebody play on.
///
/// ```
/// use kroon::{eval::EvaluationKind, game::Game, rules::VariantId::International, view::PositionView};
/// let view = PositionView::new(&Game::new(International), EvaluationKind::Learned);
/// assert_eq!((view.turn, view.moves.len()), ("white", 9));
/// assert_eq!(view.moves[0].pdn, "31-26");
/// ```
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct PositionView {
    /// The variant's name.
    pub variant: &'static str,
    /// The position as FEN.
    pub fen: String,
    /// The position as Hub writes it.
    pub hub: String,
    /// Who is to move: `white` or `black`.
    pub turn: &'static str,
    /// How the game ended; `null` while it goes on.
    pub outcome: Option<String>,
    /// The legal moves in the order of their squares.
    pub moves: Vec<MoveView>,
    /// The static evaluation in men, for White.
    pub evaluation: f64,
    /// What endgame tables say; `null` if none knows the position.
    pub endgame: Option<EndgameView>,
}

/// A legal move and where it leads.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct MoveView {
    /// The move in PDN.
    pub pdn: String,
    /// The move in Hub notation.
    pub hub: String,
    /// The number of the square that it leaves.
    pub from: u8,
    /// The number of the square where it ends.
    pub to: u8,
    /// The numbers of the captured squares, ascending.
    pub captured: Vec<u8>,
    /// The position after it as FEN.
    pub fen: String,
}

/// The answer to a text that is no position.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct ErrorView {
    /// What is wrong.
    pub error: String,
}

impl PositionView {
    /// The view of the current position of a game, with what endgame tables say of it.
    pub fn with_tables(game: &Game, kind: EvaluationKind, tables: &Tables) -> PositionView {
        PositionView { endgame: EndgameView::known(game, tables), ..PositionView::new(game, kind) }
    }

    /// The view of the current position of a game, with what an evaluation says of it.
    pub fn new(game: &Game, kind: EvaluationKind) -> PositionView {
        let (variant, position) = (game.variant(), game.position());
        PositionView {
            variant: variant.name(),
            fen: fen::write(variant, position),
            hub: hub::format_position(variant.rules().board, position),
            turn: turn_name(position.turn()),
            outcome: game.outcome().map(|outcome| outcome.to_string()),
            moves: sorted_moves(game),
            evaluation: men(eval::explain(kind, variant, position).1),
            endgame: None,
        }
    }
}

fn sorted_moves(game: &Game) -> Vec<MoveView> {
    let legal = game.legal_moves();
    let texts = moves::write_all(game.variant(), game.position(), &legal);
    let mut views: Vec<MoveView> =
        legal.iter().zip(texts).map(|(&mv, text)| move_view(game, mv, text)).collect();
    views.sort_by(|a, b| (a.from, a.to, &a.captured).cmp(&(b.from, b.to, &b.captured)));
    views
}

fn move_view(game: &Game, mv: Move, pdn: String) -> MoveView {
    let (variant, board) = (game.variant(), game.variant().rules().board);
    let mut captured: Vec<u8> = mv.captured().into_iter().map(|square| board.number(square)).collect();
    captured.sort_unstable();
    MoveView {
        pdn,
        hub: hub::format_move(board, mv),
        from: board.number(mv.from()),
        to: board.number(mv.to()),
        captured,
        fen: fen::write(variant, &play_in(variant, game.position(), mv)),
    }
}
