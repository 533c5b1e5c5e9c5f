package org.naklab.lab.workshop.command;

import java.util.concurrent.Callable;
import org.naklab.lab.core.UsageException;
import org.naklab.lab.terminal.Converters;
import org.naklab.lab.terminal.ExitCode;
import org.naklab.lab.terminal.FailedRequests;
import org.naklab.lab.terminal.ListenOptions;
import org.naklab.lab.workshop.UnitReader;
import org.naklab.lab.workshop.web.WorkshopServer;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParentCommand;

/** {@code naklab workshop serve}. */
@Command(
        name = "serve",
        description = "Serve the workshop to the browsers of a class, with a page for the trainer.",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        footer = {
            "",
            "Trainees open the first address and join with the code and a name. A trainee's token lets see and act for that "
                    + "trainee only. The trainer opens the second address: the class by units, its confusion matrix, the "
                    + "wall, and a table as CSV. The files are those of the terminal, so a restart loses nothing.",
            "",
            "With --alone, it is for you: a link opens your units in one browser, without a code, and what you began in the terminal goes "
                    + "on. 'naklab workshop link' prints a link for another browser. Each started unit plays its case as a film.",
            "",
            "By default only this machine can connect. Requests are not encrypted: with --host, use a network whose users "
                    + "you trust, or a proxy with TLS. Ctrl-C ends it.",
            "",
            "Examples:",
            "  naklab workshop serve",
            "  naklab workshop serve --alone",
            "  naklab workshop serve --host 0.0.0.0 --dir class-of-monday",
            "",
            "Exit codes: 0 ended, 64 wrong usage, 66 the workshop's files cannot be used, 69 the port is taken."
        })
public final class WorkshopServeCommand implements Callable<Integer> {
    @ParentCommand
    private WorkshopCommand parent;

    @Option(
            names = "--port",
            paramLabel = "P",
            defaultValue = "8081",
            converter = Converters.Port.class,
            description = "TCP port (default: ${DEFAULT-VALUE}).")
    private int port;

    @Option(names = "--alone", description = "Print a link that opens your own units; only this machine can connect.")
    private boolean isAlone;

    @Mixin
    private ListenOptions listen;

    @Mixin
    private WorkshopOptions options;

    @Override
    public Integer call() throws InterruptedException {
        if (isAlone && !listen.isLoopback()) {
            throw new UsageException("--alone is for who sits at this machine: leave out --host");
        }
        try (WorkshopServer server = WorkshopServer.launch(
                listen.host(),
                port,
                listen.names(),
                options.directory(),
                options.corpus(),
                UnitReader.read(options.units()),
                new FailedRequests(parent.terminal().err()))) {
            Runtime.getRuntime().addShutdownHook(new Thread(server::close, "workshop-close"));
            String address = "http://" + listen.reachable() + ":" + server.port() + "/";
            if (isAlone) {
                parent.terminal().out().println("you       " + server.serveAlone(address, options.trainee()));
                parent.terminal().out().println("another   naklab workshop link prints a link for one more browser");
            } else {
                parent.terminal().out().println("trainees  " + address + "  code " + server.code());
                parent.terminal().out().println("trainer   " + address + "trainer#" + server.trainerToken());
            }
            server.awaitClosed();
        }
        return ExitCode.OK;
    }
}
