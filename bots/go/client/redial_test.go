package client

import (
	"testing"
	"time"

	pb "kumite/refereev1"
)

const first, second = "first:1", "second:2"

// outage lets every attempt fail from start on, and returns after how long the bot gave up.
func outage(r *redial, start time.Time) time.Duration {
	now := start
	for {
		wait, again := r.next(now, now, false, nil)
		if !again {
			return now.Sub(start)
		}
		if wait < firstPause/2 || wait > longestPause {
			panic("a pause is out of bounds")
		}
		now = now.Add(wait)
	}
}

func closed(code pb.FaultCode, fault *pb.Fault) *closing {
	fault.Code, fault.ClosesStream = code, true
	return closingOf(fault)
}

func TestABotThatWasNeverWelcomedGivesUpAfterHalfAMinute(t *testing.T) {
	start := time.Now()
	lasted := outage(newRedial(first, start), start)
	if lasted < strangerPatience || lasted > strangerPatience+longestPause {
		t.Errorf("gave up after %v", lasted)
	}
}

func TestABotThatWasWelcomedDialsForTenMinutes(t *testing.T) {
	start := time.Now()
	for name, closing := range map[string]*closing{
		"restarting":     closed(pb.FaultCode_FAULT_CODE_RESTARTING, &pb.Fault{}),
		"unknown":        closed(pb.FaultCode(4711), &pb.Fault{}),
		"without a word": nil,
	} {
		r := newRedial(first, start.Add(-time.Hour))
		if _, again := r.next(start.Add(-time.Hour), start, true, closing); !again {
			t.Fatalf("%s: gave up at once", name)
		}
		if lasted := outage(r, start); lasted < guestPatience || lasted > guestPatience+longestPause {
			t.Errorf("%s: gave up after %v", name, lasted)
		}
	}
}

func TestARedirectionLeadsToTheOtherAddressAndAFailureThereBack(t *testing.T) {
	now := time.Now()
	r := newRedial(first, now)
	r.next(now, now, true, closed(pb.FaultCode_FAULT_CODE_REDIRECTED, &pb.Fault{Address: second}))
	if r.address != second {
		t.Errorf("dials %s after a redirection", r.address)
	}
	r.next(now, now, true, nil)
	if r.address != second {
		t.Errorf("dials %s after a break at the second address", r.address)
	}
	r.next(now, now, false, nil)
	if r.address != first {
		t.Errorf("dials %s when the second address does not answer", r.address)
	}
}

func TestTheRefereesOwnPauseIsKeptAndNotHeldAgainstIt(t *testing.T) {
	now := time.Now()
	r := newRedial(first, now)
	full := closed(pb.FaultCode_FAULT_CODE_FULL, &pb.Fault{RetryAfterUs: time.Minute.Microseconds()})
	if wait, again := r.next(now, now, false, full); !again || wait < time.Minute {
		t.Errorf("waits %v, dials again: %v", wait, again)
	}
	now = now.Add(time.Minute + time.Second)
	if _, again := r.next(now, now, false, nil); !again {
		t.Error("gave up after the wait that the referee asked for")
	}
	endless := closed(pb.FaultCode_FAULT_CODE_FULL, &pb.Fault{RetryAfterUs: (24 * time.Hour).Microseconds()})
	if wait, _ := r.next(now, now, false, endless); wait != longestWait {
		t.Errorf("waits %v when asked to wait for a day", wait)
	}
}

func TestStreamsThatAreClosedAtOnceAreOpenedLessAndLessOften(t *testing.T) {
	now := time.Now()
	r := newRedial(first, now)
	for range 10 {
		r.next(now, now, true, nil)
	}
	if r.pause != longestPause {
		t.Errorf("the pause is %v", r.pause)
	}
	r.next(now, now.Add(time.Minute), true, nil)
	if r.pause != 2*firstPause {
		t.Errorf("the pause is %v after a long stream", r.pause)
	}
}

func TestEveryClosingCodeSaysWhatToDo(t *testing.T) {
	for code, want := range map[pb.FaultCode]string{
		pb.FaultCode_FAULT_CODE_SHUTDOWN:        "leave",
		pb.FaultCode_FAULT_CODE_TAKEN_OVER:      "leave",
		pb.FaultCode_FAULT_CODE_REVOKED:         "give up",
		pb.FaultCode_FAULT_CODE_KICKED:          "give up",
		pb.FaultCode_FAULT_CODE_NO_GAME:         "give up",
		pb.FaultCode_FAULT_CODE_BAD_HELLO:       "give up",
		pb.FaultCode_FAULT_CODE_VERSION:         "give up",
		pb.FaultCode_FAULT_CODE_UNAUTHENTICATED: "give up",
		pb.FaultCode_FAULT_CODE_NAME_TAKEN:      "give up",
		pb.FaultCode_FAULT_CODE_RESTARTING:      "resume",
		pb.FaultCode_FAULT_CODE_REDIRECTED:      "resume",
		pb.FaultCode_FAULT_CODE_RATE:            "resume",
		pb.FaultCode(4711):                      "resume",
	} {
		got := "resume"
		if closing := closed(code, &pb.Fault{}); closing.stops {
			got = "leave"
		} else if closing.refuses {
			got = "give up"
		}
		if got != want {
			t.Errorf("%v: %s, not %s", code, got, want)
		}
	}
}
