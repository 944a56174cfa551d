package kumite;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import referee.v1.Play.Fault;
import referee.v1.Play.FaultCode;

class RedialTest {
    private static final String FIRST = "first:1";
    private static final String SECOND = "second:2";
    private static final long HOUR = 3_600_000;
    private static final long MINUTE = 60_000;
    private static final int UNKNOWN_CODE = 4711;

    private static Optional<Session.Closing> closed(int code) {
        return closed(Fault.newBuilder().setCodeValue(code));
    }

    private static Optional<Session.Closing> closed(Fault.Builder fault) {
        return Optional.of(Session.Closing.of(fault.setClosesStream(true).build()));
    }

    /** Lets every attempt fail from a start on; returns after how long the bot gave up. */
    private static long outage(Redial redial, long start) {
        long now = start;
        while (true) {
            OptionalLong wait = redial.next(now, now, false, Optional.empty());
            if (wait.isEmpty()) {
                return now - start;
            }
            assertTrue(wait.getAsLong() >= Redial.FIRST_PAUSE / 2 && wait.getAsLong() <= Redial.LONGEST_PAUSE);
            now += wait.getAsLong();
        }
    }

    @Test
    void aBotThatWasNeverWelcomedGivesUpAfterHalfAMinute() {
        long lasted = outage(new Redial(FIRST, 0), 0);

        assertTrue(lasted >= Redial.STRANGER_PATIENCE && lasted <= Redial.STRANGER_PATIENCE + Redial.LONGEST_PAUSE);
    }

    @Test
    void aBotThatWasWelcomedDialsForTenMinutes() {
        for (Optional<Session.Closing> closing : List.of(
                closed(FaultCode.FAULT_CODE_RESTARTING_VALUE),
                closed(UNKNOWN_CODE),
                Optional.<Session.Closing>empty())) {
            Redial redial = new Redial(FIRST, 0);
            assertTrue(redial.next(0, HOUR, true, closing).isPresent());
            long lasted = outage(redial, HOUR);
            assertTrue(lasted >= Redial.GUEST_PATIENCE && lasted <= Redial.GUEST_PATIENCE + Redial.LONGEST_PAUSE);
        }
    }

    @Test
    void aRedirectionLeadsToTheOtherAddressAndAFailureThereBack() {
        Redial redial = new Redial(FIRST, 0);
        redial.next(0, 0, true, closed(Fault.newBuilder()
                .setCode(FaultCode.FAULT_CODE_REDIRECTED)
                .setAddress(SECOND)));
        assertEquals(SECOND, redial.address());
        redial.next(0, 0, true, Optional.empty());
        assertEquals(SECOND, redial.address());
        redial.next(0, 0, false, Optional.empty());
        assertEquals(FIRST, redial.address());
    }

    @Test
    void theRefereesOwnPauseIsKeptAndNotHeldAgainstIt() {
        Redial redial = new Redial(FIRST, 0);
        Fault.Builder full = Fault.newBuilder().setCode(FaultCode.FAULT_CODE_FULL);
        assertTrue(redial.next(0, 0, false, closed(full.setRetryAfterUs(60_000_000))).getAsLong() >= MINUTE);
        long later = MINUTE + 1_000;
        assertTrue(redial.next(later, later, false, Optional.empty()).isPresent());
        assertEquals(
                Redial.LONGEST_WAIT,
                redial.next(later, later, false, closed(full.setRetryAfterUs(Long.MAX_VALUE)))
                        .getAsLong());
    }

    @Test
    void streamsThatAreClosedAtOnceAreOpenedLessAndLessOften() {
        Redial redial = new Redial(FIRST, 0);
        for (int i = 0; i < 10; i++) {
            redial.next(0, 0, true, Optional.empty());
        }
        assertTrue(redial.next(0, 0, true, Optional.empty()).getAsLong() >= Redial.LONGEST_PAUSE / 2);
        assertTrue(redial.next(0, MINUTE, true, Optional.empty()).getAsLong() <= Redial.FIRST_PAUSE);
    }

    @Test
    void everyClosingCodeSaysWhatToDo() {
        Map<FaultCode, Session.Next> expected = Map.of(
                FaultCode.FAULT_CODE_SHUTDOWN, Session.Next.LEAVE,
                FaultCode.FAULT_CODE_TAKEN_OVER, Session.Next.LEAVE,
                FaultCode.FAULT_CODE_REVOKED, Session.Next.GIVE_UP,
                FaultCode.FAULT_CODE_KICKED, Session.Next.GIVE_UP,
                FaultCode.FAULT_CODE_NO_GAME, Session.Next.GIVE_UP,
                FaultCode.FAULT_CODE_BAD_HELLO, Session.Next.GIVE_UP,
                FaultCode.FAULT_CODE_RESTARTING, Session.Next.AWAIT_RESTART,
                FaultCode.FAULT_CODE_REDIRECTED, Session.Next.RESUME,
                FaultCode.FAULT_CODE_RATE, Session.Next.RESUME);
        expected.forEach((code, next) ->
                assertEquals(next, closed(code.getNumber()).orElseThrow().next(), code.name()));
        assertEquals(Session.Next.RESUME, closed(UNKNOWN_CODE).orElseThrow().next());
    }
}
