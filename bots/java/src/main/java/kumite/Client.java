package kumite;

import io.grpc.ChannelCredentials;
import io.grpc.Grpc;
import io.grpc.InsecureChannelCredentials;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.TlsChannelCredentials;
import io.grpc.stub.MetadataUtils;
import java.io.IOException;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import referee.v1.Play.DescribeRequest;
import referee.v1.RefereeServiceGrpc;

/**
 * Connects a bot to a Kumite referee and keeps it connected: dials, dials again after a break, and gives up when the
 * referee refuses the bot or none answers. The protocol is described in proto/referee/v1/play.proto.
 */
final class Client {
    private static final int LARGEST_MESSAGE = 64 << 20;
    private static final Metadata.Key<String> AUTHORIZATION =
            Metadata.Key.of("authorization", Metadata.ASCII_STRING_MARSHALLER);
    /** How a stream ends when trying again is no use. */
    private static final Set<Status.Code> FINAL = Set.of(
            Status.Code.UNAUTHENTICATED,
            Status.Code.PERMISSION_DENIED,
            Status.Code.UNIMPLEMENTED,
            Status.Code.INVALID_ARGUMENT);

    private final Config config;
    private final Bot bot;
    private final ResumeFile memory;
    private final Session session;

    private Client(Config config, Bot bot) {
        this.config = config;
        this.bot = bot;
        memory = new ResumeFile(
                config.state(), config.address(), config.name().isEmpty() ? config.token() : config.name());
        session = new Session(config, bot, memory);
    }

    /** Plays until the thread is interrupted or the referee says goodbye. */
    static void play(Config config, Bot bot) throws RefusedException {
        ChannelCredentials credentials = credentials(config);
        Client client = new Client(config, bot);
        try {
            client.keepPlaying(credentials);
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        } finally {
            client.memory.close(!client.session.idle());
        }
    }

    private static ChannelCredentials credentials(Config config) throws RefusedException {
        if (config.tlsCa().isEmpty()) {
            return InsecureChannelCredentials.create();
        }
        try {
            return TlsChannelCredentials.newBuilder()
                    .trustManager(config.tlsCa().get().toFile())
                    .build();
        } catch (IOException error) {
            throw new RefusedException("cannot use " + config.tlsCa().get() + " for TLS: " + error.getMessage());
        }
    }

    /** Opens one stream after the other, with pauses between them. */
    private void keepPlaying(ChannelCredentials credentials) throws InterruptedException, RefusedException {
        Redial redial = new Redial(config.address(), millis());
        String reported = "";
        while (true) {
            session.reset();
            String address = redial.address();
            long opened = millis();
            Status ended = playStream(address, credentials);
            Session.Next next = FINAL.contains(ended.getCode()) ? Session.Next.GIVE_UP : Session.Next.RESUME;
            next = session.closing().map(Session.Closing::next).orElse(next);
            String reason = session.closing().map(Session.Closing::message).orElse(describe(ended));
            if (next == Session.Next.LEAVE) {
                Log.line("%s", reason);
                return;
            }
            if (next == Session.Next.GIVE_UP) {
                throw new RefusedException("no play at " + address + ": " + reason);
            }
            OptionalLong wait = redial.next(opened, millis(), session.welcomed(), session.closing());
            if (wait.isEmpty()) {
                String hint = redial.hint(config.tlsCa().isPresent());
                throw new RefusedException("no referee answers at " + address + ": " + reason + hint);
            }
            String line = String.format("connection to %s: %s; trying again", address, reason);
            if (session.welcomed() || !line.equals(reported)) {
                reported = line;
                Log.line("%s", line);
            }
            Thread.sleep(wait.getAsLong());
        }
    }

    private static long millis() {
        return TimeUnit.NANOSECONDS.toMillis(System.nanoTime());
    }

    /** Opens a stream and plays on it to its end; returns how it ended. */
    private Status playStream(String address, ChannelCredentials credentials) throws InterruptedException {
        ManagedChannel channel;
        try {
            channel = Grpc.newChannelBuilder(address, credentials)
                    .keepAliveTime(30, TimeUnit.SECONDS)
                    .keepAliveTimeout(10, TimeUnit.SECONDS)
                    .maxInboundMessageSize(LARGEST_MESSAGE)
                    .build();
        } catch (IllegalArgumentException error) {
            // A mistake in what was given is final, one in a redirection is not.
            Status wrong = address.equals(config.address()) ? Status.INVALID_ARGUMENT : Status.UNAVAILABLE;
            return wrong.withDescription(error.getMessage());
        }
        try {
            if (bot.learns()) {
                DescribeRequest everything =
                        DescribeRequest.newBuilder().setComponents(true).build();
                bot.learn(RefereeServiceGrpc.newBlockingStub(channel)
                        .withDeadlineAfter(Redial.STRANGER_PATIENCE, TimeUnit.MILLISECONDS)
                        .describe(everything)
                        .getGamesList());
            }
            Metadata metadata = new Metadata();
            if (!config.token().isEmpty()) {
                metadata.put(AUTHORIZATION, "Bearer " + config.token());
            }
            Stream stream = new Stream(RefereeServiceGrpc.newStub(channel)
                    .withInterceptors(MetadataUtils.newAttachHeadersInterceptor(metadata)));
            return stream.play(session, Redial.STRANGER_PATIENCE);
        } catch (StatusRuntimeException error) {
            return error.getStatus();
        } finally {
            channel.shutdownNow();
            channel.awaitTermination(1, TimeUnit.SECONDS);
        }
    }

    /** A status in words: gRPC's own, and the first cause, which says more of a failure to connect. */
    private static String describe(Status status) {
        String text = status.getDescription() == null ? status.getCode().name() : status.getDescription();
        Throwable cause = status.getCause();
        while (cause != null && cause.getCause() != null) {
            cause = cause.getCause();
        }
        return cause == null ? text : text + ": " + (cause.getMessage() == null ? cause : cause.getMessage());
    }
}
