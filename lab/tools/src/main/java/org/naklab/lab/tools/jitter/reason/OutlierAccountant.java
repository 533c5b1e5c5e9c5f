package org.naklab.lab.tools.jitter.reason;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.naklab.lab.core.Units;
import org.naklab.lab.core.timeline.Interval;
import org.naklab.lab.core.timeline.ThreadAbsence;
import org.naklab.lab.instruments.jvm.safepoint.Safepoint;
import org.naklab.lab.instruments.jvm.safepoint.SafepointLog;
import org.naklab.lab.instruments.kernel.Absence;
import org.naklab.lab.instruments.kernel.KernelRecord;
import org.naklab.lab.instruments.kernel.PageFaultSpan;
import org.naklab.lab.instruments.kernel.Waking;

/**
 * Adds up what kept a thread in a time of microseconds. Each source claims parts of the time; where several claim the same part, the one that says most wins.
 * A part that no source claims is unexplained.
 */
public final class OutlierAccountant {
    /** HotSpot's thread that ends a safepoint, and so wakes the threads that it stopped. */
    private static final String VM_THREAD = "VM Thread";

    private static final String SOFT_INTERRUPT_THREAD = "ksoftirqd/";

    private final SafepointLog log;
    private final KernelTrace trace;

    /** Orders claims by how much they say, the most first. */
    private enum Rank {
        HALTED,
        JVM,
        FAULT,
        SOFT_INTERRUPT,
        INTERRUPT,
        ABSENCE,
        /** The end of the time in which a timer was late is known; what went before it is not. */
        LATE_TIMER
    }

    private record Claim(Rank rank, Interval interval, Reason reason, String detail) {}

    private record Term(Reason reason, String detail) {}

    /**
     * @param log of the JVM
     * @param trace of its threads; empty if the kernel was not looked at
     */
    public OutlierAccountant(SafepointLog log, KernelTrace trace) {
        this.log = log;
        this.trace = trace;
    }

    /**
     * Returns the parts of a time, which together are as long as it is.
     *
     * @param thread the name of the thread that was late
     * @return the longest first, what is unexplained last
     */
    public List<Part> account(String thread, Interval late) {
        List<KernelRecord> records = trace.overlapping(thread, late);
        List<Claim> claims = new ArrayList<>(ofJvm(late));
        records.forEach(each -> claims.addAll(of(each)));
        Map<Term, Long> sums = new LinkedHashMap<>();
        long restNs = 0;
        for (Interval part : late.cutBy(claims.stream().map(Claim::interval).toList())) {
            Optional<Claim> best = claims.stream()
                    .filter(claim -> claim.interval().overlaps(part))
                    .min(Comparator.comparing(Claim::rank));
            if (best.isPresent()) {
                sums.merge(new Term(best.get().reason(), best.get().detail()), part.lengthNs(), Long::sum);
            } else {
                restNs += part.lengthNs();
            }
        }
        if (restNs > 0) {
            sums.put(new Term(Reason.UNEXPLAINED, ""), restNs);
        }
        claimSteal(sums, stolenNs(records));
        List<Part> parts = new ArrayList<>();
        sums.forEach((term, ns) -> parts.add(new Part(term.reason(), ns / Units.NS_PER_US, term.detail())));
        return Part.sum(parts, List.of());
    }

    /**
     * It is known how much the hypervisor took between two ticks, not when: it may claim what nobody else does. An interrupt during which it
     * took the CPU seems long.
     */
    private static void claimSteal(Map<Term, Long> sums, long stolenNs) {
        long leftNs = stolenNs;
        for (Reason reason : List.of(Reason.UNEXPLAINED, Reason.TIMER, Reason.INTERRUPT, Reason.SOFT_INTERRUPT)) {
            for (Term term : List.copyOf(sums.keySet())) {
                long takenNs = term.reason() == reason ? Math.min(leftNs, sums.getOrDefault(term, 0L)) : 0;
                if (takenNs > 0) {
                    sums.computeIfPresent(term, (same, ns) -> ns > takenNs ? ns - takenNs : null);
                    sums.merge(new Term(Reason.STEAL, "steal time of the CPU"), takenNs, Long::sum);
                    leftNs -= takenNs;
                }
            }
        }
    }

    /**
     * Returns the part that names the reason: the longest one if at least half of the time is explained, otherwise the unexplained one.
     *
     * @param parts of {@link #account}, not empty
     */
    public static Part main(List<Part> parts) {
        double totalUs = parts.stream().mapToDouble(Part::us).sum();
        Part last = parts.get(parts.size() - 1);
        return last.reason() == Reason.UNEXPLAINED && last.us() > totalUs / 2 ? last : parts.get(0);
    }

    private static long stolenNs(List<KernelRecord> records) {
        return records.stream()
                .filter(KernelRecord.Steal.class::isInstance)
                .mapToLong(each -> ((KernelRecord.Steal) each).stolenNs())
                .sum();
    }

    private List<Claim> ofJvm(Interval late) {
        List<Claim> claims = new ArrayList<>();
        for (Safepoint safepoint : log.safepoints()) {
            if (!safepoint.interval().overlaps(late)) {
                continue;
            }
            Optional<SafepointLog.Collection> collection = log.collections().stream()
                    .filter(each -> safepoint.interval().overlaps(new Interval(each.beginNs(), each.endNs())))
                    .findFirst();
            claims.add(new Claim(
                    Rank.JVM,
                    safepoint.interval(),
                    collection.isPresent() ? Reason.GC : Reason.SAFEPOINT,
                    collection.map(SafepointLog.Collection::name).orElse(safepoint.operation())));
        }
        return claims;
    }

    private static List<Claim> of(KernelRecord kernelRecord) {
        if (kernelRecord instanceof Absence absence) {
            return ofAbsence(absence);
        }
        if (kernelRecord instanceof PageFaultSpan fault) {
            return List.of(new Claim(
                    Rank.FAULT,
                    new Interval(fault.beginNs(), fault.endNs()),
                    Reason.PAGE_FAULT,
                    fault.major() ? "major" : "minor"));
        }
        return kernelRecord instanceof KernelRecord.Interrupt interrupt ? ofInterrupt(interrupt) : List.of();
    }

    private static List<Claim> ofInterrupt(KernelRecord.Interrupt interrupt) {
        List<Claim> claims = new ArrayList<>();
        Interval handled = new Interval(interrupt.beginNs(), interrupt.endNs());
        if (interrupt.kind() == KernelRecord.InterruptKind.SOFT) {
            claims.add(new Claim(Rank.SOFT_INTERRUPT, handled, Reason.SOFT_INTERRUPT, interrupt.name()));
        } else {
            claims.add(new Claim(Rank.INTERRUPT, handled, Reason.INTERRUPT, words(interrupt)));
        }
        if (interrupt.lateNs() > 0) {
            claims.add(new Claim(
                    Rank.LATE_TIMER,
                    new Interval(interrupt.beginNs() - interrupt.lateNs(), interrupt.beginNs()),
                    Reason.TIMER,
                    interrupt.name() + " was late"));
        }
        return claims;
    }

    private static String words(KernelRecord.Interrupt interrupt) {
        return switch (interrupt.kind()) {
            case DEVICE -> "irq " + interrupt.number();
            case SOFT -> interrupt.name();
            case TICK, TIMER -> "local timer";
            case RESCHEDULE -> "reschedule";
            case CALL -> "function call of another CPU";
        };
    }

    private static List<Claim> ofAbsence(Absence absence) {
        if (absence.isOpen()) {
            return List.of();
        }
        Interval all = absence.interval(absence.endNs());
        ThreadAbsence.State state = absence.state();
        if (state == ThreadAbsence.State.STOPPED
                || state == ThreadAbsence.State.TRACED
                || state == ThreadAbsence.State.FROZEN) {
            String by = KernelTrace.nameOf(absence.by());
            return List.of(new Claim(Rank.HALTED, all, Reason.STOPPED, by == null ? absence.cgroup() : "by " + by));
        }
        if (absence.fault() != null) {
            return List.of(new Claim(Rank.FAULT, all, Reason.PAGE_FAULT, "waited"));
        }
        Waking waking = absence.waking();
        if (state.isWithoutCpu() || waking == null) {
            return List.of(
                    state.isWithoutCpu() ? ofRunnable(all, KernelTrace.nameOf(absence.next())) : ofWait(absence, all));
        }
        List<Claim> claims = new ArrayList<>();
        long wokenNs = Math.max(all.beginNs(), Math.min(all.endNs(), waking.timeNs()));
        claims.add(ofRunnable(new Interval(wokenNs, all.endNs()), KernelTrace.nameOf(absence.previous())));
        long dueNs = waking.dueNs();
        if (dueNs > all.beginNs() && dueNs < wokenNs) {
            claims.add(new Claim(
                    Rank.ABSENCE, new Interval(dueNs, wokenNs), Reason.TIMER, "the timer of its sleep was late"));
            claims.add(new Claim(Rank.ABSENCE, new Interval(all.beginNs(), dueNs), Reason.WAIT, "sleep"));
        } else {
            claims.add(
                    VM_THREAD.equals(waking.waker().comm())
                            ? new Claim(Rank.ABSENCE, new Interval(all.beginNs(), wokenNs), Reason.SAFEPOINT, "")
                            : ofWait(absence, new Interval(all.beginNs(), wokenNs)));
        }
        return claims;
    }

    private static Claim ofWait(Absence absence, Interval waited) {
        String function =
                absence.kernelStack().isEmpty() ? "" : absence.kernelStack().get(0);
        return new Claim(Rank.ABSENCE, waited, Reason.WAIT, function);
    }

    /** @param other the thread that had the CPU; null: none, it was idle */
    private static Claim ofRunnable(Interval runnable, @Nullable String other) {
        if (other != null && other.startsWith(SOFT_INTERRUPT_THREAD)) {
            return new Claim(Rank.ABSENCE, runnable, Reason.SOFT_INTERRUPT, other);
        }
        return new Claim(Rank.ABSENCE, runnable, Reason.RUN_QUEUE, other == null ? "the CPU was idle" : other);
    }
}
