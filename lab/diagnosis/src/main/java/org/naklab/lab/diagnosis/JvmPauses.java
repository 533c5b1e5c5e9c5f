package org.naklab.lab.diagnosis;

import static org.naklab.lab.core.timeline.TimelineEventType.SAFEPOINT;
import static org.naklab.lab.core.timeline.TimelineEventType.THREAD_ABSENT;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.naklab.lab.core.account.AccountKind;
import org.naklab.lab.core.timeline.Interval;
import org.naklab.lab.core.timeline.JvmEvent.GcPause;
import org.naklab.lab.core.timeline.JvmEvent.Safepoint;
import org.naklab.lab.core.timeline.ThreadAbsence.WakerWait;
import org.naklab.lab.core.timeline.ThreadBusy;
import org.naklab.lab.core.timeline.TimelineEvent;
import org.naklab.lab.diagnosis.readings.CpuQuota;
import org.naklab.lab.diagnosis.readings.VmOperation;
import org.naklab.lab.diagnosis.stacks.KernelWait;

/** Divides the pauses of a JVM in a stall into the way to the safepoint, collections and other operations. */
final class JvmPauses {
    /** Names of the threads of HotSpot that collect garbage begin with one of these. */
    /** The thread that holds a pause waits for the threads that collect. */
    private static final Set<AccountKind> OWN_WAITS =
            EnumSet.of(AccountKind.LOCK, AccountKind.SLEEP, AccountKind.OTHER_WAIT);

    private static final List<String> COLLECTORS =
            List.of("GC Thread#", "ParGC Thread", "ZWorker", "XWorker", "Shenandoah GC", "VM Thread");

    /** A collection that used less CPU time than this share of its length did something else. */
    private static final double LEAST_CPU = 0.1;

    /** The clock of a JVM's events and that of the kernel differ a little. */
    private static final double COVERED = 0.8;

    private final CaseFile file;
    private final TimelineEvent event;
    private final Interval stall;
    private final CpuQuota quota;

    /** @param event a stall of a thread */
    JvmPauses(CaseFile file, TimelineEvent event) {
        this.file = file;
        this.event = event;
        stall = event.interval();
        quota = file.quota(event.process());
    }

    /** @param isWithoutCpu whether it was called a collection, and the collector did not run */
    record Pause(Interval interval, AccountKind kind, String detail, boolean isWithoutCpu) {
        private Pause(Interval interval, AccountKind kind, String detail) {
            this(interval, kind, detail, false);
        }
    }

    /** Returns those of the stall: the way to the safepoint, then the collection or the operation. */
    List<Pause> all() {
        List<Pause> pauses = new ArrayList<>();
        for (Safepoint safepoint : file.near(stall, event.process(), Safepoint.class)) {
            Interval all = safepoint.interval();
            if (!all.overlaps(stall)) {
                continue;
            }
            long reachedNs = Math.min(all.endNs(), safepoint.way().endNs());
            Interval way = new Interval(all.beginNs(), reachedNs);
            Interval held = new Interval(reachedNs, all.endNs());
            String request = request(safepoint);
            // Of two that are equally long, the first counts.
            lateThread(safepoint).ifPresent(late -> pauses.addAll(throttled(way, late)));
            collector(held).ifPresent(busy -> pauses.addAll(throttled(held, busy)));
            pauses.add(new Pause(way, AccountKind.TIME_TO_SAFEPOINT, late(safepoint, request)));
            pauses.addAll(heldPauses(safepoint, held, request));
        }
        for (GcPause collection : file.near(stall, event.process(), GcPause.class)) {
            if (!collection.interval().overlaps(stall)) {
                continue;
            }
            boolean isInSafepoint = file.near(collection.interval(), event.process(), SAFEPOINT).stream()
                    .anyMatch(safepoint -> safepoint.interval().overlaps(collection.interval()));
            if (!isInSafepoint) {
                pauses.add(collected(collection.interval(), collection.interval(), collection.cause()));
            }
        }
        return pauses;
    }

    /** An operation of another kind may contain a collection, as a heap dump does: the collection then is a part of it. */
    private List<Pause> heldPauses(Safepoint safepoint, Interval held, String request) {
        Optional<GcPause> collection = collectionIn(safepoint.interval());
        String operation = safepoint.operation();
        if (VmOperation.isCollection(operation) || (operation.isEmpty() && collection.isPresent())) {
            String detail = collection.map(GcPause::cause).orElse(request);
            return List.of(collected(held, held, detail));
        }
        List<Pause> pauses = new ArrayList<>(List.of(new Pause(held, AccountKind.VM_OPERATION, request)));
        collection.ifPresent(gc -> gc.interval()
                .intersection(held)
                .ifPresent(part -> pauses.add(collected(part, gc.interval(), gc.cause()))));
        return pauses;
    }

    /** Returns the parts of a pause that lasted because the quota kept the thread for which all waited from a CPU. */
    private List<Pause> throttled(Interval pause, ThreadBusy awaited) {
        return awaited.activity() == ThreadBusy.Activity.WITHOUT_CPU
                ? quota.in(pause).stream()
                        .map(part -> new Pause(part.interval(), AccountKind.THROTTLED, part.detailOf(awaited.thread())))
                        .toList()
                : List.of();
    }

    private Optional<ThreadBusy> lateThread(Safepoint safepoint) {
        return ThreadBusy.late(safepoint, file.near(safepoint.way(), event.process(), ThreadBusy.class));
    }

    /** Names the thread that the safepoint waited for, and what it did; or else what was requested. */
    private String late(Safepoint safepoint, String request) {
        return lateThread(safepoint)
                .map(thread -> "for " + thread.thread() + ", which " + words(thread.activity()))
                .map(late -> request.isEmpty() ? late : late + "; " + request)
                .orElse(request);
    }

    private static String words(ThreadBusy.Activity activity) {
        return switch (activity) {
            case ON_CPU -> "ran";
            case WITHOUT_CPU -> "had no CPU";
            case PAGE_FAULT -> "waited for a page";
            case BLOCKED -> "was blocked";
        };
    }

    private static String request(Safepoint safepoint) {
        String caller = safepoint.caller();
        String operation = safepoint.operation();
        return caller.isEmpty() || operation.isEmpty() ? operation : operation + ", requested by " + caller;
    }

    private Optional<GcPause> collectionIn(Interval safepoint) {
        return pausesOf(safepoint).findFirst();
    }

    /** @param whole the collection, of which the part belongs to the safepoint */
    private Pause collected(Interval part, Interval whole, String cause) {
        Optional<WakerWait> waited = waitOfVmThread(part);
        if (waited.isPresent()) {
            String did = AbsenceReading.VM_THREAD + ' ' + AbsenceReading.waited(waited.get());
            return new Pause(part, AccountKind.VM_OPERATION, AbsenceReading.joined(cause, did), true);
        }
        long leastNs = (long) (LEAST_CPU * whole.lengthNs());
        Optional<ThreadBusy> collector = collector(whole);
        Optional<Long> cpuNs = cpuNs(whole).or(() -> collector.map(ThreadBusy::cpuNs));
        if (cpuNs.isEmpty() || cpuNs.get() >= leastNs) {
            return new Pause(part, AccountKind.GC, cause);
        }
        String did = collector
                .map(thread -> thread.thread() + " " + words(thread.activity()))
                .orElse("without CPU time");
        return new Pause(part, AccountKind.VM_OPERATION, AbsenceReading.joined(cause, did), true);
    }

    /**
     * Returns for what the thread that holds the pause waited in most of it, if that is nothing of the JVM's own: its log may go to a pipe that
     * nobody reads. It is recorded with the waits that it ended.
     */
    private Optional<WakerWait> waitOfVmThread(Interval pause) {
        return file.near(pause, event.process(), THREAD_ABSENT).stream()
                .map(file.index()::absence)
                .filter(absence -> absence.waker().equals(AbsenceReading.VM_THREAD) && absence.isWakerOfProcess())
                .flatMap(absence -> Stream.ofNullable(absence.wakerWait()))
                .filter(wait -> wait.durationNs() >= Explanation.LEAST_SHARE * pause.lengthNs())
                .filter(wait -> !OWN_WAITS.contains(KernelWait.of(wait.kernelStack())))
                .findFirst();
    }

    /** Returns the CPU time of a collection by the JVM's own account; empty if it gives none. */
    private Optional<Long> cpuNs(Interval collection) {
        Map<Long, List<GcPause.CpuTime>> times = file.index().cpuTimes(event.process());
        return pausesOf(collection)
                .flatMap(pause -> Stream.ofNullable(pause.gcId()))
                .distinct()
                .flatMap(gcId -> times.getOrDefault(gcId, List.of()).stream())
                .map(GcPause.CpuTime::cpuNs)
                .reduce(Long::sum);
    }

    private Stream<GcPause> pausesOf(Interval collection) {
        return file.near(collection, event.process(), GcPause.class).stream()
                .filter(pause -> pause.interval().overlaps(collection));
    }

    /** Returns the thread that collected, if one did not sleep meanwhile: of several, the one that ran longest. */
    private Optional<ThreadBusy> collector(Interval collection) {
        return file.near(collection, event.process(), ThreadBusy.class).stream()
                .filter(busy -> COLLECTORS.stream().anyMatch(busy.thread()::startsWith))
                .filter(busy -> collection.coveredBy(List.of(busy.interval())) >= COVERED)
                .max(Comparator.comparingLong(ThreadBusy::cpuNs));
    }
}
