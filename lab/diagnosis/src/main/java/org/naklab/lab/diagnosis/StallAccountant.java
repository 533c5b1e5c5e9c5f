package org.naklab.lab.diagnosis;

import static org.naklab.lab.core.timeline.TimelineEventType.CPU_THROTTLED;
import static org.naklab.lab.core.timeline.TimelineEventType.GC_PAUSE;
import static org.naklab.lab.core.timeline.TimelineEventType.JAVA_STACK;
import static org.naklab.lab.core.timeline.TimelineEventType.JAVA_WAIT;
import static org.naklab.lab.core.timeline.TimelineEventType.KERNEL_RECORDED;
import static org.naklab.lab.core.timeline.TimelineEventType.PAGE_FAULT;
import static org.naklab.lab.core.timeline.TimelineEventType.RUN_QUEUE_DELAY;
import static org.naklab.lab.core.timeline.TimelineEventType.SAFEPOINT;
import static org.naklab.lab.core.timeline.TimelineEventType.THREAD_ABSENT;
import static org.naklab.lab.core.timeline.TimelineEventType.THREAD_BUSY;
import static org.naklab.lab.core.timeline.TimelineEventType.THREAD_CONTINUED;
import static org.naklab.lab.core.timeline.TimelineEventType.THREAD_INTERRUPTED;
import static org.naklab.lab.core.timeline.TimelineEventType.THREAD_SLEPT;
import static org.naklab.lab.core.timeline.TimelineEventType.TIMER_LATE;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.naklab.lab.core.account.AccountEntry;
import org.naklab.lab.core.account.AccountKind;
import org.naklab.lab.core.account.StallAccount;
import org.naklab.lab.core.timeline.Interval;
import org.naklab.lab.core.timeline.PageFault;
import org.naklab.lab.core.timeline.ThreadAbsence;
import org.naklab.lab.core.timeline.ThreadBusy;
import org.naklab.lab.core.timeline.TimelineEvent;
import org.naklab.lab.core.timeline.TimelineEventType;

/**
 * Adds up what a thread did, or waited for, in a stall. Each source claims parts of the stall; where several claim the same part, the one that says
 * most wins. A part that no source claims is unexplained.
 */
final class StallAccountant {
    private static final double NS_PER_MS = 1e6;
    /** Parts that are shorter are rounding errors. */
    private static final long LEAST_NS = 1_000;
    /** The clock of a JVM's events and that of the kernel differ a little. */
    private static final double COVERED = 0.8;
    /** Threads whose timers were due meanwhile run one after the other when the machine goes on. */
    private static final long SAME_END_NS = 3_000_000;

    private static final String LATE_TIMER = "an idle thread's timer was late as well";

    private final CaseFile file;
    private final TimelineEvent event;
    private final Interval stall;
    private final List<Claim> claims = new ArrayList<>();

    /** The thread of HotSpot that ends a safepoint, and so wakes those that it halted. */
    private static final String VM_THREAD = "VM Thread";

    /** Orders claims by how much they say, the most first. */
    private enum Rank {
        /** The process was stopped, frozen or traced, whatever its threads waited for before. */
        HALTED,
        /** The same, seen from outside by samples. */
        SEEN_HALTED,
        /** The duration of a page fault, measured. */
        FAULT,
        /** What another source knows of an absence that the kernel recorded: the quota, the JVM's pause, the lock of a Java object. */
        REFINED,
        /** The kernel's record of an absence. */
        ABSENCE,
        /** The JVM had stopped its threads: of the wait of a thread for a CPU, samples know no more than the length. */
        PAUSE,
        /** Samples of the thread's state, and what the JVM reports. */
        SAMPLE,
        /** The timer of an otherwise idle thread was late. */
        MACHINE,
        /** No longer absence was recorded. */
        REST
    }

    /** One source's statement about a part of the stall. */
    private record Claim(Rank rank, Interval interval, AccountKind kind, String detail) {}

    private record Term(AccountKind kind, String detail) {}

    /** Soft interrupts that take too long are left to a thread of the kernel, one for each CPU. */
    private static final String SOFT_INTERRUPT_THREAD = "ksoftirqd/";

    private static final Term PREEMPTED = new Term(AccountKind.PREEMPTED, "");
    private static final Term COLLECTED = new Term(AccountKind.GC, "");
    private static final Term STOLEN = new Term(AccountKind.STOLEN, "steal time of the CPU");

    /** @param event a stall of a thread */
    StallAccountant(CaseFile file, TimelineEvent event) {
        this.file = file;
        this.event = event;
        stall = event.interval();
    }

    /** Returns the account, which is as long as the stall. */
    StallAccount account() {
        claimAbsences();
        claimInterrupts();
        claimFaults();
        claimSamples();
        claimRest();
        Map<Term, Long> sums = new LinkedHashMap<>();
        for (Interval part : stall.cutBy(claims.stream().map(Claim::interval).toList())) {
            sums.merge(termOf(part), part.lengthNs(), Long::sum);
        }
        claimFigures(sums);
        return new StallAccount(sums.entrySet().stream()
                .filter(sum -> sum.getValue() >= LEAST_NS)
                .map(sum -> new AccountEntry(
                        sum.getKey().kind(),
                        sum.getValue() / NS_PER_MS,
                        sum.getKey().detail()))
                .toList());
    }

    /** Takes what is known by its length alone out of parts that no better source explains. */
    private void claimFigures(Map<Term, Long> sums) {
        Set<AccountKind> unknown = EnumSet.of(AccountKind.UNEXPLAINED, AccountKind.ON_CPU);
        move(
                sums,
                unknown,
                EnumSet.of(AccountKind.PREEMPTED, AccountKind.THROTTLED),
                PREEMPTED,
                figure("processorWaitMs"));
        Set<AccountKind> jvm = EnumSet.of(AccountKind.UNEXPLAINED, AccountKind.VM_OPERATION);
        move(sums, jvm, EnumSet.of(AccountKind.GC), COLLECTED, figure("collectionMs"));
        move(sums, unknown, EnumSet.of(AccountKind.STOLEN, AccountKind.PREEMPTED), STOLEN, figure("stolenMs"));
    }

    /** @param known kinds of which the figure contains what was claimed already */
    private static void move(
            Map<Term, Long> sums, Set<AccountKind> from, Set<AccountKind> known, Term to, long lengthNs) {
        long leftNs = lengthNs
                - sums.entrySet().stream()
                        .filter(sum -> known.contains(sum.getKey().kind()))
                        .mapToLong(Map.Entry::getValue)
                        .sum();
        for (Term term : List.copyOf(sums.keySet())) {
            if (leftNs > 0 && from.contains(term.kind())) {
                long movedNs = Math.min(leftNs, sums.getOrDefault(term, 0L));
                sums.merge(term, -movedNs, Long::sum);
                sums.merge(to, movedNs, Long::sum);
                leftNs -= movedNs;
            }
        }
    }

    /** Returns a figure of the stall, ns; 0 if it was not measured. */
    private long figure(String key) {
        return event.detail(key) instanceof Number ms ? Math.max(0, (long) (ms.doubleValue() * NS_PER_MS)) : 0;
    }

    /** The shortest of claims that say equally much counts: it is the innermost. */
    private Term termOf(Interval part) {
        return claims.stream()
                .filter(claim -> claim.interval().overlaps(part))
                .min(Comparator.comparing(Claim::rank)
                        .thenComparing(claim -> claim.interval().lengthNs()))
                .map(claim -> new Term(claim.kind(), claim.detail()))
                .orElse(new Term(AccountKind.UNEXPLAINED, ""));
    }

    private void claim(Rank rank, Interval interval, AccountKind kind, String detail) {
        if (interval.lengthNs() > 0 && interval.overlaps(stall)) {
            claims.add(new Claim(rank, interval, kind, detail));
        }
    }

    private void claimAbsences() {
        List<TimelineEvent> all = ofThread(THREAD_ABSENT).toList();
        for (int i = 0; i < all.size(); i++) {
            if (!all.get(i).interval().overlaps(stall)) {
                // Most of a long run: to look into each of them for each stall would take longer than the run.
                continue;
            }
            ThreadAbsence absence = ThreadAbsence.of(all.get(i));
            boolean isInRounds = (i > 0 && absence.isAgainAfter(ThreadAbsence.of(all.get(i - 1))))
                    || (i + 1 < all.size() && ThreadAbsence.of(all.get(i + 1)).isAgainAfter(absence));
            claimBlocked(absence, kindOf(absence, isInRounds && !UserStack.isPause(absence.userStack())));
            claimRunnable(absence);
        }
    }

    private void claimBlocked(ThreadAbsence absence, AccountKind kind) {
        Rank rank =
                switch (kind) {
                    case FROZEN, STOPPED, TRACED -> Rank.HALTED;
                    default -> Rank.ABSENCE;
                };
        if (kind == AccountKind.VM_OPERATION || (kind == AccountKind.LOCK && isOfUnknownLock(absence))) {
            jvmPauses().forEach(pause -> pause.interval()
                    .intersection(absence.blocked())
                    .ifPresent(part -> claim(Rank.REFINED, part, pause.kind(), pause.detail())));
        }
        if (kind == AccountKind.LOCK || kind == AccountKind.SLEEP) {
            claimJavaLocks(absence.blocked());
        }
        if (kind == AccountKind.SLEEP) {
            claimLateTimer(absence);
        }
        claim(rank, absence.blocked(), kind, detailOf(absence, kind));
    }

    /** Returns whether neither the program's functions nor the thread that woke it tell what it waited for: a safepoint halts a thread like a lock. */
    private static boolean isOfUnknownLock(ThreadAbsence absence) {
        return absence.userStack().isEmpty()
                || (absence.waker().isEmpty()
                        && UserStack.caller(absence.userStack()).isEmpty());
    }

    /** A sleep that ended together with the lateness of an idle thread's timer lasted longer than the thread had asked for. */
    private void claimLateTimer(ThreadAbsence absence) {
        Interval slept = absence.blocked();
        file.of(TIMER_LATE).stream()
                .map(TimelineEvent::interval)
                .filter(late -> Math.abs(late.endNs() - slept.endNs()) <= SAME_END_NS)
                .forEach(late -> late.intersection(slept)
                        .ifPresent(part -> claim(Rank.REFINED, part, AccountKind.STOLEN, LATE_TIMER)));
    }

    private void claimRunnable(ThreadAbsence absence) {
        claim(
                Rank.ABSENCE,
                absence.runnable(),
                absence.next().startsWith(SOFT_INTERRUPT_THREAD) ? AccountKind.INTERRUPTED : AccountKind.PREEMPTED,
                instead(absence));
        if (KernelWait.isThrottled(absence)) {
            claim(Rank.REFINED, absence.runnable(), AccountKind.THROTTLED, throttledGroup());
        }
        throttled().forEach(quota -> quota.interval()
                .intersection(absence.runnable())
                .filter(part -> 2 * quota.longDetail("throttledNs", 0) >= part.lengthNs())
                .ifPresent(part -> claim(Rank.REFINED, part, AccountKind.THROTTLED, quota.textDetail("cgroup"))));
    }

    /** A thread that is interrupted has its CPU all the time: no absence tells. An interrupt within another one is the shorter claim. */
    private void claimInterrupts() {
        ofThread(THREAD_INTERRUPTED)
                .forEach(interrupt -> claim(
                        Rank.ABSENCE,
                        interrupt.interval(),
                        AccountKind.INTERRUPTED,
                        "by " + interrupt.textDetail("kind") + " interrupt" + named(interrupt.textDetail("name"))));
    }

    private static String named(String name) {
        return name.isEmpty() ? "" : " " + name;
    }

    /** The JVM knows the lock and its holder. A thread waits for a monitor with a time limit, which looks like sleep from the kernel. */
    private void claimJavaLocks(Interval blocked) {
        ofThread(JAVA_WAIT)
                .filter(wait -> kindOfJavaWait(wait) == AccountKind.LOCK)
                .filter(wait -> blocked.coveredBy(List.of(wait.interval())) >= COVERED)
                .forEach(wait -> claim(Rank.REFINED, blocked, AccountKind.LOCK, detailOfJavaWait(wait)));
    }

    /** Returns the cgroup whose counters say that it was throttled; empty if none does. */
    private String throttledGroup() {
        return throttled().map(quota -> quota.textDetail("cgroup")).findFirst().orElse("");
    }

    private Stream<TimelineEvent> throttled() {
        return file.of(event.process(), CPU_THROTTLED).stream();
    }

    /** @param isInRounds whether the thread waited for the same thing again, or before */
    private static AccountKind kindOf(ThreadAbsence absence, boolean isInRounds) {
        return switch (absence.state()) {
            case FROZEN -> AccountKind.FROZEN;
            case STOPPED -> AccountKind.STOPPED;
            case TRACED -> AccountKind.TRACED;
            case RUNNABLE, PREEMPTED -> AccountKind.PREEMPTED;
            case SLEEPING, BLOCKED, OTHER -> kindOfWait(absence, isInRounds);
        };
    }

    /**
     * A thread that waits for a lock until an interrupt wakes it has slept: its time was up. If it waits again at once, its time limit was none: it looked whether
     * the lock was free, as CPython does for its interpreter lock every 5 ms.
     */
    private static AccountKind kindOfWait(ThreadAbsence absence, boolean isInRounds) {
        if (UserStack.isWithoutGoroutine(absence.userStack())) {
            return AccountKind.UNEXPLAINED;
        }
        AccountKind kind = KernelWait.of(absence.kernelStack());
        if (kind != AccountKind.LOCK) {
            return kind;
        }
        if (UserStack.isAtSafepoint(absence.userStack())) {
            return AccountKind.VM_OPERATION;
        }
        if (absence.waker().equals(VM_THREAD) && absence.isWakerOfProcess()) {
            return AccountKind.VM_OPERATION;
        }
        return absence.isWokenByInterrupt() && !isInRounds ? AccountKind.SLEEP : AccountKind.LOCK;
    }

    private static String detailOf(ThreadAbsence absence, AccountKind kind) {
        return switch (kind) {
            case LOCK, PIPE, TERMINAL, SOCKET, FILE_LOCK ->
                joined(UserStack.caller(absence.userStack()), wokenBy(absence));
            case SLEEP -> UserStack.caller(absence.userStack());
            case DISK, RECLAIM, OTHER_WAIT ->
                joined(UserStack.caller(absence.userStack()), KernelWait.function(absence.kernelStack()));
            case FROZEN, STOPPED, TRACED -> absence.by().isEmpty() ? "" : "by " + absence.by();
            case VM_OPERATION -> "at a safepoint";
            case UNEXPLAINED -> "no goroutine ran on this thread";
            default -> "";
        };
    }

    private static String joined(String first, String second) {
        return first.isEmpty() || second.isEmpty() ? first + second : first + ", " + second;
    }

    private static String wokenBy(ThreadAbsence absence) {
        if (absence.waker().isEmpty() || absence.isWokenByInterrupt()) {
            return KernelWait.function(absence.kernelStack());
        }
        return "woken by "
                + absence.waker()
                + (absence.isWakerOfProcess() ? "" : " of another process")
                + WakerPhrase.of(absence);
    }

    private static String instead(ThreadAbsence absence) {
        return absence.next().isEmpty() ? "" : "by " + absence.next();
    }

    private void claimFaults() {
        ofThread(PAGE_FAULT)
                .filter(each -> each.interval().overlaps(stall))
                .map(PageFault::of)
                .forEach(fault -> claim(
                        Rank.FAULT,
                        fault.interval(),
                        isSwapped(fault) ? AccountKind.SWAP : AccountKind.PAGE_FAULT,
                        fault.place()));
    }

    private boolean isSwapped(PageFault fault) {
        return ofThread(THREAD_ABSENT)
                .filter(absence -> absence.interval().overlaps(fault.interval()))
                .map(ThreadAbsence::of)
                .anyMatch(absence -> KernelWait.of(absence.kernelStack()) == AccountKind.SWAP);
    }

    /** Sources that sample or measure only from outside; the kernel's records say more where there are any. */
    private void claimSamples() {
        file.of(event.process(), THREAD_CONTINUED)
                .forEach(stop -> claim(
                        Rank.SEEN_HALTED,
                        stop.interval(),
                        stop.textDetail("state").equals("t") ? AccountKind.TRACED : AccountKind.STOPPED,
                        ""));
        jvmPauses()
                .forEach(pause -> claim(
                        pause.kind() == AccountKind.TIME_TO_SAFEPOINT ? Rank.SAMPLE : Rank.PAUSE,
                        pause.interval(),
                        pause.kind(),
                        pause.detail()));
        ofThread(RUN_QUEUE_DELAY).forEach(wait -> claim(Rank.SAMPLE, wait.interval(), AccountKind.PREEMPTED, ""));
        ofThread(JAVA_WAIT)
                .forEach(wait -> claim(Rank.SAMPLE, wait.interval(), kindOfJavaWait(wait), detailOfJavaWait(wait)));
        ofThread(THREAD_SLEPT).forEach(sleep -> claim(Rank.SAMPLE, sleep.interval(), AccountKind.OTHER_WAIT, ""));
        file.of(TIMER_LATE).forEach(late -> claim(Rank.MACHINE, late.interval(), AccountKind.STOLEN, LATE_TIMER));
    }

    private static AccountKind kindOfJavaWait(TimelineEvent wait) {
        return AccountKind.of(wait.textDetail("kind"));
    }

    private static String detailOfJavaWait(TimelineEvent wait) {
        String where = wait.textDetail("where");
        return joined(wait.textDetail("object"), where.isEmpty() ? "" : "at " + where);
    }

    /** If all longer absences were recorded, the thread was on a CPU for the rest; of an unknown thread nothing was recorded. */
    private void claimRest() {
        if (event.thread().isEmpty()) {
            return;
        }
        file.of(event.process(), KERNEL_RECORDED)
                .forEach(recorded -> claim(Rank.REST, recorded.interval(), AccountKind.ON_CPU, code()));
    }

    /** Returns the Java method in which the thread was on a CPU for longest; empty if its stack was not sampled. */
    private String code() {
        return ofThread(JAVA_STACK)
                .filter(stack -> Boolean.FALSE.equals(stack.detail("native")))
                .filter(stack -> stack.interval().overlaps(stall))
                .max(Comparator.comparingLong(stack -> stack.interval()
                        .intersection(stall)
                        .map(Interval::lengthNs)
                        .orElse(0L)))
                .map(stack -> "in " + stack.textDetail("where"))
                .orElse("");
    }

    private record Pause(Interval interval, AccountKind kind, String detail) {}

    /** The way to the safepoint, then the collection or the operation. */
    private List<Pause> jvmPauses() {
        List<Pause> pauses = new ArrayList<>();
        for (TimelineEvent safepoint : file.of(event.process(), SAFEPOINT)) {
            Interval all = safepoint.interval();
            if (!all.overlaps(stall)) {
                continue;
            }
            long reachedNs = Math.min(all.endNs(), all.beginNs() + safepoint.longDetail("toSafepointNs", 0));
            String request = request(safepoint);
            pauses.add(new Pause(
                    new Interval(all.beginNs(), reachedNs), AccountKind.TIME_TO_SAFEPOINT, late(safepoint, request)));
            pauses.addAll(heldPauses(safepoint, new Interval(reachedNs, all.endNs()), request));
        }
        for (TimelineEvent collection : file.of(event.process(), GC_PAUSE)) {
            if (!collection.interval().overlaps(stall)) {
                continue;
            }
            boolean isInSafepoint = file.of(event.process(), SAFEPOINT).stream()
                    .anyMatch(safepoint -> safepoint.interval().overlaps(collection.interval()));
            if (!isInSafepoint) {
                pauses.add(new Pause(collection.interval(), AccountKind.GC, collection.textDetail("cause")));
            }
        }
        return pauses;
    }

    /** An operation of another kind may contain a collection, as a heap dump does: the collection then is a part of it. */
    private List<Pause> heldPauses(TimelineEvent safepoint, Interval held, String request) {
        Optional<TimelineEvent> collection = collectionIn(safepoint.interval());
        String operation = safepoint.textDetail("operation");
        if (VmOperation.isCollection(operation) || (operation.isEmpty() && collection.isPresent())) {
            String detail = collection.map(gc -> gc.textDetail("cause")).orElse(request);
            return List.of(new Pause(held, AccountKind.GC, detail));
        }
        List<Pause> pauses = new ArrayList<>(List.of(new Pause(held, AccountKind.VM_OPERATION, request)));
        collection.ifPresent(gc -> gc.interval()
                .intersection(held)
                .ifPresent(part -> pauses.add(new Pause(part, AccountKind.GC, gc.textDetail("cause")))));
        return pauses;
    }

    /** Names the thread that the safepoint waited for, and what it did; or else what was requested. */
    private String late(TimelineEvent safepoint, String request) {
        List<ThreadBusy> busy = file.of(event.process(), THREAD_BUSY).stream()
                .map(ThreadBusy::of)
                .toList();
        return ThreadBusy.late(safepoint, busy)
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

    private static String request(TimelineEvent safepoint) {
        String caller = safepoint.textDetail("caller");
        String operation = safepoint.textDetail("operation");
        return caller.isEmpty() || operation.isEmpty() ? operation : operation + ", requested by " + caller;
    }

    private Optional<TimelineEvent> collectionIn(Interval safepoint) {
        return file.of(event.process(), GC_PAUSE).stream()
                .filter(collection -> collection.interval().overlaps(safepoint))
                .findFirst();
    }

    private Stream<TimelineEvent> ofThread(TimelineEventType type) {
        return file.of(event.process(), type).stream()
                .filter(each -> each.thread().equals(event.thread()));
    }
}
