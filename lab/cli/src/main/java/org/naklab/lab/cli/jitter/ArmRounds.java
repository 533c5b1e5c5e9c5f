package org.naklab.lab.cli.jitter;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.naklab.lab.bench.jitter.Injection;
import org.naklab.lab.bench.jitter.JitterReport;
import org.naklab.lab.bench.jitter.JitterRun;
import org.naklab.lab.bench.jitter.MeterSettings;

/** Measures several arms on several JDKs in turns, so that whatever else the machine does falls on all of them. */
final class ArmRounds {
    /** Of the single rounds, only sums are used. */
    private static final int WORST = 1;

    private record Contestant(Jdk jdk, Arm arm) {}

    private ArmRounds() {}

    /**
     * Measures all; each round another one goes first.
     *
     * @param progress told of each measurement before it begins
     */
    static List<ArmSummary> run(
            MeterSettings settings, List<Jdk> jdks, List<Arm> arms, int rounds, Consumer<String> progress) {
        List<Contestant> contestants = new ArrayList<>();
        jdks.forEach(jdk -> arms.forEach(arm -> contestants.add(new Contestant(jdk, arm))));
        contestants.forEach(contestant -> contestant.arm.requireKnownTo(contestant.jdk));
        Map<Contestant, List<JitterReport>> reports = new LinkedHashMap<>();
        contestants.forEach(contestant -> reports.put(contestant, new ArrayList<>()));
        for (int round = 0; round < rounds; round++) {
            for (int i = 0; i < contestants.size(); i++) {
                Contestant contestant = contestants.get((round + i) % contestants.size());
                progress.accept("round " + (round + 1) + "/" + rounds + ": JDK " + contestant.jdk.feature() + ", "
                        + contestant.arm.name());
                JitterRun.Subject subject =
                        new JitterRun.Subject(contestant.jdk.java(), contestant.arm.flags(), Injection.NONE, WORST);
                reports.getOrDefault(contestant, new ArrayList<>()).add(JitterRun.run(settings, subject));
            }
        }
        return summaries(reports, arms.get(0), arms.size());
    }

    private static List<ArmSummary> summaries(Map<Contestant, List<JitterReport>> reports, Arm first, int armCount) {
        Map<Jdk, ArmSummary> firsts = new LinkedHashMap<>();
        List<ArmSummary> summaries = new ArrayList<>();
        reports.forEach((contestant, rounds) -> {
            ArmSummary summary = ArmSummary.of(contestant.jdk, contestant.arm, rounds);
            if (contestant.arm.equals(first)) {
                firsts.put(contestant.jdk, summary);
            }
            summaries.add(summary.comparedWith(firsts.getOrDefault(contestant.jdk, summary), armCount - 1));
        });
        return summaries;
    }
}
