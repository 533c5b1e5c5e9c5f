package org.naklab.lab.scenarios;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.naklab.faults.FaultKinds;
import org.naklab.faults.FaultPlan;
import org.naklab.faults.FaultSpec;
import org.naklab.faults.ProofLog;
import org.naklab.faults.When;
import org.naklab.faults.description.Spelling;
import org.naklab.lab.containers.ContainerFaultKinds;
import org.naklab.lab.core.Format;
import org.naklab.lab.core.Program;
import org.naklab.lab.core.UnavailableException;
import org.naklab.lab.core.UsageException;
import org.naklab.lab.process.ProcessFaults;
import org.naklab.lab.process.ProcessSpec;
import org.naklab.lab.records.FaultRecord;
import org.naklab.lab.replica.customers.CustomersConfig;
import org.naklab.lab.replica.service.ServiceReport;

/**
 * Faults that the user adds to those of a scenario. Their time begins at the end of the warm-up, from when on a run counts, unless they
 * wait for an event.
 *
 * @param faults no two with the same id
 * @param options the words of the command line that add them again
 */
public record AddedFaults(List<FaultSpec> faults, List<String> options) {
    public static final AddedFaults NONE = new AddedFaults(List.of(), List.of());

    /** The name of the lab's own process in fault plans. */
    public static final String LAB = "lab";

    private static final FaultKinds KINDS = FaultKinds.onClassPath();

    public AddedFaults {
        faults = List.copyOf(faults);
        options = List.copyOf(options);
    }

    /** One fault and one of its targets, a process or the lab. */
    record Strike(FaultSpec fault, String process) {
        @Override
        public String toString() {
            return fault.id().endsWith(fault.kind())
                    ? fault.kind() + " on " + process
                    : fault.kind() + " (" + fault.id() + ") on " + process;
        }
    }

    /**
     * Returns these faults and more.
     *
     * @param moreOptions the words of the command line that add them again
     */
    public AddedFaults with(List<FaultSpec> more, List<String> moreOptions) {
        return new AddedFaults(
                Stream.concat(faults.stream(), more.stream()).toList(),
                Stream.concat(options.stream(), moreOptions.stream()).toList());
    }

    /**
     * Returns the processes that the faults act on, or the lab, once for each fault.
     *
     * @param processes names of all processes of the run
     * @throws UsageException if one has no target in the run
     */
    public List<String> targets(Set<String> processes) {
        return strikes(processes).stream().map(Strike::process).toList();
    }

    public boolean isEmpty() {
        return faults.isEmpty();
    }

    /**
     * Returns the faults with the processes that they act on.
     *
     * @param processes names of all processes of the run
     * @throws UsageException if one has no target in the run
     */
    List<Strike> strikes(Set<String> processes) {
        List<Strike> strikes = new ArrayList<>();
        for (FaultSpec fault : faults) {
            List<String> targets = targets(fault, processes);
            if (targets.isEmpty()) {
                Set<String> known = new TreeSet<>(processes);
                known.add(LAB);
                throw new UsageException("the fault " + fault.id() + " is on '" + fault.on()
                        + "', which is no process of this run" + Spelling.hint(fault.on(), known));
            }
            targets.forEach(process -> strikes.add(new Strike(fault, process)));
        }
        return strikes;
    }

    /** A fault that acts from outside has one target; a pattern stands for processes of the replica, never for the lab. */
    private static List<String> targets(FaultSpec fault, Set<String> processes) {
        if (fault.on().equals(LAB)) {
            return isFromOutside(fault) ? List.of() : List.of(LAB);
        }
        if (isFromOutside(fault)) {
            return processes.contains(fault.on()) ? List.of(fault.on()) : List.of();
        }
        return processes.stream().filter(fault::strikes).toList();
    }

    private static boolean isOfContainer(FaultSpec fault) {
        return ContainerFaultKinds.find(fault.kind()).isPresent();
    }

    /** Returns true if the lab injects the fault, into a process or a container. */
    public static boolean isFromOutside(FaultSpec fault) {
        return isOfContainer(fault) || KINDS.named(fault.kind()).actsFromOutside();
    }

    /**
     * Checks that the flow lasts until each fault is armed.
     *
     * @param warmUpNs of the scenario, ns
     * @throws UsageException if one would be armed later
     */
    public void check(RunPlan plan, long warmUpNs) {
        long durationNs = plan.workload().durationNs();
        for (FaultSpec fault : faults) {
            long atNs = TimeUnit.MILLISECONDS.toNanos(
                    scheduled(fault, warmUpNs).when().afterMs());
            if (atNs >= durationNs) {
                throw new UsageException("the fault " + fault.id() + " would be armed " + Format.seconds(atNs)
                        + " after the flow has begun, which lasts " + Format.seconds(durationNs));
            }
        }
    }

    /**
     * Checks that each fault can be injected on this machine, by this user.
     *
     * @throws UnavailableException if one cannot, with what to do
     */
    public void checkObstacles() {
        for (FaultSpec fault : faults) {
            if (!isOfContainer(fault)) {
                KINDS.named(fault.kind()).obstacle(fault).ifPresent(why -> {
                    throw new UnavailableException("the fault " + fault.id() + " cannot be injected here: " + why);
                });
            }
        }
    }

    /**
     * Checks that each fault can act where the processes of the run are.
     *
     * @param isContained whether they are in containers
     * @throws UsageException if one cannot, with what can
     */
    public void checkPlaces(boolean isContained) {
        for (FaultSpec fault : faults) {
            if (isOfContainer(fault) && !isContained) {
                throw new UsageException(fault.kind() + " is a fault of a container, and the processes of this run are"
                        + " on this machine: use --attach, or mystery with --fidelity evicted --containers, or '"
                        + Program.name() + " inject CONTAINER " + fault.kind() + ":…'");
            }
            if (isFromOutside(fault) && !isOfContainer(fault) && isContained) {
                throw new UsageException(
                        fault.kind() + " acts on processes of this machine; those of this run are in containers");
            }
        }
    }

    /**
     * Adds the faults to the processes that they act on.
     *
     * @param warmUpNs of the scenario, ns
     * @throws UsageException if one cannot be had in this run
     */
    public Deployment into(Deployment deployment, RunPlan plan, long warmUpNs) {
        if (isEmpty()) {
            return deployment;
        }
        Set<String> names =
                new TreeSet<>(deployment.all().stream().map(ProcessSpec::name).toList());
        strikes(names);
        checkPlaces(deployment.isContained());
        Deployment changed = deployment;
        if (!inside(Deployment.EXCHANGE, warmUpNs).isEmpty()) {
            changed = changed.withExchange(spec -> spec.withConfig(
                    spec.config().with(joined(spec.config().faultPlan(), inside(spec.name(), warmUpNs), plan.seed()))));
        }
        ProcessSpec<CustomersConfig> customers = deployment.customers();
        if (customers != null && !inside(customers.name(), warmUpNs).isEmpty()) {
            CustomersConfig config = customers.config();
            changed = changed.with(customers.withConfig(
                    config.with(joined(config.faultPlan(), inside(customers.name(), warmUpNs), plan.seed()))));
        }
        for (ProcessSpec<?> subscriber : deployment.subscribers()) {
            if (!inside(subscriber.name(), warmUpNs).isEmpty()) {
                changed = changed.with(
                        subscriber.name(),
                        spec -> spec.withConfig(spec.config()
                                .with(joined(spec.config().faultPlan(), inside(spec.name(), warmUpNs), plan.seed()))));
            }
        }
        return changed;
    }

    private List<FaultSpec> inside(String process, long warmUpNs) {
        return faults.stream()
                .filter(fault -> !isFromOutside(fault) && !fault.on().equals(LAB) && fault.strikes(process))
                .map(fault -> scheduled(fault, warmUpNs))
                .toList();
    }

    /**
     * Returns the faults that the lab itself runs, in addition to the scenario's own.
     *
     * @param warmUpNs of the scenario, ns
     */
    public FaultPlan outside(FaultPlan own, long warmUpNs) {
        List<FaultSpec> added = faults.stream()
                .filter(fault -> isFromOutside(fault) || fault.on().equals(LAB))
                .map(fault -> scheduled(fault, warmUpNs))
                .toList();
        return added.isEmpty()
                ? own
                : new FaultPlan(
                        own.seed(),
                        Stream.concat(own.faults().stream(), added.stream()).toList());
    }

    /** Returns the plan of a process with more faults. */
    private static FaultPlan joined(@Nullable FaultPlan own, List<FaultSpec> added, long seed) {
        List<FaultSpec> faults = new ArrayList<>(own == null ? List.of() : own.faults());
        faults.addAll(added);
        return new FaultPlan(own == null ? seed : own.seed(), faults);
    }

    private static FaultSpec scheduled(FaultSpec fault, long warmUpNs) {
        When when = fault.when();
        return when.trigger() != null
                ? fault
                : fault.withWhen(new When(
                        ProcessFaults.FLOW_TRIGGER,
                        when.afterMs() + TimeUnit.NANOSECONDS.toMillis(warmUpNs),
                        when.phaseOfSecondMs()));
    }

    /**
     * Tells what an added fault came to at one of its targets.
     *
     * @param report {@code null}: the process sent none
     */
    public record Result(
            FaultSpec fault, String process, @Nullable FaultRecord report) {
        /** Returns true if the fault proved that it fired. */
        public boolean hasFired() {
            return report != null && report.proof().fired();
        }

        @Override
        public String toString() {
            return new Strike(fault, process).toString();
        }
    }

    /** Returns what each added fault came to at each of its targets. */
    public static List<Result> results(RunOutcome outcome) {
        AddedFaults added = outcome.plan().added();
        return added.isEmpty()
                ? List.of()
                : added.strikes(processes(outcome)).stream()
                        .map(strike -> new Result(strike.fault(), strike.process(), report(strike, outcome)))
                        .toList();
    }

    /** Returns what each fault came to at each of its targets; conditions of a run. */
    static List<Expectation> check(RunOutcome outcome) {
        AddedFaults added = outcome.plan().added();
        return added.isEmpty()
                ? List.of()
                : added.strikes(processes(outcome)).stream()
                        .map(strike -> fired(strike, outcome))
                        .toList();
    }

    /** Returns which added faults did not fire, each a sentence, with where to look. */
    public static List<String> notFired(RunOutcome outcome) {
        AddedFaults added = outcome.plan().added();
        return added.isEmpty()
                ? List.of()
                : added.strikes(processes(outcome)).stream()
                        .flatMap(strike -> notFired(strike, outcome).stream())
                        .toList();
    }

    private static Optional<String> notFired(Strike strike, RunOutcome outcome) {
        Expectation fired = fired(strike, outcome);
        return fired.verdict() == Verdict.PASS
                ? Optional.empty()
                : Optional.of(strike + " did not fire: " + fired.figures() + "; see '" + Program.name() + " faults "
                        + strike.fault().kind() + "'");
    }

    /**
     * Returns true if an added fault fired that can make a receiver miss datagrams, so that effects which the scenario does not predict are
     * expected there: it acted on the receiver, on what another process sent, or on the whole machine.
     *
     * @param receiver name of a subscriber
     */
    public static boolean haveReached(RunOutcome outcome, String receiver) {
        AddedFaults added = outcome.plan().added();
        return !added.isEmpty()
                && added.strikes(processes(outcome)).stream()
                        .filter(strike -> strike.process().equals(receiver) || reachesOthers(strike.fault()))
                        .anyMatch(strike -> fired(strike, outcome).verdict() == Verdict.PASS);
    }

    /** The network of a container carries what the others receive from it. */
    private static boolean reachesOthers(FaultSpec fault) {
        return isOfContainer(fault) || KINDS.named(fault.kind()).reachesOthers(fault);
    }

    private static Set<String> processes(RunOutcome outcome) {
        Set<String> processes = new TreeSet<>(outcome.deployed().keySet());
        processes.add(Deployment.EXCHANGE);
        if (!outcome.plan().customers().isNone()) {
            processes.add(Customers.PROCESS);
        }
        return processes;
    }

    private static Expectation fired(Strike strike, RunOutcome outcome) {
        FaultRecord report = report(strike, outcome);
        String why = report == null
                ? strike.process() + " reported no proof"
                : report.proof().explanation();
        boolean isFired = report != null && report.proof().fired();
        long firings = report == null ? 0 : report.proof().figure(ProofLog.FIRINGS);
        return Expectation.proven(
                NoLossChecks.Claims.ADDED_FAULT_FIRED,
                strike.toString(),
                isFired,
                firings > 1 ? why + ", " + Format.count(firings) + " times" : why);
    }

    private static @Nullable FaultRecord report(Strike strike, RunOutcome outcome) {
        String id = strike.fault().id();
        if (isFromOutside(strike.fault()) || strike.process().equals(LAB)) {
            return outcome.outsideFaults().get(id);
        }
        if (strike.process().equals(Deployment.EXCHANGE)) {
            return outcome.exchange() == null
                    ? null
                    : outcome.exchange().faults().get(id);
        }
        if (strike.process().equals(Customers.PROCESS)) {
            return outcome.customers() == null
                    ? null
                    : outcome.customers().faults().get(id);
        }
        ServiceReport subscriber = outcome.subscriber(strike.process());
        return subscriber == null ? null : subscriber.faults().get(id);
    }
}
