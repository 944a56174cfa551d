package kumite;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import referee.v1.Play.Answer;
import referee.v1.Play.Ask;
import referee.v1.Play.Failure;
import referee.v1.Play.Fault;
import referee.v1.Play.FaultCode;
import referee.v1.Play.Over;
import referee.v1.Play.PlayRequest;
import referee.v1.Play.PlayResponse;
import referee.v1.Play.Seated;
import referee.v1.Play.Welcome;

class SessionTest {
    private static final String ADDRESS = "localhost:7400";

    @TempDir
    Path folder;

    private final List<PlayRequest> sent = new ArrayList<>();
    private Session session;
    private ResumeFile memory;

    @BeforeEach
    void start() {
        Config config = new Config(ADDRESS, "me", "", Optional.empty(), folder, "test", 1, 7);
        memory = new ResumeFile(folder, ADDRESS, "me");
        session = new Session(config, (ask, luck) -> ask.getOptionCount() - 1, memory);
        receive(PlayResponse.newBuilder().setWelcome(Welcome.newBuilder().setResumeToken("token")));
    }

    private void receive(PlayResponse.Builder message) {
        session.receive(message.build(), sent::add);
    }

    @Test
    void everyPartOfABundleIsAnsweredInOneMessage() {
        receive(PlayResponse.newBuilder()
                .addSeated(Seated.newBuilder().setMatchId("a").setSeat(1))
                .addSeated(Seated.newBuilder().setMatchId("b").setIsReady(true))
                .addAsks(Ask.newBuilder().setMatchId("b").setAsk(3).setOptionCount(5)));

        assertEquals(1, sent.size());
        assertEquals(1, sent.get(0).getReadyCount());
        assertEquals("a", sent.get(0).getReady(0).getMatchId());
        assertEquals(1, sent.get(0).getReady(0).getSeat());
        assertEquals("b", sent.get(0).getAnswers(0).getMatchId());
        assertEquals(3, sent.get(0).getAnswers(0).getAsk());
        assertEquals(4, sent.get(0).getAnswers(0).getOption());
    }

    @Test
    void aFailureIsToldBeforeTheNextThoughtAndTheNextAskIsAnswered() {
        Config config = new Config(ADDRESS, "me", "", Optional.empty(), folder.resolve("other"), "test", 1, 7);
        Bot fails = (ask, luck) -> switch (ask.getAsk()) {
            case 1 -> throw new IllegalStateException("no such\ncard");
            case 2 -> throw new NoClassDefFoundError("Deck");
            default -> 0;
        };
        PlayResponse.Builder message = PlayResponse.newBuilder();
        for (int number = 1; number <= 3; number++) {
            message.addAsks(
                    Ask.newBuilder().setMatchId("a").setSeat(2).setAsk(number).setOptionCount(2));
        }
        new Session(config, fails, memory).receive(message.build(), sent::add);

        Answer answer =
                Answer.newBuilder().setMatchId("a").setSeat(2).setAsk(3).build();
        assertEquals(
                List.of(
                        failure(1, "java.lang.IllegalStateException: no such card"),
                        failure(2, "java.lang.NoClassDefFoundError: Deck"),
                        PlayRequest.newBuilder().addAnswers(answer).build()),
                sent);
    }

    private static PlayRequest failure(int ask, String message) {
        return PlayRequest.newBuilder()
                .addFailures(Failure.newBuilder()
                        .setMatchId("a")
                        .setSeat(2)
                        .setAsk(ask)
                        .setMessage(message))
                .build();
    }

    @Test
    void aFailureIsOneShortLineOfUtf8() {
        String name = "java.lang.Exception: ";

        assertEquals(name + "no such card here", Session.line(new Exception(" no\tsuch \r\n card\u2028here ")));
        assertEquals(name + "half ? a card", Session.line(new Exception("half \ud83c a card")));
        assertEquals(name + "🀄".repeat(500 - name.length()), Session.line(new Exception("🀄".repeat(501))));
    }

    @Test
    void theResumeTokenIsInTheNextHelloAndInTheFileOfAnotherRun() {
        assertEquals("token", session.hello().getHello().getResumeToken());
        memory.close(true);
        assertEquals("token", new ResumeFile(folder, ADDRESS, "me").token());
    }

    @Test
    void aResumeTokenThatMeansNothingIsForgotten() {
        receive(PlayResponse.newBuilder()
                .addFaults(Fault.newBuilder()
                        .setCode(FaultCode.FAULT_CODE_UNKNOWN_RESUME)
                        .setClosesStream(true)));

        assertEquals("", session.hello().getHello().getResumeToken());
        assertEquals(Session.Next.RESUME, session.closing().orElseThrow().next());
    }

    @Test
    void nothingIsLeftToResumeOnceEveryMatchIsOver() throws Exception {
        receive(PlayResponse.newBuilder().addSeated(Seated.newBuilder().setMatchId("a")));
        boolean before = session.idle();
        receive(PlayResponse.newBuilder().addOver(Over.newBuilder().setMatchId("a")));
        memory.close(!session.idle());

        assertFalse(before);
        assertTrue(session.idle());
        try (var files = Files.list(folder)) {
            assertEquals(0, files.count());
        }
    }

    @Test
    void aFaultThatClosesTheStreamSaysWhatToDoNext() {
        receive(PlayResponse.newBuilder()
                .addFaults(Fault.newBuilder()
                        .setCode(FaultCode.FAULT_CODE_VERSION)
                        .setMessage("wrong version")
                        .setClosesStream(true)));

        assertEquals(
                new Session.Closing("wrong version", Session.Next.GIVE_UP, Optional.empty(), 0),
                session.closing().orElseThrow());
    }
}
