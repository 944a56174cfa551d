// Package client connects a bot to a Kumite referee and keeps it connected. It says hello, is ready at every table,
// returns pings at once, hands questions to the bot, and takes running matches up again after a break of the
// connection or a restart of the program.
//
//	err := client.Run(ctx, client.Config{Address: "localhost:7400", Name: "mine"}, myBot{})
//
// The protocol is described in proto/referee/v1/play.proto. client.go keeps streams open, redial.go says when and where
// the next one is opened, session.go understands what is said on them, resume.go remembers the resume token.
package client

import (
	"context"
	"errors"
	"fmt"
	"log"
	"math/rand/v2"
	"sync"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/credentials"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/keepalive"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/status"

	pb "kumite/refereev1"
)

const (
	// inbox is how many messages may wait while the bot thinks. The referee has at most one question open per seat,
	// so that no number of tables fills it; if it were full, pings would wait too.
	inbox = 4096
	// largestMessage is far more than any bundle of questions.
	largestMessage = 64 << 20
)

// Bot decides. The same value sits at all tables, and is asked one question at a time.
type Bot interface {
	// Decide returns the index of the chosen option, 0 to ask.OptionCount-1. The luck it is given depends on the
	// seed and the question only: a question that comes again after a break gets the same answer.
	Decide(ask *pb.Ask, luck *rand.Rand) uint32
}

// Learner is a Bot that wants to know the games' cards and boards. Learn is called whenever a connection opens.
type Learner interface {
	Learn(games []*pb.GameInfo)
}

// Config says where to play and under which name.
type Config struct {
	Address  string // host:port or unix:/path
	Name     string // empty with a token: the token is the name
	Token    string // sent as bearer token; empty: none
	CAFile   string // PEM file of the authority to trust; empty: no TLS
	State    string // folder in which to remember the resume token; empty: nowhere
	Software string // the program, the bot and the version; a changed text is a new build on a ladder
	Tables   uint32 // how many to play at a time
	Seed     uint64 // what all luck of the bot grows from
}

// refused is an error that trying again will not mend.
type refused struct{ error }

// Run plays until the context ends or the referee says goodbye, and then returns nil. It returns an error if the
// referee refuses the bot, or if none answers for a while.
func Run(ctx context.Context, config Config, bot Bot) error {
	security := insecure.NewCredentials()
	if config.CAFile != "" {
		var err error
		if security, err = credentials.NewClientTLSFromFile(config.CAFile, ""); err != nil {
			return fmt.Errorf("cannot use %s for TLS: %w", config.CAFile, err)
		}
	}
	memory := openMemory(config)
	session := newSession(config, bot, memory)
	defer func() { memory.close(!session.idle()) }()

	redial, reported := newRedial(config.Address, time.Now()), ""
	for {
		session.reset()
		address, opened := redial.address, time.Now()
		ended := playStream(ctx, config, address, security, session)
		if ctx.Err() != nil {
			return nil
		}
		if closing := session.closing; closing != nil {
			if closing.stops {
				log.Print(closing.message)
				return nil
			}
			if ended = errors.New(closing.message); closing.refuses {
				ended = refused{ended}
			}
		}
		reason := status.Convert(ended).Message()
		if final(ended) {
			return fmt.Errorf("no play at %s: %s", address, reason)
		}
		wait, again := redial.next(opened, time.Now(), session.welcomed, session.closing)
		if !again {
			return fmt.Errorf("no referee answers at %s: %s%s", address, reason, redial.hint(config.CAFile != ""))
		}
		if line := fmt.Sprintf("connection to %s: %s; trying again", address, reason); session.welcomed || line != reported {
			reported = line
			log.Print(line)
		}
		select {
		case <-ctx.Done():
			return nil
		case <-time.After(wait):
		}
	}
}

// final tells whether trying again is no use after this end of a stream.
func final(err error) bool {
	if errors.As(err, new(refused)) {
		return true
	}
	switch status.Code(err) {
	case codes.Unauthenticated, codes.PermissionDenied, codes.Unimplemented, codes.InvalidArgument:
		return true
	}
	return false
}

// playStream opens one stream and plays on it to its end; it returns why the stream ended.
func playStream(
	ctx context.Context, config Config, address string, security credentials.TransportCredentials, session *session,
) error {
	connection, err := grpc.NewClient(address,
		grpc.WithTransportCredentials(security),
		grpc.WithKeepaliveParams(keepalive.ClientParameters{Time: 30 * time.Second, Timeout: 10 * time.Second}),
		grpc.WithDefaultCallOptions(grpc.MaxCallRecvMsgSize(largestMessage)),
	)
	if err != nil {
		if address != config.Address { // a redirection to nowhere; the first address was good
			return err
		}
		return refused{err}
	}
	defer connection.Close()
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	// A referee that lets us in but says nothing is as good as none.
	unwelcome := time.AfterFunc(strangerPatience, cancel)
	defer unwelcome.Stop()

	referee := pb.NewRefereeServiceClient(connection)
	if learner, ok := session.bot.(Learner); ok {
		described, err := referee.Describe(ctx, &pb.DescribeRequest{Components: true})
		if err != nil {
			return err
		}
		learner.Learn(described.Games)
	}
	if config.Token != "" {
		ctx = metadata.AppendToOutgoingContext(ctx, "authorization", "Bearer "+config.Token)
	}
	call, err := referee.Play(ctx)
	if err != nil {
		return err
	}
	stream := &stream{call: call, received: make(chan *pb.PlayResponse, inbox)}
	stream.send(session.hello())
	go stream.read(ctx)
	for message := range stream.received {
		unwelcome.Stop()
		if session.receive(message, stream.send); session.closing != nil {
			return nil
		}
	}
	return stream.ended
}

// stream is one open Play call. A goroutine reads it and returns pings, so that a thinking bot stays alive.
type stream struct {
	call     grpc.BidiStreamingClient[pb.PlayRequest, pb.PlayResponse]
	sending  sync.Mutex
	received chan *pb.PlayResponse // closed when the stream has ended
	ended    error                 // why, once received is closed
}

func (s *stream) read(ctx context.Context) {
	defer close(s.received)
	for {
		message, err := s.call.Recv()
		if err != nil {
			s.ended = err
			return
		}
		if ping := message.Ping; ping != nil {
			s.send(&pb.PlayRequest{Pong: &pb.Pong{Nonce: ping.Nonce}})
		}
		select {
		case s.received <- message:
		case <-ctx.Done():
			s.ended = ctx.Err()
			return
		}
	}
}

// send sends a message. If the stream is broken, read finds out why.
func (s *stream) send(message *pb.PlayRequest) {
	s.sending.Lock()
	defer s.sending.Unlock()
	_ = s.call.Send(message)
}
