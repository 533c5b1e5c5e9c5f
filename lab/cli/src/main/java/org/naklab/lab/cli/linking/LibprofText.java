package org.naklab.lab.cli.linking;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.naklab.lab.core.Format;
import org.naklab.lab.instruments.calls.LibraryProfile;

/** The sentences about a profile of library calls, for the terminal and for the page. */
final class LibprofText {
    private static final String NOTHING =
            "No call was seen. The program is linked statically, belongs to another user's rights"
                    + " (setuid), or calls no function through a linkage table.";

    private static final int SIGNALLED = 128;
    private static final double NS_PER_US = 1e3;

    private LibprofText() {}

    static String program(LibraryProfile profile) {
        String path = profile.command().get(0);
        return path.substring(path.lastIndexOf('/') + 1);
    }

    /** Returns how the program ended; empty if it succeeded. */
    static String end(LibraryProfile profile) {
        int code = profile.exitCode();
        if (code == 0) {
            return "";
        }
        return code > SIGNALLED ? ", ended by signal " + (code - SIGNALLED) : ", exit code " + code;
    }

    static String thread(LibraryProfile.ThreadProfile thread) {
        return "Thread " + thread.name() + " (" + thread.tid() + ") of process " + thread.pid()
                + (thread.threads() > 1 ? ", " + thread.threads() + " threads one after the other" : "");
    }

    /** Says why there is no table. */
    static String nothing(LibraryProfile profile) {
        LibraryProfile.Attachment attachment = profile.attachment();
        return attachment == null ? NOTHING : "No call was seen: " + String.join("; ", attachment.noProbes());
    }

    /** Returns what is to be known about the figures. */
    static List<String> notes(LibraryProfile profile) {
        LibraryProfile.Attachment attachment = profile.attachment();
        return attachment == null ? ofHooks(profile) : ofAttachment(profile, attachment);
    }

    private static List<String> ofAttachment(LibraryProfile profile, LibraryProfile.Attachment attachment) {
        List<String> notes = new ArrayList<>();
        boolean isProbed = profile.method().equals("uprobes");
        if (isProbed) {
            notes.add(String.format(
                    Locale.ROOT,
                    "Measured by uprobes for %.1f s, at %s. A call cost %.1f µs more (measured on this machine at the start):"
                            + " %s, %.1f %% of one processor; the limit was %.1f %%.",
                    profile.wallSeconds(),
                    attachment.choice().equals("asked")
                            ? "the functions that were asked for"
                            : "the functions in which a second of samples saw the threads",
                    profile.overhead().nanosecondsPerCall() / NS_PER_US,
                    Format.counted(profile.overhead().calls(), "call"),
                    attachment.costPercent(),
                    attachment.limitPercent()));
        } else {
            notes.add(String.format(
                    Locale.ROOT,
                    "Measured by samples of waiting threads for %.1f s, because of %s. Calls are not counted, and the time of"
                            + " a thread on a processor is in the non-library time.",
                    profile.wallSeconds(),
                    String.join("; ", attachment.noProbes())));
        }
        for (LibraryProfile.Cut cut : attachment.cuts()) {
            notes.add(String.format(
                    Locale.ROOT,
                    "%s lost its probes after %.2f s and %s, because they cost more than the limit. Its duration until the"
                            + " end is from samples of waiting threads.",
                    cut.name(),
                    cut.afterSeconds(),
                    Format.counted(cut.calls(), "call")));
        }
        if (isProbed) {
            attachment.noProbes().forEach(reason -> notes.add("No probe for " + reason));
            notes.add(
                    "Non-library time is all time outside of the functions in the table. Calls that had begun before and"
                            + " did not return are not counted; their duration is from samples.");
        }
        if (profile.lostCalls() > 0) {
            notes.add(Format.counted(profile.lostCalls(), "call") + " found no room in the table.");
        }
        return notes;
    }

    private static List<String> ofHooks(LibraryProfile profile) {
        LibraryProfile.Overhead overhead = profile.overhead();
        List<String> notes = new ArrayList<>();
        notes.add(String.format(
                Locale.ROOT,
                "Measured by hooks of the linkage tables. A call cost %.2f µs more, %.2f µs of it within the duration of the"
                        + " function (measured on this machine at the start): about %.3f s for %s.",
                overhead.nanosecondsPerCall() / NS_PER_US,
                overhead.insideNanosecondsPerCall() / NS_PER_US,
                overhead.seconds(),
                Format.counted(overhead.calls(), "call")));
        notes.add("Not seen: calls that bypass the linkage table (-fno-plt, inlined, intrinsics) and calls within a"
                + " library.");
        if (!profile.notTimed().isEmpty()) {
            notes.add("Counted, but not timed, because they must be called directly: "
                    + String.join(", ", profile.notTimed()) + ".");
        }
        if (profile.lostCalls() > 0) {
            notes.add(Format.counted(profile.lostCalls(), "call") + " found no room in the table.");
        }
        return notes;
    }
}
