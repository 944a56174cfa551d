//! What the view tells one seat.

use crate::proto::{NinjatoComponents, NinjatoPrice, NinjatoView};

use super::price::{GOLD, most_honor};
use super::raid::Raid;
use super::{card, worth};

const ROUNDS: u32 = 7;
const SHURIKEN: u32 = 3;
const CLANS: usize = 3;
/// The last rounds before each scoring phase.
const SCORING: [u32; 3] = [3, 5, 7];
/// The clans in the order of each scoring phase.
const CLAN_ORDER: [[usize; CLANS]; 3] = [[2, 0, 1], [0, 1, 2], [1, 2, 0]];
/// Cards taken in the Dojo with 0, 1, or more in hand, and the most that a hand holds.
const DRAWN: [u32; 3] = [4, 3, 2];
const HAND: u32 = 7;
/// What cards of one rumor type multiply by.
const MULTIPLIER: [f64; 8] = [0.0, 1.0, 2.0, 4.0, 5.0, 6.0, 8.0, 9.0];

/// A view, the components behind its numbers, and whose it is.
pub struct Table<'a> {
    pub view: &'a NinjatoView,
    pub components: &'a NinjatoComponents,
    pub seat: usize,
}

impl Table<'_> {
    fn seats(&self) -> usize {
        self.view.order.len()
    }

    /// Shuriken that this seat places after the present one.
    fn actions_left(&self) -> u32 {
        let placed = u32::try_from(self.view.placed.len() / self.seats()).unwrap_or(SHURIKEN);
        SHURIKEN * ROUNDS.saturating_sub(self.view.round) + (SHURIKEN - 1).saturating_sub(placed)
    }

    /// What keeping cards and treasures is worth, as a factor: nothing of it lasts beyond the last action.
    fn future(&self) -> f64 {
        f64::from(self.actions_left().min(4)) / 4.0
    }

    fn own_treasures(&self) -> [u32; 5] {
        five(&self.view.treasures, self.seat)
    }

    /// What a treasure is worth that can still be spent.
    pub fn treasure(&self, number: usize) -> f64 {
        let honor = match self.components.treasure_honor.get(number) {
            Some(&honor) if number != GOLD => f64::from(honor),
            _ => worth::GOLD,
        };
        (worth::TREASURE * honor * self.future()).max(1.0) + 0.01 * honor
    }

    /// What several treasures are worth.
    pub fn treasures(&self, counts: &[u32]) -> f64 {
        counts.iter().enumerate().map(|(number, &count)| f64::from(count) * self.treasure(number)).sum()
    }

    /// What the Dojo gives.
    pub fn dojo(&self) -> f64 {
        let held: u32 = self.view.hand.iter().sum();
        let drawn = DRAWN[DRAWN.len().min(held as usize + 1) - 1];
        let kept = f64::from(drawn.min(HAND.saturating_sub(held)));
        // A large hand is good for a long raid, but few raids need all of it.
        kept * worth::HIDDEN_CARD * self.future() * if held < 4 { 1.3 } else { 0.8 }
    }

    /// What a skill gives, without its price.
    pub fn skill(&self, number: usize) -> f64 {
        let Some(skill) = self.components.skills.get(number) else { return 0.0 };
        let rounds = f64::from(ROUNDS.saturating_sub(self.view.round));
        let held: Vec<_> = self.owned_tiles().collect();
        let is_free = held.iter().any(|&(tile, count)| {
            count > 0 && self.components.skills.get(tile).is_some_and(|own| own.way == skill.way)
        });
        let price = if is_free { 0.0 } else { self.future() * if skill.price == 0 { 0.8 } else { card(skill.price) } };
        let gain = match skill.effect.as_str() {
            "add" | "set" | "virtual_card" => worth::SKILL * rounds,
            "mask_influence"
                if self.own(&self.view.envoys, &self.view.envoy_sizes).any(|envoy| self.is_masked(envoy)) =>
            {
                4.0
            }
            "mask_influence" => 0.0,
            _ => worth::ODD_SKILL * rounds,
        };
        gain - price
    }

    fn is_masked(&self, envoy: u32) -> bool {
        self.components.envoys.get(envoy as usize).is_some_and(|envoy| envoy.mask)
    }

    /// This seat's skill tiles, usable or not: number and count.
    fn owned_tiles(&self) -> impl Iterator<Item = (usize, u32)> {
        let skills = self.components.skills.len();
        let start = skills * self.seat;
        let ready = self.view.ready.iter().skip(start).take(skills);
        let used = self.view.used.iter().skip(start).take(skills);
        ready.zip(used).map(|(ready, used)| ready + used).enumerate()
    }

    /// Usable tiles that can turn a fight in a mode.
    fn jokers(&self, stealth: bool) -> u32 {
        let skills = &self.components.skills;
        let ready = self.view.ready.iter().skip(skills.len() * self.seat);
        let helps = |effect: &str, amounts: &[i32]| match effect {
            "add" => amounts.iter().any(|&amount| (amount < 0) == stealth),
            "set" => amounts.iter().any(|&amount| if stealth { amount < 1 } else { amount > 5 }),
            "virtual_card" => true,
            _ => false,
        };
        skills.iter().zip(ready).filter(|(skill, _)| helps(&skill.effect, &skill.amounts)).map(|(_, count)| count).sum()
    }

    /// Those of a list by seat that belong to a seat.
    fn of_seat<'l>(list: &'l [u32], sizes: &[u32], seat: usize) -> impl Iterator<Item = u32> + use<'l> {
        let start: u32 = sizes.iter().take(seat).sum();
        let size = sizes.get(seat).copied().unwrap_or(0);
        list.iter().copied().skip(start as usize).take(size as usize)
    }

    fn own<'l>(&self, list: &'l [u32], sizes: &[u32]) -> impl Iterator<Item = u32> + use<'l> {
        Self::of_seat(list, sizes, self.seat)
    }

    /// What an envoy is worth to this seat, payment included; hopeless if it cannot be paid.
    pub fn bought_envoy(&self, number: usize) -> f64 {
        let Some(envoy) = self.components.envoys.get(number) else { return 0.0 };
        let clan = envoy.clan as usize;
        let phases = SCORING.iter().filter(|&&last| last >= self.view.round).count();
        let phases = f64::from(u32::try_from(phases).unwrap_or(0));
        let gained = self.reward(clan, 1) - self.reward(clan, 0);
        self.paid(&envoy.prices) + worth::ENVOY + worth::INFLUENCE * phases * gained
    }

    /// What a rumor is worth to this seat, payment included (none if it is free).
    pub fn bought_rumor(&self, number: usize) -> f64 {
        let Some(rumor) = self.components.rumors.get(number) else { return 0.0 };
        let is_free = self.view.question.as_ref().is_some_and(|question| question.kind == "rumor_free");
        let price = if is_free { 0.0 } else { self.paid(rumor.price.as_slice()) };
        price + self.rumor(&rumor.r#type)
    }

    /// What a payment scores beyond what the treasures were worth before.
    fn paid(&self, prices: &[NinjatoPrice]) -> f64 {
        let honor = &self.components.treasure_honor;
        match most_honor(prices, self.own_treasures(), honor) {
            Some(honor) => f64::from(honor) * (1.0 - worth::TREASURE * self.future()),
            None => -100.0,
        }
    }

    /// What another rumor of a type will be worth at the end, as far as can be told now.
    fn rumor(&self, kind: &str) -> f64 {
        let rumors: Vec<u32> = self.own(&self.view.rumors, &self.view.rumor_sizes).collect();
        let same = rumors
            .iter()
            .filter(|&&rumor| self.components.rumors.get(rumor as usize).is_some_and(|own| own.r#type == kind))
            .count();
        let trophies = self.own(&self.view.trophies, &self.view.trophy_sizes).count();
        let envoys = self.own(&self.view.envoys, &self.view.envoy_sizes).count();
        let tiles: u32 = self.owned_tiles().map(|(_, count)| count).sum();
        // Halfway through the game about half of what will be there at the end is there.
        let growth = 1.0 + f64::from(ROUNDS.saturating_sub(self.view.round)) / f64::from(ROUNDS);
        let grown = |count: usize| f64::from(u32::try_from(count).unwrap_or(0)) * growth;
        let counted = match kind {
            "warrior" => grown(trophies),
            "people" => grown(rumors.len() + 1),
            "friends" => grown(envoys),
            "arts" => grown(tiles as usize),
            _ => return 5.0, // foes
        };
        let multiplier = |cards: usize| MULTIPLIER[cards.min(MULTIPLIER.len() - 1)];
        // A further card also counts for the people.
        0.5 + counted * (multiplier(same + 1) - multiplier(same))
    }

    /// What the clan's houses are worth to its first.
    pub fn clan_honor(&self, clan: usize) -> f64 {
        let tokens = self.view.tokens.iter().map(|&token| token as usize);
        let of_clan =
            |token: &usize| self.components.token_clans.get(*token).is_some_and(|&owner| owner as usize == clan);
        let honor: u32 = tokens.filter(of_clan).filter_map(|token| self.components.token_honor.get(token)).sum();
        f64::from(honor)
    }

    /// Envoys of a clan that a seat has.
    fn influence(&self, seat: usize, clan: usize) -> usize {
        Self::of_seat(&self.view.envoys, &self.view.envoy_sizes, seat)
            .filter(|&envoy| {
                self.components.envoys.get(envoy as usize).is_some_and(|envoy| envoy.clan as usize == clan)
            })
            .count()
    }

    /// What a scoring phase would give this seat for a clan, with so many envoys more.
    fn reward(&self, clan: usize, more: usize) -> f64 {
        let own = self.influence(self.seat, clan) + more;
        if own == 0 {
            return 0.0;
        }
        let others: Vec<usize> =
            (0..self.seats()).filter(|&seat| seat != self.seat).map(|seat| self.influence(seat, clan)).collect();
        let (first, second) = (self.clan_honor(clan).max(worth::RUMOR), self.clan_honor(clan).min(worth::RUMOR));
        match others.iter().filter(|&&other| other > own).count() {
            0 if others.contains(&own) => f64::midpoint(first, second),
            0 => first,
            1 => second,
            _ => 0.0,
        }
    }

    /// The clan whose first or second is asked in a scoring phase.
    pub fn rewarded_clan(&self) -> Option<usize> {
        let phase = SCORING.iter().position(|&last| last >= self.view.round)?;
        let step = self.view.question.as_ref()?.step as usize;
        Some(CLAN_ORDER[phase][step % CLANS])
    }

    /// What it helps to give a house a token: to the clans one leads, and not to those of others.
    pub fn token(&self, clan: usize, honor: u32) -> f64 {
        let own = self.influence(self.seat, clan);
        let others = (0..self.seats()).filter(|&seat| seat != self.seat).map(|seat| self.influence(seat, clan)).max();
        match own.cmp(&others.unwrap_or(0)) {
            std::cmp::Ordering::Greater => f64::from(honor),
            std::cmp::Ordering::Equal => 0.1 * f64::from(honor),
            std::cmp::Ordering::Less => -f64::from(honor),
        }
    }

    /// What it helps to let an envoy count once more.
    pub fn disguise(&self, number: usize) -> f64 {
        let clan = self.components.envoys.get(number).map_or(0, |envoy| envoy.clan as usize);
        0.1 + self.reward(clan, 1) - self.reward(clan, 0)
    }

    /// What a raid on a house may bring, from its sentinel on.
    pub fn raid(&self, house: usize, mode: usize) -> f64 {
        let sentinel = self.view.sentinels.get(house).and_then(|&guard| usize::try_from(guard).ok());
        let Some(guard) = sentinel.and_then(|guard| self.components.guards.get(guard)) else { return -1.0 };
        let light = self.light(house);
        let guards = self.guards();
        self.raid_with(house, mode == 1, &light, &guards, [0.0, 0.0]).fight(guard.value).unwrap_or(-1.0)
    }

    /// What it brings to meet the next guard of the present raid, compared with leaving.
    pub fn banzai(&self) -> f64 {
        let Some(question) = &self.view.question else { return 0.0 };
        let house = question.house as usize;
        let (light, guards) = (self.light(house), self.guards());
        let loot = [&question.loot_light, &question.loot_red].map(|counts| five(counts, 0));
        let total = self.treasures(&loot[0]) + self.treasures(&loot[1]);
        let best = (0..5).filter(|&number| loot[0][number] + loot[1][number] > 0).map(|number| self.treasure(number));
        let best = best.fold(0.0, f64::max);
        self.raid_with(house, question.mode == 1, &light, &guards, [total, best]).stay() - total
    }

    fn raid_with<'r>(
        &self,
        house: usize,
        stealth: bool,
        light: &'r [f64],
        guards: &'r [f64; 5],
        [loot, best]: [f64; 2],
    ) -> Raid<'r> {
        Raid {
            stealth,
            hand: five(&self.view.hand, 0),
            jokers: self.jokers(stealth),
            loot,
            best,
            light,
            red: five(&self.view.red, house).iter().sum::<u32>() > 0,
            guards,
            thrift: self.future(),
        }
    }

    /// Values of the light treasures of a house, in the order in which they are taken.
    fn light(&self, house: usize) -> Vec<f64> {
        let counts = five(&self.view.light, house);
        (0..5).flat_map(|number| (0..counts[number]).map(move |_| number)).map(|number| self.treasure(number)).collect()
    }

    /// How likely each guard value, 1 to 5, is.
    fn guards(&self) -> [f64; 5] {
        let mut chances = [0.0; 5];
        let total: u32 = self.components.guards.iter().map(|guard| guard.copies).sum();
        for guard in &self.components.guards {
            if let Some(chance) = chances.get_mut((guard.value as usize).wrapping_sub(1)) {
                *chance += f64::from(guard.copies) / f64::from(total);
            }
        }
        chances
    }
}

/// The five counts of one seat or house.
fn five(counts: &[u32], number: usize) -> [u32; 5] {
    let mut found = [0; 5];
    for (to, from) in found.iter_mut().zip(counts.iter().skip(5 * number)) {
        *to = *from;
    }
    found
}
