package kumite;

import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.ThreadLocalRandom;

/** When and where to dial again after the end of a stream, and when to give up. All times are milliseconds. */
final class Redial {
    /** For how long a bot that was never welcomed dials, and how long an open stream may stay without a welcome. */
    static final long STRANGER_PATIENCE = 30_000;
    /** For how long a bot dials that has lost its referee: a restart may take minutes, and tables wait. */
    static final long GUEST_PATIENCE = 600_000;
    /** Pauses between two attempts to connect double from the first to the longest (back-off). */
    static final long FIRST_PAUSE = 100;
    static final long LONGEST_PAUSE = 10_000;
    /** The longest that a referee can have the bot wait before it dials again. */
    static final long LONGEST_WAIT = 600_000;

    private final String first;
    private String address;
    private long pause = FIRST_PAUSE;
    /** When a referee was last heard of. */
    private long alive;
    /** Whether the bot waits as one that a referee knows. */
    private boolean patient;
    /** Whether a referee ever said anything. */
    private boolean spoken;

    /** Starts now, with the address that the bot was given. */
    Redial(String address, long now) {
        first = address;
        this.address = address;
        alive = now;
    }

    /** Where to dial next. */
    String address() {
        return address;
    }

    /**
     * Takes in how a stream ended; closing is empty if the referee said nothing about it. Returns how long to wait before
     * the bot dials again; empty: it is to give up.
     */
    OptionalLong next(long opened, long ended, boolean welcomed, Optional<Session.Closing> closing) {
        spoken |= welcomed || closing.isPresent();
        if (welcomed || closing.filter(said -> said.next() == Session.Next.AWAIT_RESTART).isPresent()) {
            alive = ended;
            patient = true;
        }
        if (welcomed && ended - opened > LONGEST_PAUSE) {
            pause = FIRST_PAUSE; // after streams that are closed at once the pauses grow on
        }
        Optional<String> redirected = closing.flatMap(Session.Closing::address);
        if (redirected.isPresent()) {
            address = redirected.get();
            patient = true;
        } else if (!welcomed) {
            address = first; // where a redirection led does not answer
        }
        if (ended - alive > (patient ? GUEST_PATIENCE : STRANGER_PATIENCE)) {
            return OptionalLong.empty();
        }
        long wait = ThreadLocalRandom.current().nextLong(pause / 2, pause + 1);
        pause = Math.min(2 * pause, LONGEST_PAUSE);
        long asked = Math.min(closing.map(Session.Closing::retryAfter).orElse(0L), LONGEST_WAIT);
        if (asked > 0) {
            wait = Math.max(wait, asked);
            alive = ended + wait; // what the referee asks for does not count against its patience
        }
        return OptionalLong.of(wait);
    }

    /** What may be wrong if no referee ever said anything. */
    String hint(boolean tls) {
        if (spoken) {
            return "";
        }
        return tls
                ? " (if a referee is there, it may speak without TLS: try without --tls-ca)"
                : " (if a referee is there, it may speak TLS: try --tls-ca FILE)";
    }
}
