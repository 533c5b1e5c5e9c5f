package org.naklab.lab.runs.history;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.naklab.lab.core.Json;
import org.naklab.lab.core.RegularFile;
import org.naklab.lab.records.DiagnosisRecord;
import org.naklab.lab.records.EnvironmentRecord;
import org.naklab.lab.records.RunCase;
import org.naklab.lab.records.RunDocument;
import org.naklab.lab.records.RunRecord;
import org.naklab.lab.records.Stall;
import org.naklab.lab.records.TransportRecord;
import org.naklab.lab.runs.history.detail.DetailReader;
import org.naklab.lab.runs.history.detail.KeptText;

/** Reads {@code run.json}, and {@code diagnosis.json} where there is one, into what the history keeps. */
public final class RunFileReader {
    /** Larger than any record or diagnosis. */
    public static final int MAX_BYTES = 16 << 20;

    private static final int MAX_PATH_CHARS = 4_096;
    private static final int MAX_REASON_CHARS = 1_000;
    private static final int MAX_STALLS = 10_000;
    private static final int MAX_RECEIVERS = 100;
    private static final String UNKNOWN = "unknown";

    private final Path directory;
    private final RunRecord run;
    private final @Nullable DiagnosisRecord diagnosis;

    private RunFileReader(Path directory, RunRecord run, @Nullable DiagnosisRecord diagnosis) {
        this.directory = directory.toAbsolutePath().normalize();
        this.run = run;
        this.diagnosis = diagnosis;
    }

    /**
     * Reads the entry of one run.
     *
     * @throws HistoryException the directory is not that of a finished run; the message has its path
     */
    public static HistoryEntry read(Path directory) {
        return of(directory, record(directory), diagnosis(directory));
    }

    /**
     * Makes the entry of one run from its files' contents.
     *
     * @param run {@code run.json}, or {@code started.json} of a run that left no other
     * @param diagnosis {@code diagnosis.json}; {@code null}: the run has none
     * @throws HistoryException they are not what they should be
     */
    public static HistoryEntry of(Path directory, byte[] run, byte @Nullable [] diagnosis) {
        RunRecord record = document(directory, RunRecord.NAME, run, RunRecord.class);
        return of(
                directory,
                record,
                diagnosis == null ? null : document(directory, DiagnosisRecord.NAME, diagnosis, DiagnosisRecord.class));
    }

    /** Makes the entry of one run from its record, which need not have been written. */
    public static HistoryEntry of(Path directory, RunRecord run) {
        return of(directory, run, null);
    }

    private static HistoryEntry of(Path directory, RunRecord run, @Nullable DiagnosisRecord diagnosis) {
        RunFileReader reader = new RunFileReader(directory, run, diagnosis);
        return new HistoryEntry(reader.row(), reader.stalls(), DetailReader.of(run, reader.keptStalls(), diagnosis));
    }

    /**
     * Reads the entry of one run with the events of its timeline and with its samples.
     *
     * @throws HistoryException as {@link #read}
     * @throws org.naklab.lab.core.LabException the events or samples cannot be read
     */
    public static HistoryEntry readWhole(Path directory) {
        RunRecord run = record(directory);
        HistoryEntry entry = of(directory, run, diagnosis(directory));
        return entry.with(
                DetailReader.withFiles(entry.details(), directory, run.course().epochOffsetNs()));
    }

    private static RunRecord record(Path directory) {
        byte[] run = bytes(directory, RunRecord.NAME);
        if (run == null) {
            throw new HistoryException(
                    "no run in " + directory.toAbsolutePath().normalize() + ": it has no " + RunRecord.NAME);
        }
        return document(directory, RunRecord.NAME, run, RunRecord.class);
    }

    private static @Nullable DiagnosisRecord diagnosis(Path directory) {
        byte[] diagnosis = bytes(directory, DiagnosisRecord.NAME);
        return diagnosis == null ? null : document(directory, DiagnosisRecord.NAME, diagnosis, DiagnosisRecord.class);
    }

    private static byte @Nullable [] bytes(Path directory, String name) {
        try {
            return RegularFile.read(directory.resolve(name), MAX_BYTES);
        } catch (NoSuchFileException | AccessDeniedException e) {
            return null;
        } catch (IOException e) {
            throw new HistoryException("cannot read " + directory.resolve(name) + ": " + e.getMessage(), e);
        }
    }

    private static <T> T document(Path directory, String name, byte[] content, Class<T> type) {
        try {
            JsonNode document = Json.parse(content);
            if (document.isObject()) {
                return Json.value(document, type);
            }
            throw new HistoryException(directory.resolve(name) + " is no record of a run");
        } catch (IOException | UncheckedIOException e) {
            throw new HistoryException("cannot read " + directory.resolve(name) + ": " + e.getMessage(), e);
        }
    }

    private RunRow row() {
        RunDocument document = run.document();
        RunCase given = document.runCase();
        EnvironmentRecord environment = run.origin().environment();
        return new RunRow(
                name(environment == null ? null : environment.program().host()),
                KeptText.cut(or(document.runDirectory(), directory.toString()), MAX_PATH_CHARS),
                KeptText.cut(or(run.course().startedUtc(), "1970-01-01T00:00:00.000Z"), KeptText.MAX_NAME_CHARS),
                new RunCase(
                        name(given.scenario()),
                        name(given.fidelity()),
                        name(given.remedy()),
                        name(given.profile()),
                        given.seed()),
                new RunFinding(
                        name(document.finding().verdict()),
                        name(document.finding().diagnosis()),
                        confidence(),
                        reason()),
                figures(),
                hostFacts(environment),
                receivers(),
                latencies(),
                run.served().staleQuotes());
    }

    private List<LatencyRow> latencies() {
        Stream<LatencyRow> subscribers = run.reported().subscribers().stream()
                .limit(MAX_RECEIVERS)
                .flatMap(subscriber -> Stream.ofNullable(subscriber.effects().latency())
                        .flatMap(latency -> LatencyRow.of(name(subscriber.name()), latency).stream()));
        Stream<LatencyRow> customers = run.served().customers().stream()
                .limit(MAX_RECEIVERS)
                .flatMap(each -> LatencyRow.of(name(each.server()), each).stream());
        return Stream.concat(subscribers, customers).toList();
    }

    /** Returns the receivers whose arrivals were counted; an earlier version counted none. */
    private List<RunRow.Receiver> receivers() {
        return run.reported().subscribers().stream()
                .limit(MAX_RECEIVERS)
                .flatMap(subscriber ->
                        receiver(subscriber.name(), subscriber.intake().transport()).stream())
                .toList();
    }

    private static Optional<RunRow.Receiver> receiver(@Nullable String name, TransportRecord transport) {
        Long overtaken = transport.order().overtakenDatagrams();
        Long repeated = transport.order().repeatedDatagrams();
        return overtaken == null || repeated == null
                ? Optional.empty()
                : Optional.of(new RunRow.Receiver(name(name), transport.naksSent(), overtaken + repeated));
    }

    private static String or(@Nullable String text, String absent) {
        return text == null ? absent : text;
    }

    private static String name(@Nullable String text) {
        return KeptText.cut(or(text, UNKNOWN), KeptText.MAX_NAME_CHARS);
    }

    private @Nullable String confidence() {
        String confidence = diagnosis == null ? null : diagnosis.named().confidence();
        return confidence == null ? null : KeptText.cut(confidence, KeptText.MAX_NAME_CHARS);
    }

    private @Nullable String reason() {
        if (run.document().finding().verdict() == null) {
            return "ended without a verdict";
        }
        String reason = run.course().reason();
        return reason == null ? null : KeptText.cut(reason, MAX_REASON_CHARS);
    }

    private RunFigures figures() {
        RunDocument document = run.document();
        List<StallRow> stalls = stalls();
        return new RunFigures(
                new RunFigures.Traffic(
                        document.messages().published(),
                        document.counts().naks(),
                        run.service()
                                .map(service -> service.intake().transport().naksSent())
                                .orElse(null)),
                new RunFigures.Harm(
                        document.counts().datagramsDropped(),
                        document.counts().retransmits(),
                        document.counts().blockedSends(),
                        document.counts().maxSocketDepthBytes()),
                stalls.size(),
                stalls.stream().mapToDouble(StallRow::durationMs).max().orElse(0));
    }

    private List<StallRow> stalls() {
        Long epochOffsetNs = run.course().epochOffsetNs();
        return keptStalls().stream()
                .map(stall -> new StallRow(
                        name(stall.process()),
                        KeptText.cut(stall.thread(), KeptText.MAX_NAME_CHARS),
                        epochOffsetNs == null ? null : epochOffsetNs + stall.atNs(),
                        stall.durationMs(),
                        stall.majorFaults(),
                        name(stall.cause())))
                .toList();
    }

    private List<Stall> keptStalls() {
        return run.document().stalls().stream().limit(MAX_STALLS).toList();
    }

    private static HostFacts hostFacts(@Nullable EnvironmentRecord environment) {
        if (environment == null) {
            return new HostFacts(UNKNOWN, UNKNOWN, UNKNOWN, UNKNOWN, UNKNOWN, 0, 0);
        }
        Integer cores = environment.machine().cores();
        Long memoryBytes = environment.machine().memoryBytes();
        return new HostFacts(
                name(environment.program().naklab()),
                name(environment.program().jdk()),
                name(environment.machine().kernel()),
                name(environment.machine().architecture()),
                name(environment.machine().processor()),
                cores == null ? 0 : cores,
                memoryBytes == null ? 0 : memoryBytes);
    }
}
