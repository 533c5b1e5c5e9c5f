package org.naklab.lab.cli.history;

import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.naklab.lab.cli.terminal.Converters;
import org.naklab.lab.cli.terminal.ExitCode;
import org.naklab.lab.cli.terminal.FailedRequests;
import org.naklab.lab.cli.terminal.ListenOptions;
import org.naklab.lab.cli.terminal.Terminal;
import org.naklab.lab.dashboard.Dashboard;
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
            "Reads the runs for each page, so a new run appears on reload. Writes nothing and has no password:"
                    + " by default only this machine can connect, and only with a loopback name. Ctrl-C ends it.",
            "",
            "Examples:",
            "  naklab serve",
            "  naklab serve --port 9000 --runs /tmp/runs"
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
        try (Dashboard dashboard =
                Dashboard.launch(listen.host(), port, directory, listen.names(), new FailedRequests(terminal.err()))) {
            Runtime.getRuntime().addShutdownHook(new Thread(dashboard::close, "dashboard-close"));
            terminal.out()
                    .println("runs in " + directory + " at http://" + listen.host() + ":" + dashboard.port() + "/");
            dashboard.awaitClosed();
        }
        return ExitCode.OK;
    }
}
