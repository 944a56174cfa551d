//! When and where to dial again after the end of a stream, and when to give up.

use std::time::{Duration, Instant};

use rand::RngExt;

use crate::session::{Closing, Next};

/// How long a bot that was never welcomed dials, and how long an open stream may stay without a welcome.
pub const STRANGER_PATIENCE: Duration = Duration::from_secs(30);
/// How long a bot dials that has lost its referee: a restart may take minutes, and tables wait.
const GUEST_PATIENCE: Duration = Duration::from_secs(600);
/// Pauses between two attempts to connect double from the first to the longest (back-off).
const FIRST_PAUSE: Duration = Duration::from_millis(100);
const LONGEST_PAUSE: Duration = Duration::from_secs(10);
/// The longest that a referee can have the bot wait before it dials again.
const LONGEST_WAIT: Duration = Duration::from_secs(600);

/// What is remembered between two streams.
pub struct Redial {
    /// Where to dial next.
    pub address: String,
    /// The address that the bot was started with.
    first: String,
    /// The next pause, before jitter.
    pause: Duration,
    /// When a referee was last heard of.
    alive: Instant,
    /// Whether the bot waits as one that a referee knows.
    patient: bool,
    /// Whether a referee ever said anything.
    spoken: bool,
}

impl Redial {
    pub fn new(address: &str, now: Instant) -> Self {
        Self {
            address: address.to_owned(),
            first: address.to_owned(),
            pause: FIRST_PAUSE,
            alive: now,
            patient: false,
            spoken: false,
        }
    }

    /// Takes in how a stream ended; `closing` is None if the referee said nothing about it. Returns how long to wait
    /// before the bot dials again; None: it is to give up.
    pub fn next(
        &mut self,
        opened: Instant,
        ended: Instant,
        welcomed: bool,
        closing: Option<&Closing>,
    ) -> Option<Duration> {
        self.spoken |= welcomed || closing.is_some();
        if welcomed || closing.is_some_and(|closing| closing.next == Next::Restart) {
            self.alive = ended;
            self.patient = true;
        }
        if welcomed && ended.duration_since(opened) > LONGEST_PAUSE {
            self.pause = FIRST_PAUSE; // after streams that are closed at once the pauses grow on
        }
        match closing.and_then(|closing| closing.address.as_ref()) {
            Some(address) => {
                self.address.clone_from(address);
                self.patient = true;
            }
            None if welcomed => {}
            None => self.address.clone_from(&self.first), // where a redirection led does not answer
        }
        let patience = if self.patient { GUEST_PATIENCE } else { STRANGER_PATIENCE };
        if ended.saturating_duration_since(self.alive) > patience {
            return None;
        }
        let mut wait = self.pause.mul_f64(rand::rng().random_range(0.5..1.0));
        self.pause = LONGEST_PAUSE.min(self.pause * 2);
        let asked = closing.map_or(Duration::ZERO, |closing| closing.retry_after.min(LONGEST_WAIT));
        if !asked.is_zero() {
            wait = wait.max(asked);
            self.alive = ended + wait; // what the referee asks for does not count against its patience
        }
        Some(wait)
    }

    /// What may be wrong if no referee ever said anything.
    pub fn hint(&self, tls: bool) -> &'static str {
        match (self.spoken, tls) {
            (true, _) => "",
            (false, true) => " (if a referee is there, it may speak without TLS: try without --tls-ca)",
            (false, false) => " (if a referee is there, it may speak TLS: try --tls-ca FILE)",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::proto::{Fault, FaultCode};

    const HOUR: Duration = Duration::from_secs(3600);
    const MINUTE: Duration = Duration::from_secs(60);

    fn closed(code: i32) -> Closing {
        Closing::of(&Fault { code, closes_stream: true, ..Fault::default() })
    }

    /// Lets every attempt fail from `start` on; returns after how long the bot gave up.
    fn outage(redial: &mut Redial, start: Instant) -> Duration {
        let mut now = start;
        while let Some(wait) = redial.next(now, now, false, None) {
            assert!(wait >= FIRST_PAUSE / 2 && wait <= LONGEST_PAUSE);
            now += wait;
        }
        now - start
    }

    #[test]
    fn a_bot_that_was_never_welcomed_gives_up_after_half_a_minute() {
        let start = Instant::now();
        let lasted = outage(&mut Redial::new("first:1", start), start);
        assert!(lasted >= STRANGER_PATIENCE && lasted <= STRANGER_PATIENCE + LONGEST_PAUSE, "{lasted:?}");
    }

    #[test]
    fn a_bot_that_was_welcomed_dials_for_ten_minutes() {
        let opened = Instant::now();
        let start = opened + HOUR;
        for closing in [Some(closed(FaultCode::Restarting.into())), Some(closed(4711)), None] {
            let mut redial = Redial::new("first:1", opened);
            assert!(redial.next(opened, start, true, closing.as_ref()).is_some());
            let lasted = outage(&mut redial, start);
            assert!(lasted >= GUEST_PATIENCE && lasted <= GUEST_PATIENCE + LONGEST_PAUSE, "{lasted:?}");
        }
    }

    #[test]
    fn a_redirection_leads_to_the_other_address_and_a_failure_there_back() {
        let now = Instant::now();
        let mut redial = Redial::new("first:1", now);
        let code = FaultCode::Redirected.into();
        let redirected = Closing::of(&Fault { code, address: "second:2".to_owned(), ..Fault::default() });
        redial.next(now, now, true, Some(&redirected));
        assert_eq!(redial.address, "second:2");
        redial.next(now, now, true, None);
        assert_eq!(redial.address, "second:2");
        redial.next(now, now, false, None);
        assert_eq!(redial.address, "first:1");
    }

    #[test]
    fn the_referees_own_pause_is_kept_and_not_held_against_it() {
        let now = Instant::now();
        let mut redial = Redial::new("first:1", now);
        let full =
            |retry_after_us| Closing::of(&Fault { code: FaultCode::Full.into(), retry_after_us, ..Fault::default() });
        assert!(redial.next(now, now, false, Some(&full(60_000_000))).is_some_and(|wait| wait >= MINUTE));
        let later = now + MINUTE + Duration::from_secs(1);
        assert!(redial.next(later, later, false, None).is_some());
        assert_eq!(redial.next(later, later, false, Some(&full(i64::MAX))), Some(LONGEST_WAIT));
    }

    #[test]
    fn streams_that_are_closed_at_once_are_opened_less_and_less_often() {
        let now = Instant::now();
        let mut redial = Redial::new("first:1", now);
        for _ in 0..10 {
            redial.next(now, now, true, None);
        }
        assert_eq!(redial.pause, LONGEST_PAUSE);
        redial.next(now, now + MINUTE, true, None);
        assert_eq!(redial.pause, FIRST_PAUSE * 2);
    }

    #[test]
    fn every_closing_code_says_what_to_do() {
        for (code, next) in [
            (FaultCode::Shutdown, Next::Stop),
            (FaultCode::TakenOver, Next::Stop),
            (FaultCode::Revoked, Next::Refused),
            (FaultCode::Kicked, Next::Refused),
            (FaultCode::NoGame, Next::Refused),
            (FaultCode::BadHello, Next::Refused),
            (FaultCode::Restarting, Next::Restart),
            (FaultCode::Redirected, Next::Again),
            (FaultCode::Rate, Next::Again),
        ] {
            assert_eq!(closed(code.into()).next, next, "{}", code.as_str_name());
        }
        assert_eq!(closed(4711).next, Next::Again);
    }
}
