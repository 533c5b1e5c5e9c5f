package org.naklab.lab.core.timeline;

import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * One page fault of a thread, from the exception until the page was there.
 *
 * @param process name or pid
 * @param thread name
 * @param isMajor whether the kernel had to wait for the page
 * @param place file and section of the page, such as {@code libc.so.6 .gnu.hash}; empty if unknown
 * @param code file and section of the instruction that touched the page; empty if unknown
 * @param page that was touched; null if the recorder of an earlier version did not tell
 */
public record PageFault(
        String process,
        String thread,
        Interval interval,
        boolean isMajor,
        String place,
        String code,
        @Nullable Page page)
        implements TimelineEvent {
    /**
     * The page of a fault.
     *
     * @param address that was touched, hexadecimal
     * @param file path as the process sees it; empty for anonymous memory, and if unknown
     * @param section of an ELF file; empty if it is none, or unknown
     */
    public record Page(String address, String file, String section) {}

    /** Makes a fault whose address is not known. */
    public PageFault(String process, String thread, Interval interval, boolean isMajor, String place, String code) {
        this(process, thread, interval, isMajor, place, code, null);
    }

    @Override
    public TimelineEventType type() {
        return TimelineEventType.PAGE_FAULT;
    }

    @Override
    public long timeNs() {
        return interval.beginNs();
    }

    @Override
    public Map<String, Object> details() {
        Map<String, Object> details = new TreeMap<>(
                Map.of("durationNs", interval.lengthNs(), "major", isMajor, "place", place, "code", code));
        if (page != null) {
            details.putAll(Map.of("address", page.address(), "file", page.file(), "section", page.section()));
        }
        return details;
    }

    /** Returns the event as what it is. */
    public static PageFault of(TimelineEvent event) {
        return event instanceof PageFault known ? known : read(event);
    }

    private static PageFault read(TimelineEvent event) {
        return new PageFault(
                event.process(),
                event.thread(),
                event.interval(),
                Boolean.TRUE.equals(event.detail("major")),
                event.textDetail("place"),
                event.textDetail("code"),
                event.textDetail("address").isEmpty()
                        ? null
                        : new Page(event.textDetail("address"), event.textDetail("file"), event.textDetail("section")));
    }
}
