package org.naklab.lab.scenarios.causes;

import com.google.auto.service.AutoService;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.naklab.faults.FaultPlan;
import org.naklab.faults.FaultSpec;
import org.naklab.faults.When;
import org.naklab.faults.host.MemoryPressureFault;
import org.naklab.journaler.disk.PageCachePolicy;
import org.naklab.lab.containers.ComposeProject;
import org.naklab.lab.containers.ContainerEnvironment;
import org.naklab.lab.containers.faults.PageCacheRoom;
import org.naklab.lab.containers.pace.SqueezedGroup;
import org.naklab.lab.core.Format;
import org.naklab.lab.core.Program;
import org.naklab.lab.core.ShellWord;
import org.naklab.lab.core.UsageException;
import org.naklab.lab.core.account.AccountEntry;
import org.naklab.lab.core.account.AccountKind;
import org.naklab.lab.diagnosis.Cause;
import org.naklab.lab.process.ProcessEvent;
import org.naklab.lab.process.ProcessFaults;
import org.naklab.lab.records.FaultRecord;
import org.naklab.lab.records.Stall;
import org.naklab.lab.replica.exchange.ArrivalPattern;
import org.naklab.lab.scenarios.BufferSizing;
import org.naklab.lab.scenarios.Claim;
import org.naklab.lab.scenarios.Deployment;
import org.naklab.lab.scenarios.Expectation;
import org.naklab.lab.scenarios.Fidelity;
import org.naklab.lab.scenarios.MemoryGroup;
import org.naklab.lab.scenarios.NoLossChecks;
import org.naklab.lab.scenarios.Remedy;
import org.naklab.lab.scenarios.RunOutcome;
import org.naklab.lab.scenarios.RunPlan;
import org.naklab.lab.scenarios.Scenario;
import org.naklab.lab.scenarios.SocketBufferCalibration;
import org.naklab.lab.scenarios.StoryLine;
import org.naklab.lab.scenarios.Verdict;
import org.naklab.lab.scenarios.Workload;
import org.naklab.lab.scenarios.mystery.Mystery;
import org.naklab.messaging.TransportProfile;

/**
 * The journal and others write more than the service's control group, its container's for instance, has room for: free memory falls, then stays at the limit, and whoever needs a
 * page reclaims one. With fidelity natural, the receipt thread reads a {@link ColdTable} and loses events by its page faults. Without a table, whether the thread stalls depends on the
 * machine; the prediction is then that it costs no event, and that a stall is explained by it.
 */
@AutoService(Scenario.class)
public final class MemoryPressure implements Scenario {
    /** The claims in addition to {@link NoLossChecks}. */
    public enum Claims implements Claim {
        WRITTEN("fault: others wrote more than there was room for"),
        AT_LIMIT("fault: the service's control group was at its memory limit"),
        STALLS_EXPLAINED("every stall of the service is one of memory, of the disk or of the machine"),
        JOURNAL_DROPPED("the journal keeps out of the page cache"),
        FAULT_RECORDED("a major page fault in a stall of the service is recorded with its file"),
        STALLED("the service stalled for a missing page"),
        DROPPED("socket of the service dropped datagrams"),
        ASKED_AGAIN("the service asked for datagrams again");

        private final String template;

        Claims(String template) {
            this.template = template;
        }

        @Override
        public String template() {
            return template;
        }
    }

    /** The id of the fault at the service. */
    public static final String FAULT = "memory-pressure";

    /** What the page cache of the service has; a part of what is written. */
    private static final long ROOM_BYTES = 48L << 20;
    /** What others write over and over, MiB. */
    private static final long OTHERS_MIB = 128;
    /** Free memory of a group that is at its limit, at the most. */
    private static final long LEAST_FREE_BYTES = 4L << 20;
    /** What a polite journal may have in the page cache: what is being written, and what the kernel has read ahead. */
    private static final long MOST_POLITE_BYTES = 24L << 20;

    /** The files of the transport are in memory and cannot be reclaimed: what is not touched before the limit comes is out of memory later. */
    private static final String PRE_TOUCH = "-Daeron.pre.touch.mapped.memory=true";

    private static final long WARM_UP_MS = CauseScenario.WARM_UP_MS;
    private static final long PRESSED_MS = 3_000;
    /** Fills a journal of twice what a polite one may have in memory after the others have stopped. */
    private static final long EVENTS_PER_SECOND = 40_000;

    private static final long DURATION_NS = TimeUnit.SECONDS.toNanos(16);

    /** Causes of stalls that a shortage of memory makes, by way of missing pages, reclaim and a busy disk. */
    private static final Set<Cause> EXPECTED = EnumSet.of(
            Cause.MEMORY_PRESSURE, Cause.MAJOR_FAULT, Cause.DISK_WAIT, Cause.SLOW_CONSUMER, Cause.FILE_LOCK_WAIT);
    /** Causes of stalls that say nothing about the prediction. */
    private static final Set<Cause> OF_MACHINE = EnumSet.of(
            Cause.CPU_PREEMPTION,
            Cause.KERNEL_INTERFERENCE,
            Cause.MACHINE_STALLED,
            Cause.GC_OR_SAFEPOINT,
            Cause.VM_OPERATION,
            Cause.TIME_TO_SAFEPOINT);

    /** Parts of a stall in which the thread had something to do and others had the CPU. */
    private static final Set<AccountKind> WITHOUT_CPU =
            EnumSet.of(AccountKind.PREEMPTED, AccountKind.THROTTLED, AccountKind.STOLEN, AccountKind.INTERRUPTED);

    /** The share of a stall from which on a busy machine may have made it. */
    private static final double MOST_WITHOUT_CPU = 0.2;

    private static final Set<Cause> UNKNOWN = EnumSet.of(Cause.UNEXPLAINED);

    @Override
    public String name() {
        return "memory-pressure";
    }

    @Override
    public String summary() {
        return "Others' writes evict pages of the service, whose receipt thread waits for one, and loses datagrams";
    }

    @Override
    public Workload workload() {
        return new Workload(
                null,
                8,
                ArrivalPattern.CONSTANT,
                EVENTS_PER_SECOND,
                0,
                TimeUnit.MILLISECONDS.toNanos(WARM_UP_MS),
                null,
                DURATION_NS);
    }

    @Override
    public long warmUpNs(RunPlan plan) {
        return TimeUnit.MILLISECONDS.toNanos(WARM_UP_MS);
    }

    @Override
    public Map<Remedy, String> prices() {
        return Remedy.withNone(
                Remedy.POLITE_JOURNAL,
                "the journal waits for a disk that is slower than the feed, and old events are read from the disk");
    }

    @Override
    public Set<String> faultKinds() {
        return Set.of(FAULT);
    }

    @Override
    public Optional<String> obstacle() {
        return MemoryGroup.obstacle();
    }

    @Override
    public List<Fidelity> fidelities() {
        return List.of(Fidelity.NONE, Fidelity.NATURAL);
    }

    /** The pages of a table are read back slowly. Where reads cannot be made slow, memory is short, but no event is lost. */
    @Override
    public Optional<Realistic> realistic(Path directory) {
        return Optional.of(new Realistic(
                Fidelity.NATURAL,
                SqueezedGroup.obstacle(directory)
                        .map(obstacle ->
                                "no page of the service is read back slowly, so that no event is lost: " + obstacle)
                        .orElse(null)));
    }

    @Override
    public Optional<String> refusal(Fidelity fidelity, Remedy remedy) {
        if (fidelity != Fidelity.NATURAL) {
            return Optional.empty();
        }
        return remedy.equals(Remedy.POLITE_JOURNAL)
                ? Optional.of(
                        "remedy " + remedy + " keeps the journal out of the page cache, but others fill it all the "
                                + "same with fidelity " + fidelity + "; use fidelity none")
                : SqueezedGroup.obstacle(Path.of(""));
    }

    @Override
    public Optional<String> compositionRefusal(RunPlan plan) {
        return plan.fidelity() == Fidelity.NATURAL
                ? Optional.of("fidelity " + plan.fidelity()
                        + " limits memory and reads of groups of its own, not of a composition's services: omit "
                        + "--attach, or use --fidelity none")
                : Optional.empty();
    }

    @Override
    public long stallNs() {
        return ColdTable.STALL_NS;
    }

    /** Sizes the receive buffer so that a stall for one page overflows it. */
    @Override
    public RunPlan prepare(RunPlan plan, long stallNs, boolean isRateGiven) {
        if (plan.fidelity() != Fidelity.NATURAL) {
            if (stallNs != stallNs()) {
                throw new UsageException("fidelity " + plan.fidelity() + " makes no stall, so --stall does not apply");
            }
            return plan;
        }
        Workload workload = plan.workload();
        if (workload.eventsPerSecond() == 0) {
            throw new UsageException("fidelity natural needs a known rate: --rate max is not supported");
        }
        SocketBufferCalibration kernel =
                SocketBufferCalibration.measure(Mystery.FEED_MTU_BYTES, TransportProfile.LBTRM.receiveBufferBytes());
        long rate = isRateGiven ? workload.eventsPerSecond() : BufferSizing.chooseRate(stallNs, kernel);
        return plan.with(new RunPlan.Traffic(
                workload.withEventsPerSecond(rate),
                plan.traffic().rateLimiting(),
                BufferSizing.choose(stallNs, rate, kernel, false)));
    }

    /** The engine limits the memory of the container there. */
    @Override
    public Optional<String> compositionObstacle() {
        return Optional.empty();
    }

    private static FaultSpec fault(RunPlan plan) {
        String disk =
                plan.placement().composition() == null ? plan.directory().toString() : ContainerEnvironment.JOURNAL;
        return FaultSpec.of(
                        FAULT, Deployment.SERVICE, new MemoryPressureFault.Parameters(0, OTHERS_MIB, OTHERS_MIB, disk))
                .withForMs(PRESSED_MS)
                .withWhen(new When(ProcessFaults.FLOW_TRIGGER, WARM_UP_MS, null));
    }

    @Override
    public Deployment deploy(RunPlan plan) {
        FaultPlan faults = new FaultPlan(plan.seed(), List.of(fault(plan)));
        Deployment pressed = Deployment.standard(plan)
                .with(
                        Deployment.SERVICE,
                        spec -> spec.withConfig(spec.config().with(faults).withMemoryAccount()));
        if (plan.fidelity() == Fidelity.NATURAL) {
            return ColdTable.deploy(pressed, plan).with(Deployment.SERVICE, spec -> spec.withJvmArguments(PRE_TOUCH));
        }
        ComposeProject composition = plan.placement().composition();
        Deployment limited = composition == null
                ? inGroup(pressed, plan)
                : new Deployment(
                        pressed.exchange(),
                        pressed.subscribers(),
                        new PageCacheRoom(composition.container(Deployment.SERVICE), ROOM_BYTES));
        Deployment touched = limited.with(Deployment.SERVICE, spec -> spec.withJvmArguments(PRE_TOUCH));
        return plan.remedy().equals(Remedy.POLITE_JOURNAL)
                ? touched.with(
                        Deployment.SERVICE,
                        spec -> spec.withConfig(
                                spec.config().with(spec.config().tuning().withJournalPages(PageCachePolicy.POLITE))))
                : touched;
    }

    private static Deployment inGroup(Deployment deployment, RunPlan plan) {
        MemoryGroup group = new MemoryGroup(
                "naklab-" + plan.directory().getFileName().toString().toLowerCase(Locale.ROOT), ROOM_BYTES);
        Deployment joined = deployment.with(
                Deployment.SERVICE, spec -> spec.withConfig(spec.config().inControlGroups(List.of(group.directory()))));
        return new Deployment(joined.exchange(), joined.subscribers(), group);
    }

    @Override
    public List<Expectation> check(RunOutcome outcome) {
        List<Expectation> conditions = new ArrayList<>();
        if (NoLossChecks.isFinished(outcome)) {
            FaultRecord report = outcome.faults().get(FAULT);
            conditions.add(Expectation.proven(
                    Claims.WRITTEN,
                    report != null && report.proof().fired(),
                    report == null ? "no proof" : report.proof().explanation()));
            Optional<ProcessEvent.MemoryAccounted> account = account(outcome);
            conditions.add(atLimit(account));
            conditions.add(stallsExplained(outcome.stalls()));
            if (outcome.plan().fidelity() == Fidelity.NATURAL) {
                boolean isPressed = conditions.stream().limit(2).allMatch(each -> each.verdict() == Verdict.PASS);
                ColdTable.check(outcome).stream()
                        .map(condition -> isPressed ? condition : condition.inDoubt())
                        .forEach(conditions::add);
            }
            if (outcome.plan().remedy().equals(Remedy.POLITE_JOURNAL)) {
                conditions.add(journalDropped(account));
            }
        }
        conditions.addAll(NoLossChecks.check(outcome));
        return conditions;
    }

    private static Optional<ProcessEvent.MemoryAccounted> account(RunOutcome outcome) {
        return outcome.events(Deployment.SERVICE, ProcessEvent.MemoryAccounted.class).stream()
                .findFirst();
    }

    private static Expectation atLimit(Optional<ProcessEvent.MemoryAccounted> account) {
        return Expectation.proven(
                Claims.AT_LIMIT,
                account.filter(memory -> memory.limitHits() > 0 && memory.lowestFreeBytes() <= LEAST_FREE_BYTES)
                        .isPresent(),
                account.map(MemoryPressure::describe).orElse("the service did not report it"));
    }

    private static String describe(ProcessEvent.MemoryAccounted memory) {
        String often = memory.limitHits() == 1 ? "at least once" : Format.count(memory.limitHits()) + " times";
        return often + ", at least " + Format.bytes(memory.lowestFreeBytes()) + " free of "
                + Format.bytes(memory.limitBytes()) + pressure(memory);
    }

    private static String pressure(ProcessEvent.MemoryAccounted memory) {
        return memory.pressureMs() < 0
                ? ""
                : ", threads waited for memory for " + Format.milliseconds(memory.pressureMs());
    }

    /** A stall that nobody explained neither confirms the prediction nor contradicts it, nor does one in which others had the CPU for a part of the time. */
    static Expectation stallsExplained(List<Stall> stalls) {
        List<Stall> others = stalls.stream()
                .filter(stall -> stall.process().equals(Deployment.SERVICE))
                .filter(stall -> !isOf(EXPECTED, stall) && !isOf(OF_MACHINE, stall))
                .toList();
        Optional<Stall> contradicting = others.stream()
                .filter(stall -> !isOf(UNKNOWN, stall) && !isWithoutCpu(stall))
                .findFirst();
        if (contradicting.isPresent()) {
            return Expectation.of(Claims.STALLS_EXPLAINED, false, figures(others, contradicting.get()));
        }
        return others.isEmpty()
                ? Expectation.of(Claims.STALLS_EXPLAINED, true, "none has another cause")
                : Expectation.unknown(Claims.STALLS_EXPLAINED, "", figures(others, others.get(0)));
    }

    /** Returns whether others had the CPU for a part of the stall. */
    static boolean isWithoutCpu(Stall stall) {
        double withoutCpuMs = stall.account().entries().stream()
                .filter(entry -> WITHOUT_CPU.contains(entry.kind()))
                .mapToDouble(AccountEntry::ms)
                .sum();
        return withoutCpuMs >= MOST_WITHOUT_CPU * stall.durationMs();
    }

    private static String figures(List<Stall> others, Stall one) {
        return Format.count(others.size()) + " others, one of " + Format.milliseconds(one.durationMs()) + ": "
                + one.cause();
    }

    private static boolean isOf(Set<Cause> causes, Stall stall) {
        return causes.stream().anyMatch(cause -> cause.label().equals(stall.cause()));
    }

    private static Expectation journalDropped(Optional<ProcessEvent.MemoryAccounted> account) {
        return account.map(memory -> Expectation.of(
                        Claims.JOURNAL_DROPPED, memory.journalCachedBytes() <= MOST_POLITE_BYTES, ofJournal(memory)))
                .orElse(Expectation.unknown(Claims.JOURNAL_DROPPED, "", "the service did not report it"));
    }

    private static String ofJournal(ProcessEvent.MemoryAccounted memory) {
        return Format.bytes(memory.journalCachedBytes()) + " of the journal's " + Format.bytes(memory.journalBytes())
                + " in the page cache";
    }

    private static String where(RunPlan plan) {
        ComposeProject composition = plan.placement().composition();
        return composition == null ? "" : " --attach --project " + ShellWord.of(composition.project());
    }

    @Override
    public List<StoryLine> story(RunOutcome outcome, Verdict verdict) {
        Optional<ProcessEvent.MemoryAccounted> account = account(outcome);
        if (account.isEmpty()) {
            return List.of();
        }
        ProcessEvent.MemoryAccounted memory = account.get();
        StoryLine cost = StoryLine.sentence(
                "memory",
                "the service's control group was at its limit " + describe(memory) + ";",
                Format.count(memory.refaultedPages()) + " pages were read again, " + Format.count(memory.majorFaults())
                        + " major page faults,",
                ofJournal(memory) + ".");
        // What evicts the pages of the table is less the journal than the others.
        boolean isOfJournal =
                outcome.plan().remedy().equals(Remedy.NONE) && outcome.plan().fidelity() != Fidelity.NATURAL;
        return isOfJournal
                ? List.of(
                        cost,
                        StoryLine.commands(
                                "next",
                                ShellWord.of(Program.name())
                                        + " run memory-pressure --remedy polite-journal" + where(outcome.plan())
                                        + "   (keeps the journal out of the page cache)"))
                : List.of(cost);
    }
}
