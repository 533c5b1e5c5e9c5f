package org.naklab.lab.tools.linking;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import org.naklab.lab.core.Json;
import org.naklab.lab.instruments.forecast.BindForecast;
import org.naklab.lab.instruments.forecast.BindForecaster;
import org.naklab.lab.instruments.linking.Bindings;
import org.naklab.lab.instruments.linking.BindingsReader;
import org.naklab.lab.instruments.watch.ReadSocket;
import org.naklab.lab.instruments.watch.SocketLook;
import org.naklab.lab.terminal.ExitCode;
import org.naklab.lab.terminal.JsonOption;
import org.naklab.lab.terminal.Terminal;
import org.naklab.lab.terminal.runs.PageOption;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code naklab bindings}. */
@Command(
        name = "bindings",
        description = {
            "List the functions that a process has not bound yet: the dynamic linker looks each of them up at its first "
                    + "call, on the thread that calls, and reads symbol tables that may have to come from disk.",
            "Nothing is changed, and no page is brought into memory. Of a file, list what would be bound, and when.",
            "Of a process, also forecast how long a thread that reads a UDP socket will wait at such a call, now and when "
                    + "memory gets short, and how long the buffer of its socket survives."
        },
        mixinStandardHelpOptions = true,
        sortOptions = false,
        footer = {
            "",
            "How to read it:",
            "  RELRO    data that is read-only after loading: none, partial, full",
            "  BIND_NOW what the file asks for; LD_BIND_NOW=1 does it for all files",
            "  Slots    functions of others that the library calls",
            "  Unbound  those that are looked up at their first call, still to come",
            "  On disk  pages of the symbol tables that these look-ups would read",
            "           from disk; '?' if the kernel tells this user nothing",
            "",
            "Examples:",
            "  naklab bindings 4711",
            "  naklab bindings 4711 --json",
            "  naklab bindings /usr/lib/jvm/default-java/lib/server/libjvm.so",
            "",
            "Exit codes: 0 listed, 64 wrong usage, 66 no such process or file, or it cannot be read."
        })
public final class BindingsCommand implements Callable<Integer> {
    private static final String PID = "[1-9][0-9]{0,9}";
    /** The sockets are looked at for so long, ns. */
    private static final long LOOK_NS = TimeUnit.SECONDS.toNanos(1);

    private final Terminal terminal;

    @Parameters(paramLabel = "PID|FILE", description = "A process id, or an executable or a shared library.")
    private String subject;

    @Option(names = "--all", description = "Print all unbound symbols, not only the first ten of each library.")
    private boolean all;

    @Mixin
    private PageOption page;

    @Mixin
    private JsonOption json;

    BindingsCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() {
        Bindings bindings = subject.matches(PID)
                ? BindingsReader.ofProcess(Long.parseLong(subject))
                : BindingsReader.ofFile(Path.of(subject));
        List<BindForecast> forecasts = forecast(bindings);
        page.write(
                terminal,
                "bindings",
                String.valueOf(Path.of(subject).getFileName()),
                file -> BindingsPage.write(file, bindings, forecasts));
        if (json.isGiven()) {
            ObjectNode document = Json.tree(bindings, ObjectNode.class);
            document.set("forecasts", Json.tree(forecasts, ArrayNode.class));
            json.print(terminal, document);
        } else {
            new BindingsPrinter(terminal, bindings, forecasts, all ? Integer.MAX_VALUE : BindingsPrinter.FEW).print();
        }
        return ExitCode.OK;
    }

    /** Returns the waits to come, those with the pages that are missing now first; none of a file, or of a process that has ended since it was read. */
    private List<BindForecast> forecast(Bindings bindings) {
        Long pid = bindings.pid();
        BindForecaster forecaster = new BindForecaster(bindings);
        if (pid == null || forecaster.isIdle()) {
            return List.of();
        }
        try {
            List<ReadSocket> sockets = SocketLook.at(pid, LOOK_NS, forecaster::look);
            List<BindForecast> forecasts = new ArrayList<>(forecaster.ofNow(sockets));
            forecasts.addAll(forecaster.ofShortage(sockets));
            return forecasts;
        } catch (IOException e) {
            terminal.err()
                    .println("Process " + pid + " ended before the forecast, which is left out: " + e.getMessage());
            return List.of();
        }
    }
}
