//! The simplest bot.

use rand::{RngExt, rngs::StdRng};

use crate::client::Bot;
use crate::proto::Ask;

/// Plays every game, known or not: it needs only the number of options.
pub struct Random;

impl Bot for Random {
    fn decide(&mut self, ask: &Ask, luck: &mut StdRng) -> u32 {
        luck.random_range(0..ask.option_count)
    }
}
