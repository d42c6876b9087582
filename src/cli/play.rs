//! `kroon play`: the board in the browser.

use super::engine_args::{Board, SetArgs};
use super::interrupt::on_interrupt;
use anyhow::{Context, Result, bail};
use kroon::agents::learned::LearnedFile;
use kroon::arena::program::executable;
use kroon::arena::spec::EngineSpec;
use kroon::book::Book;
use kroon::engine::Options;
use kroon::files::{read_regular, write_whole};
use kroon::game::Game;
use kroon::notation::position;
use kroon::rules::VariantId;
use kroon::web::{GameList, MOST_FILE, PdnFile, TOKEN_LETTERS, WebConfig, WebError, WebServer, token};
use std::io::{self, Read, Write};
use std::net::{IpAddr, Ipv4Addr};
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::{env, fs};
use tokio::sync::oneshot;

const AFTER_HELP: &str = "\
Serves the board to this machine only and opens it in the browser. The address has a token; who does
not have it is not answered. Ctrl-C ends the server; the page keeps the game and goes on when the
server is there again.

With --bind 0.0.0.0 a phone or another computer opens the board, too: by the second address that is
printed, or by http://ADDRESS:PORT/#token=TOKEN with the numeric address of this machine. Who has
the token can let the machine search and start the engines of --engine, and read the file of --pdn.

Examples:
  kroon play
  kroon play --bind 0.0.0.0
  kroon play --no-open --port 0 --threads 2
  kroon play games.pdn
  kroon play --variant russian
  kroon play --fen W:W28,33,K41:B9,14,19,23
  kroon play --engine 'cmd=\"./scan hub\" name=Scan' --engine 'cmd=./mine.py nodes=1000'";

/// Open a board in the browser: play, analyse, go through games
#[derive(clap::Args, Debug)]
#[command(after_help = AFTER_HELP)]
#[command(mut_arg("threads", |flag| flag.help("Threads that search [default: one for each processor]")))]
#[command(mut_arg("book", |flag| flag.help("Play moves of the opening book at full strength [default: true]")))]
pub struct Args {
    /// The port; 0: any that is free
    #[arg(long, value_name = "PORT", default_value_t = 8064)]
    port: u16,
    /// The address to listen at; another than this machine's own lets others in who have the token
    #[arg(long, value_name = "ADDRESS", default_value_t = IpAddr::V4(Ipv4Addr::LOCALHOST))]
    bind: IpAddr,
    /// Only print the address
    #[arg(long)]
    no_open: bool,
    /// Boards that may be open at a time
    #[arg(long, value_name = "N", default_value_t = 8, value_parser = clap::value_parser!(u16).range(1..=1000))]
    sessions: u16,
    /// Another engine that can play, described as in `kroon match`; give it for each
    #[arg(long = "engine", value_name = "DESCRIPTION")]
    engines: Vec<EngineSpec>,
    /// A PDN file to begin with
    #[arg(value_name = "GAMES", conflicts_with = "pdn")]
    games: Option<PathBuf>,
    /// The same as GAMES
    #[arg(long, value_name = "FILE")]
    pdn: Option<PathBuf>,
    /// Begin with a game of these rules [default: the page goes on with its own, or shows international draughts]
    #[arg(long, value_name = "V", conflicts_with_all = ["games", "pdn"])]
    variant: Option<VariantId>,
    /// Begin with this position (FEN, or a Hub position string), of international draughts without --variant
    #[arg(long, value_name = "POSITION", conflicts_with_all = ["games", "pdn"])]
    fen: Option<String>,
    #[command(flatten)]
    engine: SetArgs<Board>,
}

impl Args {
    /// The position with which the page begins.
    fn start(&self) -> Result<Option<Game>> {
        let variant = self.variant.unwrap_or_default();
        match &self.fen {
            Some(text) => Ok(Some(position::game(variant, text).context("--fen")?)),
            None => Ok(self.variant.map(Game::new)),
        }
    }
}

/// Serves until it is interrupted.
pub fn run(args: &Args) -> Result<()> {
    let options = args.engine.options()?;
    check(&options)?;
    let server = WebServer::new(WebConfig {
        bind: args.bind,
        port: args.port,
        token: Some(kept_token()),
        sessions: args.sessions.into(),
        options,
        engines: args.engines.clone(),
        start: args.start()?,
        pdn: args.games.as_deref().or(args.pdn.as_deref()).map(pdn_file).transpose()?,
    });
    let server = match server {
        Err(error @ WebError::Listen { .. }) => Err(error).context(
            "kroon play needs an address of this machine (--bind) and a free port (--port 0 for any)",
        ),
        made => made.map_err(Into::into),
    }?;
    args.engines.iter().try_for_each(check_engine)?;
    let url = server.url();
    let others = server.network_url().map(|url| format!("from other computers: {url}\n"));
    // At once: who reads the first line only may have gone before another one.
    let printed = format!("{url}\n{}", others.unwrap_or_default());
    io::stdout().write_all(printed.as_bytes())?;
    io::stdout().flush()?;
    if !args.no_open
        && let Err(error) = open::that_detached(&url)
    {
        log::warn!("the browser was not opened: {error}");
    }
    let (end, ended) = oneshot::channel();
    let end = Mutex::new(Some(end));
    on_interrupt(move || {
        if let Some(end) = end.lock().ok().and_then(|mut end| end.take()) {
            let _ = end.send(());
        }
    })?;
    server.run(async {
        let _ = ended.await;
    });
    Ok(())
}

/// Whether the files of these options can be read. Weights of one variant do not keep the board from the others.
fn check(options: &Options) -> Result<()> {
    let mut faults = VariantId::ALL.iter().map(|&variant| options.check(variant).err());
    if faults.clone().all(|fault| fault.is_some())
        && let Some(fault) = faults.next().flatten()
    {
        return Err(fault.into());
    }
    if let Some(book) = &options.book_file {
        Book::open(book)?;
    }
    if let Some(learned) = &options.agent.file {
        LearnedFile::open(learned).with_context(|| format!("--player-file {}", learned.display()))?;
    }
    Ok(())
}

/// Whether the program of an engine is there. It is started when it has to move, and a slip is better told before a game.
fn check_engine(engine: &EngineSpec) -> Result<()> {
    let Some(program) = engine.command.first() else { return Ok(()) };
    let here = engine.folder.as_deref().unwrap_or(Path::new(""));
    if !executable(program, here).is_some_and(|file| file.is_file()) {
        bail!("--engine {}: there is no program \"{program}\"", engine.name);
    }
    Ok(())
}

/// Reads a PDN file that has games in it.
fn pdn_file(path: &Path) -> Result<PdnFile> {
    let shown = format!("\"{}\"", path.display());
    let mut bytes = Vec::new();
    let file = fs::File::open(path).with_context(|| shown.clone())?;
    file.take(MOST_FILE as u64 + 1).read_to_end(&mut bytes).with_context(|| shown.clone())?;
    if bytes.len() > MOST_FILE {
        bail!("{shown}: longer than {} MiB", MOST_FILE >> 20);
    }
    GameList::read(&bytes).with_context(|| shown.clone())?;
    let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    Ok(PdnFile { name, bytes: bytes.into() })
}

/// The file of a token is smaller, in bytes.
const MOST_TOKEN: u64 = 1 << 20;

/// The token of the last server, so that a page which is still open goes on with this one; a new one where there is
/// none or it cannot be kept.
fn kept_token() -> String {
    let Some(path) = state_folder().map(|folder| folder.join("kroon").join("play-token")) else {
        return token();
    };
    let is_token =
        |text: &String| text.len() == TOKEN_LETTERS && text.bytes().all(|byte| byte.is_ascii_alphanumeric());
    let kept = read_regular(&path, MOST_TOKEN).ok().and_then(|bytes| String::from_utf8(bytes).ok());
    if let Some(kept) = kept.filter(is_token) {
        return kept;
    }
    let new = token();
    if let Err(error) = keep(&path, &new) {
        log::info!("{}: {error}", path.display());
    }
    new
}

/// Writes it where this user alone can read it.
fn keep(path: &Path, token: &str) -> io::Result<()> {
    if let Some(folder) = path.parent() {
        let mut builder = fs::DirBuilder::new();
        builder.recursive(true);
        #[cfg(unix)]
        std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
        builder.create(folder)?;
    }
    write_whole(path, |file| file.write_all(token.as_bytes()))?;
    #[cfg(unix)]
    fs::set_permissions(path, std::os::unix::fs::PermissionsExt::from_mode(0o600))?;
    Ok(())
}

/// Where programs keep what they want to find again (XDG Base Directory Specification).
fn state_folder() -> Option<PathBuf> {
    let folder = |name: &str| env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
    folder("XDG_STATE_HOME").or_else(|| Some(folder("HOME")?.join(".local").join("state")))
}
