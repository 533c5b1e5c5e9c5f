package org.naklab.lab.runs.history;

import org.jspecify.annotations.Nullable;

/**
 * The verdict and the diagnosis of a run.
 *
 * @param confidence of the diagnosis; {@code null}: the run kept none
 * @param reason why the verdict is not pass, on one line; {@code null}: it is, or the run did not say
 */
public record RunFinding(
        String verdict,
        String diagnosis,
        @Nullable String confidence,
        @Nullable String reason) {
    /** Creates a finding without a reason. */
    public RunFinding(String verdict, String diagnosis, @Nullable String confidence) {
        this(verdict, diagnosis, confidence, null);
    }
}
