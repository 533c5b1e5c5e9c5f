package org.naklab.lab.cli.bundle;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Objects;

/**
 * A file that has no name until it is whole: whatever ends the process before, nothing is left. Readable by its owner only. One thread.
 */
final class BundleFile implements AutoCloseable {
    private static final FileAttribute<?> OWNER_ONLY =
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));

    private final Path file;
    private final FileChannel content;

    /**
     * Opens it.
     *
     * @throws FileAlreadyExistsException there is a file of that name
     */
    BundleFile(Path file) throws IOException {
        this.file = file.toAbsolutePath();
        requireNone(file);
        Path fresh = fresh();
        content = FileChannel.open(fresh, StandardOpenOption.READ, StandardOpenOption.WRITE);
        Files.delete(fresh);
    }

    OutputStream out() {
        return Channels.newOutputStream(content);
    }

    /**
     * Gives what was written its name.
     *
     * @throws FileAlreadyExistsException there is a file of that name by now
     */
    void publish() throws IOException {
        Path whole = fresh();
        try (FileChannel out = FileChannel.open(whole, StandardOpenOption.WRITE)) {
            for (long at = 0; at < content.size(); ) {
                at += content.transferTo(at, content.size() - at, out);
            }
            requireNone(file);
            Files.move(whole, file);
        } finally {
            Files.deleteIfExists(whole);
        }
    }

    @Override
    public void close() throws IOException {
        content.close();
    }

    /** Checks that nothing has the name of a bundle. @throws FileAlreadyExistsException something has it */
    static void requireNone(Path file) throws IOException {
        if (Files.exists(file, LinkOption.NOFOLLOW_LINKS)) {
            throw new FileAlreadyExistsException(file.toString());
        }
    }

    /** A signal between creating and naming leaves nothing either. */
    private Path fresh() throws IOException {
        Path fresh =
                Files.createTempFile(Objects.requireNonNull(file.getParent()), ".naklab-bundle", ".new", OWNER_ONLY);
        fresh.toFile().deleteOnExit();
        return fresh;
    }
}
