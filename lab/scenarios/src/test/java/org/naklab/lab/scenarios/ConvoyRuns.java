package org.naklab.lab.scenarios;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.naklab.lab.core.Json;
import org.naklab.lab.scenarios.convoy.ConvoyReport;
import org.naklab.lab.scenarios.convoy.WriterReport;

/** What four writers left in the directory of a run. */
final class ConvoyRuns {
    private static final String LOCK = "/runs/snapshot.lock";
    private static final long SECONDS_8 = 8_000_000_000L;

    private ConvoyRuns() {}

    /** As the scenario predicts it: 0.25 of four writers handle cases at once with the wide lock, and 0.9 with the narrow one. */
    static ConvoyReport passing(Remedy remedy) {
        boolean isNarrow = remedy.equals(Remedy.NARROW_LOCK);
        List<WriterReport> writers = IntStream.rangeClosed(1, 4)
                .mapToObj(number -> new WriterReport(
                        "writer-" + number,
                        new WriterReport.Calls(1_980, 20, isNarrow ? 20 : 2_000),
                        new WriterReport.Times(
                                isNarrow ? 1_980_000_000L : 7_900_000_000L,
                                400_000_000L,
                                isNarrow ? SECONDS_8 * 9 / 10 : SECONDS_8 / 4,
                                SECONDS_8,
                                SECONDS_8 / 50)))
                .toList();
        return new ConvoyReport(
                LOCK,
                writers,
                6_000,
                isNarrow ? 0.05 : 0.74,
                new ConvoyReport.LockWait(LOCK, "fcntl(F_SETLKW)", "writer-2 (pid 12)", "asleep in futex"));
    }

    /** The plan in a new directory with that report; {@code null}: with none. */
    static RunPlan at(RunPlan plan, @Nullable ConvoyReport report) {
        try {
            Path directory = Files.createTempDirectory(Files.createDirectories(Path.of("target/convoys")), "run");
            if (report != null) {
                Json.write(directory.resolve(ConvoyReport.FILE), report);
            }
            return plan.at(directory, "");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Changes the report of a run. */
    static void change(Draft run, UnaryOperator<ConvoyReport> change) {
        run.plan = at(run.plan, change.apply(passing(run.plan.remedy())));
    }

    /** Changes a figure of all writers. */
    static void changeWriters(Draft run, UnaryOperator<WriterReport> change) {
        change(
                run,
                report -> Records.with(
                        report, "writers", report.writers().stream().map(change).toList()));
    }
}
