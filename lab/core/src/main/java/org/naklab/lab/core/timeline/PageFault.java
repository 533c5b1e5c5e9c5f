package org.naklab.lab.core.timeline;

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
}
