//! Connects a bot to a Kumite referee and keeps it connected.
//!
//! The protocol is described in `proto/referee/v1/play.proto`. This file opens streams, one after the other; `redial` says
//! when and where; `session` understands what is said on them; `resume` remembers the resume token. A stream is read on tokio's thread, which
//! returns pings at once, and the bot thinks on another: a thinking bot is never taken for a dead one.

use std::error::Error;
use std::fs;
use std::future::Future;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use rand::rngs::StdRng;
use tokio::sync::mpsc::{self, UnboundedReceiver, UnboundedSender};
use tokio::task;
use tokio::time::{sleep, timeout};
use tokio_stream::wrappers::UnboundedReceiverStream;
use tonic::metadata::{Ascii, MetadataValue};
use tonic::transport::{Certificate, ClientTlsConfig, Endpoint};
use tonic::{Code, Request, Status, Streaming};

use crate::proto::referee_service_client::RefereeServiceClient;
use crate::proto::{Ask, DescribeRequest, GameInfo, PlayRequest, PlayResponse, Pong};
use crate::redial::{Redial, STRANGER_PATIENCE};
use crate::session::{Next, Session};

/// Far more than any bundle of questions.
const LARGEST_MESSAGE: usize = 64 << 20;

/// Decides. The same bot sits at all tables, and is asked one question at a time.
pub trait Bot: Send + 'static {
    /// The index of the chosen option: 0 to `ask.option_count` - 1. The luck depends on the seed and the question only:
    /// a question that comes again after a break gets the same answer.
    fn decide(&mut self, ask: &Ask, luck: &mut StdRng) -> u32;

    /// Whether the bot wants to `learn`.
    fn is_learner(&self) -> bool {
        false
    }

    /// Takes in what the games' cards and boards show. Called whenever a connection opens, if the bot is a learner.
    fn learn(&mut self, _games: &[GameInfo]) {}
}

/// Where to play and under which name.
pub struct Config {
    /// host:port or unix:/path.
    pub address: String,
    /// Empty with a token: the token is the name.
    pub name: String,
    /// Sent as bearer token; empty: none.
    pub token: String,
    /// PEM file of the authority to trust; None: no TLS.
    pub tls_ca: Option<PathBuf>,
    /// Folder in which to remember the resume token; None: nowhere.
    pub state: Option<PathBuf>,
    /// The program, the bot and the version; a changed text is a new build on a ladder.
    pub software: String,
    /// How many to play at a time.
    pub tables: u32,
    /// What all luck of the bot grows from.
    pub seed: u64,
}

type Shared = Arc<Mutex<Session>>;

/// Plays until `stop` is ready or the referee says goodbye.
///
/// # Errors
/// One line for people, if the referee refuses the bot or none answers for a while.
pub async fn run(config: Config, bot: Box<dyn Bot>, stop: impl Future<Output = ()>) -> Result<(), String> {
    let dial = Dial::new(&config)?;
    let session = Arc::new(Mutex::new(Session::new(config, bot)));
    let result = tokio::select! {
        () = stop => Ok(()),
        result = play(&dial, &session) => result,
    };
    lock(&session).leave();
    result
}

/// Opens one stream after the other.
async fn play(dial: &Dial, session: &Shared) -> Result<(), String> {
    let mut redial = Redial::new(&dial.first, Instant::now());
    let mut reported = String::new();
    loop {
        lock(session).reset();
        let (address, opened) = (redial.address.clone(), Instant::now());
        let ended = play_stream(dial, &address, session).await;
        let (welcomed, closing) = {
            let mut session = lock(session);
            (session.welcomed, session.closing.take())
        };
        let reason = closing.as_ref().map_or_else(|| ended.message(), |closing| closing.message.as_str());
        match closing.as_ref().map(|closing| closing.next) {
            Some(Next::Stop) => {
                eprintln!("kumite: {reason}");
                return Ok(());
            }
            Some(Next::Refused) => return Err(format!("no play at {address}: {reason}")),
            None if is_final(&ended) => return Err(format!("no play at {address}: {reason}")),
            Some(Next::Again | Next::Restart) | None => {}
        }
        let Some(wait) = redial.next(opened, Instant::now(), welcomed, closing.as_ref()) else {
            return Err(format!("no referee answers at {address}: {reason}{}", redial.hint(dial.tls.is_some())));
        };
        let line = format!("kumite: connection to {address}: {reason}; trying again");
        if welcomed || line != reported {
            eprintln!("{line}");
            reported = line;
        }
        sleep(wait).await;
    }
}

/// Whether trying again is no use after this end of a stream.
fn is_final(ended: &Status) -> bool {
    matches!(ended.code(), Code::Unauthenticated | Code::PermissionDenied | Code::Unimplemented | Code::InvalidArgument)
}

/// Opens one stream and plays on it to its end; returns why it ended.
async fn play_stream(dial: &Dial, address: &str, session: &Shared) -> Status {
    let (outbox, requests) = mpsc::unbounded_channel();
    let (mut stream, mut message) =
        match timeout(STRANGER_PATIENCE, open(dial, address, session, &outbox, requests)).await {
            Ok(Ok(opened)) => opened,
            Ok(Err(status)) => return status,
            Err(_) => return Status::deadline_exceeded("it does not answer"),
        };
    // Neither channel needs a bound: the referee has at most one question open per seat, and what we send are answers.
    let (inbox, messages) = mpsc::unbounded_channel();
    let decider = task::spawn_blocking({
        let (session, outbox) = (Arc::clone(session), outbox.clone());
        move || decide(&session, messages, &outbox)
    });
    let ended = loop {
        if let Some(ping) = &message.ping {
            let pong = Some(Pong { nonce: ping.nonce });
            let _ = outbox.send(PlayRequest { pong, ..PlayRequest::default() });
        }
        if inbox.send(message).is_err() {
            break Status::cancelled("the referee closed the stream");
        }
        let next = tokio::select! {
            next = stream.message() => next,
            () = inbox.closed() => Ok(None),
        };
        message = match next {
            Ok(Some(next)) => next,
            Ok(None) => break Status::unavailable("the stream ended"),
            Err(status) => break status,
        };
    };
    drop(inbox);
    if let Err(failure) = decider.await {
        std::panic::resume_unwind(failure.into_panic());
    }
    ended
}

/// Dials, and waits for the first message.
async fn open(
    dial: &Dial,
    address: &str,
    session: &Shared,
    outbox: &UnboundedSender<PlayRequest>,
    requests: UnboundedReceiver<PlayRequest>,
) -> Result<(Streaming<PlayResponse>, PlayResponse), Status> {
    let endpoint = dial.endpoint(address).map_err(Status::unavailable)?;
    let channel = endpoint.connect().await.map_err(|error| Status::unavailable(cause(&error)))?;
    let mut referee = RefereeServiceClient::new(channel).max_decoding_message_size(LARGEST_MESSAGE);
    let is_learner = lock(session).bot.is_learner();
    if is_learner {
        let wanted = DescribeRequest { components: true, ..DescribeRequest::default() };
        let described = referee.describe(wanted).await?.into_inner();
        lock(session).bot.learn(&described.games);
    }
    let _ = outbox.send(lock(session).hello());
    let mut call = Request::new(UnboundedReceiverStream::new(requests));
    if let Some(bearer) = &dial.bearer {
        call.metadata_mut().insert("authorization", bearer.clone());
    }
    let mut stream = referee.play(call).await?.into_inner();
    let first = stream.message().await?.ok_or_else(|| Status::unavailable("the stream ended"))?;
    Ok((stream, first))
}

/// Lets the session act on messages until there are no more, or the referee closes the stream.
fn decide(session: &Shared, mut messages: UnboundedReceiver<PlayResponse>, outbox: &UnboundedSender<PlayRequest>) {
    while let Some(message) = messages.blocking_recv() {
        let mut session = lock(session);
        session.receive(&message, |reply| {
            let _ = outbox.send(reply); // a broken stream is noticed by its reader
        });
        if session.closing.is_some() {
            return;
        }
    }
}

/// The session. If the bot panicked the program is about to end, and only the resume token matters.
fn lock(session: &Shared) -> MutexGuard<'_, Session> {
    session.lock().unwrap_or_else(PoisonError::into_inner)
}

/// How to reach the referee.
struct Dial {
    /// The address that the bot was started with.
    first: String,
    tls: Option<ClientTlsConfig>,
    bearer: Option<MetadataValue<Ascii>>,
}

impl Dial {
    fn new(config: &Config) -> Result<Self, String> {
        let bearer = match config.token.as_str() {
            "" => None,
            token => Some(format!("Bearer {token}").parse().map_err(|_| "the token has characters that no token has")?),
        };
        let mut dial = Self { first: config.address.clone(), tls: None, bearer };
        if let Some(file) = &config.tls_ca {
            let wrong = |error: &dyn Error| format!("cannot use {} for TLS: {}", file.display(), cause(error));
            let authority = Certificate::from_pem(fs::read(file).map_err(|error| wrong(&error))?);
            dial.tls = Some(ClientTlsConfig::new().ca_certificate(authority));
        }
        dial.endpoint(&dial.first)?; // a mistake in what was given is final, one in a redirection is not
        Ok(dial)
    }

    /// Whom to call at an address.
    fn endpoint(&self, address: &str) -> Result<Endpoint, String> {
        let uri = if address.starts_with("unix:") {
            address.to_owned()
        } else if self.tls.is_some() {
            format!("https://{address}")
        } else {
            format!("http://{address}")
        };
        let endpoint = Endpoint::from_shared(uri)
            .map_err(|_| format!("{address:?} is no address: use host:port or unix:/path"))?
            .http2_keep_alive_interval(Duration::from_secs(30))
            .keep_alive_timeout(Duration::from_secs(10));
        match &self.tls {
            Some(tls) => endpoint.tls_config(tls.clone()).map_err(|error| format!("no TLS: {}", cause(&error))),
            None => Ok(endpoint),
        }
    }
}

/// What is at the bottom of an error.
fn cause(error: &dyn Error) -> String {
    let mut error = error;
    while let Some(source) = error.source() {
        error = source;
    }
    error.to_string()
}
