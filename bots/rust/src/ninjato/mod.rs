//! Plays Ninjato by what the typed view shows: every option gets a value in honor, and the best one is chosen.
//!
//! It looks no further than the action at hand. What a raid may bring is worked out over all guards that could come
//! (`raid`), what envoys and rumors cost is read from their prices (`price`), and the rest are fixed estimates.

mod price;
mod raid;
mod table;

use rand::rngs::StdRng;

use crate::client::Bot;
use crate::proto::{
    Ask, GameInfo, NinjatoComponents, NinjatoOption, NinjatoVerb, NinjatoView, ask::Game, game_info::Components,
};
use table::Table;

/// Plays Ninjato, and everything else as another bot does.
pub struct Ninjato<B> {
    otherwise: B,
    components: Option<NinjatoComponents>,
}

impl<B> Ninjato<B> {
    pub fn new(otherwise: B) -> Self {
        Self { otherwise, components: None }
    }
}

impl<B: Bot> Bot for Ninjato<B> {
    fn is_learner(&self) -> bool {
        true
    }

    fn learn(&mut self, games: &[GameInfo]) {
        for game in games {
            if let Some(Components::Ninjato(components)) = &game.components {
                self.components = Some(components.clone());
            }
        }
    }

    fn decide(&mut self, ask: &Ask, luck: &mut StdRng) -> u32 {
        if let (Some(Game::Ninjato(asked)), Some(components)) = (&ask.game, &self.components)
            && let Some(view) = &asked.view
        {
            return best(&asked.options, view, components, ask.seat as usize);
        }
        self.otherwise.decide(ask, luck)
    }
}

/// The index of the most valuable option, the first one of equals.
fn best(options: &[NinjatoOption], view: &NinjatoView, components: &NinjatoComponents, seat: usize) -> u32 {
    let table = Table { view, components, seat };
    let mut chosen = (0, f64::NEG_INFINITY);
    for (index, option) in (0..).zip(options) {
        let value = table.value(option);
        if value > chosen.1 {
            chosen = (index, value);
        }
    }
    chosen.0
}

/// What something is worth in honor, as far as nothing better is known.
mod worth {
    /// A Dojo card, by value - 1: extreme ones beat most guards, 3s support others.
    pub const CARDS: [f64; 5] = [1.1, 0.8, 0.9, 0.8, 1.1];
    /// A Dojo card nobody has seen: a little more than the mean, as it stays secret.
    pub const HIDDEN_CARD: f64 = 0.95;
    /// What a treasure brings when it is spent, of its honor.
    pub const TREASURE: f64 = 0.7;
    /// Gold, in the honor of a treasure.
    pub const GOLD: f64 = 6.0;
    /// A skill that helps in raids, for each round in which it will be used.
    pub const SKILL: f64 = 1.1;
    /// A skill that does something else, likewise.
    pub const ODD_SKILL: f64 = 0.3;
    /// To use a skill tile, which comes back in the next round.
    pub const TILE: f64 = 0.4;
    /// To empty a house, which lets one choose a clan token.
    pub const VICTORY: f64 = 2.0;
    /// An envoy beside its influence: it breaks ties and makes friends.
    pub const ENVOY: f64 = 1.5;
    /// A share of what the first or second of a clan gets in a scoring phase to come, because others go on too.
    pub const INFLUENCE: f64 = 0.6;
    /// A rumor of a scoring phase.
    pub const RUMOR: f64 = 4.0;
    /// To beat a guard: more than any cards for it are worth.
    pub const WON: f64 = 10.0;
}

impl Table<'_> {
    /// How good an option is. Values of one question can be compared with each other.
    fn value(&self, option: &NinjatoOption) -> f64 {
        match option.verb() {
            NinjatoVerb::Place => self.space(option.space as usize),
            NinjatoVerb::Pick => card(option.card),
            NinjatoVerb::Draw => worth::HIDDEN_CARD,
            NinjatoVerb::Discard | NinjatoVerb::Spend => -card(option.card),
            NinjatoVerb::Learn => self.skill(option.skill as usize),
            NinjatoVerb::TakeEnvoy => option.envoy.map_or(0.0, |envoy| self.bought_envoy(envoy as usize)),
            NinjatoVerb::TakeRumor => self.bought_rumor(option.rumor as usize),
            NinjatoVerb::Pay => f64::from(option.honor) - self.treasures(&option.treasures),
            NinjatoVerb::Play => worth::WON - play_cost(option),
            // Without a play the other mode may have one, and a used tile may be what is missing.
            NinjatoVerb::Switch => 2.0,
            NinjatoVerb::Refresh => 1.0,
            NinjatoVerb::Swap => {
                let gained = self.treasure(option.house_treasure as usize) - self.treasure(option.loot as usize);
                if gained > 0.0 { worth::WON + gained } else { f64::from(i32::MIN) }
            }
            NinjatoVerb::Banzai => self.banzai(),
            NinjatoVerb::Keep => self.treasure(option.treasure as usize),
            NinjatoVerb::PutToken => self.token(option.clan as usize, option.honor),
            NinjatoVerb::Disguise => option.envoy.map_or(0.0, |envoy| self.disguise(envoy as usize)),
            NinjatoVerb::TakeHonor => self.rewarded_clan().map_or(0.0, |clan| self.clan_honor(clan)),
            NinjatoVerb::ChooseRumor => worth::RUMOR,
            NinjatoVerb::GiveUp | NinjatoVerb::Leave | NinjatoVerb::Unspecified => 0.0,
        }
    }

    /// What it brings to put a shuriken on a space.
    fn space(&self, space: usize) -> f64 {
        match space {
            0 => self.dojo(),
            1 => max(self.view.sensei.iter().map(|&skill| self.skill(skill as usize))),
            2 => max(self.view.palace.iter().map(|&envoy| self.bought_envoy(envoy as usize))),
            3 => max(self.view.pavilion.iter().map(|&rumor| self.bought_rumor(rumor as usize))),
            _ => self.raid((space - 4) / 2, (space - 4) % 2),
        }
    }
}

/// What a Dojo card is worth.
fn card(value: u32) -> f64 {
    worth::CARDS.get((value as usize).wrapping_sub(1)).copied().unwrap_or(0.0)
}

/// What a play costs.
fn play_cost(option: &NinjatoOption) -> f64 {
    let tiles = u32::try_from(option.tiles.len()).unwrap_or(u32::MAX);
    card(option.base) + f64::from(option.supports) * card(3) + f64::from(tiles) * worth::TILE
}

/// The highest of several values; nothing at all is worth nothing.
fn max(values: impl Iterator<Item = f64>) -> f64 {
    values.fold(f64::NEG_INFINITY, f64::max).max(-1.0)
}
