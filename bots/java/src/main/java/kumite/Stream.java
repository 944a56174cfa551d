package kumite;

import io.grpc.Status;
import io.grpc.stub.StreamObserver;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import referee.v1.Play.PlayRequest;
import referee.v1.Play.PlayResponse;
import referee.v1.Play.Pong;
import referee.v1.RefereeServiceGrpc.RefereeServiceStub;

/** One open Play call. gRPC's threads read it and return pings, so that a bot that thinks stays alive. */
final class Stream implements StreamObserver<PlayResponse> {
    /** A message, or how the stream ended. */
    private record Received(PlayResponse message, Status ended) {}

    // Needs no bound: the referee has at most one question open per seat.
    private final BlockingQueue<Received> inbox = new LinkedBlockingQueue<>();
    private final StreamObserver<PlayRequest> outbox;

    Stream(RefereeServiceStub referee) {
        outbox = referee.play(this);
    }

    /** Plays to the end of the stream, and returns how it ended. */
    Status play(Session session, long patienceMillis) throws InterruptedException {
        send(session.hello());
        // A referee that lets us in but says nothing is as good as none.
        Received received = inbox.poll(patienceMillis, TimeUnit.MILLISECONDS);
        if (received == null) {
            return Status.DEADLINE_EXCEEDED.withDescription("no welcome");
        }
        while (received.ended() == null) {
            session.receive(received.message(), this::send);
            if (session.closing().isPresent()) {
                return Status.OK;
            }
            received = inbox.take();
        }
        return received.ended();
    }

    /** Sends a message. If the stream is broken, the reader finds out why. */
    private synchronized void send(PlayRequest message) {
        try {
            outbox.onNext(message);
        } catch (IllegalStateException closed) {
            return; // by our own goodbye
        }
    }

    @Override
    public void onNext(PlayResponse message) {
        if (message.hasPing()) {
            Pong pong = Pong.newBuilder().setNonce(message.getPing().getNonce()).build();
            send(PlayRequest.newBuilder().setPong(pong).build());
        }
        inbox.add(new Received(message, null));
    }

    @Override
    public void onError(Throwable error) {
        inbox.add(new Received(null, Status.fromThrowable(error)));
    }

    @Override
    public void onCompleted() {
        inbox.add(new Received(null, Status.OK.withDescription("the referee closed the stream")));
    }
}
