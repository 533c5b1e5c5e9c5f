package org.naklab.lab.tools.command;

import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.naklab.lab.core.Format;
import org.naklab.lab.core.OutputFile;
import org.naklab.lab.core.Units;
import org.naklab.lab.terminal.Converters;
import org.naklab.lab.terminal.ExitCode;
import org.naklab.lab.terminal.JsonOption;
import org.naklab.lab.terminal.StepProgress;
import org.naklab.lab.terminal.Table;
import org.naklab.lab.terminal.Table.Align;
import org.naklab.lab.terminal.Terminal;
import org.naklab.lab.terminal.runs.PageOption;
import org.naklab.lab.tools.buffers.BufferBench;
import org.naklab.lab.tools.buffers.BufferPoint;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code naklab bench buffers}. */
@Command(
        name = "buffers",
        description = {
            "Find the smallest receive buffer that survives a stall of its reader, with real sockets, and compare it with the arithmetic.",
            "",
            "The arithmetic is rate x length of the stall x bytes that the kernel counts for a datagram: its payload and the kernel's own structures. The"
                    + " kernel is asked for the latter. The measured size is that which the kernel reports, twice of what SO_RCVBUF asks for."
        },
        mixinStandardHelpOptions = true,
        footer = {
            "",
            "Examples:",
            "  naklab bench buffers",
            "  naklab bench buffers --rates 5000,50000 --stalls 50ms,150ms --bytes 700",
            "  naklab bench buffers --html buffers.html",
            "  naklab bench buffers --keep"
        })
final class BenchBuffersCommand implements Callable<Integer> {
    private final Terminal terminal;

    @Option(
            names = "--rates",
            paramLabel = "N,…",
            split = ",",
            defaultValue = "5000,20000,50000",
            converter = Converters.Positive.class,
            description = "Datagrams a second (default: ${DEFAULT-VALUE}).")
    private List<Long> ratesPerSecond = List.of();

    @Option(
            names = "--stalls",
            paramLabel = "TIME,…",
            split = ",",
            defaultValue = "20ms,50ms,100ms,150ms",
            converter = Converters.Duration.class,
            description = "Lengths of the stall (default: ${DEFAULT-VALUE}).")
    private List<Long> stallsNs = List.of();

    @Option(
            names = "--bytes",
            paramLabel = "N",
            defaultValue = "128",
            converter = DatagramBytes.class,
            description = "Payload of a datagram (default: ${DEFAULT-VALUE}).")
    private int datagramBytes;

    @Mixin
    private PageOption page;

    @Option(names = "--svg", paramLabel = "FILE", description = "Write the chart alone.")
    private @Nullable Path svg;

    @Mixin
    private JsonOption json;

    BenchBuffersCommand(Terminal terminal) {
        this.terminal = terminal;
        page = new PageOption();
        json = new JsonOption();
    }

    /** The document of {@code --json}. */
    private record Document(int datagramBytes, long bytesPerDatagram, int largestBytes, List<BufferPoint> points) {}

    @Override
    public Integer call() {
        page.check();
        if (svg != null) {
            OutputFile.requireWritableInNewDirectory(svg);
        }
        BufferBench bench = new BufferBench(datagramBytes);
        List<BufferPoint> points;
        try (StepProgress progress =
                StepProgress.untilInterrupted(terminal, ratesPerSecond.size() * stallsNs.size(), () -> {})) {
            points = bench.run(ratesPerSecond, stallsNs, progress);
        }
        if (json.isGiven()) {
            json.print(terminal, new Document(datagramBytes, bench.bytesPerDatagram(), bench.largestBytes(), points));
        } else {
            print(bench, points);
        }
        BufferPage buffers = new BufferPage(datagramBytes, bench.bytesPerDatagram(), bench.largestBytes(), points);
        page.write(terminal, "buffers", datagramBytes + "-bytes", buffers::writePage);
        if (svg != null) {
            buffers.writeChart(svg);
        }
        return ExitCode.OK;
    }

    private void print(BufferBench bench, List<BufferPoint> points) {
        terminal.printHanging(
                terminal.out(),
                "",
                "a datagram of " + datagramBytes + " B takes " + bench.bytesPerDatagram()
                        + " B of a receive buffer; this kernel grants up to " + Format.bytes(bench.largestBytes()));
        Table table = new Table(
                terminal, terminal.out(), Align.RIGHT, Align.RIGHT, Align.RIGHT, Align.RIGHT, Align.RIGHT, Align.RIGHT);
        table.head("datagrams/s", "stall", "datagrams", "arithmetic, B", "measured, B", "ratio");
        for (BufferPoint point : points) {
            boolean isFound = point.measuredBytes() > 0;
            table.row(
                    Format.count(point.eventsPerSecond()),
                    Format.milliseconds(point.stallNs() / Units.NS_PER_MS),
                    Format.count(point.datagrams()),
                    Format.count(point.arithmeticBytes()),
                    isFound ? Format.count(point.measuredBytes()) : "not granted",
                    isFound
                            ? String.format(Locale.ROOT, "%.3f", point.ratio())
                            : Format.count(point.lostInLargest()) + " lost");
        }
        table.print();
    }
}
