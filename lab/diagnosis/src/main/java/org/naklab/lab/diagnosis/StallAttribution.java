package org.naklab.lab.diagnosis;

import static org.naklab.lab.core.timeline.TimelineEventType.JAVA_WAIT;
import static org.naklab.lab.core.timeline.TimelineEventType.KERNEL_RECORDED;
import static org.naklab.lab.core.timeline.TimelineEventType.SLOW_CALLBACK;
import static org.naklab.lab.core.timeline.TimelineEventType.THREAD_ABSENT;
import static org.naklab.lab.core.timeline.TimelineEventType.TIMER_LATE;
import static org.naklab.lab.core.timeline.TimelineEventType.YIELDED;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.naklab.lab.core.Format;
import org.naklab.lab.core.account.AccountEntry;
import org.naklab.lab.core.account.AccountKind;
import org.naklab.lab.core.account.StallAccount;
import org.naklab.lab.core.timeline.Interval;
import org.naklab.lab.core.timeline.ThreadAbsence;
import org.naklab.lab.core.timeline.ThreadEvent.JavaStack;
import org.naklab.lab.core.timeline.ThreadEvent.JavaWait;
import org.naklab.lab.core.timeline.ThreadEvent.SymbolBound;
import org.naklab.lab.core.timeline.ThreadStall;
import org.naklab.lab.core.timeline.TimelineEvent;
import org.naklab.lab.core.timeline.TimelineEventType;
import org.naklab.lab.diagnosis.stacks.KernelWait;
import org.naklab.lab.diagnosis.stacks.UserStack;

/**
 * Names the cause of one thread's stall. The account tells what kept the thread. The operation that it was in, a bind, a yield or a callback,
 * names the cause if the thread waited or worked on its own account there; it names nothing if the thread was kept from outside.
 */
final class StallAttribution {
    /** Shorter parts are no evidence. */
    private static final double LEAST_EVIDENT_SHARE = 0.05;

    /** What the code of an operation does itself, or asks for. */
    private static final Set<Cause> OWN =
            EnumSet.of(Cause.BUSY_THREAD, Cause.BLOCKING_CALL, Cause.LOCK_WAIT, Cause.UNEXPLAINED);

    private static final Set<Cause> OWN_AND_FILES = EnumSet.of(
            Cause.BUSY_THREAD,
            Cause.BLOCKING_CALL,
            Cause.LOCK_WAIT,
            Cause.FILE_LOCK_WAIT,
            Cause.DISK_WAIT,
            Cause.UNEXPLAINED);

    private static final Set<Cause> MISSING_PAGES = EnumSet.of(Cause.MAJOR_FAULT, Cause.MEMORY_PRESSURE);

    private final CaseFile file;
    private final TimelineEvent event;
    private final Interval stall;
    private final StallAccount account;
    private final Map<Cause, Double> shares;
    private final Explanation explanation;

    /** @param event a STALL */
    StallAttribution(CaseFile file, TimelineEvent event) {
        this.file = file;
        this.event = event;
        stall = event.interval();
        account = new StallAccountant(file, event).account();
        shares = shares();
        explanation = bound().or(this::parkedInYield).or(this::calledBack).orElseGet(this::keptFromOutside);
    }

    Explanation explain() {
        return explanation;
    }

    StallAccount account() {
        return account;
    }

    private Map<Cause, Double> shares() {
        Map<Cause, Double> sums = new EnumMap<>(Cause.class);
        for (AccountKind kind : AccountKind.values()) {
            sums.merge(Cause.of(kind), account.share(kind), Double::sum);
        }
        // The processors were taken from every thread of the machine, not from this one.
        if (late() >= Explanation.LEAST_SHARE) {
            sums.merge(Cause.MACHINE_STALLED, sums.getOrDefault(Cause.CPU_PREEMPTION, 0.0), Double::sum);
            sums.put(Cause.CPU_PREEMPTION, 0.0);
        }
        return sums;
    }

    private double late() {
        return stall.coveredBy(file.spansNear(stall, TIMER_LATE));
    }

    private double share(Cause cause) {
        return shares.getOrDefault(cause, 0.0);
    }

    private double share(Set<Cause> causes) {
        return causes.stream().mapToDouble(this::share).sum();
    }

    /** A symbol was bound for most of the stall. */
    private Optional<Explanation> bound() {
        List<SymbolBound> binds = file.near(stall, event.process(), SymbolBound.class).stream()
                .filter(bind -> bind.interval().overlaps(stall) || stall.contains(bind.timeNs()))
                .toList();
        LinkerWork linker = new LinkerWork(file, event);
        double covered =
                stall.coveredBy(Stream.concat(binds.stream().map(TimelineEvent::interval), linker.spans().stream())
                        .toList());
        double missingPages = share(MISSING_PAGES);
        double own = share(OWN_AND_FILES);
        if (covered < Explanation.LEAST_SHARE || missingPages + own < Explanation.LEAST_SHARE) {
            return Optional.empty();
        }
        Long majorFaults = ThreadStall.figuresOf(event).majorFaults();
        long counted = majorFaults == null ? 0 : majorFaults;
        long faults = binds.stream()
                .mapToLong(bind -> Objects.requireNonNullElse(bind.look().majorFaults(), counted))
                .max()
                .orElse(0);
        boolean isForPages = missingPages >= own || (faults > 0 && isMostlyUnknown());
        double share = Math.min(covered, isForPages ? Math.max(missingPages, share(Cause.UNEXPLAINED)) : own);
        List<Evidence> findings = new ArrayList<>(operation(YIELDED, "in one yield"));
        binds.forEach(bind ->
                findings.add(new Evidence(bind.timeNs(), "bound " + bind.symbol(), milliseconds(bind.interval()))));
        findings.addAll(linker.evidence());
        if (faults > 0) {
            findings.add(new Evidence(event.timeNs(), "major faults of the thread in the bind", faults + ""));
        }
        return Optional.of(withWait(
                explanation(isForPages ? Cause.LATE_BINDING_MAJOR_FAULT : Cause.LATE_BINDING_DELAY, share, findings)));
    }

    private boolean isMostlyUnknown() {
        return share(Cause.UNEXPLAINED) >= Explanation.LEAST_SHARE;
    }

    /**
     * Java code of the yield parked the thread, and no symbol was bound: a bind waits in native code. A sleep of native code in a yield is a blocking
     * call like any other.
     */
    private Optional<Explanation> parkedInYield() {
        double parked = Math.min(account.share(AccountKind.SLEEP), stall.coveredBy(parks()));
        double share = Math.min(covered(YIELDED), parked);
        return share >= Explanation.LEAST_SHARE
                ? Optional.of(withWait(explanation(
                        Cause.LATE_BINDING_SIMULATED,
                        share,
                        operation(YIELDED, "in one yield, which parked the thread; no bind was seen"))))
                : Optional.empty();
    }

    /** As the JVM reports them; or by the native stack, and without one by the futex on which HotSpot parks: a sleep of the C library has a timer. */
    private List<Interval> parks() {
        Stream<TimelineEvent> reported = ofThread(JAVA_WAIT)
                .filter(event ->
                        event instanceof JavaWait wait && wait.call().what().startsWith("parked"));
        Stream<TimelineEvent> recorded =
                ofThread(THREAD_ABSENT).filter(absent -> isPark(file.index().absence(absent)));
        return Stream.concat(reported, recorded).map(TimelineEvent::interval).toList();
    }

    private static boolean isPark(ThreadAbsence absence) {
        return absence.userStack().isEmpty()
                ? KernelWait.of(absence.kernelStack()) == AccountKind.LOCK
                : UserStack.isPark(absence.userStack());
    }

    private Optional<Explanation> calledBack() {
        double share = Math.min(covered(SLOW_CALLBACK), share(OWN));
        return share >= Explanation.LEAST_SHARE
                ? Optional.of(
                        withWait(explanation(Cause.SLOW_CALLBACK, share, operation(SLOW_CALLBACK, "in one callback"))))
                : Optional.empty();
    }

    private Explanation keptFromOutside() {
        Cause cause = shares.entrySet().stream()
                .filter(entry -> entry.getKey() != Cause.UNEXPLAINED)
                .max(Map.Entry.comparingByValue())
                .filter(entry -> entry.getValue() >= Explanation.LEAST_SHARE)
                .map(Map.Entry::getKey)
                .orElse(Cause.UNEXPLAINED);
        if (cause == Cause.UNEXPLAINED) {
            Evidence none = new Evidence(
                    event.timeNs(), who() + " stalled, and no cause explains half of it", milliseconds(stall));
            return withWait(explanation(cause, 0, List.of(none)));
        }
        // Of a thread on a CPU, what it did there is not measured.
        double share = cause == Cause.BUSY_THREAD ? Explanation.LEAST_SHARE : share(cause);
        List<Evidence> findings = new ArrayList<>();
        if (cause == Cause.BLOCKING_CALL && covered(YIELDED) >= Explanation.LEAST_SHARE) {
            findings.addAll(operation(YIELDED, "in one yield, which slept; no bind was seen"));
        }
        if (cause == Cause.MACHINE_STALLED && late() > 0) {
            findings.add(part(late() * stall.lengthMs(), "an idle thread's timer was late as well"));
        }
        return withWait(explanation(cause, share, findings));
    }

    /** Adds the account. What is certain leaves no more than a fifth unexplained. */
    private Explanation explanation(Cause cause, double share, List<Evidence> findings) {
        List<Evidence> all = new ArrayList<>(findings);
        account.entries().stream()
                .filter(entry -> entry.ms() >= LEAST_EVIDENT_SHARE * stall.lengthMs())
                .forEach(entry -> all.add(part(entry.ms(), words(entry))));
        double explained = 1 - share(Cause.UNEXPLAINED);
        double capped = explained >= Explanation.CERTAIN_SHARE
                ? share
                : Math.min(share, (Explanation.LEAST_SHARE + Explanation.CERTAIN_SHARE) / 2);
        return new Explanation(cause, capped, all);
    }

    /** Returns what would have to be known of the stall to be certain of a cause, each one line; empty if the account tells all. */
    List<String> missing() {
        List<String> missing = new ArrayList<>();
        double recorded = stall.coveredBy(file.spansNear(stall, event.process(), KERNEL_RECORDED));
        if (recorded < Explanation.CERTAIN_SHARE) {
            missing.add(String.format(
                    Locale.ROOT,
                    "the kernel recorder, which covered %.1f of %.1f ms of the stall: run as root; naklab doctor says what it needs",
                    recorded * stall.lengthMs(),
                    stall.lengthMs()));
        }
        if (share(Cause.UNEXPLAINED) > 1 - Explanation.CERTAIN_SHARE) {
            missing.add(String.format(
                    Locale.ROOT,
                    "what %s did in %.1f of %.1f ms of the stall that no instrument explains",
                    who(),
                    account.ms(AccountKind.UNEXPLAINED),
                    stall.lengthMs()));
        } else if (explanation.cause() == Cause.BUSY_THREAD) {
            missing.add(Cause.BUSY_THREAD.settledBy());
        } else if (explanation.share() < Explanation.CERTAIN_SHARE) {
            missing.add("why the account has time of several causes: "
                    + account.entries().stream()
                            .filter(entry -> entry.ms() >= LEAST_EVIDENT_SHARE * stall.lengthMs())
                            .map(entry -> String.format(Locale.ROOT, "%.1f ms %s", entry.ms(), words(entry)))
                            .collect(Collectors.joining(", ")));
        }
        return missing;
    }

    /** The thread of a client that did not poll may not be known. */
    private String who() {
        return event.thread().isEmpty() ? "the thread that polls" : event.thread();
    }

    private static String words(AccountEntry entry) {
        return entry.kind().words() + (entry.detail().isEmpty() ? "" : " (" + entry.detail() + ")");
    }

    private double covered(TimelineEventType operation) {
        return stall.coveredBy(file.spansNear(stall, event.process(), operation));
    }

    private List<Evidence> operation(TimelineEventType operation, String what) {
        double covered = covered(operation);
        return covered > 0 ? List.of(part(covered * stall.lengthMs(), what)) : List.of();
    }

    /** Adds the longest wait of the thread and its place in the code, if the JVM reported it; or else the Java code that called the native code. */
    private Explanation withWait(Explanation plain) {
        return longest(JavaWait.class)
                .map(wait -> new Evidence(
                        wait.timeNs(),
                        who() + " " + wait.call().what() + ", at " + wait.call().where(),
                        milliseconds(wait.interval())))
                .or(() -> longest(JavaStack.class).map(this::code))
                .map(plain::with)
                .orElse(plain);
    }

    private Evidence code(JavaStack stack) {
        String what = stack.code().isNative() ? " was in native code, called at " : " executed Java code at ";
        return new Evidence(
                stack.timeNs(), event.thread() + what + stack.code().where(), milliseconds(stack.interval()));
    }

    private <E extends TimelineEvent> Optional<E> longest(Class<E> kind) {
        return ofThread(TimelineEventType.of(kind))
                .flatMap(TimelineEvent.only(kind))
                .filter(each -> each.interval().intersection(stall).isPresent())
                .max(Comparator.comparingLong(each -> each.interval().lengthNs()));
    }

    /** Returns what was seen of the thread near the stall. */
    private Stream<TimelineEvent> ofThread(TimelineEventType type) {
        return file.index().group(type, event.process(), event.thread()).near(stall).stream();
    }

    private Evidence part(double ms, String what) {
        return new Evidence(
                event.timeNs(),
                who() + ": " + what,
                String.format(Locale.ROOT, "%.1f of %.1f ms", Math.min(ms, stall.lengthMs()), stall.lengthMs()));
    }

    private static String milliseconds(Interval span) {
        return Format.milliseconds(span.lengthMs());
    }
}
