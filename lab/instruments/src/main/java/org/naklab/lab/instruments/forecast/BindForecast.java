package org.naklab.lab.instruments.forecast;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.naklab.lab.core.Format;

/**
 * Says how long a thread will wait when it first calls a function that is bound late. It is computed from the pages that the bind reads and the pace of reads; nothing is
 * tried out.
 *
 * @param now whether the pages are missing now; otherwise the forecast is for a shortage of memory that takes them
 * @param thread that reads the socket
 * @param seen whether the thread was seen to have code of the library on its stack; otherwise it may never call the function
 * @param library file name of the library that calls
 * @param symbols functions whose binds need the same reads
 * @param reads what they wait for: a place in a file for each read
 * @param waitMs length of the wait, ms
 * @param pace how fast the process may read, in words
 * @param socket address of the socket whose buffer lasts shortest of those that the thread reads
 * @param headroomMs time that this buffer survives, ms; null if not known
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record BindForecast(
        boolean now,
        String thread,
        boolean seen,
        String library,
        List<String> symbols,
        List<String> reads,
        double waitMs,
        String pace,
        String socket,
        @Nullable Double headroomMs) {
    private static final int FEW = 10;

    /** Returns whether datagrams will be dropped: the wait is longer than the buffer lasts. */
    public boolean isLoss() {
        return headroomMs != null && waitMs > headroomMs;
    }

    /** Returns the forecast as a sentence without a full stop. */
    public String sentence() {
        return String.format(
                Locale.ROOT,
                "%s%s %s wait about %.0f ms at its first %s of %s: for %s (%s), %s; its socket %s %s",
                now ? "" : "if memory gets short, ",
                thread,
                seen ? "will" : "would",
                waitMs,
                names(),
                library,
                Format.counted(reads.size(), "read"),
                String.join(", ", reads),
                pace,
                socket,
                headroomMs == null
                        ? "survives a time that is not known, because its depth was not seen to grow"
                        : "survives " + Format.milliseconds(headroomMs)
                                + (isLoss() ? ", and drops what comes then" : ""));
    }

    private String names() {
        String first = symbols.stream().limit(FEW).collect(Collectors.joining(", "));
        int more = symbols.size() - FEW;
        return more > 0 ? first + " or " + Format.counted(more, "other") : first;
    }
}
