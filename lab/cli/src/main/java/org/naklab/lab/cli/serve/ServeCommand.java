package org.naklab.lab.cli.serve;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.naklab.lab.core.InputException;
import org.naklab.lab.core.Reason;
import org.naklab.lab.core.UsageException;
import org.naklab.lab.report.dashboard.Dashboard;
import org.naklab.lab.report.instructor.InstructorServer;
import org.naklab.lab.report.live.LiveFeed;
import org.naklab.lab.report.live.LiveStage;
import org.naklab.lab.terminal.Converters;
import org.naklab.lab.terminal.ExitCode;
import org.naklab.lab.terminal.FailedRequests;
import org.naklab.lab.terminal.ListenOptions;
import org.naklab.lab.terminal.Terminal;
import org.naklab.lab.terminal.runs.RunsOption;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code naklab serve}. */
@Command(
        name = "serve",
        description = "Serve the dashboard: the calendar of runs, their reports, and each run as a film.",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        footer = {
            "",
            "A film shows what a run recorded as if it happened now, at any speed, and keeps the cause until it is asked for:"
                    + " /SCENARIO/RUN/film.html, where RUN may be latest.",
            "",
            "With --act, an instructor starts and stops scenarios and faults from a page, and decides when the cause is told;"
                    + " an audience watches at an address of its own, from which nobody can act.",
            "",
            "Reads the runs for each page; the calendar shows within seconds that a run has begun or ended. Writes nothing."
                    + " By default only this machine can connect, and only with a loopback name; where others can, the address has a token."
                    + " Ctrl-C ends it.",
            "",
            "Examples:",
            "  naklab serve",
            "  naklab serve --port 9000 --runs /tmp/runs",
            "  naklab serve --act",
            "  naklab serve --act --host 0.0.0.0"
        })
public final class ServeCommand implements Callable<Integer> {
    private final Terminal terminal;

    @Option(
            names = "--port",
            paramLabel = "P",
            defaultValue = "8080",
            converter = Converters.Port.class,
            description = "TCP port (default: ${DEFAULT-VALUE}).")
    private int port;

    @Option(
            names = "--act",
            description =
                    "Serve an instructor's page, which starts runs, and an audience's. Each has an address with a "
                            + "token, which is printed.")
    private boolean isForInstructor;

    @Option(
            names = "--no-token",
            description =
                    "Answer everybody who can connect. Use it only where something else decides who can, such as a port "
                            + "that Docker publishes on loopback. By default, with a --host that is not of loopback, the "
                            + "address has a token, which is printed.")
    private boolean isWithoutToken;

    @Mixin
    private ListenOptions listen;

    @Mixin
    private RunsOption runs;

    ServeCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() throws InterruptedException {
        Path directory = runs.directory();
        if (isForInstructor && isWithoutToken) {
            throw new UsageException("--act needs its tokens: omit --no-token");
        }
        if (isForInstructor) {
            instruct(directory);
            return ExitCode.OK;
        }
        try (Dashboard dashboard = dashboard(directory)) {
            Runtime.getRuntime().addShutdownHook(new Thread(dashboard::close, "dashboard-close"));
            terminal.out()
                    .println("runs in " + directory + " at http://" + listen.reachable() + ":" + dashboard.port()
                            + dashboard.path());
            dashboard.awaitClosed();
        }
        return ExitCode.OK;
    }

    private Dashboard dashboard(Path directory) {
        FailedRequests errors = new FailedRequests(terminal.err());
        return isWithoutToken || listen.isLoopback()
                ? Dashboard.launch(listen.host(), port, directory, listen.names(), errors)
                : Dashboard.launchWithToken(listen.host(), port, directory, listen.names(), errors);
    }

    private void instruct(Path directory) throws InterruptedException {
        createDirectory(directory);
        LiveStage stage = new LiveStage(LiveFeed.ofNothing());
        try (LabRuns acts = new LabRuns(terminal, directory, stage);
                InstructorServer server = InstructorServer.launch(
                        listen.host(),
                        port,
                        listen.names(),
                        acts,
                        stage,
                        Dashboard.pages(directory),
                        new FailedRequests(terminal.err()))) {
            Runtime.getRuntime().addShutdownHook(new Thread(acts::close, "instructor-close"));
            Runtime.getRuntime().addShutdownHook(new Thread(server::close, "pages-close"));
            String address = "http://" + listen.reachable() + ":" + server.port();
            terminal.out().println("instructor at " + address + server.instructorPath());
            terminal.out().println("audience at   " + address + server.audiencePath());
            server.awaitClosed();
        }
    }

    /** The first run may be that of the page. */
    private static void createDirectory(Path directory) {
        try {
            Files.createDirectories(directory);
        } catch (IOException e) {
            throw new InputException("cannot make the directory of runs " + directory + ": " + Reason.of(e), e);
        }
    }
}
