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
    void aDecisionThatFailsIsToldInOneLineAndTheNextIsAnswered() {
        Config config = new Config(ADDRESS, "me", "", Optional.empty(), folder.resolve("other"), "test", 1, 7);
        Bot fails = (ask, luck) -> {
            if (ask.getAsk() == 1) {
                throw new IllegalStateException("no such\ncard");
            }
            return 0;
        };
        Session failing = new Session(config, fails, memory);
        failing.receive(
                PlayResponse.newBuilder()
                        .addAsks(Ask.newBuilder().setMatchId("a").setSeat(2).setAsk(1).setOptionCount(2))
                        .addAsks(Ask.newBuilder().setMatchId("a").setSeat(2).setAsk(2).setOptionCount(2))
                        .build(),
                sent::add);

        List<Failure> failures =
                sent.stream().flatMap(message -> message.getFailuresList().stream()).toList();
        assertEquals(
                List.of(Failure.newBuilder()
                        .setMatchId("a")
                        .setSeat(2)
                        .setAsk(1)
                        .setMessage("java.lang.IllegalStateException: no such card")
                        .build()),
                failures);
        assertEquals(2, sent.get(sent.size() - 1).getAnswers(0).getAsk());
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
