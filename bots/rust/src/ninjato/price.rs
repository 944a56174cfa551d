//! What can be bought for treasures, and for how much honor.

use crate::proto::NinjatoPrice;

/// The number of gold, which stands for any other treasure.
pub const GOLD: usize = 4;

/// The most honor that paying one of these prices scores; None: the treasures do not suffice.
pub fn most_honor(prices: &[NinjatoPrice], treasures: [u32; 5], honor: &[u32]) -> Option<u32> {
    prices.iter().filter_map(|price| pay(price, 0, treasures, 0, honor)).max()
}

/// Pays a price from one of its groups on; `used` has a bit for each treasure that an earlier group was paid with.
fn pay(price: &NinjatoPrice, group: usize, left: [u32; 5], used: u32, honor: &[u32]) -> Option<u32> {
    let (Some(&size), Some(&wanted)) = (price.sizes.get(group), price.treasures.get(group)) else {
        return Some(0);
    };
    let mut best = None;
    for treasure in 0..GOLD {
        let allowed = wanted < 0 || usize::try_from(wanted) == Ok(treasure);
        if !allowed || (price.distinct && used & 1 << treasure != 0) {
            continue;
        }
        let own = left[treasure].min(size);
        if size - own > left[GOLD] {
            continue;
        }
        let mut rest = left;
        rest[treasure] -= own;
        rest[GOLD] -= size - own;
        let later = pay(price, group + 1, rest, used | 1 << treasure, honor);
        best = best.max(later.map(|later| later + size * honor[treasure]));
    }
    best
}

#[cfg(test)]
mod tests {
    use super::*;

    const HONOR: [u32; 5] = [2, 3, 4, 5, 0];

    fn price(sizes: &[u32], treasures: &[i32], distinct: bool) -> NinjatoPrice {
        NinjatoPrice { sizes: sizes.to_vec(), treasures: treasures.to_vec(), distinct }
    }

    #[test]
    fn gold_fills_a_group_at_its_best() {
        let pair = price(&[2], &[-1], false);

        assert_eq!(most_honor(std::slice::from_ref(&pair), [1, 0, 0, 1, 1], &HONOR), Some(10));
        assert_eq!(most_honor(std::slice::from_ref(&pair), [1, 1, 1, 1, 0], &HONOR), None);
    }

    #[test]
    fn groups_are_of_different_treasures_where_they_must() {
        let treasures = [4, 0, 0, 0, 0];

        assert_eq!(most_honor(&[price(&[1, 3], &[-1, -1], false)], treasures, &HONOR), Some(8));
        assert_eq!(most_honor(&[price(&[1, 3], &[-1, -1], true)], treasures, &HONOR), None);
    }

    #[test]
    fn the_best_of_several_prices_counts() {
        let prices = [price(&[1], &[0], false), price(&[2], &[0], false), price(&[3], &[0], false)];

        assert_eq!(most_honor(&prices, [2, 0, 0, 0, 0], &HONOR), Some(4));
    }
}
