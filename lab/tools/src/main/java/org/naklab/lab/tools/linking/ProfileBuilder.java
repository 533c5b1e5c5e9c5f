package org.naklab.lab.tools.linking;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.naklab.lab.core.Units;
import org.naklab.lab.tools.linking.LibraryCallTable.FunctionEntry;
import org.naklab.lab.tools.linking.LibraryCallTable.ThreadEntry;

/**
 * Adds up a table. The time after the last event of a thread counts for the call that it was in, so that a program which was killed in a call has
 * the call in its table.
 */
final class ProfileBuilder {
    private static final double PERCENT = 100;

    private final LibraryCallTable table;
    private final long pid;
    private final long endNs;

    /** Calls and self time by name and library. */
    static final class Sums {
        private final Map<FunctionKey, long[]> sums =
                new TreeMap<>(Comparator.comparing(FunctionKey::name).thenComparing(FunctionKey::library));
        private long entireNs;
        private long otherNs;

        /** Adds calls, whose time is part of the entire time; that is not changed. */
        void add(FunctionKey function, long calls, long selfNs) {
            long[] sum = sums.computeIfAbsent(function, any -> new long[2]);
            sum[0] += calls;
            sum[1] += selfNs;
        }

        List<LibraryProfile.Function> functions() {
            return sums.entrySet().stream()
                    .map(entry -> new LibraryProfile.Function(
                            entry.getKey().name(),
                            entry.getKey().library(),
                            entry.getValue()[1] / Units.NS_PER_S,
                            entireNs == 0 ? 0 : PERCENT * entry.getValue()[1] / entireNs,
                            entry.getValue()[0]))
                    .sorted(Comparator.comparingDouble(LibraryProfile.Function::seconds)
                            .reversed()
                            .thenComparing(LibraryProfile.Function::name))
                    .toList();
        }

        /** Says how long all of it took, at least as long as the functions; the rest is outside of them. */
        void complete(long wholeNs) {
            long insideNs = sums.values().stream().mapToLong(sum -> sum[1]).sum();
            entireNs = Math.max(wholeNs, insideNs);
            otherNs = entireNs - insideNs;
        }

        double entireSeconds() {
            return entireNs / Units.NS_PER_S;
        }

        double otherSeconds() {
            return otherNs / Units.NS_PER_S;
        }

        long entireNs() {
            return entireNs;
        }

        long calls() {
            return sums.values().stream().mapToLong(sum -> sum[0]).sum();
        }
    }

    record FunctionKey(String name, String library) {}

    /**
     * @param pid of the program that was started
     * @param endNs when it ended, CLOCK_MONOTONIC in ns
     */
    ProfileBuilder(LibraryCallTable table, long pid, long endNs) {
        this.table = table;
        this.pid = pid;
        this.endNs = endNs;
    }

    /** Returns the profile; the overhead has the calls, and what one costs is to be filled in. */
    LibraryProfile build(List<String> command, int exitCode, long beginNs, @Nullable Gauge gauge, boolean withThreads) {
        Sums whole = new Sums();
        List<LibraryProfile.ThreadProfile> threads = new ArrayList<>();
        Map<Long, Long> nextBegins = new HashMap<>();
        List<ThreadEntry> entries = table.threads();
        for (int i = entries.size() - 1; i >= 0; i--) {
            ThreadEntry thread = entries.get(i);
            long id =
                    ((long) thread.task().pid() << Integer.SIZE) | thread.task().tid();
            add(thread, nextBegins.get(id), whole, threads);
            nextBegins.put(id, thread.times().beginNs());
        }
        threads.sort(Comparator.comparingDouble(LibraryProfile.ThreadProfile::entireSeconds)
                .reversed());
        double perCall = gauge == null ? 0 : gauge.nanosecondsPerCall();
        return new LibraryProfile(
                command,
                pid,
                "plt-hooks",
                exitCode,
                (endNs - beginNs) / Units.NS_PER_S,
                whole.entireNs / Units.NS_PER_S,
                whole.otherNs / Units.NS_PER_S,
                whole.functions(),
                withThreads ? threads : null,
                new LibraryProfile.Overhead(
                        perCall,
                        gauge == null ? 0 : gauge.insideNanosecondsPerCall(),
                        whole.calls(),
                        perCall * whole.calls() / Units.NS_PER_S),
                table.lostCalls(),
                entries.stream().mapToLong(ThreadEntry::abandoned).sum(),
                notTimed(),
                null,
                null,
                table.notLoaded());
    }

    private List<String> notTimed() {
        return table.threads().stream()
                .flatMap(thread -> thread.counters().keySet().stream())
                .distinct()
                .map(table.functions()::get)
                .filter(function -> !function.isTimed())
                .map(FunctionEntry::name)
                .distinct()
                .sorted()
                .toList();
    }

    private void add(
            ThreadEntry thread, @Nullable Long nextBeginNs, Sums whole, List<LibraryProfile.ThreadProfile> threads) {
        long restNs = Math.max(0, endOf(thread, nextBeginNs) - thread.times().markNs());
        boolean isInCall = !thread.openFunctions().isEmpty();
        Sums own = new Sums();
        own.otherNs = thread.times().otherNs() + (isInCall ? 0 : restNs);
        own.entireNs = own.otherNs + (isInCall ? restNs : 0);
        thread.counters().forEach((function, counter) -> {
            own.entireNs += counter.selfNs();
            own.add(key(function), counter.calls(), counter.selfNs());
        });
        if (isInCall) {
            own.add(key(thread.openFunctions().get(thread.openFunctions().size() - 1)), 0, restNs);
        }
        own.sums.forEach((function, sum) -> whole.add(function, sum[0], sum[1]));
        whole.entireNs += own.entireNs;
        whole.otherNs += own.otherNs;
        threads.add(new LibraryProfile.ThreadProfile(
                thread.task().name(),
                thread.task().pid(),
                thread.task().tid(),
                thread.task().threads(),
                own.entireNs / Units.NS_PER_S,
                own.otherNs / Units.NS_PER_S,
                own.functions()));
    }

    /**
     * When a thread ended. The end of a thread that is in no call is not seen but for that of a program: it is taken to have ended with its last
     * call.
     */
    private long endOf(ThreadEntry thread, @Nullable Long nextBeginNs) {
        if (nextBeginNs != null) {
            // The process has executed another program.
            return nextBeginNs;
        }
        if (thread.times().endNs() != 0) {
            return thread.times().endNs();
        }
        boolean isOfProgram = thread.task().pid() == pid;
        if (isOfProgram && (thread.task().isMain() || !thread.openFunctions().isEmpty())) {
            return endNs;
        }
        return thread.openFunctions().isEmpty()
                ? thread.times().markNs()
                : table.threads().stream()
                        .filter(other -> other.task().pid() == thread.task().pid())
                        .mapToLong(other ->
                                Math.max(other.times().endNs(), other.times().markNs()))
                        .max()
                        .orElse(thread.times().markNs());
    }

    private FunctionKey key(int function) {
        FunctionEntry entry = table.functions().get(function);
        return new FunctionKey(entry.name(), entry.library());
    }

    /** Tells what one call costs. */
    record Gauge(double nanosecondsPerCall, double insideNanosecondsPerCall) {
        /** Compares a program that calls one function with and without the profiler. */
        static Gauge of(double plainNs, double profiledNs, LibraryProfile profile) {
            double insideNs = profile.functions().stream()
                    .max(Comparator.comparingLong(LibraryProfile.Function::calls))
                    .map(function -> function.seconds() * Units.NS_PER_S / function.calls())
                    .orElse(0.0);
            double perCallNs = Math.max(0, profiledNs - plainNs);
            // The mean of all calls, some of which may have lost their processor.
            return new Gauge(perCallNs, Math.min(perCallNs, Math.max(0, insideNs - plainNs)));
        }
    }
}
