//! The HTTP server: who may ask, where requests go, how answers look.

use super::books::BookDesk;
use super::endings::EndingDesk;
use super::game_work::GameOrder;
use super::guard::{Guard, token};
use super::network::network_address;
use super::openings::{BallotOrder, OpeningError, ballot};
use super::order::GoOrder;
use super::page;
use super::pdn_api::{self, PdnDesk, PdnFile};
use super::puzzle_api;
use super::rules_api::{ApiError, LineOfPlay, variants, words_of};
use super::session::{Session, SessionError, Sessions};
use super::transport;
use crate::annotate::MoveClass;
use crate::arena::spec::EngineSpec;
use crate::engine::{Options, PROGRAM};
use crate::game::Game;
use crate::levels;
use crate::notation::fen;
use axum::body::Bytes;
use axum::extract::{DefaultBodyLimit, Path, Query, Request, State};
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::middleware::{self, Next};
use axum::response::sse::{Event, KeepAlive, Sse};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use axum::{Json, Router};
use futures_util::stream::{self, Stream};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::convert::Infallible;
use std::future::Future;
use std::net::{IpAddr, SocketAddr};
use std::time::Duration;
use std::{io, sync::Arc};
use thiserror::Error;
use tokio::net::TcpListener;
use tokio::sync::Semaphore;
use tokio::time::timeout;

/// Longest body of a request, in bytes.
const MOST_BYTES: usize = 1 << 20;
/// A comment goes to a quiet stream this often: a tab that has gone is noticed.
const KEEP_ALIVE: Duration = Duration::from_secs(1);
/// A request that has not come in whole after this time is given up.
const BODY_PATIENCE: Duration = Duration::from_secs(15);
/// Engines and their processes may take this long to end with the server.
const FAREWELL: Duration = Duration::from_secs(3);
/// Threads for what takes long.
const MOST_WORKERS: usize = 16;
/// Positions that are looked at at the same time: some take long, and other work needs threads, too.
const MOST_POSITIONS: usize = 4;
/// How long such a thread waits for work before it ends: longer than any server runs.
const ALWAYS: Duration = Duration::from_secs(100 * 365 * 86_400);
/// Nothing from elsewhere, nothing inline.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; \
    manifest-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
/// The header with the token.
const TOKEN: &str = "x-kroon-token";

/// How to serve.
#[derive(Clone, Debug)]
pub struct WebConfig {
    /// Where to listen.
    pub bind: IpAddr,
    /// The port; 0: any that is free.
    pub port: u16,
    /// What a page must know to be answered; none: a new one.
    pub token: Option<String>,
    /// Boards that may be open at a time.
    pub sessions: usize,
    /// Options of the engines: all threads together, the table of each.
    pub options: Options,
    /// Other engines that can play.
    pub engines: Vec<EngineSpec>,
    /// The PDN file with which the page begins.
    pub pdn: Option<PdnFile>,
    /// The position with which the page begins; none: the game that it keeps.
    pub start: Option<Game>,
}

/// Why there is no server.
#[derive(Debug, Error)]
pub enum WebError {
    /// The address is taken, or not this machine's.
    #[error("{address}: {source}")]
    Listen {
        /// The address.
        address: SocketAddr,
        /// What the system says.
        source: io::Error,
    },
    /// The system gives no thread or socket.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// An engine does not suit.
    #[error(transparent)]
    Engines(#[from] SessionError),
}

/// A server that listens.
#[derive(Debug)]
pub struct WebServer {
    runtime: tokio::runtime::Runtime,
    listener: TcpListener,
    address: SocketAddr,
    token: String,
    start: Option<Game>,
    shared: Shared,
}

/// What all answers share.
#[derive(Clone, Debug)]
pub(super) struct Shared {
    guard: Arc<Guard>,
    sessions: Sessions,
    pub(super) pdn: PdnDesk,
    endings: Arc<EndingDesk>,
    books: Arc<BookDesk>,
    positions: Arc<Semaphore>,
}

impl WebServer {
    /// Listens, so that pages can connect; they are answered by [`WebServer::run`].
    ///
    /// # Errors
    /// When the address cannot be had.
    pub fn new(config: WebConfig) -> Result<WebServer, WebError> {
        let runtime = runtime()?;
        let address = SocketAddr::new(config.bind, config.port);
        let listener = runtime
            .block_on(TcpListener::bind(address))
            .map_err(|source| WebError::Listen { address, source })?;
        let address = listener.local_addr()?;
        let token = config.token.unwrap_or_else(token);
        let guard = Arc::new(Guard::new(address, token.clone()));
        let endings = Arc::new(EndingDesk::new(&config.options));
        let books = Arc::new(BookDesk::new(&config.options));
        let positions = Arc::new(Semaphore::new(MOST_POSITIONS));
        let sessions = Sessions::new(config.sessions, config.options, config.engines)?;
        let shared = Shared { guard, sessions, pdn: PdnDesk::new(config.pdn), endings, books, positions };
        Ok(WebServer { runtime, listener, address, token, start: config.start, shared })
    }

    /// Where it listens.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// What the browser opens: the token is behind the `#`, which browsers do not send, and with it whether there is a
    /// file, or which position, to begin with.
    pub fn url(&self) -> String {
        let shown = match self.address.ip() {
            ip if ip.is_unspecified() => SocketAddr::new(IpAddr::from([127, 0, 0, 1]), self.address.port()),
            _ => self.address,
        };
        self.url_at(shown)
    }

    /// What the browser of another computer opens, if the server listens at all addresses and this machine has one in a
    /// network.
    pub fn network_url(&self) -> Option<String> {
        let ip = network_address(self.address.ip())?;
        Some(self.url_at(SocketAddr::new(ip, self.address.port())))
    }

    fn url_at(&self, address: SocketAddr) -> String {
        let file = if self.shared.pdn.file_name().is_some() { "&file" } else { "" };
        let start = self.start.as_ref().map_or(String::new(), |game| {
            // A position that is set up waits for whoever wants to play on from there, a game of the variant does not.
            let is_set_up = game.position() != Game::new(game.variant()).position();
            // A plus sign, of the counts of king moves, would be read as a blank.
            let fen = || format!("&fen={}", fen::write(game.variant(), game.position()).replace('+', "%2B"));
            format!("&variant={}{}", game.variant(), if is_set_up { fen() } else { String::new() })
        });
        format!("http://{address}/#token={}{file}{start}", self.token)
    }

    /// Serves until `end` is ready. Open streams do not keep it; engines end with it.
    pub fn run(self, end: impl Future<Output = ()>) {
        let sessions = self.shared.sessions.clone();
        let serving = transport::serve(self.listener, router(self.shared), sessions.most());
        self.runtime.block_on(async {
            tokio::select! {
                () = serving => (),
                () = end => (),
            }
        });
        self.runtime.shutdown_background();
        sessions.end(FAREWELL);
    }
}

/// A runtime that has started one thread for what takes long and keeps it: where the system gives no other, everything waits
/// for this one. Without any the runtime would panic.
fn runtime() -> io::Result<tokio::runtime::Runtime> {
    // There is room for one.
    let probe = std::thread::Builder::new().spawn(|| ())?;
    let _ = probe.join();
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .max_blocking_threads(MOST_WORKERS)
        .thread_keep_alive(ALWAYS)
        .build()?;
    runtime.spawn_blocking(|| ());
    Ok(runtime)
}

fn router(shared: Shared) -> Router {
    let api = Router::new()
        .route("/api/about", get(about))
        .route("/api/position", post(position))
        .route("/api/ballot", post(draw_ballot))
        .route("/api/engine", get(open))
        .route("/api/engine/{name}/go", post(go))
        .route("/api/engine/{name}/stop", post(stop))
        .route("/api/engine/{name}/hit", post(hit))
        .route("/api/engine/{name}/game", post(game))
        .route("/api/engine/{name}/leave", post(leave_game))
        .merge(pdn_api::routes())
        .merge(puzzle_api::routes())
        .route_layer(middleware::from_fn_with_state(shared.clone(), check_token));
    Router::new()
        .route("/", get(|headers: HeaderMap| async move { page::answer("index.html", &headers) }))
        .route("/page/{file}", get(file))
        .merge(api)
        .fallback(|| async { refusal(StatusCode::NOT_FOUND, "there is nothing here") })
        .layer(DefaultBodyLimit::max(MOST_BYTES))
        .layer(middleware::map_response(as_json))
        .layer(middleware::from_fn_with_state(shared.clone(), check_host))
        .with_state(shared)
}

async fn file(Path(name): Path<String>, headers: HeaderMap) -> Response {
    page::answer(&name, &headers)
}

/// What goes wrong, as JSON.
pub(super) fn refusal(status: StatusCode, error: impl ToString) -> Response {
    (status, Json(crate::view::ErrorView { error: error.to_string() })).into_response()
}

/// Puts the words of this server in the place of those of its library, which are no JSON.
async fn as_json(response: Response) -> Response {
    let status = response.status();
    let headers = response.headers();
    let is_json = headers.get(header::CONTENT_TYPE).is_some_and(|kind| kind == "application/json");
    if is_json || !(status.is_client_error() || status.is_server_error()) {
        return response;
    }
    let mut answer = match status {
        StatusCode::METHOD_NOT_ALLOWED => {
            refusal(status, "another method is expected here, see the header Allow")
        }
        StatusCode::PAYLOAD_TOO_LARGE => refusal(status, format!("more than {MOST_BYTES} bytes")),
        other => refusal(other, other.canonical_reason().unwrap_or("no answer")),
    };
    if let Some(allow) = headers.get(header::ALLOW) {
        answer.headers_mut().insert(header::ALLOW, allow.clone());
    }
    answer
}

/// Whether a request is meant for this server and does not come from another page.
fn is_own(guard: &Guard, headers: &HeaderMap) -> bool {
    let text = |name| headers.get(name).map(|value: &HeaderValue| value.to_str().unwrap_or_default());
    text(header::HOST).is_some_and(|host| guard.is_host(host))
        && text(header::ORIGIN).is_none_or(|origin| guard.is_origin(origin))
}

/// Lets in only what is meant for this server and comes from its own page, and marks every answer as its own.
async fn check_host(State(shared): State<Shared>, request: Request, next: Next) -> Response {
    let mut response = if is_own(&shared.guard, request.headers()) {
        let late = |_| refusal(StatusCode::REQUEST_TIMEOUT, "the request took too long");
        timeout(BODY_PATIENCE, next.run(request)).await.unwrap_or_else(late)
    } else {
        refusal(StatusCode::FORBIDDEN, "this server answers its own page only")
    };
    let headers = response.headers_mut();
    for (name, value) in [
        (header::CONTENT_SECURITY_POLICY, POLICY),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (header::REFERRER_POLICY, "no-referrer"),
        (header::CACHE_CONTROL, "no-cache"),
    ] {
        headers.insert(name, HeaderValue::from_static(value));
    }
    response
}

/// The token in a header or, where a page cannot send one, in the query.
#[derive(Deserialize)]
struct TokenQuery {
    token: Option<String>,
}

async fn check_token(
    State(shared): State<Shared>,
    Query(query): Query<TokenQuery>,
    headers: HeaderMap,
    request: Request,
    next: Next,
) -> Response {
    let header = headers.get(TOKEN).and_then(|value| value.to_str().ok());
    let token = header.or(query.token.as_deref());
    if token.is_some_and(|token| shared.guard.is_token(token)) {
        next.run(request).await
    } else {
        refusal(StatusCode::UNAUTHORIZED, "open the address that kroon play has printed: it has a token")
    }
}

/// Reads a body, whatever it calls itself.
fn body<T: DeserializeOwned>(bytes: &Bytes) -> Result<T, Box<Response>> {
    serde_json::from_slice(bytes).map_err(|error| Box::new(refusal(StatusCode::BAD_REQUEST, error)))
}

/// What the program can do.
#[derive(Serialize)]
struct AboutView {
    program: &'static str,
    version: &'static str,
    variants: Vec<super::VariantView>,
    players: Vec<&'static str>,
    engines: Vec<String>,
    levels: u8,
    searches: Vec<&'static str>,
    /// The sign of each class of moves that has one.
    marks: BTreeMap<&'static str, &'static str>,
    file: Option<String>,
    threads: usize,
    hash: usize,
    mcts_hash: usize,
    boards: usize,
}

async fn about(State(shared): State<Shared>) -> Response {
    let options = shared.sessions.options();
    Json(AboutView {
        program: PROGRAM,
        version: env!("CARGO_PKG_VERSION"),
        variants: variants(),
        players: words_of("player"),
        engines: shared.sessions.outside(),
        levels: levels::MOST,
        searches: words_of("search"),
        marks: MoveClass::ALL.into_iter().filter_map(|class| Some((class.name(), class.sign()?))).collect(),
        file: shared.pdn.file_name().map(str::to_owned),
        threads: options.threads,
        hash: options.hash_mb,
        mcts_hash: options.mcts.hash_mb,
        boards: shared.sessions.count(),
    })
    .into_response()
}

async fn position(State(shared): State<Shared>, bytes: Bytes) -> Response {
    let turn = shared.positions.clone().acquire_owned().await;
    let view = move |line: &LineOfPlay| {
        // A request that is given up keeps its turn until its work has ended.
        let _turn = turn;
        let mut view = line.view()?;
        let game = line.game()?;
        view.endgame = shared.endings.view(&game);
        view.book = shared.books.view(&game);
        Ok::<_, ApiError>(view)
    };
    let line = match body::<LineOfPlay>(&bytes) {
        Ok(line) => line,
        Err(response) => return *response,
    };
    // The captures of some positions, and tables on a slow disk, take a while.
    match tokio::task::spawn_blocking(move || view(&line)).await {
        Ok(Ok(view)) => Json(view).into_response(),
        Ok(Err(error)) => refusal(StatusCode::UNPROCESSABLE_ENTITY, error),
        Err(error) => refusal(StatusCode::INTERNAL_SERVER_ERROR, error),
    }
}

async fn draw_ballot(bytes: Bytes) -> Response {
    let order = match body::<BallotOrder>(&bytes) {
        Ok(order) => order,
        Err(response) => return *response,
    };
    // All ballots of a length are made for the first that is drawn, which takes a while.
    match tokio::task::spawn_blocking(move || ballot(&order)).await {
        Ok(Ok(line)) => Json(line).into_response(),
        Ok(Err(error @ OpeningError::Variant(_) | error @ OpeningError::Plies(_))) => {
            refusal(StatusCode::UNPROCESSABLE_ENTITY, error)
        }
        Ok(Err(error)) => refusal(StatusCode::INTERNAL_SERVER_ERROR, error),
        Err(error) => refusal(StatusCode::INTERNAL_SERVER_ERROR, error),
    }
}

async fn open(State(shared): State<Shared>) -> Response {
    match shared.sessions.open() {
        Ok(session) => {
            Sse::new(events(session)).keep_alive(KeepAlive::new().interval(KEEP_ALIVE)).into_response()
        }
        Err(error) => refusal(StatusCode::SERVICE_UNAVAILABLE, error),
    }
}

/// The events of a session, its name first. The session ends with the stream.
fn events(session: Session) -> impl Stream<Item = Result<Event, Infallible>> {
    let hello = Event::default().event("session").data(session.name());
    let first = stream::once(async { Ok(hello) });
    let rest = stream::unfold(session, |mut session| async {
        let (kind, data) = session.events.recv().await?;
        Some((Ok(Event::default().event(kind).data(data)), session))
    });
    stream::StreamExt::chain(first, rest)
}

async fn go(State(shared): State<Shared>, Path(name): Path<String>, bytes: Bytes) -> Response {
    match body::<GoOrder>(&bytes) {
        Ok(order) => done(shared.sessions.go(&name, &order)),
        Err(response) => *response,
    }
}

async fn stop(State(shared): State<Shared>, Path(name): Path<String>) -> Response {
    done(shared.sessions.stop(&name))
}

async fn hit(State(shared): State<Shared>, Path(name): Path<String>) -> Response {
    done(shared.sessions.hit(&name))
}

async fn game(State(shared): State<Shared>, Path(name): Path<String>, bytes: Bytes) -> Response {
    match body::<GameOrder>(&bytes) {
        Ok(order) => done(shared.sessions.game(&name, &order)),
        Err(response) => *response,
    }
}

async fn leave_game(State(shared): State<Shared>, Path(name): Path<String>) -> Response {
    done(shared.sessions.leave_game(&name))
}

fn done(result: Result<(), SessionError>) -> Response {
    match result {
        Ok(()) => StatusCode::NO_CONTENT.into_response(),
        Err(error @ SessionError::Unknown) => refusal(StatusCode::NOT_FOUND, error),
        Err(error @ SessionError::Busy) => refusal(StatusCode::TOO_MANY_REQUESTS, error),
        Err(error) => refusal(StatusCode::UNPROCESSABLE_ENTITY, error),
    }
}
