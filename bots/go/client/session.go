package client

import (
	"crypto/sha256"
	"fmt"
	"log"
	"math/rand/v2"
	"time"

	pb "kumite/refereev1"
)

const (
	protocolVersion = 1
	// together is how long answers wait for each other, to travel in one message.
	together = 2 * time.Millisecond
)

// seat is a place at a table.
type seat struct {
	match  string
	number uint32
}

// closing is the referee's word on why it ends a stream.
type closing struct {
	message string
	stops   bool // a good end: leave
	refuses bool // it will not get better: leave
}

// session is what a bot knows about its referee, across any number of streams.
type session struct {
	config Config
	bot    Bot
	memory *memory
	seats  map[seat]*pb.Seated

	// Of the current stream:
	welcomed bool
	closing  *closing
}

func newSession(config Config, bot Bot, memory *memory) *session {
	return &session{config: config, bot: bot, memory: memory, seats: map[seat]*pb.Seated{}}
}

// reset forgets what belongs to the last stream.
func (s *session) reset() {
	s.welcomed, s.closing = false, nil
}

// hello is the first message of a stream.
func (s *session) hello() *pb.PlayRequest {
	return &pb.PlayRequest{Hello: &pb.Hello{
		ProtocolVersion: protocolVersion,
		Name:            s.config.Name,
		Software:        s.config.Software,
		Tables:          s.config.Tables,
		ResumeToken:     s.memory.token,
	}}
}

// receive acts on a message of the referee, in the order in which its parts are meant, and sends what is due. Pings are
// not its business, and events (told) do not come, because the hello does not want any.
func (s *session) receive(message *pb.PlayResponse, send func(*pb.PlayRequest)) {
	reply := &pb.PlayRequest{}
	if message.Welcome != nil {
		s.welcome(message.Welcome)
	}
	for _, seated := range message.Seated {
		s.seats[seat{seated.MatchId, seated.Seat}] = seated
		if !seated.IsReady {
			reply.Ready = append(reply.Ready, &pb.Ready{MatchId: seated.MatchId, Seat: &seated.Seat})
		}
	}
	sent := time.Now()
	for _, ask := range message.Asks {
		reply.Answers = append(reply.Answers, &pb.Answer{
			MatchId: ask.MatchId,
			Ask:     ask.Ask,
			Seat:    &ask.Seat,
			Option:  s.bot.Decide(ask, s.luck(ask)),
		})
		if time.Since(sent) > together {
			send(reply)
			reply, sent = &pb.PlayRequest{}, time.Now()
		}
	}
	for _, over := range message.Over {
		s.over(over)
	}
	for _, fault := range message.Faults {
		s.fault(fault)
	}
	if len(reply.Ready)+len(reply.Answers) > 0 {
		send(reply)
	}
}

func (s *session) welcome(welcome *pb.Welcome) {
	s.welcomed = true
	how := "connected"
	if welcome.Resumed {
		how = "took its tables up again"
	}
	log.Printf("%s %s (referee %s)", welcome.Name, how, welcome.RefereeVersion)
	if welcome.ResumeToken != s.memory.token {
		clear(s.seats) // a referee with a new token knows nothing of our old tables
	}
	s.memory.keep(welcome.ResumeToken)
}

// luck is the bot's randomness for one question.
func (s *session) luck(ask *pb.Ask) *rand.Rand {
	source := fmt.Sprintf("%d/%s/%d/%d", s.config.Seed, ask.MatchId, ask.Seat, ask.Ask)
	return rand.New(rand.NewChaCha8(sha256.Sum256([]byte(source))))
}

func (s *session) over(over *pb.Over) {
	key := seat{over.MatchId, over.Seat}
	seated := s.seats[key]
	delete(s.seats, key)
	outcome := "stopped"
	if own, result := int(over.Seat), over.Result; result != nil && own < len(result.Places) && own < len(result.Points) {
		outcome = fmt.Sprintf("place %d of %d, %d points", result.Places[own], len(result.Places), result.Points[own])
	}
	log.Printf("match %s (%s) is over: %s", over.MatchId, seated.GetGame(), outcome)
	for _, ending := range over.Endings {
		if ending.Message != "" {
			log.Print(ending.Message)
		}
	}
}

func (s *session) fault(fault *pb.Fault) {
	if !fault.ClosesStream {
		log.Printf("fault %v, match %s, seat %d, ask %d: %s",
			fault.Code, fault.MatchId, fault.Seat, fault.Ask, fault.Message)
		return
	}
	s.closing = &closing{message: fault.Message}
	switch fault.Code {
	case pb.FaultCode_FAULT_CODE_SHUTDOWN, pb.FaultCode_FAULT_CODE_TAKEN_OVER:
		s.closing.stops = true
	case pb.FaultCode_FAULT_CODE_VERSION, pb.FaultCode_FAULT_CODE_UNAUTHENTICATED,
		pb.FaultCode_FAULT_CODE_BAD_HELLO, pb.FaultCode_FAULT_CODE_NAME_TAKEN, pb.FaultCode_FAULT_CODE_OUT_OF_ORDER:
		s.closing.refuses = true
	case pb.FaultCode_FAULT_CODE_UNKNOWN_RESUME:
		s.memory.keep("") // say hello afresh
	}
}
