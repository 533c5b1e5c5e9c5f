package org.naklab.lab.scenarios.runner;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.naklab.faults.FaultCommands;
import org.naklab.faults.FaultException;
import org.naklab.faults.FaultPlan;
import org.naklab.faults.FaultProof;
import org.naklab.faults.FaultSpec;
import org.naklab.faults.FaultState;
import org.naklab.faults.When;
import org.naklab.lab.core.Json;
import org.naklab.lab.core.LabException;
import org.naklab.lab.core.UsageException;
import org.naklab.lab.process.ChildProcess;
import org.naklab.lab.scenarios.AddedFaults;
import org.naklab.lab.scenarios.RunPlan;
import org.naklab.lab.scenarios.control.ControlledRun;
import org.naklab.lab.scenarios.control.RemovedFault;
import org.naklab.lab.scenarios.control.RunControl;
import org.naklab.lab.scenarios.control.RunDescription;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Adds faults to the processes of a run while it is under way, and removes them. The processes, or the lab, arm them and undo them as those of
 * the plan, however the run ends. Any thread.
 */
final class LiveFaults implements ControlledRun, AutoCloseable {
    private static final Logger LOGGER = LoggerFactory.getLogger(LiveFaults.class);

    /** The plan of the injected faults, which a replay adds. */
    private static final String FILE = "injected.json";

    private static final String ID = "injected-";
    /** The main thread of a process looks for commands each 10 ms; a machine may stand still. */
    private static final long ANSWER_NS = TimeUnit.SECONDS.toNanos(10);

    private final RunPlan plan;
    private final ProcessGroup group;
    private final ExternalFaults outside;
    private final long countedFromNs;
    /** By their ids, with times from the end of the warm-up. */
    private final Map<String, FaultSpec> injected = new LinkedHashMap<>();

    private @Nullable RunControl control;

    private LiveFaults(RunPlan plan, ProcessGroup group, ExternalFaults outside, long countedFromNs) {
        this.plan = plan;
        this.group = group;
        this.outside = outside;
        this.countedFromNs = countedFromNs;
    }

    /**
     * Begins to take commands. A run that cannot take them is the same otherwise.
     *
     * @param countedFromNs the end of the warm-up, by {@link System#nanoTime()}
     */
    static LiveFaults open(RunPlan plan, ProcessGroup group, ExternalFaults outside, long countedFromNs) {
        LiveFaults faults = new LiveFaults(plan, group, outside, countedFromNs);
        try {
            faults.control = RunControl.open(Path.of(plan.placement().aeronPrefix()), faults);
        } catch (IOException e) {
            LOGGER.warn("no fault can be injected into this run while it is under way", e);
        }
        return faults;
    }

    /** Undoes the faults that commands still follow, and takes no more commands. The processes must still live. */
    @Override
    public void close() {
        if (control != null) {
            control.close();
        }
    }

    @Override
    public RunDescription describe() {
        Map<String, Long> processes = new LinkedHashMap<>();
        group.all().forEach(child -> processes.put(child.name(), child.container() == null ? child.pid() : 0));
        return new RunDescription(
                plan.scenario(), plan.directory().toAbsolutePath().toString(), processes);
    }

    @Override
    public InjectedFault inject(FaultSpec wanted) throws InterruptedException {
        FaultSpec fault = reserve(wanted);
        try {
            AddedFaults alone = new AddedFaults(List.of(fault), List.of());
            alone.checkObstacles();
            alone.checkPlaces(group.all().stream().anyMatch(child -> child.container() != null));
            List<String> targets = alone.targets(names());
            if (targets.size() != 1) {
                throw new UsageException("the fault is on " + targets + ": inject it into one of them at a time");
            }
            Placed placed = new Placed(fault, targets.get(0));
            placed.add();
            return placed;
        } catch (LabException | FaultException e) {
            forget(fault);
            throw e;
        }
    }

    /** Takes the fault into the record of the run, with an id that no other fault has. */
    private synchronized FaultSpec reserve(FaultSpec wanted) {
        String id = wanted.id().equals(wanted.kind()) ? freeId(ID + wanted.kind()) : wanted.id();
        if (isTaken(id)) {
            throw new UsageException("the run has a fault of the id " + id + " already");
        }
        if (injected.size() + plan.added().faults().size() >= FaultPlan.MAX_FAULTS) {
            throw new UsageException("the run has " + FaultPlan.MAX_FAULTS + " faults, which is the maximum");
        }
        FaultSpec fault =
                new FaultSpec(id, wanted.kind(), wanted.on(), wanted.when(), wanted.forMs(), wanted.parameters());
        injected.put(id, fault.withWhen(sinceWarmUp(wanted.when())));
        return fault;
    }

    private String freeId(String base) {
        String id = base;
        for (int i = 2; isTaken(id); i++) {
            id = base + "-" + i;
        }
        return id;
    }

    private boolean isTaken(String id) {
        return injected.containsKey(id)
                || plan.added().faults().stream().anyMatch(fault -> fault.id().equals(id));
    }

    private synchronized void forget(FaultSpec fault) {
        injected.remove(fault.id());
    }

    private When sinceWarmUp(When when) {
        long sinceMs = TimeUnit.NANOSECONDS.toMillis(Math.max(0, System.nanoTime() - countedFromNs));
        return when.trigger() != null
                ? when
                : new When(null, Math.min(FaultSpec.MAX_FOR_MS, sinceMs + when.afterMs()), when.phaseOfSecondMs());
    }

    private Set<String> names() {
        Set<String> names = new TreeSet<>();
        group.all().forEach(child -> names.add(child.name()));
        return names;
    }

    @Override
    public List<RemovedFault> removeAdded() throws InterruptedException {
        List<RemovedFault> removed = new ArrayList<>();
        for (FaultSpec fault : allAdded()) {
            AddedFaults alone = new AddedFaults(List.of(fault), List.of());
            for (String process : alone.targets(names())) {
                RemovedFault one = remove(new Placed(fault, process));
                if (one != null) {
                    removed.add(one);
                }
            }
        }
        return removed;
    }

    private synchronized List<FaultSpec> allAdded() {
        List<FaultSpec> all = new ArrayList<>(plan.added().faults());
        all.addAll(injected.values());
        return all;
    }

    /** Returns {@code null} if the fault was over before. */
    private static @Nullable RemovedFault remove(Placed fault) throws InterruptedException {
        try {
            return fault.state().phase() == FaultState.Phase.OVER
                    ? null
                    : new RemovedFault(
                            fault.id(),
                            fault.spec().kind(),
                            fault.process(),
                            fault.remove().proof(),
                            null);
        } catch (LabException | FaultException e) {
            return new RemovedFault(
                    fault.id(), fault.spec().kind(), fault.process(), null, String.valueOf(e.getMessage()));
        }
    }

    /** Returns the faults of the plan and those that were injected, which a file in the run directory has. */
    synchronized AddedFaults added() {
        if (injected.isEmpty()) {
            return plan.added();
        }
        Path file = plan.directory().resolve(FILE);
        List<FaultSpec> faults = List.copyOf(injected.values());
        Json.write(file, new FaultPlan(plan.seed(), faults));
        return plan.added().with(faults, List.of("--plan", file.toAbsolutePath().toString()));
    }

    /** A fault where it was put. */
    private final class Placed implements InjectedFault {
        private final FaultSpec spec;
        private final String process;

        Placed(FaultSpec spec, String process) {
            this.spec = spec;
            this.process = process;
        }

        FaultSpec spec() {
            return spec;
        }

        @Override
        public String id() {
            return spec.id();
        }

        @Override
        public String process() {
            return process;
        }

        private boolean isOfLab() {
            return process.equals(AddedFaults.LAB) || AddedFaults.isFromOutside(spec);
        }

        void add() throws InterruptedException {
            if (isOfLab()) {
                outside.add(spec, group);
            } else if (!FaultCommands.isAddedIn(ask(FaultCommands.add(spec)))) {
                throw new LabException(spec.kind() + " does not concern " + process);
            }
        }

        @Override
        public FaultState state() throws InterruptedException {
            return isOfLab() ? outside.state(spec.id()) : FaultCommands.stateIn(ask("state " + spec.id()));
        }

        @Override
        public FaultState remove() throws InterruptedException {
            if (isOfLab()) {
                outside.disarm(spec.id());
            } else {
                // Only the failure to undo it counts; the state has the proof.
                FaultProof unused = FaultCommands.proofIn(ask("disarm " + spec.id()));
            }
            return state();
        }

        private String ask(String command) throws InterruptedException {
            ChildProcess child = group.child(process);
            String answer = child.askFaults(command, ANSWER_NS);
            if (answer == null) {
                throw new LabException(
                        child.isAlive() ? process + " does not answer" : process + " has ended, and the fault with it");
            }
            return answer;
        }
    }
}
