package org.naklab.lab.tools.linking;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.naklab.lab.core.Format;
import org.naklab.lab.core.Units;

/** The sentences about a profile of library calls, for the terminal and for the page. */
final class LibprofText {
    private static final String NOTHING =
            "No call was seen. The program runs with the rights of another user (setuid), or it ended before its first call"
                    + " of a library.";

    private static final int SIGNALLED = 128;
    /** Exit code of the dynamic linker; shells have it for a program that is not there. */
    private static final int NOT_LOADED = 127;

    private static final double PERCENT = 100;

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

    /** Returns what to do if the dynamic linker could not load the program; empty if it did: a shell has the same exit code for a command that it does not find. */
    static Optional<String> whyNotLoaded(LibraryProfile profile) {
        return profile.exitCode() == NOT_LOADED && profile.notLoaded() > 0
                ? Optional.of(
                        "Exit code 127: the program, or one that it became, was not loaded. If the dynamic linker says \"cannot"
                                + " allocate memory in static TLS block\", the profiler took the room for thread-local storage that"
                                + " the program needs; this gives it more: naklab libprof -- env"
                                + " GLIBC_TUNABLES=glibc.rtld.optional_static_tls=65536 "
                                + String.join(" ", profile.command()))
                : Optional.empty();
    }

    /** Returns the name of a function, with its library if another one of the table has the same name. */
    static String name(LibraryProfile.Function function, List<LibraryProfile.Function> all) {
        boolean isAmbiguous =
                all.stream().filter(each -> each.name().equals(function.name())).count() > 1;
        return isAmbiguous ? function.name() + " (" + function.library() + ")" : function.name();
    }

    /** Returns the answer in one line: where most of the time was. */
    static String answer(LibraryProfile profile) {
        if (profile.functions().isEmpty()) {
            return nothing(profile);
        }
        LibraryProfile.Function longest = profile.functions().get(0);
        String time = String.format(
                Locale.ROOT, "%.1f %% of the time was in %s: ", longest.percent(), name(longest, profile.functions()));
        String calls = longest.calls() == 0
                ? "seen in samples of waiting threads, its calls are not counted."
                : String.format(
                        Locale.ROOT,
                        "%s, %.6f s each.",
                        Format.counted(longest.calls(), "call"),
                        longest.seconds() / longest.calls());
        double outside =
                profile.entireSeconds() == 0 ? 0 : PERCENT * profile.nonLibrarySeconds() / profile.entireSeconds();
        return time
                + calls
                + String.format(
                        Locale.ROOT,
                        " %.1f %% was outside of %s.",
                        outside,
                        profile.attachment() == null ? "libraries" : "these functions");
    }

    static String thread(LibraryProfile.ThreadProfile thread) {
        return "Thread " + thread.name() + " (" + thread.tid() + ") of process " + thread.pid()
                + (thread.threads() > 1 ? ", " + thread.threads() + " threads one after the other" : "");
    }

    /** Says why there is no table. */
    static String nothing(LibraryProfile profile) {
        LibraryProfile.Attachment attachment = profile.attachment();
        if (attachment == null) {
            return NOTHING;
        }
        return attachment.noProbes().isEmpty()
                ? "No call was seen: the threads called none of the functions that had probes."
                : "No call was seen: " + String.join("; ", attachment.noProbes());
    }

    /** Returns what is to be known about the figures. */
    static List<String> notes(LibraryProfile profile) {
        LibraryProfile.Attachment attachment = profile.attachment();
        List<String> notes = new ArrayList<>(attachment == null ? ofHooks(profile) : ofAttachment(profile, attachment));
        if (profile.abandonedCalls() > 0) {
            notes.add(Format.counted(profile.abandonedCalls(), "call")
                    + " did not return: longjmp, an exception or the end of the thread left the function. Its duration"
                    + " lasts until the next call or the end of the thread.");
        }
        SystemAccount system = profile.system();
        if (system != null) {
            notes.addAll(notes(system));
        }
        return notes;
    }

    private static List<String> ofAttachment(LibraryProfile profile, LibraryProfile.Attachment attachment) {
        List<String> notes = new ArrayList<>();
        boolean isProbed = profile.method().equals("uprobes");
        notes.add(isProbed ? ofProbes(profile, attachment) : ofSamples(profile, attachment));
        notes.add(cost(attachment));
        for (LibraryProfile.Cut cut : attachment.cuts()) {
            notes.add(String.format(
                    Locale.ROOT,
                    "%s lost its probes after %.2f s and %s, because they cost more than the limit permits. From then on,"
                            + " its duration is from samples of waiting threads.",
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

    private static String ofProbes(LibraryProfile profile, LibraryProfile.Attachment attachment) {
        return String.format(
                Locale.ROOT,
                "Measured by uprobes for %.1f s, at %s. A call took %.1f µs longer (measured on this machine at the start).",
                profile.wallSeconds(),
                switch (attachment.choice()) {
                    case "asked" -> "the functions that were asked for";
                    case "imports" ->
                        "the functions that the program imports, because it calls none of them through a linkage table";
                    default -> "the functions in which a second of samples saw the threads";
                },
                profile.overhead().nanosecondsPerCall() / Units.NS_PER_US);
    }

    private static String ofSamples(LibraryProfile profile, LibraryProfile.Attachment attachment) {
        return String.format(
                Locale.ROOT,
                "Measured by samples of waiting threads for %.1f s: %s. Calls are not counted, and the time of a thread on a"
                        + " processor is in the non-library time.",
                profile.wallSeconds(),
                String.join("; ", attachment.noProbes()));
    }

    /** Says what the observation cost, and whether that is within its limit. */
    private static String cost(LibraryProfile.Attachment attachment) {
        LibraryProfile.Cost cost = attachment.cost();
        return String.format(
                Locale.ROOT,
                "The observation cost %.1f %% of one processor; the limit was %.1f %%. %s took %.3f s longer, setting and"
                        + " watching the probes %.3f s, samples %.3f s.%s",
                attachment.costPercent(),
                attachment.limitPercent(),
                Format.counted(cost.traps(), "call"),
                cost.trapSeconds(),
                cost.recorderSeconds(),
                cost.samplerSeconds(),
                attachment.costPercent() > attachment.limitPercent()
                        ? " It is more than the limit: the time was too short to take the probes away in time."
                        : "");
    }

    /** Returns what is to be known about the account of waits. */
    static List<String> notes(SystemAccount account) {
        List<String> notes = new ArrayList<>();
        SystemAccount.Waits conditions = account.conditions();
        if (account.locks().isEmpty()) {
            notes.add("No thread waited for a mutex.");
        }
        if (conditions.waits() > 0) {
            notes.add(String.format(
                    Locale.ROOT,
                    "Not in the table of locks: %s until another thread went on, %.6f s together, the longest %.6f s. They are"
                            + " at conditions, semaphores and the ends of threads; a JVM waits for its monitors so.",
                    Format.counted(conditions.waits(), "wait"),
                    conditions.seconds(),
                    conditions.longestSeconds()));
        }
        if (account.lost() > 0) {
            notes.add("The account of waits and system calls is not complete: "
                    + Format.counted(account.lost(), "thread, call or lock", "threads, calls or locks")
                    + " found no room in it.");
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
                overhead.nanosecondsPerCall() / Units.NS_PER_US,
                overhead.insideNanosecondsPerCall() / Units.NS_PER_US,
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
