package org.naklab.lab.instruments.forecast;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
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
 */
public record BindForecast(
        boolean now,
        @JsonUnwrapped Caller caller,
        @JsonUnwrapped Delay delay,
        @JsonUnwrapped Buffer buffer) {
    /**
     * Names the thread and the functions.
     *
     * @param thread that reads the socket
     * @param seen whether the thread was seen to have code of the library on its stack; otherwise it may never call the function
     * @param library file name of the library that calls
     * @param symbols functions whose binds need the same reads
     */
    public record Caller(String thread, boolean seen, String library, List<String> symbols) {}

    /**
     * Tells how long the thread waits, and for what.
     *
     * @param reads what the binds wait for: a place in a file for each read
     * @param waitMs length of the wait, ms
     * @param pace how fast the process may read, in words
     */
    public record Delay(List<String> reads, double waitMs, String pace) {}

    /**
     * Tells how long the socket survives it.
     *
     * @param socket address of the socket whose buffer lasts shortest of those that the thread reads
     * @param headroomMs time that this buffer survives, ms; null if not known
     */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    public record Buffer(String socket, @Nullable Double headroomMs) {}

    private static final int FEW = 10;

    /** Returns whether datagrams will be dropped: the wait is longer than the buffer lasts. */
    public boolean isLoss() {
        Double headroomMs = buffer.headroomMs();
        return headroomMs != null && delay.waitMs() > headroomMs;
    }

    /** Returns the forecast as a sentence without a full stop. */
    public String sentence() {
        Double headroomMs = buffer.headroomMs();
        return String.format(
                Locale.ROOT,
                "%s%s %s wait about %.0f ms at its first %s of %s: for %s (%s), %s; its socket %s %s",
                now ? "" : "if memory gets short, ",
                caller.thread(),
                caller.seen() ? "will" : "would",
                delay.waitMs(),
                names(),
                caller.library(),
                Format.counted(delay.reads().size(), "read"),
                String.join(", ", delay.reads()),
                delay.pace(),
                buffer.socket(),
                headroomMs == null
                        ? "survives a time that is not known, because its depth was not seen to grow"
                        : "survives " + Format.milliseconds(headroomMs)
                                + (isLoss() ? ", and drops what comes then" : ""));
    }

    private String names() {
        String first = caller.symbols().stream().limit(FEW).collect(Collectors.joining(", "));
        int more = caller.symbols().size() - FEW;
        return more > 0 ? first + " or " + Format.counted(more, "other") : first;
    }
}
