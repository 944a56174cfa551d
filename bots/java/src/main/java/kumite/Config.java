package kumite;

import java.nio.file.Path;
import java.util.Optional;

/**
 * Where to play, and under which name.
 *
 * @param address host:port or unix:/path
 * @param name empty with a token: the token is the name
 * @param token sent as bearer token; empty: none
 * @param tlsCa PEM file of the authority to trust; empty: no TLS
 * @param state folder in which to remember the resume token
 * @param software the program, the bot and the version; a changed text is a new build on a ladder
 * @param tables how many to play at a time
 * @param seed what all luck of the bot grows from
 */
record Config(
        String address,
        String name,
        String token,
        Optional<Path> tlsCa,
        Path state,
        String software,
        int tables,
        long seed) {}
