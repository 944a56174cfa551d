package client

import (
	"math/rand/v2"
	"time"
)

const (
	// strangerPatience is how long a bot that was never welcomed dials before it gives up, and how long an open stream
	// may stay without a welcome.
	strangerPatience = 30 * time.Second
	// guestPatience is how long a bot dials that has lost its referee: a restart may take minutes, and tables wait.
	guestPatience = 10 * time.Minute
	// Pauses between two attempts to connect double from the first to the longest (back-off).
	firstPause, longestPause = 100 * time.Millisecond, 10 * time.Second
	// longestWait bounds how long a referee can have the bot wait before it dials again.
	longestWait = 10 * time.Minute
)

// unsaid stands for a stream that ended without a word of the referee.
var unsaid = &closing{}

// redial decides, after each stream, where and when to dial again, and when to give up.
type redial struct {
	address string        // where to dial next
	first   string        // the address that the bot was started with
	pause   time.Duration // the next one, before jitter
	alive   time.Time     // when a referee was last heard of
	patient bool          // whether the bot waits for guestPatience
	spoken  bool          // whether a referee ever said anything
}

func newRedial(address string, now time.Time) *redial {
	return &redial{address: address, first: address, pause: firstPause, alive: now}
}

// next takes in how a stream ended that was opened at one time and ended at another; closing is nil if the referee said
// nothing about it. It returns how long to wait before the bot dials again, and false if it is to give up instead.
func (r *redial) next(opened, ended time.Time, welcomed bool, closing *closing) (time.Duration, bool) {
	r.spoken = r.spoken || welcomed || closing != nil
	if closing == nil {
		closing = unsaid
	}
	if welcomed || closing.restarts {
		r.alive, r.patient = ended, true
	}
	if welcomed && ended.Sub(opened) > longestPause { // after streams that are closed at once the pauses grow on
		r.pause = firstPause
	}
	switch {
	case closing.address != "":
		r.address, r.patient = closing.address, true
	case !welcomed:
		r.address = r.first // the referee that was named in a redirection does not answer
	}
	if ended.Sub(r.alive) > r.patience() {
		return 0, false
	}
	wait := time.Duration((0.5 + rand.Float64()/2) * float64(r.pause))
	r.pause = min(2*r.pause, longestPause)
	if asked := min(closing.retryAfter, longestWait); asked > 0 {
		wait = max(wait, asked)
		r.alive = ended.Add(wait) // what the referee asks for does not count against its patience
	}
	return wait, true
}

func (r *redial) patience() time.Duration {
	if r.patient {
		return guestPatience
	}
	return strangerPatience
}

// hint says what may be wrong if no referee ever said anything.
func (r *redial) hint(tls bool) string {
	switch {
	case r.spoken:
		return ""
	case tls:
		return " (if a referee is there, it may speak without TLS: try without --tls-ca)"
	default:
		return " (if a referee is there, it may speak TLS: try --tls-ca FILE)"
	}
}
