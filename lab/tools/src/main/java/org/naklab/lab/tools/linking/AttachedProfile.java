package org.naklab.lab.tools.linking;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.naklab.lab.core.Units;
import org.naklab.lab.instruments.linking.LibraryFunctions.Place;
import org.naklab.lab.tools.linking.ProfileBuilder.FunctionKey;
import org.naklab.lab.tools.linking.ProfileBuilder.Sums;

/** Adds up what uprobes and samples have seen of a program that ran already. */
final class AttachedProfile {
    private static final String UPROBES = "uprobes";
    static final String SAMPLES = "samples";
    static final String ASKED = "asked";
    static final String IMPORTS = "imports";
    private static final double PERCENT = 100;

    private final long pid;
    private final List<String> command;
    private final WaitSampler sampler;
    private final List<Place> places;
    private final double limitPercent;

    /** Calls and time of a thread in a function. */
    private record Sum(long calls, long ns) {}

    /** @param places the functions, by their number */
    AttachedProfile(long pid, List<String> command, WaitSampler sampler, List<Place> places, double limitPercent) {
        this.pid = pid;
        this.command = command;
        this.sampler = sampler;
        this.places = places;
        this.limitPercent = limitPercent;
    }

    /**
     * Returns the profile where there are no probes.
     *
     * @param choice where the functions came from
     * @param choiceCostNs what the choice of the functions has cost
     * @param wholeNs from the begin of the choice to now
     */
    LibraryProfile ofSamples(
            String choice, long elapsedNs, long choiceCostNs, long wholeNs, List<String> reasons, boolean withThreads) {
        Map<Integer, Map<Place, Sum>> sums = new TreeMap<>();
        sampler.threads().forEach((tid, thread) -> {
            Map<Place, Sum> own = new HashMap<>();
            thread.waitsNs().forEach((place, ns) -> own.put(place, new Sum(0, ns)));
            sums.put(tid, own);
        });
        LibraryProfile.Cost cost = new LibraryProfile.Cost(
                0, 0, 0, (choiceCostNs + sampler.spentNs()) / Units.NS_PER_S, wholeNs / Units.NS_PER_S);
        return build(sums, null, 0, elapsedNs, attachment(choice, cost, List.of(), reasons), withThreads);
    }

    /**
     * Returns the profile of calls, and of samples where the probes cannot see.
     *
     * @param choice where the functions came from
     * @param costNs of one call
     * @param choiceCostNs what the choice of the functions has cost
     * @param wholeNs from the begin of the choice to now
     */
    LibraryProfile ofProbes(
            String choice,
            FunctionProbes.Counted counted,
            double costNs,
            long choiceCostNs,
            long wholeNs,
            List<String> reasons,
            boolean withThreads) {
        FunctionProbes.End end = counted.end();
        LibraryProfile.Cost cost = new LibraryProfile.Cost(
                end.traps(),
                end.traps() * costNs / Units.NS_PER_S,
                end.ownNs() / Units.NS_PER_S,
                (choiceCostNs + sampler.spentNs()) / Units.NS_PER_S,
                wholeNs / Units.NS_PER_S);
        List<LibraryProfile.Cut> cuts = counted.cuts().stream()
                .map(cut -> new LibraryProfile.Cut(
                        places.get(cut.function()).function().name(), cut.calls(), cut.afterNs() / Units.NS_PER_S))
                .toList();
        return build(sums(counted), end, costNs, end.elapsedNs(), attachment(choice, cost, cuts, reasons), withThreads);
    }

    private LibraryProfile.Attachment attachment(
            String choice, LibraryProfile.Cost cost, List<LibraryProfile.Cut> cuts, List<String> reasons) {
        return new LibraryProfile.Attachment(
                choice,
                limitPercent,
                PERCENT * (cost.trapSeconds() + cost.recorderSeconds() + cost.samplerSeconds()) / cost.wholeSeconds(),
                cost,
                cuts,
                reasons);
    }

    /**
     * Adds to the calls what the probes cannot see, by samples: the time in a function after it has lost its probes, and in calls that had begun before and did
     * not return.
     */
    private Map<Integer, Map<Place, Sum>> sums(FunctionProbes.Counted counted) {
        Map<Integer, Map<Place, Sum>> sums = new TreeMap<>();
        sampler.threads().keySet().forEach(tid -> sums.put(tid, new HashMap<>()));
        for (FunctionProbes.Calls calls : counted.calls()) {
            sums.computeIfAbsent(calls.tid(), any -> new HashMap<>())
                    .put(places.get(calls.function()), new Sum(calls.calls(), calls.ns()));
        }
        Set<Place> cut = new HashSet<>();
        counted.cuts().forEach(one -> cut.add(places.get(one.function())));
        for (Place place : places) {
            sampler.threads().forEach((tid, thread) -> {
                long sampledNs = thread.waitsNs().getOrDefault(place, 0L);
                Map<Place, Sum> own = sums.computeIfAbsent(tid, any -> new HashMap<>());
                Sum known = own.get(place);
                if (sampledNs > 0 && known == null) {
                    own.put(place, new Sum(0, sampledNs));
                } else if (sampledNs > 0 && known != null && cut.contains(place)) {
                    own.put(place, new Sum(known.calls(), known.ns() + sampledNs));
                }
            });
        }
        return sums;
    }

    private LibraryProfile build(
            Map<Integer, Map<Place, Sum>> sums,
            FunctionProbes.@Nullable End end,
            double costNs,
            long elapsedNs,
            LibraryProfile.Attachment attachment,
            boolean withThreads) {
        Sums whole = new Sums();
        long wholeNs = 0;
        List<LibraryProfile.ThreadProfile> threads = new ArrayList<>();
        for (Map.Entry<Integer, Map<Place, Sum>> entry : sums.entrySet()) {
            Sums own = new Sums();
            entry.getValue().forEach((place, sum) -> {
                FunctionKey key = new FunctionKey(place.function().name(), place.libraryName());
                own.add(key, sum.calls(), sum.ns());
                whole.add(key, sum.calls(), sum.ns());
            });
            WaitSampler.ThreadSamples seen = sampler.threads().get(entry.getKey());
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
        return new LibraryProfile(
                command,
                pid,
                end == null ? SAMPLES : UPROBES,
                0,
                elapsedNs / Units.NS_PER_S,
                whole.entireSeconds(),
                whole.otherSeconds(),
                whole.functions(),
                withThreads ? threads : null,
                new LibraryProfile.Overhead(
                        costNs,
                        costNs,
                        end == null ? 0 : end.calls(),
                        attachment.cost().trapSeconds()),
                end == null ? 0 : end.lost(),
                end == null ? 0 : end.abandoned(),
                List.of(),
                attachment,
                null,
                0);
    }
}
