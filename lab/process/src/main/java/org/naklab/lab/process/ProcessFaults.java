package org.naklab.lab.process;

import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.naklab.faults.Fault;
import org.naklab.faults.FaultCommands;
import org.naklab.faults.FaultController;
import org.naklab.faults.FaultPlan;
import org.naklab.faults.FaultProof;
import org.naklab.faults.FaultRunner;
import org.naklab.faults.FaultSite;
import org.naklab.faults.FaultSpec;
import org.naklab.faults.FaultState;
import org.naklab.lab.records.FaultRecord;

/**
 * The faults of one site, from the plan's beginning to their reports. Not thread-safe: one thread owns it, and the runner's own
 * arms and disarms.
 */
public final class ProcessFaults implements AutoCloseable {
    /** Triggered when the order flow has begun. */
    public static final String FLOW_TRIGGER = "flow";

    /** The events of a process that a fault can wait for, beside the begin of the flow. */
    private static final Set<Class<? extends ProcessEvent>> TRIGGERS = Set.of(
            ProcessEvent.RateLimitHit.class,
            ProcessEvent.WakeFailed.class,
            ProcessEvent.Yielded.class,
            ProcessEvent.Stalled.class);

    private final FaultController controller;
    private final FaultRunner runner;
    private final FaultCommands commands;
    private final Map<String, String> leftEver = new LinkedHashMap<>();
    private boolean flowSeen;

    private ProcessFaults(FaultSite site, FaultPlan plan, Map<FaultSpec, Fault> others) {
        controller = new FaultController(site);
        controller.load(plan);
        others.forEach(controller::add);
        controller.start();
        commands = new FaultCommands(controller);
        runner = FaultRunner.launch(controller);
    }

    /**
     * Takes the plan in and begins its time; the site's seams must have been offered.
     *
     * @throws org.naklab.faults.FaultException when one of its faults cannot be had here
     */
    public static ProcessFaults launch(FaultSite site, FaultPlan plan) {
        return launch(site, plan, Map.of());
    }

    /**
     * Does the same, with further faults that the kinds of the class path do not make.
     *
     * @param others with the times and the ids of their entries
     * @throws org.naklab.faults.FaultException when one of the plan's faults cannot be had here
     */
    public static ProcessFaults launch(FaultSite site, FaultPlan plan, Map<FaultSpec, Fault> others) {
        return new ProcessFaults(site, plan, others);
    }

    /** Obeys a command of {@link FaultCommands}, and returns the answer. */
    public String execute(String command) {
        return commands.execute(command);
    }

    /**
     * Adds a fault that is created here; its time begins now.
     *
     * @return false if it does not concern this process
     * @throws org.naklab.faults.FaultException if it cannot be had here
     */
    public boolean add(FaultSpec spec) {
        return controller.add(spec);
    }

    /** Adds a fault that was created by others; its time begins now. */
    public void add(FaultSpec spec, Fault fault) {
        controller.add(spec, fault);
    }

    /**
     * Returns how far a fault has come.
     *
     * @throws org.naklab.faults.FaultException if there is none of that id
     */
    public FaultState state(String id) {
        return controller.state(id);
    }

    /** Disarms one fault, now. Its proof stays. */
    public void disarm(String id) {
        FaultProof unused = controller.disarm(id);
    }

    /** Informs the plan when the flow has begun; called often. */
    public void poll(boolean isFlowing) {
        if (isFlowing && !flowSeen) {
            flowSeen = true;
            controller.trigger(FLOW_TRIGGER);
        }
    }

    /** Returns the names of all events that a fault can wait for. */
    public static Set<String> triggers() {
        Set<String> triggers =
                TRIGGERS.stream().map(ProcessFaults::trigger).collect(Collectors.toCollection(TreeSet::new));
        triggers.add(FLOW_TRIGGER);
        return triggers;
    }

    private static String trigger(Class<? extends ProcessEvent> type) {
        return ProcessEvent.wordOf(type).toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** Informs the faults that wait for it of an event; safe for any thread. */
    public void onEvent(ProcessEvent event) {
        if (TRIGGERS.contains(event.getClass())) {
            controller.trigger(trigger(event.getClass()));
        }
    }

    /** Returns the reports by the ids of the faults. */
    public Map<String, FaultRecord> reports() {
        leftEver.putAll(controller.left());
        Map<String, FaultRecord> reports = new LinkedHashMap<>();
        controller
                .proofs()
                .forEach((id, proof) ->
                        reports.put(id, new FaultRecord(controller.wasArmed(id), record(proof), leftEver.get(id))));
        return reports;
    }

    private static FaultRecord.Proof record(FaultProof proof) {
        return new FaultRecord.Proof(
                proof.fired(),
                proof.explanation(),
                proof.figures(),
                proof.firings().stream()
                        .map(firing -> new FaultRecord.Firing(firing.beginNs(), firing.endNs(), firing.what()))
                        .toList());
    }

    /**
     * Disarms everything; reports can still be read. What was armed beyond its time before, or cannot be undone now, is in the reports.
     */
    @Override
    public void close() {
        leftEver.putAll(controller.left());
        try {
            runner.close();
        } catch (RuntimeException e) {
            if (controller.left().isEmpty()) {
                throw e;
            }
        }
    }
}
