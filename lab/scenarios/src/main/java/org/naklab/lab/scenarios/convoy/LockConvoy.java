package org.naklab.lab.scenarios.convoy;

import com.google.auto.service.AutoService;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.naklab.lab.core.Format;
import org.naklab.lab.core.Program;
import org.naklab.lab.core.ShellWord;
import org.naklab.lab.core.Units;
import org.naklab.lab.replica.exchange.ArrivalPattern;
import org.naklab.lab.scenarios.Claim;
import org.naklab.lab.scenarios.Deployment;
import org.naklab.lab.scenarios.Expectation;
import org.naklab.lab.scenarios.NoLossChecks;
import org.naklab.lab.scenarios.Remedy;
import org.naklab.lab.scenarios.RunOutcome;
import org.naklab.lab.scenarios.RunPlan;
import org.naklab.lab.scenarios.Scenario;
import org.naklab.lab.scenarios.StoryLine;
import org.naklab.lab.scenarios.Verdict;
import org.naklab.lab.scenarios.Workload;

/**
 * Four writers beside the replica take the lock of a file right after {@code poll}, for every case, although one case of a hundred needs it. They use
 * hardly any CPU time and wait for each other. With {@link Remedy#NARROW_LOCK} they take it in the one branch that needs it.
 */
@AutoService(Scenario.class)
public final class LockConvoy implements Scenario {
    /** The claims in addition to {@link NoLossChecks}. */
    public enum Claims implements Claim {
        WRITERS_RAN("all writers handled cases of both kinds"),
        PROFILE_IS_EMPTY("the writers use hardly any CPU time"),
        LOCK_NAMED("the lock's file, its holder and the call are named"),
        TIME_IN_LOCK("most of the writers' time is a wait for the lock"),
        ONE_AT_A_TIME("no two cases are handled at once"),
        LOCK_WHERE_NEEDED("the lock is taken only for the cases that need it"),
        TWO_AT_A_TIME("at least two cases are handled at once, on average"),
        SNAPSHOTS_STAY_SLOW("the case that needs the lock stays slow, and the others do not");

        private final String template;

        Claims(String template) {
            this.template = template;
        }

        @Override
        public String template() {
            return template;
        }
    }

    private static final String NAME = "lock-convoy";
    private static final Path LOCKS = Path.of("/proc/locks");
    private static final long WARM_UP_NS = TimeUnit.SECONDS.toNanos(2);
    /** The warm-up's share of a short flow, most of which is counted. */
    private static final int WARM_UP_PART = 5;

    private static final double MOST_CPU = 0.25;
    private static final double LEAST_LOCKED = 0.5;
    /** Mutual exclusion, and some error of the clocks of several processes. */
    private static final double ONE = 1.02;

    private static final double TWO = 2;
    /** A case that needs the lock works ten times as long as one that does not. While all cases wait for the lock, it takes less than three times as long. */
    private static final double TIMES_SLOWER = 3;

    private static final double PERCENT = 100;

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public String summary() {
        return "Four writers take a file lock for every case although one of a hundred needs it: nothing is done, slowly";
    }

    @Override
    public Workload workload() {
        return new Workload(null, 8, ArrivalPattern.CONSTANT, 2_000, 0, 0, null, TimeUnit.SECONDS.toNanos(8));
    }

    /** While the JVMs start and compile what they run, they take processors from each other. */
    @Override
    public long warmUpNs(RunPlan plan) {
        return Math.min(WARM_UP_NS, plan.workload().durationNs() / WARM_UP_PART);
    }

    @Override
    public Map<Remedy, String> prices() {
        return Remedy.withNone(Remedy.NARROW_LOCK, "a lock in one branch, which every later change must keep there");
    }

    @Override
    public Optional<String> obstacle() {
        return Files.isReadable(LOCKS)
                ? Optional.empty()
                : Optional.of(LOCKS + " cannot be read, which lists the holders of file locks");
    }

    @Override
    public Optional<String> compositionRefusal(RunPlan plan) {
        return Optional.of(NAME + " starts its writers on this machine: omit --attach");
    }

    private static boolean isWide(RunPlan plan) {
        return !plan.remedy().equals(Remedy.NARROW_LOCK);
    }

    @Override
    public Deployment deploy(RunPlan plan) {
        Deployment standard = Deployment.standard(plan);
        return new Deployment(
                standard.exchange(), standard.subscribers(), new ConvoyWriters(plan.directory(), isWide(plan)));
    }

    @Override
    public List<Expectation> check(RunOutcome outcome) {
        List<Expectation> conditions = new ArrayList<>();
        if (NoLossChecks.isFinished(outcome)) {
            conditions.addAll(checkWriters(
                    isWide(outcome.plan()),
                    ConvoyReport.read(outcome.plan().directory())
                            .filter(report -> report.writers().size() == ConvoyWriters.COUNT
                                    && report.writers().stream().allMatch(LockConvoy::hasBothKinds))));
        }
        conditions.addAll(NoLossChecks.check(outcome));
        return conditions;
    }

    private static boolean hasBothKinds(WriterReport writer) {
        return writer.calls().plain() > 0 && writer.calls().snapshots() > 0;
    }

    private static List<Expectation> checkWriters(boolean isWide, Optional<ConvoyReport> report) {
        List<Expectation> conditions = new ArrayList<>();
        conditions.add(Expectation.proven(
                Claims.WRITERS_RAN,
                report.isPresent(),
                report.map(seen ->
                                Format.count(seen.plain()) + " plain, " + Format.count(seen.snapshots()) + " snapshots")
                        .orElse("not all of them reported both")));
        conditions.add(check(Claims.PROFILE_IS_EMPTY, report, LockConvoy::profile));
        if (isWide) {
            conditions.add(check(Claims.LOCK_NAMED, report, LockConvoy::named));
            conditions.add(check(Claims.TIME_IN_LOCK, report, LockConvoy::timeInLock));
            conditions.add(check(Claims.ONE_AT_A_TIME, report, seen -> atOnce(seen, seen.concurrency() <= ONE)));
        } else {
            conditions.add(check(Claims.LOCK_WHERE_NEEDED, report, LockConvoy::whereNeeded));
            conditions.add(check(Claims.TWO_AT_A_TIME, report, seen -> atOnce(seen, seen.concurrency() >= TWO)));
            conditions.add(check(Claims.SNAPSHOTS_STAY_SLOW, report, LockConvoy::slow));
        }
        return conditions;
    }

    private record Finding(boolean isHeld, String figures) {}

    private static Expectation check(
            Claims claim, Optional<ConvoyReport> report, Function<ConvoyReport, Finding> question) {
        return report.map(question)
                .map(finding -> Expectation.of(claim, finding.isHeld, finding.figures))
                .orElseGet(() -> Expectation.unknown(claim, "", "the writers did not report it"));
    }

    private static Finding profile(ConvoyReport report) {
        return new Finding(report.cpuShare() <= MOST_CPU, percent(report.cpuShare()) + " of their time");
    }

    private static Finding named(ConvoyReport report) {
        ConvoyReport.LockWait wait = report.lockWait();
        return wait == null
                ? new Finding(false, "no wait was seen")
                : new Finding(
                        wait.file().equals(report.lock())
                                && report.writers().stream()
                                        .anyMatch(writer -> wait.holder().startsWith(writer.name() + " ")),
                        wait.call() + " of " + fileName(wait) + ", held by " + wait.holder());
    }

    private static String fileName(ConvoyReport.LockWait wait) {
        return String.valueOf(Path.of(wait.file()).getFileName());
    }

    private static Finding timeInLock(ConvoyReport report) {
        return new Finding(
                report.lockShare() >= LEAST_LOCKED,
                percent(report.lockShare()) + " of " + Format.count(report.samples()) + " samples");
    }

    private static Finding atOnce(ConvoyReport report, boolean isHeld) {
        return new Finding(
                isHeld,
                String.format(Locale.ROOT, "%.2f; %.0f cases a second", report.concurrency(), report.casesPerSecond()));
    }

    private static Finding whereNeeded(ConvoyReport report) {
        return new Finding(
                report.locks() == report.snapshots(),
                Format.counted(report.locks(), "time") + " for " + Format.counted(report.snapshots(), "snapshot"));
    }

    private static Finding slow(ConvoyReport report) {
        return new Finding(
                report.plainNs() > 0 && report.snapshotNs() >= TIMES_SLOWER * report.plainNs(),
                Format.milliseconds(report.snapshotNs() / Units.NS_PER_MS) + " against "
                        + Format.milliseconds(report.plainNs() / Units.NS_PER_MS));
    }

    private static String percent(double share) {
        return String.format(Locale.ROOT, "%.1f %%", PERCENT * share);
    }

    @Override
    public List<StoryLine> story(RunOutcome outcome, Verdict verdict) {
        Optional<ConvoyReport> report = ConvoyReport.read(outcome.plan().directory());
        if (report.isEmpty()) {
            return List.of();
        }
        List<StoryLine> lines = new ArrayList<>();
        lines.add(writers(report.get()));
        ConvoyReport.LockWait wait = report.get().lockWait();
        if (wait != null) {
            lines.add(StoryLine.sentence(
                    "lock",
                    "for " + percent(report.get().lockShare()) + " of their time, they waited in " + wait.call(),
                    "for the lock of " + fileName(wait) + ",",
                    "held by " + wait.holder() + ", " + wait.holderCall() + "."));
        }
        if (isWide(outcome.plan())) {
            lines.add(StoryLine.commands(
                    "next",
                    ShellWord.of(Program.name())
                            + " run lock-convoy --remedy narrow-lock   (takes the lock where it is needed)"));
        }
        return lines;
    }

    private static StoryLine writers(ConvoyReport report) {
        return StoryLine.sentence(
                "writers",
                String.format(
                        Locale.ROOT,
                        "%d writers handled %s cases, %.0f a second,",
                        report.writers().size(),
                        Format.count(report.cases()),
                        report.casesPerSecond()),
                "with " + percent(report.cpuShare()) + " of their time on a processor;",
                String.format(
                        Locale.ROOT,
                        "a plain case took %s, one that needs the lock %s.",
                        Format.milliseconds(report.plainNs() / Units.NS_PER_MS),
                        Format.milliseconds(report.snapshotNs() / Units.NS_PER_MS)));
    }
}
