package org.naklab.lab.runs.calendar;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.naklab.lab.records.RunCase;

/**
 * A run that goes on.
 *
 * @param startedUtc ISO 8601 with milliseconds
 * @param live address of the page that shows it while it goes on; {@code null}: there is none, or it is not told
 */
public record RunningRun(
        @JsonUnwrapped RunCase runCase,
        String startedUtc,
        @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable String live) {
    private static final Pattern LOOPBACK =
            Pattern.compile("http://(127\\.0\\.0\\.1|localhost|\\[::1]):\\d{1,5}/film\\.html");

    /** An address that is no page of this machine is left out: who wrote the file is not known. */
    public RunningRun {
        live = live != null && LOOPBACK.matcher(live).matches() ? live : null;
    }
}
