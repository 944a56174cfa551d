package main

import (
	"math/rand/v2"

	pb "kumite/refereev1"
)

// random plays every game, known or not: it needs only the number of options.
type random struct{}

func (random) Decide(ask *pb.Ask, luck *rand.Rand) uint32 {
	return luck.Uint32N(ask.OptionCount)
}
