package org.naklab.lab.cli.serve;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.naklab.lab.cli.fault.PageInjections;
import org.naklab.lab.cli.run.RunCommand;
import org.naklab.lab.cli.run.StallOptions;
import org.naklab.lab.core.Cancellation;
import org.naklab.lab.core.InputException;
import org.naklab.lab.core.LabException;
import org.naklab.lab.core.UnavailableException;
import org.naklab.lab.core.Units;
import org.naklab.lab.core.UsageException;
import org.naklab.lab.report.instructor.FaultChoice;
import org.naklab.lab.report.instructor.LabActs;
import org.naklab.lab.report.instructor.RunState;
import org.naklab.lab.report.instructor.RunState.Phase;
import org.naklab.lab.report.instructor.RunWish;
import org.naklab.lab.report.instructor.ScenarioChoice;
import org.naklab.lab.report.live.LiveFeed;
import org.naklab.lab.report.live.LiveStage;
import org.naklab.lab.scenarios.Fidelity;
import org.naklab.lab.scenarios.Scenario;
import org.naklab.lab.scenarios.Scenarios;
import org.naklab.lab.terminal.Terminal;
import org.naklab.lab.terminal.live.LiveView;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine;
import picocli.CommandLine.ParameterException;

/**
 * Runs scenarios for an instructor, one at a time. What is asked for goes through the options of {@code naklab run}, which check it. Safe for several
 * threads.
 */
public final class LabRuns implements LabActs, AutoCloseable {
    private static final Logger LOGGER = LoggerFactory.getLogger(LabRuns.class);

    /** All that a run takes to end in order. */
    private static final long END_MS = 60_000;

    private final Terminal terminal;
    private final Path runs;
    private final LiveStage stage;
    private int number;
    private long changes;
    private @Nullable Session session;

    /**
     * Begins without a run.
     *
     * @param terminal takes what {@code naklab run} prints
     * @param runs the directory of all runs
     * @param stage on which they are shown
     */
    public LabRuns(Terminal terminal, Path runs, LiveStage stage) {
        this.terminal = terminal;
        this.runs = runs;
        this.stage = stage;
    }

    @Override
    public List<ScenarioChoice> scenarios() {
        return Scenarios.all().stream().map(each -> choice(each, runs)).toList();
    }

    /** Describes a scenario as {@code naklab run} would start it here. */
    static ScenarioChoice choice(Scenario scenario, Path runs) {
        return new ScenarioChoice(
                scenario.name(),
                scenario.summary(),
                StallOptions.possible(scenario, runs).stream()
                        .map(Fidelity::label)
                        .toList(),
                scenario.remedies().stream().map(each -> each.label()).toList(),
                scenario.workload().eventsPerSecond(),
                scenario.workload().durationNs() / Units.NS_PER_S,
                scenario.obstacle().orElse(""));
    }

    @Override
    public List<FaultChoice> faults() {
        return PageInjections.kinds();
    }

    @Override
    public synchronized void start(RunWish wish) {
        Session before = session;
        if (before != null && before.phase != Phase.OVER) {
            throw new UnavailableException("a run goes on; stop it first, or wait for its end");
        }
        RunCommand command = new RunCommand(terminal);
        Scenario scenario = check(command, wish);
        number++;
        Session next = new Session(number, wish, command, scenario);
        session = next;
        change();
        next.thread.start();
    }

    /** Parses the words as a command line does, but for what names files. */
    private Scenario check(RunCommand command, RunWish wish) {
        if (wish.scenario().startsWith("-")) {
            throw new UsageException("no scenario '" + wish.scenario() + "'");
        }
        List<String> words = new ArrayList<>(wish.arguments());
        words.add("--quiet");
        words.add("--runs=" + runs);
        try {
            new CommandLine(command)
                    .setExpandAtFiles(false)
                    .setCaseInsensitiveEnumValuesAllowed(true)
                    .parseArgs(words.toArray(String[]::new));
            return command.check();
        } catch (ParameterException e) {
            throw new UsageException(String.valueOf(e.getMessage()));
        }
    }

    @Override
    public synchronized void stop() {
        Session running = running();
        running.phase = Phase.ENDING;
        running.cancellation.request();
        change();
    }

    private Session running() {
        Session running = session;
        if (running == null || running.phase == Phase.OVER) {
            throw new InputException("no run goes on");
        }
        return running;
    }

    @Override
    public synchronized void reveal() {
        Session shown = session;
        if (shown == null) {
            throw new InputException("no run was started yet");
        }
        shown.isHidden = false;
        stage.reveal();
        change();
    }

    @Override
    public void inject(String fault) {
        PageInjections injections;
        synchronized (this) {
            injections = running().injections;
        }
        if (injections == null) {
            throw new InputException("the run takes no faults yet: its processes are starting");
        }
        injections.inject(fault);
    }

    @Override
    public void remove(int faultNumber) {
        PageInjections injections;
        synchronized (this) {
            injections = running().injections;
        }
        if (injections == null) {
            throw new InputException("no fault was injected into the run");
        }
        injections.remove(faultNumber);
    }

    @Override
    public synchronized RunState state() {
        Session shown = session;
        return shown == null
                ? new RunState(0, Phase.NONE, false, "", "", "", "", "", "No run was started yet.", List.of())
                : shown.state();
    }

    @Override
    public synchronized long changes() {
        return changes;
    }

    private synchronized void change() {
        changes++;
    }

    /** Ends a run that goes on, and waits for its end. */
    @Override
    public void close() {
        Session last;
        synchronized (this) {
            last = session;
        }
        if (last == null) {
            return;
        }
        last.cancellation.request();
        try {
            last.thread.join(END_MS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** One run. Its fields are guarded by the outer lock. */
    private final class Session {
        private final int itsNumber;
        private final RunWish wish;
        private final RunCommand command;
        private final Scenario scenario;
        private final Cancellation cancellation = new Cancellation();
        private final Thread thread = new Thread(this::run, "instructor-run");
        private boolean isHidden;
        private Phase phase = Phase.STARTING;
        private String text = "The processes of the run are starting.";
        private String path = "";
        private @Nullable PageInjections injections;

        Session(int itsNumber, RunWish wish, RunCommand command, Scenario scenario) {
            this.itsNumber = itsNumber;
            this.wish = wish;
            this.command = command;
            this.scenario = scenario;
            isHidden = wish.isHidden();
        }

        private void run() {
            String ending;
            try {
                int code = command.execute(scenario, LiveView.on(this::begin), cancellation);
                ending = "The run has ended: " + sentence(code);
            } catch (LabException e) {
                ending = "The run did not begin, or broke: " + e.getMessage();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                ending = "The lab ends.";
            } catch (RuntimeException e) {
                LOGGER.error("the run broke", e);
                ending = "The run broke; the console of the server says why.";
            }
            synchronized (LabRuns.this) {
                phase = Phase.OVER;
                text = ending;
                if (injections != null) {
                    injections.end();
                }
                change();
            }
        }

        private static String sentence(int code) {
            return switch (code) {
                case 0 -> "what was seen is what was predicted.";
                case 1 -> "what was seen is not what was predicted.";
                default -> "there is no verdict; the report says why.";
            };
        }

        private LiveFeed begin(String name, Path directory) {
            synchronized (LabRuns.this) {
                LiveFeed feed = LiveFeed.ofInstructor(isHidden ? title() : name, isHidden);
                stage.show(feed);
                injections = new PageInjections(directory, LabRuns.this::change);
                path = name;
                phase = phase == Phase.STARTING ? Phase.RUNNING : phase;
                text = "The run goes on.";
                change();
                return feed;
            }
        }

        private String title() {
            return "Run " + itsNumber;
        }

        RunState state() {
            return new RunState(
                    itsNumber,
                    phase,
                    isHidden,
                    title(),
                    scenario.name(),
                    wish.arguments().stream().collect(Collectors.joining(" ", "naklab run ", "")),
                    wish.query(),
                    path,
                    text,
                    injections == null ? List.of() : injections.list());
        }
    }
}
