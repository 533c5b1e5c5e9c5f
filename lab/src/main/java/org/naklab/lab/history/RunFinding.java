package org.naklab.lab.history;

import org.jspecify.annotations.Nullable;

/**
 * What a run came to.
 *
 * @param confidence of the diagnosis; {@code null}: the run kept none
 */
public record RunFinding(
        String verdict, String diagnosis, @Nullable String confidence) {}
