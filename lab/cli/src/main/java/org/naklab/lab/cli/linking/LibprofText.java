package org.naklab.lab.cli.linking;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.naklab.lab.core.Format;
import org.naklab.lab.instruments.calls.LibraryProfile;

/** The sentences about a profile of library calls, for the terminal and for the page. */
final class LibprofText {
    static final String NOTHING = "No call was seen. The program is linked statically, belongs to another user's rights"
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

    /** Returns what is to be known about the figures. */
    static List<String> notes(LibraryProfile profile) {
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
