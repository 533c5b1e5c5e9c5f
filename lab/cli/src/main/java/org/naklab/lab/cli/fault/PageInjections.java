package org.naklab.lab.cli.fault;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.naklab.faults.FaultProof;
import org.naklab.faults.FaultSpec;
import org.naklab.faults.notation.FaultNotation;
import org.naklab.lab.core.InputException;
import org.naklab.lab.core.LabException;
import org.naklab.lab.report.instructor.FaultChoice;
import org.naklab.lab.report.instructor.RunState.Injected;
import org.naklab.lab.report.instructor.RunState.Injected.Step;
import org.naklab.lab.scenarios.control.RunningRun;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The faults that an instructor injects into one run, each followed on a thread of its own to its proof. Safe for several threads. */
public final class PageInjections {
    private static final Logger LOGGER = LoggerFactory.getLogger(PageInjections.class);

    /** What the page shows, and as many threads at once. */
    private static final int MOST = 32;
    /** How often the run is looked for. */
    private static final long LOOK_MS = 200;

    private final Path directory;
    private final Runnable onChange;
    private final CountDownLatch over = new CountDownLatch(1);
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
     * Injects a fault, as soon as the flow of the run has begun.
     *
     * @param text in the words of {@code naklab inject}
     * @throws org.naklab.lab.core.UsageException there is no such fault
     * @throws InputException the run takes no more
     */
    public synchronized void inject(String text) {
        FaultSpec spec =
                RunInjection.parse(CatalogEntry.named(FaultNotation.kindOf(text)), text, RunInjection.events());
        if (all.size() == MOST) {
            throw new InputException("a run takes " + MOST + " faults of a page, which is the maximum");
        }
        Followed followed = new Followed(spec, new Injected(all.size() + 1, text, spec.on(), Step.ASKED, ""));
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

    /** Takes note that the run has ended. */
    public void end() {
        over.countDown();
    }

    private Optional<RunningRun> find() {
        return RunningRun.findAll().stream()
                .filter(each -> Path.of(each.description().runDirectory()).equals(directory.toAbsolutePath()))
                .findFirst();
    }

    /** A fault, and what is known of it. */
    private final class Followed implements RunningRun.Listener {
        private final FaultSpec spec;
        private final Thread thread;
        private volatile Injected state;
        private volatile boolean isRemoved;

        Followed(FaultSpec spec, Injected state) {
            this.spec = spec;
            this.state = state;
            thread = new Thread(this::follow, "page-injection-" + state.number());
            thread.setDaemon(true);
        }

        private void follow() {
            try {
                Optional<RunningRun> run = find();
                while (run.isEmpty() && !isRemoved && !over.await(LOOK_MS, TimeUnit.MILLISECONDS)) {
                    run = find();
                }
                if (run.isEmpty()) {
                    become(
                            state.process(),
                            Step.REFUSED,
                            isRemoved ? "removed before the flow began" : "the run has ended");
                    return;
                }
                FaultProof proof = run.get().inject(spec, this, () -> isRemoved);
                become(state.process(), proof.fired() ? Step.REMOVED : Step.NOT_FIRED, text(proof));
            } catch (LabException e) {
                become(state.process(), Step.REFUSED, String.valueOf(e.getMessage()));
            } catch (InterruptedException e) {
                LOGGER.debug("the lab ends while a fault is followed, which ends the fault", e);
                Thread.currentThread().interrupt();
            }
        }

        /** By what one can tell, with the figures, such as how many datagrams were lost. */
        private static String text(FaultProof proof) {
            return proof.figures().entrySet().stream()
                    .map(each -> each.getKey() + " " + each.getValue())
                    .collect(Collectors.joining(
                            ", ", proof.explanation() + (proof.figures().isEmpty() ? "" : ": "), ""));
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
