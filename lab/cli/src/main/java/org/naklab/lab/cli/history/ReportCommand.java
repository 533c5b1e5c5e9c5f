package org.naklab.lab.cli.history;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.naklab.lab.core.InputException;
import org.naklab.lab.core.Json;
import org.naklab.lab.core.OutputFile;
import org.naklab.lab.instruments.jvm.RecordedWaits;
import org.naklab.lab.records.RunRecord;
import org.naklab.lab.report.Report;
import org.naklab.lab.report.export.PerfettoTrace;
import org.naklab.lab.report.export.PprofProfile;
import org.naklab.lab.report.export.RecordedTimeline;
import org.naklab.lab.terminal.ExitCode;
import org.naklab.lab.terminal.SudoUser;
import org.naklab.lab.terminal.Terminal;
import org.naklab.lab.terminal.runs.HistoryOptions;
import org.naklab.lab.terminal.runs.RunArchiver;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code naklab report}. */
@Command(
        name = "report",
        description = "Write the report of a run: one HTML file that needs no network.",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        footer = {
            "",
            "Each run writes its report at its end; this command rewrites it with the current history.",
            "",
            "Examples:",
            "  naklab report",
            "  naklab report mystery",
            "  naklab report runs/mystery/latest --output /tmp/report.html",
            "  naklab report hunt --perfetto stall.json --pprof stall.pb.gz"
        })
public final class ReportCommand implements Callable<Integer> {
    private final Terminal terminal;

    @Option(
            names = "--output",
            paramLabel = "FILE",
            description = "Output file (default: report.html in the run directory).")
    private @Nullable Path output;

    @Option(
            names = "--perfetto",
            paramLabel = "FILE",
            description = "Write the timeline as a trace in JSON for ui.perfetto.dev, instead of the report.")
    private @Nullable Path perfetto;

    @Option(
            names = "--pprof",
            paramLabel = "FILE",
            description =
                    "Write where threads were off the CPU in their stalls, and who woke them, as a profile for pprof, "
                            + "instead of the report.")
    private @Nullable Path pprof;

    @Mixin
    private RunSelection selection;

    @Mixin
    private HistoryOptions history;

    ReportCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() {
        Path directory = selection.run();
        if (perfetto != null || pprof != null) {
            export(withWaitsOfWakers(RecordedTimeline.read(directory), directory));
            return ExitCode.OK;
        }
        Path file = output == null ? Report.of(directory) : output;
        new RunArchiver(history.url(selection.runs()), terminal).report(directory, file);
        new SudoUser(terminal.err()).give("the report", owner -> owner.takeDirectory(directory));
        terminal.out().println(file);
        return ExitCode.OK;
    }

    /** A watch tells the waits of the threads that receive; what the others did, which woke them, is in JFR's recording only. */
    private static RecordedTimeline withWaitsOfWakers(RecordedTimeline timeline, Path directory) {
        Path recording = directory.resolve("window.jfr");
        Path run = directory.resolve(RunRecord.NAME);
        String process = timeline.jvm().orElse("");
        if (process.isEmpty() || !Files.isRegularFile(recording) || !Files.isRegularFile(run)) {
            return timeline;
        }
        Long offsetNs = Json.read(run, RunRecord.class).course().epochOffsetNs();
        return offsetNs == null
                ? timeline
                : timeline.with(RecordedWaits.read(recording, process, timeline.wakersIn(process), offsetNs));
    }

    private void export(RecordedTimeline timeline) {
        if (perfetto != null) {
            write(perfetto, Json.line(PerfettoTrace.of(timeline)).getBytes(StandardCharsets.UTF_8));
        }
        if (pprof != null) {
            write(pprof, PprofProfile.of(timeline));
        }
    }

    private void write(Path file, byte[] content) {
        try {
            OutputFile.replace(file, out -> out.write(content));
        } catch (IOException e) {
            throw new InputException("cannot write " + file + ": " + e.getMessage(), e);
        }
        terminal.out().println(file);
    }
}
