//! What the page asks of exercises: those that come with the program, and those of a file.

use super::rules_api::ApiError;
use super::server::{Shared, refusal};
use crate::puzzles::{builtin, read};
use crate::rules::VariantId;
use axum::extract::{Path, Request, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use axum::{Json, Router};

/// Longest file, in bytes: 20,000 exercises or so.
const MOST_FILE: usize = 8 << 20;

/// The routes of exercises.
pub fn routes() -> Router<Shared> {
    Router::new().route("/api/puzzles", post(of_file)).route("/api/puzzles/{variant}", get(of_program))
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
