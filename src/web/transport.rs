//! Connections: how many at a time, and how long one may take.

use axum::Router;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use std::sync::Arc;
use std::time::Duration;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Semaphore;
use tokio::time::sleep;

/// Connections at a time beside those on which a session hears its events; more wait until one ends. A browser opens six.
const MOST_CONNECTIONS: usize = 256;
/// A connection on which the head of a request is not whole by then is closed.
const HEAD_PATIENCE: Duration = Duration::from_secs(15);
/// A reader that takes nothing for this long has gone.
const READER_PATIENCE: Duration = Duration::from_secs(20);
/// Most bytes of a head, and of an answer that waits for its reader.
const MOST_BUFFERED: usize = 64 << 10;
/// After the system has given no connection, for it has too many open files.
const REST: Duration = Duration::from_millis(100);

/// Serves for ever, also with so many sessions.
pub async fn serve(listener: TcpListener, router: Router, sessions: usize) {
    let free = Arc::new(Semaphore::new(MOST_CONNECTIONS + sessions));
    loop {
        // invariant: nobody closes the semaphore
        let Ok(place) = Arc::clone(&free).acquire_owned().await else { return };
        let stream = match listener.accept().await {
            Ok((stream, _)) => stream,
            Err(error) => {
                log::warn!("no connection: {error}");
                sleep(REST).await;
                continue;
            }
        };
        prepare(&stream);
        let service = TowerToHyperService::new(router.clone());
        tokio::spawn(async move {
            let mut http = http1::Builder::new();
            http.timer(TokioTimer::new()).header_read_timeout(HEAD_PATIENCE).max_buf_size(MOST_BUFFERED);
            // What goes wrong is the other side's: it has gone, or talks nonsense.
            if let Err(error) = http.serve_connection(TokioIo::new(stream), service).await {
                log::debug!("connection: {error}");
            }
            drop(place);
        });
    }
}

/// Small answers go at once, and a peer that has vanished is noticed.
fn prepare(stream: &TcpStream) {
    let _ = stream.set_nodelay(true);
    #[cfg(target_os = "linux")]
    let _ = socket2::SockRef::from(stream).set_tcp_user_timeout(Some(READER_PATIENCE));
}
