package org.naklab.lab.scenarios.causes;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.naklab.lab.containers.pace.SqueezedGroup;
import org.naklab.lab.core.Format;
import org.naklab.lab.core.Units;
import org.naklab.lab.diagnosis.Cause;
import org.naklab.lab.records.Stall;
import org.naklab.lab.records.memory.PageFaultRecord;
import org.naklab.lab.replica.service.MemoryConstraint;
import org.naklab.lab.replica.service.ReferenceTable;
import org.naklab.lab.scenarios.BufferSizing;
import org.naklab.lab.scenarios.Claim;
import org.naklab.lab.scenarios.Deployment;
import org.naklab.lab.scenarios.Expectation;
import org.naklab.lab.scenarios.RunOutcome;
import org.naklab.lab.scenarios.RunPlan;

/**
 * The form of {@link MemoryPressure} in which the pressure costs events: the handler of the feed reads a table, whose cold pages are evicted, and reads of the disk are few.
 * Nobody chooses which page is missing, nor when.
 */
final class ColdTable {
    /** The time of a read that has to wait, with no other one before it, ns. The receive buffer holds half of it. */
    static final long STALL_NS = TimeUnit.MILLISECONDS.toNanos(150);

    private static final String FILE = "reference-data.dat";
    /** More than there is room for, so that some of it is always on disk only. */
    private static final long TABLE_BYTES = 64L << 20;

    private static final long READ_EVERY_NS = TimeUnit.SECONDS.toNanos(1);

    /** The memory that all in the group may use: the buffers of its driver, its native memory and the table. Its heap is outside. */
    private static final long MEMORY_BYTES = 384L << 20;
    /** Room for the pages in use, the journal's among them. */
    private static final long ROOM_BYTES = 24L << 20;

    private static final long NARROW_FOR_NS = TimeUnit.SECONDS.toNanos(4);
    /** A page that is not on disk cannot be evicted. */
    private static final long JOURNAL_SYNC_NS = TimeUnit.MILLISECONDS.toNanos(500);
    /** The others have written their file then, and go on for a second: their reads are before the service's. */
    private static final long READS_SLOW_AFTER_NS = TimeUnit.SECONDS.toNanos(4);

    private static final Set<String> FOR_PAGES = Set.of(Cause.MAJOR_FAULT.label(), Cause.MEMORY_PRESSURE.label());

    private ColdTable() {}

    static Deployment deploy(Deployment deployment, RunPlan plan) {
        BufferSizing sizing = Objects.requireNonNull(plan.traffic().stall(), "the plan has not been prepared");
        SqueezedGroup group = new SqueezedGroup(
                "naklab-" + plan.directory().getFileName().toString().toLowerCase(Locale.ROOT),
                plan.directory(),
                null,
                new SqueezedGroup.Limits(
                        MEMORY_BYTES,
                        Math.max(1, TimeUnit.SECONDS.toNanos(1) / sizing.stallNs()),
                        READS_SLOW_AFTER_NS));
        Path file = plan.directory().resolve(FILE).toAbsolutePath();
        ReferenceTable table = new ReferenceTable(file.toString(), TABLE_BYTES, READ_EVERY_NS, plan.seed());
        MemoryConstraint constraint = new MemoryConstraint(ROOM_BYTES, NARROW_FOR_NS, JOURNAL_SYNC_NS);
        Deployment squeezed = deployment.with(
                Deployment.SERVICE,
                spec -> spec.withConfig(spec.config()
                        .with(table)
                        .confined(spec.config().transport(), constraint)
                        .inControlGroups(group.directories())));
        return new Deployment(squeezed.exchange(), squeezed.subscribers(), group);
    }

    static List<Expectation> check(RunOutcome outcome) {
        List<Expectation> conditions = new ArrayList<>();
        List<Stall> stalls = outcome.stalls().stream()
                .filter(stall -> stall.process().equals(Deployment.SERVICE))
                .toList();
        conditions.add(recorded(outcome.pageFaults(), stalls));
        List<Expectation> effects = List.of(
                stalled(stalls),
                outcome.onSocketsOf(
                        Deployment.SERVICE,
                        some(MemoryPressure.Claims.DROPPED, outcome.datagramsDropped(Deployment.SERVICE))),
                some(MemoryPressure.Claims.ASKED_AGAIN, naks(outcome)));
        effects.stream().map(effect -> judged(effect, stalls)).forEach(conditions::add);
        return conditions;
    }

    /** Returns the effect in doubt if others had the CPU: a thread that has no CPU reads no table. */
    static Expectation judged(Expectation effect, List<Stall> stalls) {
        return stalls.stream().anyMatch(MemoryPressure::isWithoutCpu) ? effect.inDoubt() : effect;
    }

    /** Wants the file of a fault within a stall: a fault of another time proves nothing about one. The kernel does not count each fault, so that some have no file. */
    private static Expectation recorded(List<PageFaultRecord> faults, List<Stall> stalls) {
        List<PageFaultRecord> inStalls = faults.stream()
                .filter(fault -> fault.process().equals(Deployment.SERVICE) && fault.major())
                .filter(fault -> forPages(stalls).stream().anyMatch(stall -> overlap(fault, stall)))
                .toList();
        List<PageFaultRecord> ofFiles = inStalls.stream()
                .filter(fault -> fault.file() != null && !fault.file().isEmpty())
                .toList();
        return Expectation.proven(
                MemoryPressure.Claims.FAULT_RECORDED,
                !ofFiles.isEmpty(),
                Format.count(ofFiles.size()) + " of " + Format.count(inStalls.size()) + " in stalls"
                        + (ofFiles.isEmpty() ? "" : ", one of " + ofFiles.get(0).sentence()));
    }

    private static boolean overlap(PageFaultRecord fault, Stall stall) {
        return fault.atNs() < stall.atNs() + Math.round(stall.durationMs() * Units.NS_PER_MS)
                && fault.endNs() > stall.atNs();
    }

    private static List<Stall> forPages(List<Stall> stalls) {
        return stalls.stream()
                .filter(stall -> FOR_PAGES.contains(stall.cause()))
                .toList();
    }

    static Expectation stalled(List<Stall> stalls) {
        List<Stall> forPages = forPages(stalls);
        double longestMs =
                forPages.stream().mapToDouble(Stall::durationMs).max().orElse(0);
        return Expectation.of(
                MemoryPressure.Claims.STALLED,
                !forPages.isEmpty(),
                Format.count(forPages.size()) + " of " + Format.count(stalls.size()) + " stalls, the longest "
                        + Format.milliseconds(longestMs));
    }

    private static Expectation some(Claim claim, long count) {
        return Expectation.of(claim, count > 0, Format.count(count));
    }

    private static long naks(RunOutcome outcome) {
        return outcome.service() == null
                ? 0
                : outcome.service().intake().transport().naksSent();
    }
}
