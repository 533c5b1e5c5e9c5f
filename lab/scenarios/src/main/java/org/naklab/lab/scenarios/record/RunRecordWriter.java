package org.naklab.lab.scenarios.record;

import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.naklab.journaler.Verification;
import org.naklab.lab.cases.CaseReader;
import org.naklab.lab.cases.CaseWriter;
import org.naklab.lab.cases.DiagnosisRecords;
import org.naklab.lab.core.Json;
import org.naklab.lab.core.timeline.Interval;
import org.naklab.lab.instruments.memory.MajorFaultStack;
import org.naklab.lab.records.DiagnosisRecord;
import org.naklab.lab.records.FaultStackRecord;
import org.naklab.lab.records.RunRecord;
import org.naklab.lab.records.StartRecord;
import org.naklab.lab.records.UnfinishedRecord;
import org.naklab.lab.records.latency.LatencyFile;
import org.naklab.lab.records.latency.StaleQuotesRecord;
import org.naklab.lab.replica.quotes.StaleQuotes;
import org.naklab.lab.scenarios.RunOutcome;
import org.naklab.lab.scenarios.Scenario;
import org.naklab.lab.scenarios.evidence.Unkept;

/** Writes the records of a run into its directory. */
final class RunRecordWriter {
    private RunRecordWriter() {}

    /**
     * Writes the record of a run that came to its end, with what belongs to it, and points {@code latest} there. What cannot be written of
     * the rest is a trouble of the run; the record comes last, so that it says so.
     *
     * @return the run as it stands then: with one more trouble its verdict is UNKNOWN at best
     * @throws java.io.UncheckedIOException the record itself cannot be written
     */
    static RunResult write(Scenario scenario, RunResult result, StartRecord start) {
        Path directory = result.outcome().plan().directory();
        Unkept unkept = new Unkept();
        List<FaultStackRecord> stacks = result.outcome().observation().faultStacks().stream()
                .map(RunRecordWriter::stack)
                .toList();
        if (!stacks.isEmpty()) {
            unkept.attempt(() -> Json.write(directory.resolve(FaultStackRecord.NAME), stacks));
        }
        LatencyFile latencies = new LatencyFile(result.outcome().subscribers().stream()
                .flatMap(report -> Stream.ofNullable(report.curves()))
                .toList());
        if (!latencies.subscribers().isEmpty()) {
            unkept.attempt(() -> Json.write(directory.resolve(LatencyFile.NAME), latencies));
        }
        RunDirectory run = new RunDirectory(directory);
        unkept.attempt(result.outcome().isInterrupted() ? run::linkLatestIfNone : run::linkLatest);
        RunResult kept = result.withUnkept(scenario, unkept.lines());
        Unkept diagnosis = new Unkept();
        diagnosis.attempt(() -> Json.write(
                directory.resolve(DiagnosisRecord.NAME),
                DiagnosisRecords.of(kept.outcome().diagnosis(), kept.outcome().stalls())));
        diagnosis.attempt(() -> writeTruth(directory.resolve(CaseReader.DIRECTORY), kept));
        RunResult written = kept.withUnkept(scenario, diagnosis.lines());
        StaleQuotesRecord staleQuotes = staleQuotes(written.outcome());
        Json.write(directory.resolve(RunRecord.NAME), RunRecords.end(written, start, staleQuotes));
        return written.withStaleQuotes(staleQuotes);
    }

    private static void writeTruth(Path directory, RunResult result) {
        if (Files.isDirectory(directory)) {
            CaseWriter.write(directory, RunDocuments.truthOf(result));
        }
    }

    /** Writes the record of a run that did not come to its end. {@code latest} stays where it is: such a run has nothing to look at. */
    static void write(Path directory, UnfinishedRecord record) {
        Json.write(directory.resolve(RunRecord.NAME), record);
    }

    static boolean isWritten(Path directory) {
        return Files.exists(directory.resolve(RunRecord.NAME), LinkOption.NOFOLLOW_LINKS);
    }

    /** Returns the stale quotes of a run whose journal is complete; null without one, and if it cannot be read again. */
    private static @Nullable StaleQuotesRecord staleQuotes(RunOutcome outcome) {
        Verification journal = outcome.journal();
        Interval counted = outcome.counted();
        return journal == null || counted == null || !journal.passed()
                ? null
                : StaleQuotes.of(journal.journal(), counted).orElse(null);
    }

    private static FaultStackRecord stack(MajorFaultStack stack) {
        return new FaultStackRecord(stack.timeNs(), stack.tid(), stack.frames());
    }
}
