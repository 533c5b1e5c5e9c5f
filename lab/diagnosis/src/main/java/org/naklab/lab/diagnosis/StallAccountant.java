package org.naklab.lab.diagnosis;

import static org.naklab.lab.core.timeline.TimelineEventType.CORE_SHARED;
import static org.naklab.lab.core.timeline.TimelineEventType.JAVA_STACK;
import static org.naklab.lab.core.timeline.TimelineEventType.JAVA_WAIT;
import static org.naklab.lab.core.timeline.TimelineEventType.KERNEL_RECORDED;
import static org.naklab.lab.core.timeline.TimelineEventType.MEMORY_RECLAIMED;
import static org.naklab.lab.core.timeline.TimelineEventType.PAGE_FAULT;
import static org.naklab.lab.core.timeline.TimelineEventType.RUN_QUEUE_DELAY;
import static org.naklab.lab.core.timeline.TimelineEventType.THREAD_ABSENT;
import static org.naklab.lab.core.timeline.TimelineEventType.THREAD_BUSY;
import static org.naklab.lab.core.timeline.TimelineEventType.THREAD_INTERRUPTED;
import static org.naklab.lab.core.timeline.TimelineEventType.THREAD_SAMPLED;
import static org.naklab.lab.core.timeline.TimelineEventType.THREAD_SLEPT;
import static org.naklab.lab.core.timeline.TimelineEventType.THREAD_WAITED;
import static org.naklab.lab.core.timeline.TimelineEventType.TIMER_LATE;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.Queue;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.naklab.lab.core.Units;
import org.naklab.lab.core.account.AccountEntry;
import org.naklab.lab.core.account.AccountKind;
import org.naklab.lab.core.account.StallAccount;
import org.naklab.lab.core.timeline.CoreShared;
import org.naklab.lab.core.timeline.Interruption;
import org.naklab.lab.core.timeline.Interval;
import org.naklab.lab.core.timeline.PageFault;
import org.naklab.lab.core.timeline.ShortWaits;
import org.naklab.lab.core.timeline.SocketEvent;
import org.naklab.lab.core.timeline.ThreadAbsence;
import org.naklab.lab.core.timeline.ThreadEvent;
import org.naklab.lab.core.timeline.ThreadEvent.MemoryReclaim;
import org.naklab.lab.core.timeline.ThreadStall;
import org.naklab.lab.core.timeline.TimelineEvent;
import org.naklab.lab.core.timeline.TimelineEventType;
import org.naklab.lab.diagnosis.events.EventGroup;
import org.naklab.lab.diagnosis.readings.CpuQuota;
import org.naklab.lab.diagnosis.readings.WakerWaits;
import org.naklab.lab.diagnosis.stacks.KernelWait;
import org.naklab.lab.diagnosis.stacks.UserStack;

/**
 * Adds up what a thread did, or waited for, in a stall. Each source claims parts of the stall; where several claim the same part, the one that says
 * most wins. A part that no source claims is unexplained.
 */
final class StallAccountant {
    /** Parts that are shorter are rounding errors. */
    private static final long LEAST_NS = 1_000;
    /** The clock of a JVM's events and that of the kernel differ a little. */
    private static final double COVERED = 0.8;
    /** Samples begin after a wait does, and end before it. */
    private static final double SAMPLED = 0.5;
    /** Threads whose timers were due meanwhile run one after the other when the machine goes on. */
    private static final long SAME_END_NS = 3_000_000;

    private static final String RECLAIM = "before it got a page";
    /** The pool on whose threads virtual threads run parks a thread for itself when there is nothing to run. */
    private static final String POOL = "java.util.concurrent.ForkJoinPool";

    private static final String NO_TASK = "no task or virtual thread ran on this thread of a pool";
    private static final String LATE_TIMER = "an idle thread's timer was late as well";

    private final CaseFile file;
    private final TimelineEvent event;
    private final Interval stall;
    private final List<Claim> claims = new ArrayList<>();
    private final CpuQuota quota;
    private final WakerWaits wakers;
    private final List<JvmPauses.Pause> pauses;

    /** Orders claims by how much they say, the most first. */
    private enum Rank {
        /** The process was stopped, frozen or traced, whatever its threads waited for before. */
        HALTED,
        /** The duration of a page fault, measured. */
        FAULT,
        /** What another source knows of an absence that the kernel recorded: the quota, the JVM's pause, the lock of a Java object. */
        REFINED,
        /** The kernel's record of an absence. */
        ABSENCE,
        /** The thread was stopped or traced, seen from outside by samples: too early or too late by the time between two. */
        SEEN_HALTED,
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
    private record Claim(Rank rank, Interval interval, AccountKind kind, String detail, int number)
            implements Comparable<Claim> {
        /** The shortest of claims that say equally much counts: it is the innermost. Of those that are equally short, the first does. */
        @Override
        public int compareTo(Claim other) {
            return Comparator.comparing(Claim::rank)
                    .thenComparing(claim -> claim.interval().lengthNs())
                    .thenComparing(Claim::number)
                    .compare(this, other);
        }
    }

    private record Term(AccountKind kind, String detail) {
        private static Term of(@Nullable Claim claim) {
            return claim == null ? new Term(AccountKind.UNEXPLAINED, "") : new Term(claim.kind(), claim.detail());
        }
    }

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
        quota = file.quota(event.process());
        wakers = new WakerWaits((thread, span) ->
                file.index().group(THREAD_BUSY, event.process(), thread).near(span));
        pauses = new JvmPauses(file, event).all();
    }

    /** Returns the account, which is as long as the stall. */
    StallAccount account() {
        claimAbsences();
        claimInterrupts();
        claimFaults();
        claimReclaims();
        claimSamples();
        claimRest();
        Map<Term, Long> sums = sums();
        claimFigures(sums);
        return new StallAccount(sums.entrySet().stream()
                .filter(sum -> sum.getValue() >= LEAST_NS)
                .map(sum -> new AccountEntry(
                        sum.getKey().kind(),
                        sum.getValue() / Units.NS_PER_MS,
                        sum.getKey().detail()))
                .toList());
    }

    /** Takes what is known by its length alone out of parts that no better source explains. */
    private void claimFigures(Map<Term, Long> sums) {
        Set<AccountKind> unknown = EnumSet.of(AccountKind.UNEXPLAINED, AccountKind.ON_CPU);
        claimShortWaits(sums);
        Interruption own = ThreadStall.figuresOf(event);
        reclaims()
                .filter(reclaim ->
                        reclaim.reclaimNs() < COVERED * reclaim.interval().lengthNs())
                .forEach(reclaim -> move(
                        sums,
                        EnumSet.of(AccountKind.ON_CPU),
                        Set.of(),
                        new Term(AccountKind.RECLAIM, RECLAIM),
                        Math.round(reclaim.reclaimNs() * reclaim.interval().coveredBy(List.of(stall)))));
        move(
                sums,
                unknown,
                EnumSet.of(AccountKind.PREEMPTED, AccountKind.THROTTLED),
                PREEMPTED,
                measuredNs(own.processorWaitMs()));
        Set<AccountKind> jvm = EnumSet.of(AccountKind.UNEXPLAINED, AccountKind.VM_OPERATION);
        boolean isDenied = pauses.stream().anyMatch(JvmPauses.Pause::isWithoutCpu);
        move(sums, jvm, EnumSet.of(AccountKind.GC), COLLECTED, isDenied ? 0 : measuredNs(own.collectionMs()));
        move(sums, unknown, EnumSet.of(AccountKind.STOLEN, AccountKind.PREEMPTED), STOLEN, measuredNs(own.stolenMs()));
    }

    /** What the kernel measured as waits too short for a record is no time on a CPU. */
    private void claimShortWaits(Map<Term, Long> sums) {
        Set<AccountKind> rest = EnumSet.of(AccountKind.ON_CPU);
        ofThread(THREAD_WAITED)
                .filter(each -> each.interval().overlaps(stall))
                .map(ShortWaits::of)
                .forEach(waits -> {
                    double share = waits.shareIn(stall);
                    Term term = new Term(AbsenceReading.kindOf(waits), AbsenceReading.detailOf(waits));
                    long blockedNs = Math.round(waits.blockedNs() * share) - faultsNs(waits.interval());
                    move(sums, rest, Set.of(), PREEMPTED, Math.round(waits.runnableNs() * share));
                    move(sums, rest, Set.of(), term, blockedNs);
                });
    }

    /** Returns how long the thread waited in page faults in that part of the stall: they have records of their own from 1 ms on. */
    private long faultsNs(Interval part) {
        List<Interval> faults = claims.stream()
                .filter(claim -> claim.rank() == Rank.FAULT)
                .map(Claim::interval)
                .toList();
        return part.intersection(stall)
                .map(counted -> Math.round(counted.lengthNs() * counted.coveredBy(faults)))
                .orElse(0L);
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
    private static long measuredNs(@Nullable Number ms) {
        return ms == null ? 0 : Math.max(0, (long) (ms.doubleValue() * Units.NS_PER_MS));
    }

    /** The parts come by time, so that each claim joins once, and leaves once, those among which the best one is looked for. */
    private Map<Term, Long> sums() {
        Map<Term, Long> sums = new LinkedHashMap<>();
        List<Claim> byBegin = claims.stream()
                .sorted(Comparator.comparingLong(claim -> claim.interval().beginNs()))
                .toList();
        Queue<Claim> best = new PriorityQueue<>();
        int next = 0;
        for (Interval part : stall.cutBy(claims.stream().map(Claim::interval).toList())) {
            while (next < byBegin.size() && byBegin.get(next).interval().beginNs() <= part.beginNs()) {
                best.add(byBegin.get(next++));
            }
            while (!best.isEmpty() && best.element().interval().endNs() <= part.beginNs()) {
                best.remove();
            }
            sums.merge(Term.of(best.peek()), part.lengthNs(), Long::sum);
        }
        return sums;
    }

    private void claim(Rank rank, Interval interval, AccountKind kind, String detail) {
        if (interval.lengthNs() > 0 && interval.overlaps(stall)) {
            claims.add(new Claim(rank, interval, kind, detail, claims.size()));
        }
    }

    private void claimAbsences() {
        EventGroup all = group(THREAD_ABSENT);
        List<SocketEvent.Unread> unread = file.near(stall, event.process(), SocketEvent.Unread.class);
        for (int i : all.positionsNear(stall)) {
            if (!all.get(i).interval().overlaps(stall)) {
                continue;
            }
            ThreadAbsence absence = wakers.corrected(absence(all.get(i)));
            boolean isInRounds = (i > 0 && absence.isAgainAfter(absence(all.get(i - 1))))
                    || (i + 1 < all.size() && absence(all.get(i + 1)).isAgainAfter(absence));
            claimBlocked(
                    absence,
                    AbsenceReading.kindOf(
                            absence,
                            isInRounds && !UserStack.isPause(absence.userStack()),
                            unread.stream().anyMatch(absence::isNotNotified)));
            claimRunnable(absence);
        }
    }

    private ThreadAbsence absence(TimelineEvent absent) {
        return file.index().absence(absent);
    }

    private void claimBlocked(ThreadAbsence absence, AccountKind kind) {
        Rank rank =
                switch (kind) {
                    case FROZEN, STOPPED, TRACED -> Rank.HALTED;
                    // What the thread waited for in a page fault before the page makes the fault as long as it is.
                    case LOCK, RECLAIM -> KernelWait.isInFault(absence.kernelStack()) ? Rank.FAULT : Rank.ABSENCE;
                    default -> Rank.ABSENCE;
                };
        if (kind == AccountKind.VM_OPERATION || (kind == AccountKind.LOCK && isOfUnknownLock(absence))) {
            pauses.forEach(pause -> pause.interval()
                    .intersection(absence.blocked())
                    .ifPresent(part -> claim(Rank.REFINED, part, pause.kind(), pause.detail())));
        }
        if (kind == AccountKind.LOCK && !isWithoutTask(absence)) {
            claimOuterWait(absence, rank == Rank.FAULT ? rank : Rank.REFINED);
        }
        if (kind == AccountKind.LOCK || kind == AccountKind.SLEEP) {
            claimJavaWaits(absence.blocked(), kind);
        }
        if (kind == AccountKind.SLEEP) {
            claimLateTimer(absence);
        }
        claimThrottledHolder(absence);
        if (kind == AccountKind.LOCK && isWithoutTask(absence)) {
            claim(Rank.REFINED, absence.blocked(), AccountKind.UNEXPLAINED, NO_TASK);
        }
        claim(rank, absence.blocked(), kind, AbsenceReading.detailOf(absence, kind, lineOf(absence)));
    }

    /** The time in which the holder of a lock was kept from going on is not that of the lock. Of claims that are equally long, the first counts. */
    private void claimOuterWait(ThreadAbsence absence, Rank rank) {
        AbsenceReading.outerWait(absence)
                .ifPresent(wait -> claim(
                        rank,
                        absence.during(wait),
                        AbsenceReading.kindOf(wait),
                        AbsenceReading.detailOfOuterWait(absence, lineOf(absence))));
    }

    /** A thread of a pool that runs virtual threads waits for one that can run: for what these wait meanwhile, neither the kernel nor the JVM tells. */
    private boolean isWithoutTask(ThreadAbsence absence) {
        return group(JAVA_WAIT).near(absence.blocked()).stream()
                .flatMap(TimelineEvent.only(ThreadEvent.JavaWait.class))
                .filter(wait -> POOL.equals(wait.lock().object()))
                .anyMatch(wait -> absence.blocked().coveredBy(List.of(wait.interval())) >= COVERED);
    }

    /** Whatever the kernel says of a wait, the JVM may know the line: of the wait itself, or of the call of native code in which JFR sampled the thread. */
    private String lineOf(ThreadAbsence absence) {
        Interval blocked = absence.blocked();
        Stream<String> waits = group(JAVA_WAIT).near(blocked).stream()
                .flatMap(TimelineEvent.only(ThreadEvent.JavaWait.class))
                .filter(wait -> blocked.coveredBy(List.of(wait.interval())) >= COVERED)
                .map(AbsenceReading::lineOf);
        // The JVM knows the call of native code, and the kernel the function in it that waited.
        Stream<String> samples = group(JAVA_STACK).near(blocked).stream()
                .flatMap(TimelineEvent.only(ThreadEvent.JavaStack.class))
                .filter(each -> each.code().isNative())
                .filter(stack -> blocked.coveredBy(List.of(stack.interval())) >= SAMPLED)
                .map(AbsenceReading::lineOf)
                .filter(line -> !line.isEmpty())
                .map(line -> AbsenceReading.joined(line, UserStack.caller(absence.userStack())));
        return Stream.concat(waits, samples)
                .filter(line -> !line.isEmpty())
                .findFirst()
                .orElse("");
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
        file.spansNear(slept, TIMER_LATE).stream()
                .filter(late -> Math.abs(late.endNs() - slept.endNs()) <= SAME_END_NS)
                .forEach(late -> late.intersection(slept)
                        .ifPresent(part -> claim(Rank.REFINED, part, AccountKind.STOLEN, LATE_TIMER)));
    }

    private void claimRunnable(ThreadAbsence absence) {
        claim(
                Rank.ABSENCE,
                absence.runnable(),
                absence.next().startsWith(SOFT_INTERRUPT_THREAD) ? AccountKind.INTERRUPTED : AccountKind.PREEMPTED,
                onItsCore(absence.runnable())
                        .map(other -> "by " + other)
                        .orElseGet(() -> AbsenceReading.instead(absence)));
        if (KernelWait.isThrottled(absence)) {
            claim(Rank.REFINED, absence.runnable(), AccountKind.THROTTLED, quota.cgroup());
        }
        quota.in(absence.runnable())
                .forEach(part -> claim(Rank.REFINED, part.interval(), AccountKind.THROTTLED, part.cgroup()));
    }

    /** Returns the thread that had the only CPU of this one for most of the time in which it waited for it, whoever came first. */
    private Optional<String> onItsCore(Interval runnable) {
        return group(CORE_SHARED).near(runnable).stream()
                .flatMap(TimelineEvent.only(CoreShared.class))
                .filter(shared -> 2 * shared.leastWithinNs(runnable) >= runnable.lengthNs())
                .findFirst()
                .map(CoreShared::other);
    }

    /** The quota is that of all threads of the process: a thread that waits for a throttled one is throttled with it. */
    private void claimThrottledHolder(ThreadAbsence absence) {
        if (WakerWaits.isForThreadWithoutCpu(absence)) {
            quota.in(absence.blocked())
                    .forEach(part -> claim(
                            Rank.REFINED, part.interval(), AccountKind.THROTTLED, part.detailOf(absence.waker())));
        }
    }

    /**
     * A thread that is interrupted has its CPU all the time: no absence tells. One that was woken during a soft interrupt waits for its end: that is the shorter
     * claim than the whole wait for a CPU. So is an interrupt within another one.
     */
    private void claimInterrupts() {
        ofThread(THREAD_INTERRUPTED)
                .flatMap(TimelineEvent.only(ThreadEvent.Interrupted.class))
                .forEach(interrupt -> claim(
                        Rank.ABSENCE,
                        interrupt.interval(),
                        AccountKind.INTERRUPTED,
                        "by " + interrupt.kind() + " interrupt" + named(interrupt.name())));
    }

    private static String named(String name) {
        return name.isEmpty() ? "" : " " + name;
    }

    /**
     * The JVM knows the lock and its holder, and the line at which a thread sleeps. A thread waits for a monitor with a time limit, which looks like
     * sleep from the kernel.
     */
    private void claimJavaWaits(Interval blocked, AccountKind kind) {
        group(JAVA_WAIT).near(blocked).stream()
                .flatMap(TimelineEvent.only(ThreadEvent.JavaWait.class))
                .filter(wait -> EnumSet.of(AccountKind.LOCK, kind).contains(AbsenceReading.kindOfJavaWait(wait)))
                .filter(wait -> blocked.coveredBy(List.of(wait.interval())) >= COVERED)
                .forEach(wait -> claim(
                        Rank.REFINED,
                        blocked,
                        AbsenceReading.kindOfJavaWait(wait),
                        AbsenceReading.detailOfJavaWait(wait)));
    }

    private void claimFaults() {
        ofThread(PAGE_FAULT)
                .filter(each -> each.interval().overlaps(stall))
                .flatMap(TimelineEvent.only(PageFault.class))
                .forEach(fault -> claim(
                        Rank.FAULT,
                        fault.interval(),
                        isSwapped(fault) ? AccountKind.SWAP : AccountKind.PAGE_FAULT,
                        fault.place()));
    }

    /** A thread may reclaim within a page fault, and wait for a disk meanwhile. */
    private void claimReclaims() {
        reclaims()
                .filter(reclaim ->
                        reclaim.reclaimNs() >= COVERED * reclaim.interval().lengthNs())
                .forEach(reclaim -> claim(Rank.FAULT, reclaim.interval(), AccountKind.RECLAIM, RECLAIM));
    }

    private Stream<MemoryReclaim> reclaims() {
        return ofThread(MEMORY_RECLAIMED)
                .filter(each -> each.interval().overlaps(stall))
                .flatMap(TimelineEvent.only(MemoryReclaim.class));
    }

    private boolean isSwapped(PageFault fault) {
        return group(THREAD_ABSENT).near(fault.interval()).stream()
                .filter(absence -> absence.interval().overlaps(fault.interval()))
                .map(this::absence)
                .anyMatch(absence -> KernelWait.of(absence.kernelStack()) == AccountKind.SWAP);
    }

    /** A signal stops all threads of a process, a tracer one: of another thread, a stop tells something and a trace nothing. */
    private void claimHalts() {
        for (ThreadEvent.Continued halt : file.near(stall, event.process(), ThreadEvent.Continued.class)) {
            boolean isTraced = halt.state().equals("t");
            if (halt.thread().equals(event.thread())) {
                claim(Rank.SEEN_HALTED, halt.interval(), isTraced ? AccountKind.TRACED : AccountKind.STOPPED, "");
            } else if (!isTraced) {
                claim(Rank.SAMPLE, halt.interval(), AccountKind.STOPPED, "");
            }
        }
    }

    /** Sources that sample or measure only from outside; the kernel's records say more where there are any. */
    private void claimSamples() {
        claimHalts();
        pauses.forEach(pause -> claim(
                pause.kind() == AccountKind.TIME_TO_SAFEPOINT ? Rank.SAMPLE : Rank.PAUSE,
                pause.interval(),
                pause.kind(),
                pause.detail()));
        ofThread(RUN_QUEUE_DELAY).forEach(wait -> claim(Rank.SAMPLE, wait.interval(), AccountKind.PREEMPTED, ""));
        ofThread(JAVA_WAIT)
                .flatMap(TimelineEvent.only(ThreadEvent.JavaWait.class))
                .forEach(wait -> claim(
                        Rank.SAMPLE,
                        wait.interval(),
                        AbsenceReading.kindOfJavaWait(wait),
                        AbsenceReading.detailOfJavaWait(wait)));
        ofThread(THREAD_SLEPT).forEach(sleep -> claim(Rank.SAMPLE, sleep.interval(), AccountKind.OTHER_WAIT, ""));
        file.near(stall, TIMER_LATE)
                .forEach(late -> claim(Rank.MACHINE, late.interval(), AccountKind.STOLEN, LATE_TIMER));
    }

    /**
     * If all longer absences were recorded, the thread was on a CPU for the rest, but for the shorter waits, which are known by their length; of an unknown
     * thread nothing was recorded.
     */
    private void claimRest() {
        if (event.thread().isEmpty()) {
            return;
        }
        file.near(stall, event.process(), KERNEL_RECORDED)
                .forEach(recorded -> claim(Rank.REST, recorded.interval(), AccountKind.ON_CPU, code()));
    }

    /** Returns the Java method in which the thread was on a CPU for longest, or the function; empty if its stack was not sampled. */
    private String code() {
        return UserStack.javaCode(ofThread(JAVA_STACK), stall)
                .or(() -> UserStack.sampledCode(ofThread(THREAD_SAMPLED), stall))
                .map(code -> AbsenceReading.joined(code, asLongAs(UserStack.isSpin(code))))
                .orElse("");
    }

    /**
     * Returns what another thread of the process did as long as this one was on a CPU: it may hold what this one spins for. The kernel knows nothing of such a lock, so that only the
     * times tell: both went on together, and if the function does not say that the thread spins, they began together as well.
     */
    private String asLongAs(boolean isSpin) {
        return file.near(stall, event.process(), THREAD_ABSENT).stream()
                .filter(absent -> !absent.thread().equals(event.thread()))
                .filter(absent -> Math.abs(absent.endNs() - stall.endNs()) <= SAME_END_NS)
                .filter(absent -> isSpin || Math.abs(absent.timeNs() - stall.beginNs()) <= SAME_END_NS)
                .filter(absent -> stall.coveredBy(List.of(absent.interval())) >= SAMPLED)
                .min(Comparator.comparingLong(absent -> Math.abs(absent.endNs() - stall.endNs())))
                .map(this::absence)
                .map(other -> (isSpin ? "until " : "as long as ") + AbsenceReading.whatDid(other))
                .orElse("");
    }

    private EventGroup group(TimelineEventType type) {
        return file.index().group(type, event.process(), event.thread());
    }

    /** Returns what was seen of the thread near the stall. */
    private Stream<TimelineEvent> ofThread(TimelineEventType type) {
        return group(type).near(stall).stream();
    }
}
