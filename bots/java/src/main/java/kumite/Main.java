package kumite;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Supplier;
import java.util.logging.Level;
import java.util.logging.Logger;
import kumite.whitecastle.WhiteCastleBot;

/** Reads the command line and the environment, then plays. */
public final class Main {
    /** Of the jar (pom.xml). On a ladder a changed version is a new build, rated apart. */
    private static final String VERSION =
            Optional.ofNullable(Main.class.getPackage().getImplementationVersion()).orElse("unpackaged");
    private static final String USAGE =
            """
            usage: java -jar target/kumite-java.jar [option...]

              --address WHERE  the referee: host:port or unix:/path (else KUMITE_ADDRESS, localhost:7400)
              --name NAME      name at the referee (else KUMITE_NAME, java-random and the like;
                               with a token none: the token is the name)
              --token TOKEN    bearer token, if the referee wants one (else KUMITE_TOKEN)
              --tls-ca FILE    use TLS and trust the certificate authority in this PEM file
              --bot NAME       who plays: %s (else random)
              --tables N       tables to play at a time (else 1)
              --seed N         number from which all luck of the bot grows (else a random one)
              --state DIR      folder for the resume token
                               (else KUMITE_STATE, $XDG_STATE_HOME/kumite, ~/.local/state/kumite)
              --help           this text
            """;
    private static final List<String> OPTIONS =
            List.of("address", "name", "token", "tls-ca", "bot", "tables", "seed", "state");

    /** The bots of this program, by name. */
    private static final Map<String, Supplier<Bot>> BOTS = new TreeMap<>(Map.of(
            "random", RandomBot::new,
            "white_castle", () -> new WhiteCastleBot(new RandomBot())));

    /** gRPC warns of things that are none, such as options that unix sockets do not have. */
    private static final Logger GRPC = Logger.getLogger("io.grpc");

    private Main() {}

    public static void main(String[] arguments) {
        if (List.of(arguments).contains("--help")) {
            System.out.printf(USAGE, String.join(" or ", BOTS.keySet()));
            return;
        }
        GRPC.setLevel(Level.SEVERE);
        // SIGTERM and Ctrl-C start the shutdown of the virtual machine. They are a good end.
        Thread player = Thread.currentThread();
        Thread farewell = new Thread(() -> {
            player.interrupt();
            try {
                player.join(1_000);
            } catch (InterruptedException impatient) {
                Thread.currentThread().interrupt();
            }
            Runtime.getRuntime().halt(0);
        });
        Runtime.getRuntime().addShutdownHook(farewell);
        int code = run(arguments);
        try {
            Runtime.getRuntime().removeShutdownHook(farewell);
        } catch (IllegalStateException stopped) {
            return; // the farewell is under way, and waits for this thread
        }
        System.exit(code);
    }

    private static int run(String[] arguments) {
        try {
            Map<String, String> given = parse(arguments);
            String bot = given.getOrDefault("bot", "random");
            if (!BOTS.containsKey(bot)) {
                throw new IllegalArgumentException(
                        "no bot \"" + bot + "\"; there are: " + String.join(", ", BOTS.keySet()));
            }
            Client.play(configure(given, bot), BOTS.get(bot).get());
            return 0;
        } catch (IllegalArgumentException | RefusedException error) {
            Log.line("%s", error.getMessage());
            return 2;
        }
    }

    /** The options, by name. */
    private static Map<String, String> parse(String[] arguments) {
        Map<String, String> given = new HashMap<>();
        for (int i = 0; i < arguments.length; i++) {
            String[] parts = arguments[i].split("=", 2);
            if (!parts[0].startsWith("--") || !OPTIONS.contains(parts[0].substring(2))) {
                throw new IllegalArgumentException("unexpected argument \"" + arguments[i] + "\"; see --help");
            }
            if (parts.length == 1 && i + 1 == arguments.length) {
                throw new IllegalArgumentException(parts[0] + " needs a value; see --help");
            }
            given.put(parts[0].substring(2), parts.length == 2 ? parts[1] : arguments[++i]);
        }
        return given;
    }

    private static Config configure(Map<String, String> given, String bot) {
        String token = first(given.get("token"), System.getenv("KUMITE_TOKEN"));
        // With a token the referee knows the name.
        String usual = token.isEmpty() ? first(System.getenv("KUMITE_NAME"), "java-" + bot) : "";
        long tables = number("tables", given.getOrDefault("tables", "1"));
        if (tables < 1 || tables > 1 << 16) {
            throw new IllegalArgumentException("--tables must be between 1 and 65536");
        }
        long seed = given.containsKey("seed")
                ? number("seed", given.get("seed"))
                : ThreadLocalRandom.current().nextLong();
        return new Config(
                first(given.get("address"), System.getenv("KUMITE_ADDRESS"), "localhost:7400"),
                first(given.get("name"), usual),
                token,
                Optional.ofNullable(given.get("tls-ca")).map(Path::of),
                given.containsKey("state") ? Path.of(given.get("state")) : stateFolder(),
                "kumite-java " + bot + " " + VERSION,
                (int) tables,
                seed);
    }

    private static long number(String option, String text) {
        try {
            return Long.parseUnsignedLong(text);
        } catch (NumberFormatException error) {
            throw new IllegalArgumentException("--" + option + " must be a whole number, not " + text);
        }
    }

    /** Where programs keep what they need to remember for this user. */
    private static Path stateFolder() {
        String given = first(System.getenv("KUMITE_STATE"));
        if (!given.isEmpty()) {
            return Path.of(given);
        }
        String home = Path.of(System.getProperty("user.home"), ".local", "state").toString();
        return Path.of(first(System.getenv("XDG_STATE_HOME"), home), "kumite");
    }

    /** The first of several texts that is there and not empty; if there is none, an empty one. */
    private static String first(String... texts) {
        return Arrays.stream(texts)
                .filter(text -> text != null && !text.isEmpty())
                .findFirst()
                .orElse("");
    }
}
