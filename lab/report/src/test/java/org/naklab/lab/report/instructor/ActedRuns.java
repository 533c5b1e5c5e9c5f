package org.naklab.lab.report.instructor;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.naklab.lab.core.InputException;
import org.naklab.lab.core.UnavailableException;
import org.naklab.lab.core.UsageException;
import org.naklab.lab.report.instructor.RunState.Injected;
import org.naklab.lab.report.instructor.RunState.Phase;
import org.naklab.lab.report.live.LiveFeed;
import org.naklab.lab.report.live.LiveStage;

/** Does as if it ran what a page asks for: the test plays the processes. */
final class ActedRuns implements LabActs {
    static final String SECRET = "gc-pause";

    final LiveStage stage = new LiveStage(LiveFeed.ofNothing());
    private LiveFeed feed = LiveFeed.ofNothing();
    private RunState state =
            new RunState(0, Phase.NONE, false, "", "", "", "", "", "No run was started yet.", List.of());
    private long changes;
    private volatile CountDownLatch choices = new CountDownLatch(0);

    /** Does not tell which faults there are until the latch is open. */
    void holdChoices(CountDownLatch until) {
        choices = until;
    }

    /** Returns what is shown of the run. */
    synchronized LiveFeed feed() {
        return feed;
    }

    @Override
    public List<ScenarioChoice> scenarios() {
        return List.of(
                new ScenarioChoice(
                        "mystery", "The incident.", List.of("simulated"), List.of("none", "bind-now"), 20_000, 20, ""),
                new ScenarioChoice(SECRET, "A pause.", List.of("none"), List.of("none"), 20_000, 8.5, ""));
    }

    @Override
    public List<FaultChoice> faults() {
        try {
            choices.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
        return List.of(new FaultChoice(
                "datagram-loss", "Drops datagrams.", "datagram-loss:probability=5%,on=gateway-1,for=2s"));
    }

    @Override
    public synchronized void start(RunWish wish) {
        if (state.phase() == Phase.RUNNING) {
            throw new UnavailableException("a run goes on; stop it first, or wait for its end");
        }
        if (scenarios().stream().noneMatch(each -> each.name().equals(wish.scenario()))) {
            throw new UsageException("no scenario '" + wish.scenario() + "'");
        }
        LiveFeed next = LiveFeed.ofInstructor(wish.isHidden() ? "Run 1" : wish.scenario() + "/run-1", wish.isHidden());
        feed = next;
        stage.show(next);
        become(new RunState(
                1,
                Phase.RUNNING,
                wish.isHidden(),
                "Run 1",
                wish.scenario(),
                "naklab run " + String.join(" ", wish.arguments()),
                wish.query(),
                wish.scenario() + "/run-1",
                "The run goes on.",
                List.of()));
    }

    private void become(RunState next) {
        state = next;
        changes++;
    }

    /** Ends the run, as its processes do. */
    synchronized void end() {
        become(with(
                Phase.OVER,
                state.isHidden(),
                "The run has ended: what was seen is what was predicted.",
                state.faults()));
    }

    @Override
    public synchronized void stop() {
        requireRun();
        become(with(Phase.ENDING, state.isHidden(), state.text(), state.faults()));
    }

    private void requireRun() {
        if (state.phase() != Phase.RUNNING) {
            throw new InputException("no run goes on");
        }
    }

    private RunState with(Phase phase, boolean isHidden, String text, List<Injected> faults) {
        return new RunState(
                state.number(),
                phase,
                isHidden,
                state.title(),
                state.scenario(),
                state.command(),
                state.query(),
                state.path(),
                text,
                faults);
    }

    @Override
    public synchronized void reveal() {
        stage.reveal();
        become(with(state.phase(), false, state.text(), state.faults()));
    }

    @Override
    public synchronized void inject(String fault) {
        requireRun();
        if (!fault.startsWith("datagram-loss")) {
            throw new UsageException("no kind of fault is named " + fault);
        }
        List<Injected> faults = new ArrayList<>(state.faults());
        faults.add(new Injected(faults.size() + 1, fault, "gateway-1", Injected.Step.ARMED, ""));
        become(with(state.phase(), state.isHidden(), state.text(), faults));
    }

    /** The last fault has fired. */
    synchronized void fire(String proof) {
        step(state.faults().size(), Injected.Step.FIRED, proof);
    }

    private void step(int number, Injected.Step step, String proof) {
        List<Injected> faults = new ArrayList<>(state.faults());
        faults.replaceAll(each ->
                each.number() == number ? new Injected(number, each.fault(), each.process(), step, proof) : each);
        become(with(state.phase(), state.isHidden(), state.text(), faults));
    }

    @Override
    public synchronized void remove(int number) {
        requireRun();
        if (number < 1 || number > state.faults().size()) {
            throw new InputException("no fault with the number " + number + " is in the run");
        }
        step(number, Injected.Step.REMOVED, "dropped 12 of 240 datagrams");
    }

    @Override
    public synchronized RunState state() {
        return state;
    }

    @Override
    public synchronized long changes() {
        return changes;
    }
}
