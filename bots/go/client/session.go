package client

import (
	"crypto/sha256"
	"fmt"
	"log"
	"math/rand/v2"
	"runtime/debug"
	"strings"
	"time"

	pb "kumite/refereev1"
)

const (
	protocolVersion = 1
	// together is how long answers wait for each other, to travel in one message.
	together = 2 * time.Millisecond
	// longestFailure is the number of bytes of the line that tells the referee of a failure.
	longestFailure = 500
)

// seat is a place at a table.
type seat struct {
	match  string
	number uint32
}

// closing is the referee's word on why it ends a stream. Unless it stops or refuses the bot, the tables are resumed.
type closing struct {
	message    string
	stops      bool          // a good end: leave
	refuses    bool          // it will not get better: leave
	restarts   bool          // the referee comes back, and the tables wait
	address    string        // where the tables are now; empty: where they were
	retryAfter time.Duration // how long to wait at least before dialling again
}

// closingOf says what a fault that closes the stream means. A code of a later protocol means: resume.
func closingOf(fault *pb.Fault) *closing {
	closing := &closing{
		message:    fault.Message,
		retryAfter: time.Duration(min(fault.RetryAfterUs, longestWait.Microseconds())) * time.Microsecond,
	}
	switch fault.Code {
	case pb.FaultCode_FAULT_CODE_SHUTDOWN, pb.FaultCode_FAULT_CODE_TAKEN_OVER:
		closing.stops = true
	case pb.FaultCode_FAULT_CODE_VERSION, pb.FaultCode_FAULT_CODE_UNAUTHENTICATED,
		pb.FaultCode_FAULT_CODE_BAD_HELLO, pb.FaultCode_FAULT_CODE_NAME_TAKEN, pb.FaultCode_FAULT_CODE_OUT_OF_ORDER,
		pb.FaultCode_FAULT_CODE_NO_GAME, pb.FaultCode_FAULT_CODE_REVOKED, pb.FaultCode_FAULT_CODE_KICKED:
		closing.refuses = true
	case pb.FaultCode_FAULT_CODE_RESTARTING:
		closing.restarts = true
	case pb.FaultCode_FAULT_CODE_REDIRECTED:
		closing.address = fault.Address
	}
	return closing
}

// session is what a bot knows about its referee, across any number of streams.
type session struct {
	config Config
	bot    Bot
	memory *memory
	seats  map[seat]*pb.Seated
	known  bool // whether a referee ever welcomed the bot

	// Of the current stream:
	welcomed bool
	closing  *closing
}

func newSession(config Config, bot Bot, memory *memory) *session {
	return &session{config: config, bot: bot, memory: memory, seats: map[seat]*pb.Seated{}}
}

// idle tells whether nothing is left to resume: a referee has welcomed the bot, and no match of its runs.
func (s *session) idle() bool {
	return s.known && len(s.seats) == 0
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
		s.decide(ask, reply)
		if time.Since(sent) > together || len(reply.Failures) > 0 { // a failure does not wait for the next thought
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
	if len(reply.Ready)+len(reply.Answers)+len(reply.Failures) > 0 {
		send(reply)
	}
}

// decide adds the bot's answer to the reply. If the bot panics it adds a failure: the referee plays a random option at
// once, and the other tables play on.
func (s *session) decide(ask *pb.Ask, reply *pb.PlayRequest) {
	defer func() {
		if reason := recover(); reason != nil {
			log.Printf("the bot failed at ask %d (%s) of match %s: %v\n%s", ask.Ask, ask.Kind, ask.MatchId, reason, debug.Stack())
			reply.Failures = append(reply.Failures, &pb.Failure{
				MatchId: ask.MatchId,
				Ask:     ask.Ask,
				Seat:    &ask.Seat,
				Message: oneLine(fmt.Sprintf("panic: %v", reason)),
			})
		}
	}()
	option := s.bot.Decide(ask, s.luck(ask))
	reply.Answers = append(reply.Answers, &pb.Answer{MatchId: ask.MatchId, Ask: ask.Ask, Seat: &ask.Seat, Option: option})
}

// oneLine is a text without line breaks and not too long, fit for a failure.
func oneLine(text string) string {
	text = strings.Join(strings.Fields(strings.ToValidUTF8(text, "?")), " ")
	if len(text) > longestFailure {
		text = strings.ToValidUTF8(text[:longestFailure], "")
	}
	return text
}

func (s *session) welcome(welcome *pb.Welcome) {
	s.welcomed, s.known = true, true
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
	if own := int(over.Seat); own < len(over.Ratings) {
		rating := over.Ratings[own]
		outcome += fmt.Sprintf(", rating %.0f -> %.0f", rating.RatingBefore, rating.RatingAfter)
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
		where := ""
		if fault.MatchId != "" {
			where = fmt.Sprintf(", match %s, seat %d, ask %d", fault.MatchId, fault.Seat, fault.Ask)
		}
		log.Printf("fault %v%s: %s", fault.Code, where, fault.Message)
		return
	}
	s.closing = closingOf(fault)
	if fault.Code == pb.FaultCode_FAULT_CODE_UNKNOWN_RESUME {
		s.memory.keep("") // say hello afresh
	}
}
