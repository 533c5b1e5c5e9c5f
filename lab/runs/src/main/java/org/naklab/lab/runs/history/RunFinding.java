package org.naklab.lab.runs.history;

import org.jspecify.annotations.Nullable;

/**
 * What a run came to.
 *
 * @param confidence of the diagnosis; {@code null}: the run kept none
 * @param reason why the verdict is not pass, on one line; {@code null}: it is, or the run did not say
 */
public record RunFinding(
        String verdict,
        String diagnosis,
        @Nullable String confidence,
        @Nullable String reason) {
    /** Without a reason. */
    public RunFinding(String verdict, String diagnosis, @Nullable String confidence) {
        this(verdict, diagnosis, confidence, null);
    }
}
