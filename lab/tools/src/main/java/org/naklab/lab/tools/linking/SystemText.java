package org.naklab.lab.tools.linking;

import java.util.List;
import java.util.Locale;

/** The cells of the tables of waits and system calls, for the terminal and for the page. */
final class SystemText {
    static final String TITLE = "Where the time of the threads went, % of the life of each";
    static final List<String> THREAD_HEAD =
            List.of("Thread", "Life, s", "CPU", "Runnable", "Fault", "Lock", "Disk", "Poll", "Sleep", "Other");
    static final String CALLS_TITLE = "System calls of all threads, seconds";
    static final List<String> CALL_HEAD =
            List.of("Call", "Calls", "Errors", "Total", "Mean", "Longest", "Waiting", "CPU");

    static final String LOCKS_TITLE = "Locks for which threads waited, seconds";
    static final List<String> LOCK_HEAD =
            List.of("Held most by", "Waits", "Total", "Longest", "Longest waiter", "Address");

    private static final double PERCENT = 100;

    private SystemText() {}

    static List<String> cells(SystemAccount.ThreadAccount thread) {
        SystemAccount.Parts parts = thread.parts();
        return List.of(
                thread.name() + " (" + thread.tid() + ")",
                String.format(Locale.ROOT, "%.3f", thread.seconds()),
                share(parts.onProcessor(), thread),
                share(parts.runnable(), thread),
                share(parts.pageFault(), thread),
                share(parts.lock(), thread),
                share(parts.disk(), thread),
                share(parts.poll(), thread),
                share(parts.sleep(), thread),
                share(parts.other(), thread));
    }

    private static String share(double seconds, SystemAccount.ThreadAccount thread) {
        return String.format(Locale.ROOT, "%.1f", thread.seconds() == 0 ? 0 : PERCENT * seconds / thread.seconds());
    }

    static List<String> cells(SystemAccount.SystemCall call) {
        return List.of(
                call.name(),
                Long.toString(call.calls()),
                Long.toString(call.errors()),
                seconds(call.times().seconds()),
                seconds(call.times().meanSeconds()),
                seconds(call.times().longestSeconds()),
                seconds(call.times().waitingSeconds()),
                seconds(call.times().cpuSeconds()));
    }

    static List<String> cells(SystemAccount.Lock lock) {
        return List.of(
                lock.holder().isEmpty() ? "unknown" : lock.holder(),
                Long.toString(lock.waits().waits()),
                seconds(lock.waits().seconds()),
                seconds(lock.waits().longestSeconds()),
                lock.longestWaiter(),
                lock.address());
    }

    private static String seconds(double value) {
        return String.format(Locale.ROOT, "%.6f", value);
    }
}
