package kumite;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;

import static java.nio.charset.StandardCharsets.US_ASCII;

/**
 * Keeps the resume token in a file, so that a program that was killed and is started again gets its tables back. The
 * file is locked while the bot plays: a second bot under the same name does not steal the tables of the first. If the
 * file cannot be used, the token is remembered for this run only.
 */
final class ResumeFile {
    private static final int LONGEST = 4096;

    private final Path path;
    private final FileChannel file;
    private String token = "";

    /** Reads what an earlier run remembered for this referee and player. */
    ResumeFile(Path folder, String address, String player) {
        path = folder.resolve("resume-" + Digest.sha256(address + "\0" + player).substring(0, 32));
        FileChannel opened = null;
        try {
            Files.createDirectories(folder);
            opened = FileChannel.open(
                    path, Set.of(StandardOpenOption.READ, StandardOpenOption.WRITE, StandardOpenOption.CREATE), own());
            if (opened.tryLock() == null) {
                throw new IOException("another process uses " + path);
            }
            ByteBuffer bytes = ByteBuffer.allocate(LONGEST);
            opened.read(bytes);
            token = US_ASCII.decode(bytes.flip()).toString();
        } catch (IOException error) {
            complain(error);
            close(opened);
            opened = null;
        }
        file = opened;
    }

    /** What is remembered; empty: nothing. */
    String token() {
        return token;
    }

    /** Remembers a token; an empty one: nothing. */
    void keep(String token) {
        if (token.equals(this.token)) {
            return;
        }
        this.token = token;
        if (file == null) {
            return;
        }
        try {
            file.write(US_ASCII.encode(token), 0);
            file.truncate(token.length());
        } catch (IOException error) {
            complain(error);
        }
    }

    /** Ends the memory; the file stays only if something is left to resume. */
    void close(boolean needed) {
        if (file == null) {
            return;
        }
        try {
            if (!needed || token.isEmpty()) {
                Files.deleteIfExists(path);
            }
        } catch (IOException error) {
            complain(error);
        }
        close(file);
    }

    /** For the owner's eyes only, where the file system knows of owners. */
    private static FileAttribute<?>[] own() {
        if (!FileSystems.getDefault().supportedFileAttributeViews().contains("posix")) {
            return new FileAttribute<?>[0];
        }
        return new FileAttribute<?>[] {
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"))
        };
    }

    private static void close(FileChannel file) {
        try {
            if (file != null) {
                file.close();
            }
        } catch (IOException error) {
            complain(error);
        }
    }

    private static void complain(IOException error) {
        Log.line("the resume token is not remembered: %s", error.getMessage());
    }
}
