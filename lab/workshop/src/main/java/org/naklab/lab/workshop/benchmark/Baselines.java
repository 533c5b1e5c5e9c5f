package org.naklab.lab.workshop.benchmark;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.naklab.lab.cases.Case;
import org.naklab.lab.cases.CaseReader;
import org.naklab.lab.cases.Judgement;
import org.naklab.lab.core.Units;
import org.naklab.lab.core.timeline.TimelineEvent;
import org.naklab.lab.diagnosis.Cause;
import org.naklab.lab.diagnosis.Confidence;
import org.naklab.lab.diagnosis.Diagnosis;
import org.naklab.lab.workshop.Answer;
import org.naklab.lab.workshop.CaseEvent;
import org.naklab.lab.workshop.Facts;
import org.naklab.lab.workshop.Remedy;
import org.naklab.lab.workshop.SealedCase;

/** Tells what a score is to be compared with: the lab's own diagnosis, who never tells, and three naive guessers. */
public final class Baselines {
    private static final long SAME_NS = 1_000_000;
    private static final int PERCENT = 100;
    private static final int FACTS = 2;
    private static final int QUITE_SURE = 80;

    private final Benchmark benchmark;
    private final Path corpus;

    /** Creates the baselines of a benchmark that was made from a corpus. */
    public Baselines(Benchmark benchmark, Path corpus) {
        this.benchmark = benchmark;
        this.corpus = corpus;
    }

    /** Returns the scores, the lab's own first. */
    public List<Score> scores() {
        Cause usual = usual();
        return List.of(
                score("the lab's diagnosis", this::lab),
                score("always cannot-tell", entry -> naming(Cause.UNEXPLAINED, PERCENT / 2)),
                score("the first symptom", this::firstSymptom),
                score("the usual suspect", entry -> naming(usual, share(usual))),
                score("any cause", this::anyCause));
    }

    private Score score(String who, Function<Benchmark.Entry, Answer> answers) {
        return benchmark.score(
                who, benchmark.entries().stream().collect(Collectors.toMap(Benchmark.Entry::name, answers)));
    }

    private static Answer naming(Cause cause, int sure) {
        return new Answer(cause.label(), null, List.of(), Map.of(), null, sure);
    }

    /** Judges the evidence alone: neither the truth of the run nor the right answer is read. */
    private Answer lab(Benchmark.Entry entry) {
        try (CaseReader reader =
                CaseReader.open(corpus.resolve(benchmark.key(entry).caseName()))) {
            Case evidence = reader.read();
            Diagnosis diagnosis = Judgement.of(evidence).diagnosis();
            long zeroNs = evidence.document().clock().counted().beginNs();
            return new Answer(
                    diagnosis.cause().label(),
                    at(diagnosis, zeroNs),
                    facts(entry, diagnosis, zeroNs),
                    Map.of(),
                    remedy(diagnosis.cause()),
                    sure(diagnosis.confidence()));
        }
    }

    private static @Nullable Double at(Diagnosis diagnosis, long zeroNs) {
        if (diagnosis.cause() == Cause.CLEAN) {
            return null;
        }
        TimelineEvent stall = diagnosis.stall();
        if (stall != null) {
            return ((stall.interval().beginNs() + stall.interval().endNs()) / 2.0 - zeroNs) / Units.NS_PER_S;
        }
        return diagnosis.evidence().isEmpty()
                ? null
                : (diagnosis.evidence().get(0).atNs() - zeroNs) / Units.NS_PER_S;
    }

    private List<String> facts(Benchmark.Entry entry, Diagnosis diagnosis, long zeroNs) {
        SealedCase.Content content = SealedCase.read(benchmark.caseDirectory(entry));
        Facts facts = content.facts();
        if (diagnosis.cause() == Cause.CLEAN) {
            return facts.receivers().stream()
                    .filter(receiver -> receiver.name().equals(facts.suspect()))
                    .flatMap(receiver -> receiver.counters().entrySet().stream())
                    .filter(counter -> counter.getValue() == 0)
                    .map(Map.Entry::getKey)
                    .sorted()
                    .limit(FACTS)
                    .toList();
        }
        return content.events().stream()
                .filter(event -> event.process().equals(facts.suspect())
                        && diagnosis.evidence().stream()
                                .anyMatch(evidence -> Math.abs(evidence.atNs()
                                                - zeroNs
                                                - event.span().beginNs())
                                        <= SAME_NS))
                .map(CaseEvent::id)
                .limit(FACTS)
                .toList();
    }

    private static @Nullable String remedy(Cause cause) {
        return Arrays.stream(Remedy.values())
                .filter(remedy -> remedy.mends(cause))
                .map(Remedy::label)
                .findFirst()
                .orElse(null);
    }

    private static int sure(Confidence confidence) {
        return switch (confidence) {
            case CERTAIN -> 95;
            case LIKELY -> 75;
            case CANNOT_TELL -> 50;
        };
    }

    /** Blames what is seen first: drops on a burst, gaps on the network, and nothing else on anything. */
    private Answer firstSymptom(Benchmark.Entry entry) {
        SealedCase.Content content = SealedCase.read(benchmark.caseDirectory(entry));
        Map<String, Long> counters = new HashMap<>();
        content.facts().receivers().stream()
                .filter(receiver -> receiver.name().equals(content.facts().suspect()))
                .forEach(receiver -> counters.putAll(receiver.counters()));
        if (counters.getOrDefault("dropped", 0L) > 0) {
            return naming(Cause.TRAFFIC_BURST, QUITE_SURE);
        }
        return counters.getOrDefault("missing", 0L) + counters.getOrDefault("naks-sent", 0L) > 0
                ? naming(Cause.NETWORK_LOSS, QUITE_SURE)
                : naming(Cause.CLEAN, QUITE_SURE);
    }

    private Answer anyCause(Benchmark.Entry entry) {
        Cause[] causes = Cause.values();
        int drawn = Math.floorMod(benchmark.key(entry).caseName().hashCode(), causes.length);
        return naming(causes[drawn], PERCENT / 2);
    }

    private Stream<Cause> causes() {
        return benchmark.entries().stream()
                .map(entry -> benchmark.key(entry).causes().get(0));
    }

    /** The cause that most cases have, other than none. */
    private Cause usual() {
        Map<Cause, Long> counts = causes().filter(cause -> cause != Cause.CLEAN)
                .collect(Collectors.groupingBy(Function.identity(), Collectors.counting()));
        return counts.entrySet().stream()
                .max(Map.Entry.<Cause, Long>comparingByValue().thenComparing(Map.Entry::getKey))
                .map(Map.Entry::getKey)
                .orElse(Cause.CLEAN);
    }

    private int share(Cause cause) {
        List<Cause> all = new ArrayList<>(causes().toList());
        long named = all.stream().filter(each -> each == cause).count();
        return Math.toIntExact(named * PERCENT / Math.max(1, all.size()));
    }
}
