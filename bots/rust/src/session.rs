//! What is said on streams: messages of the referee go in, messages of the bot come out.

use std::any::Any;
use std::collections::HashMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::{Duration, Instant};

use rand::SeedableRng;
use rand::rngs::StdRng;
use sha2::{Digest, Sha256};

use crate::client::{Bot, Config};
use crate::proto::{Answer, Ask, Failure, Fault, FaultCode, Hello, Over, PlayRequest, PlayResponse, Ready, Welcome};
use crate::resume::Memory;

const PROTOCOL_VERSION: u32 = 1;
/// How long answers wait for each other, to travel in one message.
const TOGETHER: Duration = Duration::from_millis(2);

/// Characters of the line that tells the referee of a failure.
const LONGEST_FAILURE: usize = 500;

/// What a bot panicked with, in one line that is not too long.
fn one_line(reason: &(dyn Any + Send)) -> String {
    let text = reason
        .downcast_ref::<&str>()
        .copied()
        .or_else(|| reason.downcast_ref::<String>().map(String::as_str))
        .unwrap_or("without a text");
    format!("panic: {}", text.split_whitespace().collect::<Vec<_>>().join(" ")).chars().take(LONGEST_FAILURE).collect()
}

/// What to do after the referee has closed a stream.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Next {
    /// Open another one.
    Again,
    /// Open another one once the referee is back, which may take minutes.
    Restart,
    /// Leave: this is a good end.
    Stop,
    /// Leave: it will not get better.
    Refused,
}

/// The referee's word on why it closes a stream.
pub struct Closing {
    pub next: Next,
    pub message: String,
    /// Where the tables are now; None: where they were.
    pub address: Option<String>,
    /// How long to wait at least before dialling again.
    pub retry_after: Duration,
}

impl Closing {
    /// What a fault that closes the stream means. A code of a later protocol means: open another one.
    pub fn of(fault: &Fault) -> Self {
        let code = FaultCode::try_from(fault.code).unwrap_or_default();
        let next = match code {
            FaultCode::Shutdown | FaultCode::TakenOver => Next::Stop,
            FaultCode::Version
            | FaultCode::Unauthenticated
            | FaultCode::BadHello
            | FaultCode::NameTaken
            | FaultCode::OutOfOrder
            | FaultCode::NoGame
            | FaultCode::Revoked
            | FaultCode::Kicked => Next::Refused,
            FaultCode::Restarting => Next::Restart,
            _ => Next::Again,
        };
        let redirected = code == FaultCode::Redirected && !fault.address.is_empty();
        Self {
            next,
            message: fault.message.clone(),
            address: redirected.then(|| fault.address.clone()),
            retry_after: Duration::from_micros(fault.retry_after_us.try_into().unwrap_or_default()),
        }
    }
}

/// What a bot knows about its referee, across any number of streams.
pub struct Session {
    config: Config,
    pub bot: Box<dyn Bot>,
    memory: Memory,
    /// The game at each seat: match and number.
    seats: HashMap<(String, u32), String>,
    /// Whether a referee ever welcomed the bot.
    known: bool,
    /// Whether the current stream is open for play.
    pub welcomed: bool,
    /// Why the referee closes the current stream, and what to do then.
    pub closing: Option<Closing>,
}

impl Session {
    pub fn new(config: Config, bot: Box<dyn Bot>) -> Self {
        // A bot without a name is known by its token.
        let player = if config.name.is_empty() { &config.token } else { &config.name };
        let memory = Memory::open(config.state.as_deref(), &config.address, player);
        Self { config, bot, memory, seats: HashMap::new(), known: false, welcomed: false, closing: None }
    }

    /// Forgets what belongs to the last stream.
    pub fn reset(&mut self) {
        self.welcomed = false;
        self.closing = None;
    }

    /// The end of all streams: the resume token is kept only if something is left to resume.
    pub fn leave(&mut self) {
        if (self.known && self.seats.is_empty()) || self.memory.token().is_empty() {
            self.memory.forget();
        }
    }

    /// The first message of a stream.
    pub fn hello(&self) -> PlayRequest {
        let hello = Hello {
            protocol_version: PROTOCOL_VERSION,
            name: self.config.name.clone(),
            software: self.config.software.clone(),
            tables: self.config.tables,
            resume_token: self.memory.token().to_owned(),
            ..Hello::default()
        };
        PlayRequest { hello: Some(hello), ..PlayRequest::default() }
    }

    /// Acts on a message, in the order in which its parts are meant, and sends what is due. Pings are the reader's
    /// business, and events (`told`) do not come, because the hello does not want any.
    pub fn receive(&mut self, message: &PlayResponse, mut send: impl FnMut(PlayRequest)) {
        let mut reply = PlayRequest::default();
        if let Some(welcome) = &message.welcome {
            self.welcome(welcome);
        }
        for seated in &message.seated {
            self.seats.insert((seated.match_id.clone(), seated.seat), seated.game.clone());
            if !seated.is_ready {
                reply.ready.push(Ready { match_id: seated.match_id.clone(), seat: Some(seated.seat) });
            }
        }
        let mut sent = Instant::now();
        for ask in &message.asks {
            self.decide(ask, &mut reply);
            // A failure does not wait for the next thought.
            if sent.elapsed() > TOGETHER || !reply.failures.is_empty() {
                send(std::mem::take(&mut reply));
                sent = Instant::now();
            }
        }
        for over in &message.over {
            self.over(over);
        }
        for fault in &message.faults {
            self.fault(fault);
        }
        if reply != PlayRequest::default() {
            send(reply);
        }
    }

    /// Adds the bot's answer to the reply. If the bot panics it adds a failure: the referee plays a random option at
    /// once, and the other tables play on.
    fn decide(&mut self, ask: &Ask, reply: &mut PlayRequest) {
        let mut luck = self.luck(ask);
        let (match_id, seat) = (ask.match_id.clone(), Some(ask.seat));
        match catch_unwind(AssertUnwindSafe(|| self.bot.decide(ask, &mut luck))) {
            Ok(option) => reply.answers.push(Answer { match_id, ask: ask.ask, option, seat, ..Answer::default() }),
            Err(reason) => {
                eprintln!("kumite: the bot failed at ask {} ({}) of match {match_id}", ask.ask, ask.kind);
                reply.failures.push(Failure { match_id, seat, ask: ask.ask, message: one_line(reason.as_ref()) });
            }
        }
    }

    fn welcome(&mut self, welcome: &Welcome) {
        self.welcomed = true;
        self.known = true;
        let how = if welcome.resumed { "took its tables up again" } else { "connected" };
        eprintln!("kumite: {} {how} (referee {})", welcome.name, welcome.referee_version);
        if welcome.resume_token != self.memory.token() {
            self.seats.clear(); // a referee with a new token knows nothing of our old tables
        }
        self.memory.keep(&welcome.resume_token);
    }

    /// The bot's randomness for one question.
    fn luck(&self, ask: &Ask) -> StdRng {
        let source = format!("{}/{}/{}/{}", self.config.seed, ask.match_id, ask.seat, ask.ask);
        StdRng::from_seed(Sha256::digest(source).into())
    }

    fn over(&mut self, over: &Over) {
        let game = self.seats.remove(&(over.match_id.clone(), over.seat)).unwrap_or_default();
        let outcome = over.result.as_ref().and_then(|result| {
            let seat = over.seat as usize;
            let (place, points) = (result.places.get(seat)?, result.points.get(seat)?);
            Some(format!("place {place} of {}, {points} points", result.places.len()))
        });
        let mut outcome = outcome.unwrap_or_else(|| "stopped".to_owned());
        if let Some(rating) = over.ratings.get(over.seat as usize) {
            outcome += &format!(", rating {:.0} -> {:.0}", rating.rating_before, rating.rating_after);
        }
        eprintln!("kumite: match {} ({game}) is over: {outcome}", over.match_id);
        for ending in over.endings.iter().filter(|ending| !ending.message.is_empty()) {
            eprintln!("kumite: {}", ending.message);
        }
    }

    fn fault(&mut self, fault: &Fault) {
        if fault.closes_stream {
            if fault.code() == FaultCode::UnknownResume {
                self.memory.keep(""); // say hello afresh
            }
            self.closing = Some(Closing::of(fault));
            return;
        }
        let code = FaultCode::try_from(fault.code)
            .map_or_else(|_| fault.code.to_string(), |code| code.as_str_name().to_owned());
        let place = match fault.match_id.as_str() {
            "" => String::new(),
            id => format!(", match {id}, seat {}, ask {}", fault.seat, fault.ask),
        };
        eprintln!("kumite: fault {code}{place}: {}", fault.message);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Panics at the first two asks of a match.
    struct Failing;

    impl Bot for Failing {
        fn decide(&mut self, ask: &Ask, _luck: &mut StdRng) -> u32 {
            assert!(ask.ask > 2, "no such\ncard");
            0
        }
    }

    #[test]
    fn a_failure_is_told_before_the_next_thought_and_the_next_ask_is_answered() {
        let config = Config {
            address: String::new(),
            name: "me".to_owned(),
            token: String::new(),
            tls_ca: None,
            state: None,
            software: String::new(),
            tables: 1,
            seed: 7,
        };
        let mut session = Session::new(config, Box::new(Failing));
        let ask = |number| Ask { match_id: "a".to_owned(), seat: 2, ask: number, option_count: 2, ..Ask::default() };
        let message = PlayResponse { asks: vec![ask(1), ask(2), ask(3)], ..PlayResponse::default() };
        let mut sent = Vec::new();
        session.receive(&message, |request| sent.push(request));

        let place = || ("a".to_owned(), Some(2));
        let failure = |number| {
            let (match_id, seat) = place();
            let failure = Failure { match_id, seat, ask: number, message: "panic: no such card".to_owned() };
            PlayRequest { failures: vec![failure], ..PlayRequest::default() }
        };
        let (match_id, seat) = place();
        let answer = Answer { match_id, seat, ask: 3, ..Answer::default() };
        assert_eq!(sent, [failure(1), failure(2), PlayRequest { answers: vec![answer], ..PlayRequest::default() }]);
    }

    #[test]
    fn a_failure_is_one_short_line() {
        assert_eq!(one_line(&" no\tsuch \r\n card\u{2028}here "), "panic: no such card here");
        assert_eq!(one_line(&5), "panic: without a text");
        assert_eq!(one_line(&"é".repeat(501)), format!("panic: {}", "é".repeat(LONGEST_FAILURE - "panic: ".len())));
    }
}
