package org.naklab.files;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Optional;
import java.util.function.Function;

/**
 * Is a program or a library that is built with a module and travels in its jar. A build without the tools for it has none.
 *
 * @param beside a class of the package below which it lies
 * @param name of its file
 */
public record NativeResource(Class<?> beside, String name) {
    private static final String DIRECTORY = "native/";
    private static final String REASON = "unavailable.txt";

    /** Returns what the build says why it has no such files. @throws IOException the jar cannot be read */
    public static String whyNotBuilt(Class<?> beside) throws IOException {
        try (InputStream reason = beside.getResourceAsStream(DIRECTORY + REASON)) {
            return reason == null
                    ? "the build did not try"
                    : new String(reason.readAllBytes(), StandardCharsets.UTF_8).strip();
        }
    }

    /** Returns whether this build has it. */
    public boolean exists() {
        return beside.getResource(DIRECTORY + name) != null;
    }

    /**
     * Copies it to a file, over an older one.
     *
     * @return false if this build does not have it
     * @throws IOException the file cannot be written
     */
    public boolean copyTo(Path file) throws IOException {
        try (InputStream in = beside.getResourceAsStream(DIRECTORY + name)) {
            if (in != null) {
                Files.copy(in, file, StandardCopyOption.REPLACE_EXISTING);
            }
            return in != null;
        }
    }

    /**
     * Loads or starts it from a file that nobody else may open and that is deleted at once: what is mapped or runs does not need its name.
     *
     * @param prefix of the file's name, in the directory for temporary files
     * @param use loads or starts it
     * @return what {@code use} returns; empty if this build does not have it
     * @throws IOException the file cannot be written
     */
    public <T> Optional<T> use(String prefix, String suffix, Function<Path, T> use) throws IOException {
        try (InputStream in = beside.getResourceAsStream(DIRECTORY + name)) {
            if (in == null) {
                return Optional.empty();
            }
            Path file = Files.createTempFile(
                    prefix, suffix, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
            try {
                Files.write(file, in.readAllBytes());
                return Optional.of(use.apply(file));
            } finally {
                Files.delete(file);
            }
        }
    }
}
