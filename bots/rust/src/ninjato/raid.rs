//! What a raid may bring, over all guards that could be met.

use super::worth;

/// A raid as it stands after a fight was won.
#[derive(Clone, Copy)]
pub struct Raid<'a> {
    /// Whether a card must be lower than the guard.
    pub stealth: bool,
    /// Dojo cards: how many of each value.
    pub hand: [u32; 5],
    /// Skill tiles that can turn a fight.
    pub jokers: u32,
    /// Value of all loot, and of the best treasure in it.
    pub loot: f64,
    pub best: f64,
    /// Values of the treasures on their light side, lowest first, and whether there are red ones.
    pub light: &'a [f64],
    pub red: bool,
    /// How likely each guard value, 1 to 5, is.
    pub guards: &'a [f64; 5],
    /// What a card is worth, as a factor.
    pub thrift: f64,
}

impl Raid<'_> {
    /// What the raid brings if it goes on as long as that pays.
    pub fn value(&self) -> f64 {
        self.stay().max(self.loot)
    }

    /// What it brings to meet another guard.
    pub fn stay(&self) -> f64 {
        if self.light.is_empty() {
            // Elite guards are another matter: better leave.
            return if self.red { self.best } else { self.loot + worth::VICTORY };
        }
        let chances = (1..).zip(self.guards).filter(|(_, chance)| **chance > 0.0);
        chances.map(|(guard, chance)| chance * self.fight(guard).unwrap_or(self.best)).sum()
    }

    /// What the raid brings if a guard of this value stands in the way; None: it cannot be beaten.
    pub fn fight(&self, guard: u32) -> Option<f64> {
        let (&treasure, light) = self.light.split_first()?;
        let (hand, jokers, cost) = self.beat(guard)?;
        let after = Raid { hand, jokers, light, loot: self.loot + treasure, best: self.best.max(treasure), ..*self };
        Some(after.value() - cost)
    }

    /// The cheapest way to beat a guard: the hand and jokers that are left, and the price.
    fn beat(&self, guard: u32) -> Option<([u32; 5], u32, f64)> {
        let beats = |value: u32, help: u32| {
            if self.stealth { value < guard + help } else { value + help > guard }
        };
        let mut cheapest: Option<([u32; 5], u32, f64)> = None;
        for base in 1..=5 {
            let mut hand = self.hand;
            if !take(&mut hand, base) {
                continue;
            }
            let mut cost = self.thrift * super::card(base);
            let mut jokers = self.jokers;
            let mut help = 0;
            while !beats(base, help) && take(&mut hand, 3) {
                help += 1;
                cost += self.thrift * super::card(3);
            }
            if !beats(base, help) && jokers > 0 {
                jokers -= 1;
                help += 1; // most tiles do more, some no more than that
                cost += worth::TILE;
            }
            if beats(base, help) && cheapest.is_none_or(|(_, _, least)| cost < least) {
                cheapest = Some((hand, jokers, cost));
            }
        }
        cheapest
    }
}

/// Takes a card of this value from a hand, if it has one.
fn take(hand: &mut [u32; 5], value: u32) -> bool {
    let count = &mut hand[value as usize - 1];
    let had = *count > 0;
    *count -= u32::from(had);
    had
}

#[cfg(test)]
mod tests {
    use super::*;

    const EVEN: [f64; 5] = [0.2; 5];

    fn raid(stealth: bool, hand: [u32; 5], light: &[f64]) -> Raid<'_> {
        Raid { stealth, hand, jokers: 0, loot: 0.0, best: 0.0, light, red: true, guards: &EVEN, thrift: 0.0 }
    }

    #[test]
    fn equality_never_beats() {
        assert_eq!(raid(false, [0, 0, 0, 1, 0], &[3.0]).fight(4), None);
        assert_eq!(raid(false, [0, 0, 0, 1, 0], &[3.0]).fight(3), Some(3.0));
        assert_eq!(raid(true, [0, 0, 0, 1, 0], &[3.0]).fight(4), None);
        assert_eq!(raid(true, [0, 0, 0, 1, 0], &[3.0]).fight(5), Some(3.0));
    }

    #[test]
    fn a_three_supports_another_card() {
        assert_eq!(raid(false, [0, 0, 1, 1, 0], &[3.0]).fight(4), Some(3.0));
        assert_eq!(raid(true, [0, 1, 1, 0, 0], &[3.0]).fight(2), Some(3.0));
        assert_eq!(raid(true, [0, 0, 2, 0, 0], &[3.0]).fight(3), Some(3.0));
    }

    #[test]
    fn it_goes_on_while_that_pays() {
        // One more card beats four of five guards: 4 + 4 in four cases, the better half of 4 + 4 else.
        let lone = Raid { loot: 4.0, best: 4.0, ..raid(false, [0, 0, 0, 0, 1], &[4.0]) };
        let rich = Raid { loot: 12.0, ..lone };

        assert!((lone.value() - (0.8 * 8.0 + 0.2 * 4.0)).abs() < 1e-9);
        assert!((lone.stay() - lone.value()).abs() < 1e-9);
        assert!(rich.stay() > rich.loot);
        assert!((Raid { loot: 40.0, ..lone }.value() - 40.0).abs() < 1e-9);
    }
}
