package org.naklab.lab.records.memory;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.naklab.lab.core.Units;

/**
 * An entry of {@code pageFaults} in {@code run.json}: a page fault of a receipt thread that took 1 ms or more.
 *
 * @param atNs when it began, on the clock of the timeline
 * @param durationMs until the page was there, milliseconds
 * @param major whether the kernel had to wait for the page
 * @param place file name and section, for people; {@code anonymous memory}; empty if unknown
 * @param address that was touched, hexadecimal; {@code null}: not recorded
 * @param file path as the process sees it; empty for anonymous memory; {@code null}: not recorded
 * @param section of an ELF file; empty if it is none; {@code null}: not recorded
 * @param stack functions of the thread, innermost first; empty if the thread did not leave its CPU, or if they are not known
 */
@JsonPropertyOrder({"atNs", "durationMs", "process", "thread", "major", "place", "address", "file", "section", "stack"})
public record PageFaultRecord(
        long atNs,
        double durationMs,
        String process,
        String thread,
        boolean major,
        String place,
        @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable String address,
        @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable String file,
        @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable String section,
        List<String> stack) {
    public PageFaultRecord {
        process = Objects.requireNonNullElse(process, "");
        thread = Objects.requireNonNullElse(thread, "");
        place = Objects.requireNonNullElse(place, "");
        stack = stack == null ? List.of() : List.copyOf(stack);
    }

    /** Returns when it ended, on the clock of the timeline, ns. */
    @JsonIgnore
    public long endNs() {
        return atNs + Math.round(durationMs * Units.NS_PER_MS);
    }

    /** Returns one line for people, such as {@code 147.2 ms at 0x7f12 (libc.so.6 .gnu.hash), major, in _dl_fixup}. */
    @JsonIgnore
    public String sentence() {
        return String.format(Locale.ROOT, "%.1f ms", durationMs)
                + (address == null ? "" : " at " + address)
                + " (" + (place.isEmpty() ? "unknown page" : place) + ')'
                + (major ? ", major" : "")
                + (stack.isEmpty() ? "" : ", in " + stack.get(0));
    }
}
