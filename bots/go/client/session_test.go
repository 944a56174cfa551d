package client

import (
	"math/rand/v2"
	"strings"
	"testing"

	pb "kumite/refereev1"
)

// failing panics at the first two asks of a match.
type failing struct{}

func (failing) Decide(ask *pb.Ask, _ *rand.Rand) uint32 {
	if ask.Ask <= 2 {
		panic("no such\ncard")
	}
	return 0
}

func TestAFailureIsToldBeforeTheNextThoughtAndTheNextAskIsAnswered(t *testing.T) {
	session := newSession(Config{}, failing{}, &memory{})
	message := &pb.PlayResponse{}
	for number := uint32(1); number <= 3; number++ {
		message.Asks = append(message.Asks, &pb.Ask{MatchId: "a", Seat: 2, Ask: number, OptionCount: 2})
	}
	var sent []*pb.PlayRequest
	session.receive(message, func(request *pb.PlayRequest) { sent = append(sent, request) })

	if len(sent) != 3 || len(sent[2].Answers) != 1 || sent[2].Answers[0].Ask != 3 {
		t.Fatalf("sent %v", sent)
	}
	for i, request := range sent[:2] {
		if len(request.Failures) != 1 || len(request.Answers) != 0 {
			t.Fatalf("sent %v", request)
		}
		failure := request.Failures[0]
		if failure.MatchId != "a" || failure.GetSeat() != 2 || failure.Ask != uint32(i+1) || failure.Message != "panic: no such card" {
			t.Errorf("told %v", failure)
		}
	}
}

func TestAFailureIsOneShortLineOfUTF8(t *testing.T) {
	texts := map[string]string{
		" no\tsuch \r\n card\u2028here ": "no such card here",
		"caf\xe9":                        "caf?",
		strings.Repeat("é", 251):         strings.Repeat("é", 250),
		"a" + strings.Repeat("é", 250):   "a" + strings.Repeat("é", 249),
	}
	for text, line := range texts {
		if got := oneLine(text); got != line {
			t.Errorf("%q became %q", text, got)
		}
	}
}
