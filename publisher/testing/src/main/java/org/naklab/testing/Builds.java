package org.naklab.testing;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Optional;

/** Tells one build from another, and where all modules of a build keep what belongs to the whole. */
final class Builds {
    /** The name of a build that goes on where the last one ended. */
    static final String RESUMED = "resumed";

    private Builds() {}

    /** Returns the directory {@code target} at the root of the project. */
    static Path directory() {
        return root().resolve("target");
    }

    /** Returns whether the matrix goes on where the last build ended. */
    static boolean isResumed() {
        return Boolean.getBoolean("naklab.matrix.resume");
    }

    /** Names this build: the process that started the JVM of the tests, or this process if it was started by hand. */
    static String id() {
        if (isResumed()) {
            return RESUMED;
        }
        ProcessHandle build = ProcessHandle.current();
        for (Optional<ProcessHandle> up = build.parent();
                up.isPresent();
                up = up.get().parent()) {
            if (up.get().info().command().orElse("").endsWith("/java")) {
                build = up.get();
                break;
            }
        }
        return build.pid() + " of "
                + build.info().startInstant().map(Object::toString).orElse("an unknown time");
    }

    /** Returns the commit of the sources, with {@code -dirty} if they are changed, or {@code unknown} outside a clone. */
    static String commit() {
        String given = System.getProperty("naklab.commit");
        if (given != null) {
            return given;
        }
        try {
            Process git = new ProcessBuilder("git", "describe", "--always", "--dirty", "--abbrev=12", "--exclude=*")
                    .directory(root().toFile())
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
            String commit = new String(git.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
            return commit.isEmpty() ? "unknown" : commit;
        } catch (IOException e) {
            return "unknown";
        }
    }

    private static Path root() {
        return Path.of(System.getProperty("naklab.root", "."));
    }
}
