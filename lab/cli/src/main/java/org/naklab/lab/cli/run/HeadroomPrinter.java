package org.naklab.lab.cli.run;

import java.io.PrintStream;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BinaryOperator;
import org.naklab.lab.core.Headroom;
import org.naklab.lab.scenarios.SocketReading;
import org.naklab.lab.terminal.Terminal;

/** Prints for each process how long the receive buffer of its most endangered socket lasts. */
final class HeadroomPrinter {
    private static final BinaryOperator<SocketReading> SMALLEST =
            BinaryOperator.minBy(Comparator.comparing(SocketReading::headroom, Headroom.LEAST_FIRST));

    private final Terminal terminal;
    private final PrintStream out;

    HeadroomPrinter(Terminal terminal, PrintStream out) {
        this.terminal = terminal;
        this.out = out;
    }

    /** Prints nothing of a process without a socket whose headroom is known. */
    void print(List<SocketReading> sockets) {
        Map<String, SocketReading> smallest = new LinkedHashMap<>();
        sockets.stream()
                .filter(socket -> socket.headroom().isKnown())
                .forEach(socket -> smallest.merge(socket.process(), socket, SMALLEST));
        if (smallest.isEmpty()) {
            return;
        }
        out.println();
        smallest.forEach((process, socket) -> terminal.printHanging(
                out,
                String.format("%-11s", process),
                "headroom: " + socket.headroom().sentence()));
    }
}
