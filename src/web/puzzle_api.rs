//! What the page asks of exercises: those that come with the program, and those of a file.

use super::rules_api::{ApiError, LineOfPlay};
use super::server::{Shared, refusal};
use crate::puzzles::{Checker, FinderSettings, Goal, builtin, read};
use crate::rules::VariantId;
use crate::search::Control;
use axum::extract::{Path, Request, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use axum::{Json, Router};
use serde::Deserialize;

/// Longest file, in bytes: 20,000 exercises or so.
const MOST_FILE: usize = 8 << 20;

/// Longest line of moves of an exercise, in bytes.
const MOST_LINE: usize = 64 << 10;

/// A move that is not the solution's, the last one of a line.
#[derive(Deserialize)]
struct Try {
    #[serde(flatten)]
    line: LineOfPlay,
    goal: Goal,
}

/// The routes of exercises.
pub fn routes() -> Router<Shared> {
    Router::new()
        .route("/api/puzzles", post(of_file))
        .route("/api/puzzles/try", post(attempt))
        .route("/api/puzzles/{variant}", get(of_program))
}

/// The exercises of a variant that come with the program.
async fn of_program(Path(variant): Path<String>) -> Response {
    match variant.parse::<VariantId>() {
        Ok(variant) => Json(builtin(variant)).into_response(),
        Err(error) => refusal(StatusCode::UNPROCESSABLE_ENTITY, ApiError::from(error)),
    }
}

/// The exercises of a file of `kroon puzzles`.
async fn of_file(State(shared): State<Shared>, request: Request) -> Response {
    let work = |bytes: &[u8]| match std::str::from_utf8(bytes) {
        Ok(text) => read(text).map_err(|error| error.to_string()),
        Err(error) => Err(error.to_string()),
    };
    shared.pdn.answer(request.into_body(), MOST_FILE, work).await
}

/// What a move comes to that is not the solution's: searched as deep as the exercises are that the program finds.
async fn attempt(State(shared): State<Shared>, request: Request) -> Response {
    let work = |bytes: &[u8]| {
        let Try { line, goal } = serde_json::from_slice(bytes).map_err(|error| error.to_string())?;
        let game = line.game().map_err(|error| error.to_string())?;
        let FinderSettings { nodes, hash_mb } = FinderSettings::default();
        let mut checker = Checker::new(nodes * FinderSettings::MORE, hash_mb);
        Ok::<_, String>(checker.attempt(&game, goal, &Control::new()))
    };
    shared.pdn.answer(request.into_body(), MOST_LINE, work).await
}
