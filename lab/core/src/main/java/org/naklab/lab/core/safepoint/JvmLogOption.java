package org.naklab.lab.core.safepoint;

import java.nio.file.Path;

/** The option that makes a JVM log its safepoints, its collections and their CPU times, with the times of {@link System#nanoTime()}. */
public final class JvmLogOption {
    private JvmLogOption() {}

    /**
     * Returns the option.
     *
     * @param file is created, or emptied
     */
    public static String to(Path file) {
        return "-Xlog:safepoint=info,gc=info,gc+cpu=info:file=" + file + ":timenanos,tags:filecount=0";
    }
}
