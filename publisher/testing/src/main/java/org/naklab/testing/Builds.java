package org.naklab.testing;

import java.nio.file.Path;
import java.util.Optional;

/** Tells one build from another, and where all modules of a build keep what belongs to the whole. */
final class Builds {
    private Builds() {}

    /** Returns the directory {@code target} at the root of the project. */
    static Path directory() {
        return Path.of(System.getProperty("naklab.root", "."), "target");
    }

    /** Names this build: the process that started the JVM of the tests, or this process if it was started by hand. */
    static String id() {
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
}
