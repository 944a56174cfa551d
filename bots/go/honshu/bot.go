// Package honshu plays Honshu by what the typed view shows: it lays each card where that adds most points (and hopes of
// points), and judges a card by the best that it could add. It does not look ahead, spends no cubes on tricks and
// ignores the alternative scoring cards.
package honshu

import (
	"math/rand/v2"
	"slices"

	"kumite/client"
	pb "kumite/refereev1"
)

const (
	cards = 60
	// lead is what it is worth to have the first choice of a round, in points.
	lead = 4.0
)

// Bot plays Honshu, and everything else as its fallback does.
type Bot struct {
	Otherwise client.Bot
	faces     []face // of the map cards: entry 0 is card 1
}

// Learn takes in what the cards show.
func (b *Bot) Learn(games []*pb.GameInfo) {
	for _, game := range games {
		kinds := game.GetHonshu().GetCardCells()
		if len(kinds) == 0 {
			continue
		}
		b.faces = b.faces[:0]
		for card := range slices.Chunk(kinds, len(face{})) {
			b.faces = append(b.faces, face(card))
		}
	}
}

// Decide answers a question of Honshu by judgement.
func (b *Bot) Decide(ask *pb.Ask, luck *rand.Rand) uint32 {
	honshu := ask.GetHonshu()
	if honshu == nil || len(b.faces) != cards {
		return b.Otherwise.Decide(ask, luck)
	}
	view := honshu.View
	own := domainOf(view, int(ask.Seat))
	switch ask.Kind {
	case "place":
		return place(own, b.faces[view.Taken[ask.Seat]-1], honshu)
	case "pick":
		return best(len(honshu.Picks), func(i int) float64 { return b.gain(own, honshu.Picks[i]) })
	case "keep":
		return best(len(honshu.Keeps), func(i int) float64 { return b.gain(own, honshu.Keeps[i]) })
	case "play", "play2":
		// Without a cube: every first of the options that a card stands for.
		number := best(len(honshu.PlayCards), func(i int) float64 { return b.bid(own, honshu.PlayCards[i]) })
		return number * uint32(1+len(honshu.PlayCubeRows))
	case "pair":
		return b.pair(own, domainOf(view, 1-int(ask.Seat)), view)
	case "override":
		return 0 // two cubes are a high price
	}
	return b.Otherwise.Decide(ask, luck)
}

// place returns the option that leaves the best domain.
func place(own *domain, card face, ask *pb.HonshuAsk) uint32 {
	return best(len(ask.PlaceRows), func(i int) float64 {
		return own.after(card, placement{
			rotation: int(ask.PlaceRotations[i]),
			row:      int(ask.PlaceRows[i]),
			column:   int(ask.PlaceColumns[i]),
			mask:     int(ask.PlaceMasks[i]),
		})
	})
}

// bid is how much a card is worth as a bid: a high one often chooses first, and a good one should be played only where
// it will probably come back.
func (b *Bot) bid(own *domain, card uint32) float64 {
	chance := float64(card) / cards
	return lead*chance + (2*chance-1)*b.gain(own, card)
}

// pair returns 0 for the deck pair or 1 for the hand pair: what it gives us, and leaves for the other player.
func (b *Bot) pair(own, other *domain, view *pb.HonshuView) uint32 {
	pairs := [2][]uint32{view.Revealed, view.FaceUp}
	return best(len(pairs), func(i int) float64 {
		return b.better(own, pairs[i]) - b.better(other, pairs[1-i])
	})
}

// better is the gain of the better one of several cards.
func (b *Bot) better(d *domain, cards []uint32) float64 {
	value := 0.0
	for i, card := range cards {
		if gain := b.gain(d, card); i == 0 || gain > value {
			value = gain
		}
	}
	return value
}

func (b *Bot) gain(d *domain, card uint32) float64 { return d.gain(b.faces[card-1]) }

// best returns the number below count with the highest value, the first one of equals.
func best(count int, value func(int) float64) uint32 {
	chosen, highest := 0, 0.0
	for i := range count {
		if v := value(i); i == 0 || v > highest {
			chosen, highest = i, v
		}
	}
	return uint32(chosen)
}
