package kumite;

import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import referee.v1.Common.Ending;
import referee.v1.Play.Answer;
import referee.v1.Play.Ask;
import referee.v1.Play.Failure;
import referee.v1.Play.Fault;
import referee.v1.Play.FaultCode;
import referee.v1.Play.Hello;
import referee.v1.Play.Over;
import referee.v1.Play.PlayRequest;
import referee.v1.Play.PlayResponse;
import referee.v1.Play.Ready;
import referee.v1.Play.SeatRating;
import referee.v1.Play.Seated;
import referee.v1.Play.Welcome;

/** What a bot knows about its referee, across any number of streams: understands messages, and says what is due. */
final class Session {
    private static final int PROTOCOL_VERSION = 1;
    /** How long answers wait for each other, to travel in one message. */
    private static final long TOGETHER_NANOS = 2_000_000;
    /** Characters of the line that tells the referee of a failure. */
    private static final int LONGEST_FAILURE = 500;

    /** What to do when the referee has closed a stream. */
    enum Next {
        RESUME,
        /** Resume as well; the referee may be away for minutes. */
        AWAIT_RESTART,
        LEAVE,
        GIVE_UP
    }

    /**
     * Why the referee closes a stream, and what to do then.
     *
     * @param address where the tables are now; empty: where they were
     * @param retryAfter milliseconds to wait at least before dialling again
     */
    record Closing(String message, Next next, Optional<String> address, long retryAfter) {
        /** What a fault that closes the stream means. A code of a later protocol means: resume. */
        static Closing of(Fault fault) {
            Next next =
                    switch (fault.getCode()) {
                        case FAULT_CODE_SHUTDOWN, FAULT_CODE_TAKEN_OVER -> Next.LEAVE;
                        case FAULT_CODE_VERSION,
                                FAULT_CODE_UNAUTHENTICATED,
                                FAULT_CODE_BAD_HELLO,
                                FAULT_CODE_NAME_TAKEN,
                                FAULT_CODE_OUT_OF_ORDER,
                                FAULT_CODE_NO_GAME,
                                FAULT_CODE_REVOKED,
                                FAULT_CODE_KICKED -> Next.GIVE_UP;
                        case FAULT_CODE_RESTARTING -> Next.AWAIT_RESTART;
                        default -> Next.RESUME;
                    };
            Optional<String> address = Optional.of(fault.getAddress())
                    .filter(text -> fault.getCode() == FaultCode.FAULT_CODE_REDIRECTED && !text.isEmpty());
            return new Closing(fault.getMessage(), next, address, fault.getRetryAfterUs() / 1_000);
        }
    }

    private record Place(String match, int seat) {}

    private final Config config;
    private final Bot bot;
    private final ResumeFile memory;
    private final Map<Place, Seated> places = new HashMap<>();
    private boolean known;

    // Of the current stream:
    private boolean welcomed;
    private Optional<Closing> closing = Optional.empty();

    Session(Config config, Bot bot, ResumeFile memory) {
        this.config = config;
        this.bot = bot;
        this.memory = memory;
    }

    /** Whether the current stream is open for play. */
    boolean welcomed() {
        return welcomed;
    }

    /** Why the referee closes the current stream, if it does. */
    Optional<Closing> closing() {
        return closing;
    }

    /** Whether nothing is left to resume: the referee has welcomed the bot, and no match of its runs. */
    boolean idle() {
        return known && places.isEmpty();
    }

    /** Forgets what belongs to the last stream. */
    void reset() {
        welcomed = false;
        closing = Optional.empty();
    }

    /** The first message of a new stream. */
    PlayRequest hello() {
        return PlayRequest.newBuilder()
                .setHello(Hello.newBuilder()
                        .setProtocolVersion(PROTOCOL_VERSION)
                        .setName(config.name())
                        .setSoftware(config.software())
                        .setTables(config.tables())
                        .setResumeToken(memory.token()))
                .build();
    }

    /**
     * Acts on a message of the referee, in the order in which its parts are meant, and sends what is due. Pings are not
     * its business, and events (told) do not come, because the hello does not want any.
     */
    void receive(PlayResponse message, Consumer<PlayRequest> send) {
        PlayRequest.Builder reply = PlayRequest.newBuilder();
        if (message.hasWelcome()) {
            welcome(message.getWelcome());
        }
        for (Seated seated : message.getSeatedList()) {
            places.put(new Place(seated.getMatchId(), seated.getSeat()), seated);
            if (!seated.getIsReady()) {
                reply.addReady(Ready.newBuilder().setMatchId(seated.getMatchId()).setSeat(seated.getSeat()));
            }
        }
        long sent = System.nanoTime();
        for (Ask ask : message.getAsksList()) {
            decide(ask, reply);
            // A failure does not wait for the next thought.
            if (System.nanoTime() - sent > TOGETHER_NANOS || reply.getFailuresCount() > 0) {
                sendIfAny(reply, send);
                reply.clear();
                sent = System.nanoTime();
            }
        }
        message.getOverList().forEach(this::over);
        message.getFaultsList().forEach(this::fault);
        sendIfAny(reply, send);
    }

    private static void sendIfAny(PlayRequest.Builder reply, Consumer<PlayRequest> send) {
        if (reply.getReadyCount() + reply.getAnswersCount() + reply.getFailuresCount() > 0) {
            send.accept(reply.build());
        }
    }

    private void welcome(Welcome welcome) {
        welcomed = known = true;
        String how = welcome.getResumed() ? "took its tables up again" : "connected";
        Log.line("%s %s (referee %s)", welcome.getName(), how, welcome.getRefereeVersion());
        if (!welcome.getResumeToken().equals(memory.token())) {
            places.clear(); // a referee with a new token knows nothing of our old tables
        }
        memory.keep(welcome.getResumeToken());
    }

    /**
     * Adds the bot's answer to the reply, or its failure: then the referee plays a random option at once, and the other
     * tables play on.
     */
    private void decide(Ask ask, PlayRequest.Builder reply) {
        String question = ask.getMatchId() + "/" + ask.getSeat() + "/" + ask.getAsk();
        String luck = Digest.sha256(config.seed() + "/" + question).substring(0, 16);
        try {
            int option = bot.decide(ask, new SplittableRandom(Long.parseUnsignedLong(luck, 16)));
            reply.addAnswers(Answer.newBuilder()
                    .setMatchId(ask.getMatchId())
                    .setAsk(ask.getAsk())
                    .setSeat(ask.getSeat())
                    .setOption(option));
        } catch (Throwable error) { // errors, too: a class that does not load or a full memory costs this question only
            Log.line("the bot failed at %s (%s):", question, ask.getKind());
            error.printStackTrace();
            reply.addFailures(Failure.newBuilder()
                    .setMatchId(ask.getMatchId())
                    .setAsk(ask.getAsk())
                    .setSeat(ask.getSeat())
                    .setMessage(line(error)));
        }
    }

    /** What went wrong, in one line that is not too long and can be sent: half a character becomes a question mark. */
    static String line(Throwable error) {
        String text = new String(error.toString().getBytes(StandardCharsets.UTF_8), StandardCharsets.UTF_8);
        return text.replaceAll("(?U)\\s+", " ")
                .strip()
                .codePoints()
                .limit(LONGEST_FAILURE)
                .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
                .toString();
    }

    private void over(Over over) {
        Seated seated = places.remove(new Place(over.getMatchId(), over.getSeat()));
        if (seated == null) {
            return; // told twice, after a break
        }
        String outcome = "stopped";
        if (over.getSeat() < over.getResult().getPlacesCount()) {
            outcome = String.format(
                    "place %d of %d, %d points",
                    over.getResult().getPlaces(over.getSeat()),
                    over.getResult().getPlacesCount(),
                    over.getResult().getPoints(over.getSeat()));
        }
        if (over.getSeat() < over.getRatingsCount()) {
            SeatRating rating = over.getRatings(over.getSeat());
            outcome += String.format(
                    Locale.ROOT, ", rating %.0f -> %.0f", rating.getRatingBefore(), rating.getRatingAfter());
        }
        Log.line("match %s (%s) is over: %s", over.getMatchId(), seated.getGame(), outcome);
        over.getEndingsList().stream()
                .map(Ending::getMessage)
                .filter(text -> !text.isEmpty())
                .forEach(text -> Log.line("%s", text));
    }

    private void fault(Fault fault) {
        if (!fault.getClosesStream()) {
            String where = fault.getMatchId().isEmpty()
                    ? ""
                    : String.format(", match %s, seat %d, ask %d", fault.getMatchId(), fault.getSeat(), fault.getAsk());
            Log.line("fault %s%s: %s", fault.getCode(), where, fault.getMessage());
            return;
        }
        if (fault.getCode() == FaultCode.FAULT_CODE_UNKNOWN_RESUME) {
            memory.keep(""); // say hello afresh
        }
        closing = Optional.of(Closing.of(fault));
    }
}
