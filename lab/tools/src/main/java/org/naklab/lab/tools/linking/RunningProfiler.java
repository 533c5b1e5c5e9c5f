package org.naklab.lab.tools.linking;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BiFunction;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.naklab.lab.core.InputException;
import org.naklab.lab.core.UnavailableException;
import org.naklab.lab.core.UsageException;
import org.naklab.lab.core.process.ProcPaths;
import org.naklab.lab.instruments.linking.LibraryFunctions;
import org.naklab.lab.instruments.linking.LibraryFunctions.Place;

/**
 * Profiles the library calls of a program that runs already: a choice of functions by uprobes, or, where these are missing, by samples of what its threads
 * wait in. Without a choice, it takes the functions in which a first second of samples has seen the threads.
 */
public final class RunningProfiler {
    /** The functions that are chosen without the user. */
    static final int CHOSEN = 8;

    /** The most functions of those that a program imports. */
    private static final int IMPORTED = 200;

    /** The part of the limit that samples may cost; the probes may cost the rest. */
    private static final double SAMPLES_SHARE = 0.3;

    private static final long INTERVAL_NS = TimeUnit.MILLISECONDS.toNanos(10);
    private static final long CHOICE_NS = TimeUnit.SECONDS.toNanos(1);
    private static final long BURST_NS = TimeUnit.SECONDS.toNanos(1);
    private static final double PERCENT = 100;
    /** They return twice, or not to their caller: a probe at their return would break the program. */
    private static final Set<String> UNSAFE = Set.of(
            "setjmp",
            "_setjmp",
            "sigsetjmp",
            "__sigsetjmp",
            "longjmp",
            "siglongjmp",
            "vfork",
            "getcontext",
            "setcontext",
            "swapcontext",
            "__cxa_throw",
            "__cxa_rethrow",
            "_Unwind_RaiseException",
            "_Unwind_Resume");

    private final long pid;
    private final Path files;
    private final double limitPercent;
    private final BooleanSupplier isEnded;
    private final ProbeSetter setter;
    private long choiceCostNs;

    /** Functions, and where they came from. */
    private record Choice(String how, List<Place> places) {}

    /** Sets the probes; as {@link FunctionProbes#set}. */
    interface ProbeSetter {
        FunctionProbes set(Path files, long pid, List<Place> functions, double limitPercent, long durationNs);
    }

    /**
     * Prepares to look at a process.
     *
     * @param files an empty directory from which programs may be executed
     * @param limitPercent of the time of one processor that probes and samples may cost
     * @param isEnded asked many times a second: true ends the observation early
     */
    public RunningProfiler(long pid, Path files, double limitPercent, BooleanSupplier isEnded) {
        this(pid, files, limitPercent, isEnded, FunctionProbes::set);
    }

    RunningProfiler(long pid, Path files, double limitPercent, BooleanSupplier isEnded, ProbeSetter setter) {
        this.setter = setter;
        this.pid = pid;
        this.files = files;
        this.limitPercent = limitPercent;
        this.isEnded = isEnded;
    }

    /**
     * Looks at the process until the time is over, it has ended, or the observation is ended.
     *
     * @param names functions of its libraries; empty: those that the first samples show
     * @param durationNs how long to look after the choice, ns
     * @param withThreads whether the profile has the threads one by one
     * @throws InputException there is no such process, or it may not be looked at
     * @throws UsageException a function cannot be probed: says why
     * @throws UnavailableException functions were chosen and there are no uprobes: says why
     */
    public LibraryProfile profile(List<String> names, long durationNs, boolean withThreads) {
        return profile(
                durationNs,
                withThreads,
                (functions, reasons) -> names.isEmpty()
                        ? new Choice(AttachedProfile.SAMPLES, chosen(functions, reasons))
                        : new Choice(AttachedProfile.ASKED, find(functions, names)));
    }

    /**
     * Looks at the functions that the program needs of its libraries; of a program that needs none, at those that the first samples show.
     *
     * @param durationNs how long to look after the choice, ns
     * @param withThreads whether the profile has the threads one by one
     * @throws InputException there is no such process, or it may not be looked at
     */
    LibraryProfile profileImports(long durationNs, boolean withThreads) {
        return profile(durationNs, withThreads, (functions, reasons) -> {
            List<Place> imported = functions.imported().stream()
                    .filter(name -> !UNSAFE.contains(name))
                    .flatMap(name -> functions.named(name).stream().limit(1))
                    .filter(place -> !place.function().isChosenAtRunTime())
                    .limit(IMPORTED)
                    .toList();
            return imported.isEmpty()
                    ? new Choice(AttachedProfile.SAMPLES, chosen(functions, reasons))
                    : new Choice(AttachedProfile.IMPORTS, imported);
        });
    }

    private LibraryProfile profile(
            long durationNs, boolean withThreads, BiFunction<LibraryFunctions, List<String>, Choice> chooser) {
        List<String> command = command();
        long beginNs = System.nanoTime();
        try (LibraryFunctions functions = LibraryFunctions.of(pid)) {
            List<String> reasons = new ArrayList<>();
            Choice choice = chooser.apply(functions, reasons);
            List<Place> places = choice.places();
            @Nullable
            FunctionProbes probes = probes(places, !choice.how().equals(AttachedProfile.ASKED), durationNs, reasons);
            WaitSampler sampler = new WaitSampler(pid, functions);
            long countedNs = System.nanoTime();
            // Before the first call, so that a thread is seen for at least as long as its calls.
            boolean unused = sampler.look();
            AttachedProfile profile = new AttachedProfile(pid, command, sampler, places, limitPercent);
            if (probes == null) {
                sample(sampler, durationNs, limitPercent, () -> {});
                long endNs = System.nanoTime();
                return profile.ofSamples(
                        choice.how(), endNs - countedNs, choiceCostNs, endNs - beginNs, reasons, withThreads);
            }
            try (probes) {
                probes.start();
                sample(sampler, durationNs, limitPercent * SAMPLES_SHARE, () -> probes.newCuts()
                        .forEach(cut -> sampler.restart(places.get(cut.function()))));
                FunctionProbes.Counted counted = probes.end();
                probes.refused()
                        .forEach(one -> reasons.add(
                                places.get(one.function()).function().name() + ": " + one.message()));
                return profile.ofProbes(
                        choice.how(),
                        counted,
                        probes.costNs(),
                        choiceCostNs,
                        System.nanoTime() - beginNs,
                        reasons,
                        withThreads);
            }
        } catch (IOException e) {
            throw new InputException("cannot look at process " + pid + ": " + e.getMessage(), e);
        }
    }

    private List<String> command() {
        try {
            String line = Files.readString(ProcPaths.of(pid, "cmdline"), StandardCharsets.UTF_8);
            return line.isEmpty()
                    ? List.of("process " + pid)
                    : List.of(line.substring(0, line.length() - 1).split("\0", -1));
        } catch (IOException e) {
            throw new InputException("there is no process " + pid, e);
        }
    }

    private static List<Place> find(LibraryFunctions functions, List<String> names) {
        List<Place> places = new ArrayList<>();
        for (String name : names) {
            if (UNSAFE.contains(name)) {
                throw new UsageException(
                        name + " cannot be probed: it returns twice or not to its caller, and the program would break");
            }
            List<Place> found = functions.named(name);
            if (found.isEmpty()) {
                throw new UsageException("no library of the process has a function " + name);
            }
            Place first = found.get(0);
            if (first.function().isChosenAtRunTime()) {
                throw new UsageException(name + " cannot be probed: " + first.libraryName()
                        + " chooses one of several functions for this name when it is bound (IFUNC)");
            }
            // Each library that has a function of this name: which of them a caller reaches is not known from outside.
            found.stream()
                    .filter(place -> !place.function().isChosenAtRunTime() && !places.contains(place))
                    .forEach(places::add);
        }
        return places;
    }

    private List<Place> chosen(LibraryFunctions functions, List<String> reasons) {
        WaitSampler sampler = new WaitSampler(pid, functions);
        sample(sampler, CHOICE_NS, limitPercent, () -> {});
        choiceCostNs = sampler.spentNs();
        List<Place> places = sampler.longest(CHOSEN).stream()
                .filter(place -> !place.function().isChosenAtRunTime()
                        && !UNSAFE.contains(place.function().name()))
                .toList();
        if (places.isEmpty()) {
            reasons.add(
                    "no thread was seen waiting in a library function for a second; name functions with --function");
        }
        return places;
    }

    /** Returns null where samples take their place. */
    private @Nullable FunctionProbes probes(
            List<Place> places, boolean mayBeMissing, long durationNs, List<String> reasons) {
        if (places.isEmpty()) {
            return null;
        }
        try {
            return setter.set(files, pid, places, limitPercent * (1 - SAMPLES_SHARE), durationNs);
        } catch (UnavailableException e) {
            if (!mayBeMissing) {
                throw e;
            }
            reasons.add(String.valueOf(e.getMessage()));
            return null;
        }
    }

    /** Looks every 10 ms, or as often as the limit permits. A part of what the looks may cost is spent at once, and the rest in even shares. */
    private void sample(WaitSampler sampler, long durationNs, double percent, Runnable afterLook) {
        double share = percent / PERCENT;
        long beginNs = System.nanoTime();
        long endNs = beginNs + durationNs;
        long burstNs = Math.min(BURST_NS, durationNs / 2);
        while (!isEnded.getAsBoolean() && endNs - System.nanoTime() > 0 && sampler.look()) {
            afterLook.run();
            long dueNs = beginNs - burstNs + (long) (sampler.spentNs() / share);
            long untilNs = Math.min(endNs, Math.max(dueNs, System.nanoTime() + INTERVAL_NS));
            while (!isEnded.getAsBoolean() && untilNs - System.nanoTime() > 0) {
                LockSupport.parkNanos(Math.min(INTERVAL_NS, untilNs - System.nanoTime()));
            }
        }
        boolean unused = sampler.look();
    }
}
