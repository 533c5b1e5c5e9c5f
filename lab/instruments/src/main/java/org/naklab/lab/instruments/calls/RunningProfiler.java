package org.naklab.lab.instruments.calls;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.naklab.lab.core.InputException;
import org.naklab.lab.core.UnavailableException;
import org.naklab.lab.core.UsageException;
import org.naklab.lab.instruments.calls.ProfileBuilder.FunctionKey;
import org.naklab.lab.instruments.calls.ProfileBuilder.Sums;
import org.naklab.lab.instruments.linking.LibraryFunctions;
import org.naklab.lab.instruments.linking.LibraryFunctions.Place;

/**
 * Profiles the library calls of a program that runs already: a choice of functions by uprobes, or, where these are missing, by samples of what its threads
 * wait in. Without a choice, it takes the functions in which a first second of samples has seen the threads.
 */
public final class RunningProfiler {
    /** The functions that are chosen without the user. */
    static final int CHOSEN = 8;

    private static final String UPROBES = "uprobes";
    private static final String SAMPLES = "samples";
    private static final long INTERVAL_NS = TimeUnit.MILLISECONDS.toNanos(10);
    private static final long CHOICE_NS = TimeUnit.SECONDS.toNanos(1);
    private static final double NS_PER_S = 1e9;
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

    /** Sets the probes; as {@link FunctionProbes#set}. */
    interface ProbeSetter {
        FunctionProbes set(Path files, long pid, List<Place> functions, double limitPercent);
    }

    /**
     * Prepares to look at a process.
     *
     * @param files an empty directory from which programs may be executed
     * @param limitPercent of the time of one processor that the calls may cost
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
        List<String> command = command();
        try (LibraryFunctions functions = LibraryFunctions.of(pid)) {
            List<String> reasons = new ArrayList<>();
            List<Place> places = names.isEmpty() ? chosen(functions, reasons) : find(functions, names);
            @Nullable FunctionProbes probes = probes(places, names.isEmpty(), reasons);
            WaitSampler sampler = new WaitSampler(pid, functions);
            long beginNs = System.nanoTime();
            // Before the first call, so that a thread is seen for at least as long as its calls.
            boolean unused = sampler.look();
            if (probes == null) {
                sample(sampler, durationNs);
                return build(command, beginNs, sampler, places, null, 0, names, reasons, withThreads);
            }
            try (probes) {
                probes.start();
                sample(sampler, durationNs);
                FunctionProbes.Counted counted = probes.end();
                probes.refused()
                        .forEach(one -> reasons.add(
                                places.get(one.function()).function().name() + ": " + one.message()));
                return build(command, beginNs, sampler, places, counted, probes.costNs(), names, reasons, withThreads);
            }
        } catch (IOException e) {
            throw new InputException("cannot look at process " + pid + ": " + e.getMessage(), e);
        }
    }

    private List<String> command() {
        try {
            String line = Files.readString(Path.of("/proc", Long.toString(pid), "cmdline"), StandardCharsets.UTF_8);
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
            places.add(first);
        }
        return places;
    }

    private List<Place> chosen(LibraryFunctions functions, List<String> reasons) {
        WaitSampler sampler = new WaitSampler(pid, functions);
        sample(sampler, CHOICE_NS);
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
    private @Nullable FunctionProbes probes(List<Place> places, boolean mayBeMissing, List<String> reasons) {
        if (places.isEmpty()) {
            return null;
        }
        try {
            return setter.set(files, pid, places, limitPercent);
        } catch (UnavailableException e) {
            if (!mayBeMissing) {
                throw e;
            }
            reasons.add(String.valueOf(e.getMessage()));
            return null;
        }
    }

    private void sample(WaitSampler sampler, long durationNs) {
        long endNs = System.nanoTime() + durationNs;
        while (!isEnded.getAsBoolean() && endNs - System.nanoTime() > 0 && sampler.look()) {
            LockSupport.parkNanos(Math.min(INTERVAL_NS, endNs - System.nanoTime()));
        }
        boolean unused = sampler.look();
    }

    private LibraryProfile build(
            List<String> command,
            long beginNs,
            WaitSampler sampler,
            List<Place> places,
            FunctionProbes.@Nullable Counted counted,
            double costNs,
            List<String> names,
            List<String> reasons,
            boolean withThreads) {
        long elapsedNs = counted == null ? System.nanoTime() - beginNs : counted.elapsedNs();
        Map<Integer, Map<Place, long[]>> sums =
                counted == null ? ofSamples(sampler) : ofProbes(sampler, places, counted);
        Sums whole = new Sums();
        long wholeNs = 0;
        List<LibraryProfile.ThreadProfile> threads = new ArrayList<>();
        for (Map.Entry<Integer, Map<Place, long[]>> entry : sums.entrySet()) {
            WaitSampler.ThreadSamples seen = sampler.threads().get(entry.getKey());
            Sums own = new Sums();
            entry.getValue().forEach((place, sum) -> {
                FunctionKey key = new FunctionKey(place.function().name(), place.libraryName());
                own.add(key, sum[0], sum[1]);
                whole.add(key, sum[0], sum[1]);
            });
            own.complete(seen == null ? 0 : seen.lengthNs());
            wholeNs += own.entireNs();
            threads.add(new LibraryProfile.ThreadProfile(
                    seen == null ? "?" : seen.name(),
                    (int) pid,
                    entry.getKey(),
                    1,
                    own.entireSeconds(),
                    own.otherSeconds(),
                    own.functions()));
        }
        whole.complete(wholeNs);
        threads.sort(Comparator.comparingDouble(LibraryProfile.ThreadProfile::entireSeconds)
                .reversed());
        long hits = counted == null ? 0 : counted.hits();
        return new LibraryProfile(
                command,
                pid,
                counted == null ? SAMPLES : UPROBES,
                0,
                elapsedNs / NS_PER_S,
                whole.entireSeconds(),
                whole.otherSeconds(),
                whole.functions(),
                withThreads ? threads : null,
                new LibraryProfile.Overhead(costNs, costNs, hits, costNs * hits / NS_PER_S),
                counted == null ? 0 : counted.lost(),
                0,
                List.of(),
                new LibraryProfile.Attachment(
                        names.isEmpty() ? SAMPLES : "asked",
                        limitPercent,
                        counted == null ? 0 : PERCENT * costNs * hits / counted.elapsedNs(),
                        counted == null ? List.of() : cuts(places, counted),
                        reasons),
                null);
    }

    private static List<LibraryProfile.Cut> cuts(List<Place> places, FunctionProbes.Counted counted) {
        return counted.cuts().stream()
                .map(cut -> new LibraryProfile.Cut(
                        places.get(cut.function()).function().name(), cut.calls(), cut.afterNs() / NS_PER_S))
                .toList();
    }

    /** Returns calls, which are not known, and time by thread and function. */
    private static Map<Integer, Map<Place, long[]>> ofSamples(WaitSampler sampler) {
        Map<Integer, Map<Place, long[]>> sums = new TreeMap<>();
        sampler.threads().forEach((tid, thread) -> {
            Map<Place, long[]> own = new HashMap<>();
            thread.waitsNs().forEach((place, ns) -> own.put(place, new long[] {0, ns}));
            sums.put(tid, own);
        });
        return sums;
    }

    /**
     * Adds to the calls what the probes cannot see, by samples: the calls of a function that has lost its probes, and those that had begun before and did not
     * return.
     */
    private static Map<Integer, Map<Place, long[]>> ofProbes(
            WaitSampler sampler, List<Place> places, FunctionProbes.Counted counted) {
        Map<Integer, Map<Place, long[]>> sums = new TreeMap<>();
        sampler.threads().keySet().forEach(tid -> sums.put(tid, new HashMap<>()));
        for (FunctionProbes.Calls calls : counted.calls()) {
            sums.computeIfAbsent(calls.tid(), any -> new HashMap<>())
                    .put(places.get(calls.function()), new long[] {calls.calls(), calls.ns()});
        }
        Set<Integer> cut = new HashSet<>();
        counted.cuts().forEach(one -> cut.add(one.function()));
        for (int function = 0; function < places.size(); function++) {
            Place place = places.get(function);
            boolean isCut = cut.contains(function);
            sampler.threads().forEach((tid, thread) -> {
                long sampledNs = thread.waitsNs().getOrDefault(place, 0L);
                Map<Place, long[]> own = sums.computeIfAbsent(tid, any -> new HashMap<>());
                long[] known = own.get(place);
                if (sampledNs > 0 && (known == null || (isCut && known[1] < sampledNs))) {
                    own.put(place, new long[] {known == null ? 0 : known[0], sampledNs});
                }
            });
        }
        return sums;
    }
}
