//! What the page asks of PDN files: their games, one game as a tree, a tree as PDN, and the file of the command line.

use super::game_list::{GameList, MOST_FILE};
use super::game_tree::GameTree;
use super::server::{Shared, refusal};
use crate::annotate::MoveNote;
use crate::notation::pdn::decode;
use axum::body::{Body, Bytes, HttpBody, to_bytes};
use axum::extract::{Request, State};
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use axum::{Json, Router};
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use tokio::sync::Semaphore;
use tokio::task::spawn_blocking;

/// Longest text of one game, in bytes: of PDN, or of the tree in JSON.
const MOST_GAME: usize = 8 << 20;

/// Bodies of at most so many bytes are read without waiting for others.
const SMALL_BODY: u64 = 64 << 10;

/// A PDN file to begin with.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PdnFile {
    /// Its name, without folders.
    pub name: String,
    /// What is in it.
    pub bytes: Bytes,
}

/// What the answers about PDN share.
#[derive(Clone, Debug)]
pub struct PdnDesk {
    /// The file of the command line.
    file: Option<Arc<PdnFile>>,
    /// Large bodies are read one at a time, so that many of them do not fill the memory.
    room: Arc<Semaphore>,
    /// One is worked at.
    turn: Arc<Semaphore>,
}

/// A game that gets notes, or loses those that it has.
#[derive(Deserialize)]
struct NotesOrder {
    game: GameTree,
    /// None: they are taken out.
    #[serde(default)]
    notes: Option<Vec<MoveNote>>,
}

/// A game in PDN.
#[derive(Serialize)]
struct PdnView {
    pdn: String,
}

impl PdnDesk {
    pub fn new(file: Option<PdnFile>) -> PdnDesk {
        PdnDesk {
            file: file.map(Arc::new),
            room: Arc::new(Semaphore::new(1)),
            turn: Arc::new(Semaphore::new(1)),
        }
    }

    /// The name of the file of the command line.
    pub fn file_name(&self) -> Option<&str> {
        self.file.as_ref().map(|file| file.name.as_str())
    }

    /// Reads a body and answers it away from the thread of the server, which goes on serving.
    pub(super) async fn answer<T, E>(
        &self,
        body: Body,
        most: usize,
        work: impl FnOnce(&[u8]) -> Result<T, E> + Send + 'static,
    ) -> Response
    where
        T: Serialize + Send + 'static,
        E: ToString + Send + 'static,
    {
        let ends = || refusal(StatusCode::SERVICE_UNAVAILABLE, "the server ends");
        // Whoever sends a small body slowly keeps nobody waiting.
        let is_small = body.size_hint().upper().is_some_and(|bytes| bytes <= SMALL_BODY);
        let room = if is_small { None } else { Some(self.room.clone().acquire_owned().await) };
        let Ok(room) = room.transpose() else { return ends() };
        let Ok(bytes) = to_bytes(body, most).await else {
            return refusal(
                StatusCode::PAYLOAD_TOO_LARGE,
                format!("more than {} KiB, or cut off", most >> 10),
            );
        };
        let Ok(turn) = self.turn.clone().acquire_owned().await else { return ends() };
        let done = spawn_blocking(move || {
            let _permits = (room, turn);
            work(&bytes).map_err(|error| error.to_string())
        });
        match done.await {
            Ok(Ok(answer)) => Json(answer).into_response(),
            Ok(Err(error)) => refusal(StatusCode::UNPROCESSABLE_ENTITY, error),
            Err(error) => refusal(StatusCode::INTERNAL_SERVER_ERROR, error),
        }
    }
}

/// The routes below `/api/pdn/`.
pub fn routes() -> Router<Shared> {
    Router::new()
        .route("/api/pdn/file", get(file))
        .route("/api/pdn/games", post(games))
        .route("/api/pdn/game", post(game))
        .route("/api/pdn/write", post(write))
        .route("/api/pdn/annotate", post(annotate))
}

/// The file of the command line as it is.
async fn file(State(shared): State<Shared>) -> Response {
    match &shared.pdn.file {
        Some(file) => {
            ([(header::CONTENT_TYPE, "application/octet-stream")], file.bytes.clone()).into_response()
        }
        None => refusal(StatusCode::NOT_FOUND, "kroon play was started without --pdn"),
    }
}

/// The games of a file.
async fn games(State(shared): State<Shared>, request: Request) -> Response {
    shared.pdn.answer(request.into_body(), MOST_FILE, GameList::read).await
}

/// The first game of a text as a tree.
async fn game(State(shared): State<Shared>, request: Request) -> Response {
    shared.pdn.answer(request.into_body(), MOST_GAME, |bytes| GameTree::read(&decode(bytes))).await
}

/// A tree as PDN.
async fn write(State(shared): State<Shared>, request: Request) -> Response {
    let work = |bytes: &[u8]| {
        let tree: GameTree = serde_json::from_slice(bytes).map_err(|error| error.to_string())?;
        Ok::<_, String>(PdnView { pdn: tree.pdn().map_err(|error| error.to_string())? })
    };
    shared.pdn.answer(request.into_body(), MOST_GAME, work).await
}

/// A tree with the notes of an analysis, or without.
async fn annotate(State(shared): State<Shared>, request: Request) -> Response {
    let work = |bytes: &[u8]| {
        let NotesOrder { game, notes } = serde_json::from_slice(bytes).map_err(|error| error.to_string())?;
        game.annotated(notes.as_deref()).map_err(|error| error.to_string())
    };
    shared.pdn.answer(request.into_body(), MOST_GAME, work).await
}
