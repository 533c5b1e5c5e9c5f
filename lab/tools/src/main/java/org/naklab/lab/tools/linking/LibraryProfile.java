package org.naklab.lab.tools.linking;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Says where the time of a program went, by the library functions that it called. {@code nonLibrarySeconds} and the seconds of all functions
 * add up to {@code entireSeconds}.
 *
 * @param method how calls were seen: {@code plt-hooks}; of a running program {@code uprobes} or {@code samples}
 * @param exitCode of the program; 128 + N if signal N ended it; 0 of a program that was attached to
 * @param wallSeconds from the start of the program to its end
 * @param entireSeconds the life of all threads that called a function, together; of a program with one thread, the wall time
 * @param nonLibrarySeconds outside of all functions that were called through a linkage table
 * @param functions the longest first
 * @param threads null unless asked for
 * @param lostCalls calls that found no room in the table
 * @param abandonedCalls calls that were left by {@code longjmp} or an exception
 * @param notTimed functions that were counted only, because they must be called directly
 * @param attachment of a program that ran already, or has no linkage table; null where calls were hooked
 * @param system where the wall time of the threads went, and the system calls; null unless asked for
 * @param notLoaded programs, the started one and those that it became or started, that the dynamic linker began to load and did not start: it has said why
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record LibraryProfile(
        List<String> command,
        long pid,
        String method,
        int exitCode,
        double wallSeconds,
        double entireSeconds,
        double nonLibrarySeconds,
        List<Function> functions,
        @Nullable List<ThreadProfile> threads,
        Overhead overhead,
        long lostCalls,
        long abandonedCalls,
        List<String> notTimed,
        @Nullable Attachment attachment,
        @Nullable SystemAccount system,
        long notLoaded) {
    /**
     * Is one function.
     *
     * @param library file name of the library that defines it
     * @param seconds its self time: without the time of the functions that it called through a linkage table
     * @param percent of the entire time
     */
    public record Function(String name, String library, double seconds, double percent, long calls) {}

    /**
     * Is one thread, of the program or of one that it has started.
     *
     * @param threads more than 1: threads that had the same place in the table one after the other
     */
    public record ThreadProfile(
            String name,
            int pid,
            int tid,
            int threads,
            double entireSeconds,
            double nonLibrarySeconds,
            List<Function> functions) {}

    /**
     * Is what the profiler costs, as measured on this machine when it was started.
     *
     * @param nanosecondsPerCall what a call takes longer
     * @param insideNanosecondsPerCall the part of it that is in the duration of the function; the rest is in that of its caller
     * @param calls of the program
     * @param seconds of all calls
     */
    public record Overhead(double nanosecondsPerCall, double insideNanosecondsPerCall, long calls, double seconds) {}

    /**
     * Says how a running program was looked at.
     *
     * @param choice where the functions came from: {@code asked}, {@code samples}, or {@code imports} of a program that was started
     * @param limitPercent the most that probes and samples may cost, in percent of one processor
     * @param costPercent what they cost, over the whole time
     * @param cost the parts of {@code costPercent}
     * @param cuts functions that lost their probes to the limit
     * @param noProbes why functions, or all of them, have no probes
     */
    public record Attachment(
            String choice, double limitPercent, double costPercent, Cost cost, List<Cut> cuts, List<String> noProbes) {}

    /**
     * Is what a running program and its machine paid for being looked at, in seconds of a processor.
     *
     * @param traps calls of functions with probes, also those before the count and after it
     * @param trapSeconds what they took longer
     * @param recorderSeconds of the program that sets the probes
     * @param samplerSeconds of the samples of waiting threads
     * @param wholeSeconds from the begin of the choice of functions to the end of the last probe, of the clock
     */
    public record Cost(
            long traps, double trapSeconds, double recorderSeconds, double samplerSeconds, double wholeSeconds) {}

    /**
     * Is a function whose calls cost more than the limit.
     *
     * @param calls until it lost its probes
     * @param afterSeconds when it did
     */
    public record Cut(String name, long calls, double afterSeconds) {}

    /**
     * Returns it with the longest functions only; their seconds no longer add up.
     *
     * @param count at least 1
     */
    public LibraryProfile top(int count) {
        return new LibraryProfile(
                command,
                pid,
                method,
                exitCode,
                wallSeconds,
                entireSeconds,
                nonLibrarySeconds,
                first(functions, count),
                threads == null
                        ? null
                        : threads.stream()
                                .map(thread -> new ThreadProfile(
                                        thread.name,
                                        thread.pid,
                                        thread.tid,
                                        thread.threads,
                                        thread.entireSeconds,
                                        thread.nonLibrarySeconds,
                                        first(thread.functions, count)))
                                .toList(),
                overhead,
                lostCalls,
                abandonedCalls,
                notTimed,
                attachment,
                system,
                notLoaded);
    }

    /** Returns it with an account of waits and system calls. */
    public LibraryProfile with(SystemAccount account) {
        return new LibraryProfile(
                command,
                pid,
                method,
                exitCode,
                wallSeconds,
                entireSeconds,
                nonLibrarySeconds,
                functions,
                threads,
                overhead,
                lostCalls,
                abandonedCalls,
                notTimed,
                attachment,
                account,
                notLoaded);
    }

    /** Returns it as that of a program that was started and has ended. */
    LibraryProfile ended(List<String> program, int code, long programsNotLoaded) {
        return new LibraryProfile(
                program,
                pid,
                method,
                code,
                wallSeconds,
                entireSeconds,
                nonLibrarySeconds,
                functions,
                threads,
                overhead,
                lostCalls,
                abandonedCalls,
                notTimed,
                attachment,
                system,
                programsNotLoaded);
    }

    private static List<Function> first(List<Function> functions, int count) {
        return functions.subList(0, Math.min(count, functions.size()));
    }

    /** Returns the number of calls that are in the table. */
    public long calls() {
        return overhead.calls();
    }
}
