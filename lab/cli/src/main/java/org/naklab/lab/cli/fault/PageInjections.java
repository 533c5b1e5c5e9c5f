package org.naklab.lab.cli.fault;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.naklab.faults.FaultProof;
import org.naklab.faults.FaultSpec;
import org.naklab.faults.notation.FaultNotation;
import org.naklab.lab.core.InputException;
import org.naklab.lab.core.LabException;
import org.naklab.lab.instructor.FaultChoice;
import org.naklab.lab.instructor.RunState.Injected;
import org.naklab.lab.instructor.RunState.Injected.Step;
import org.naklab.lab.scenarios.control.RunningRun;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The faults that an instructor injects into one run, each followed on a thread of its own to its proof. Safe for several threads. */
public final class PageInjections {
    private static final Logger LOGGER = LoggerFactory.getLogger(PageInjections.class);

    /** What the page shows, and as many threads at once. */
    private static final int MOST = 32;

    private final Path directory;
    private final Runnable onChange;
    private final List<Followed> all = new CopyOnWriteArrayList<>();

    /**
     * Begins without a fault.
     *
     * @param directory of the run
     * @param onChange is called after each change of a fault
     */
    public PageInjections(Path directory, Runnable onChange) {
        this.directory = directory;
        this.onChange = onChange;
    }

    /** Returns the kinds of faults that a run takes. */
    public static List<FaultChoice> kinds() {
        return CatalogEntry.all().stream()
                .filter(entry -> !entry.acts().equals("container"))
                .map(entry -> new FaultChoice(
                        entry.kind().name(),
                        entry.description().summary(),
                        entry.description().example()))
                .toList();
    }

    /** Returns the faults in the order in which they were asked for. */
    public List<Injected> list() {
        List<Injected> list = new ArrayList<>();
        all.forEach(each -> list.add(each.state));
        return list;
    }

    /**
     * Injects a fault.
     *
     * @param text in the words of {@code naklab inject}
     * @throws org.naklab.lab.core.UsageException there is no such fault
     * @throws InputException the run takes no faults now
     */
    public synchronized void inject(String text) {
        FaultSpec spec =
                RunInjection.parse(CatalogEntry.named(FaultNotation.kindOf(text)), text, RunInjection.events());
        if (all.size() == MOST) {
            throw new InputException("a run takes " + MOST + " faults of a page, which is the maximum");
        }
        RunningRun run = RunningRun.findAll().stream()
                .filter(each -> Path.of(each.description().runDirectory()).equals(directory.toAbsolutePath()))
                .findFirst()
                .orElseThrow(
                        () -> new InputException("the run takes no faults now: its flow has not begun, or is over"));
        Followed followed = new Followed(run, spec, new Injected(all.size() + 1, text, spec.on(), Step.ASKED, ""));
        all.add(followed);
        onChange.run();
        followed.thread.start();
    }

    /**
     * Removes a fault.
     *
     * @throws InputException there is none with that number, or it is over
     */
    public void remove(int number) {
        Followed followed = all.stream()
                .filter(each ->
                        each.state.number() == number && !each.state.step().isOver())
                .findFirst()
                .orElseThrow(() -> new InputException("no fault with the number " + number + " is in the run"));
        followed.isRemoved = true;
    }

    /** Waits until all faults are over, as they are when the run has ended. */
    public void await() throws InterruptedException {
        for (Followed each : all) {
            each.thread.join();
        }
    }

    /** A fault, and what is known of it. */
    private final class Followed implements RunningRun.Listener {
        private final RunningRun run;
        private final FaultSpec spec;
        private final Thread thread;
        private volatile Injected state;
        private volatile boolean isRemoved;

        Followed(RunningRun run, FaultSpec spec, Injected state) {
            this.run = run;
            this.spec = spec;
            this.state = state;
            thread = new Thread(this::follow, "page-injection-" + state.number());
            thread.setDaemon(true);
        }

        private void follow() {
            try {
                FaultProof proof = run.inject(spec, this, () -> isRemoved);
                become(state.process(), proof.fired() ? Step.REMOVED : Step.NOT_FIRED, proof.explanation());
            } catch (LabException e) {
                become(state.process(), Step.REFUSED, String.valueOf(e.getMessage()));
            } catch (InterruptedException e) {
                LOGGER.debug("the lab ends while a fault is followed, which ends the fault", e);
                Thread.currentThread().interrupt();
            }
        }

        private void become(String process, Step step, String proof) {
            state = new Injected(state.number(), state.fault(), process, step, proof);
            onChange.run();
        }

        @Override
        public void onAccepted(String id, String process) {
            become(process, Step.WAITING, "");
        }

        @Override
        public void onArmed() {
            become(state.process(), Step.ARMED, "");
        }

        @Override
        public void onFired(String explanation) {
            become(state.process(), Step.FIRED, explanation);
        }
    }
}
