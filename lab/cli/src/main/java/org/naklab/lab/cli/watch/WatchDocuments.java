package org.naklab.lab.cli.watch;

import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.agrona.concurrent.SystemEpochNanoClock;
import org.naklab.lab.cli.terminal.Version;
import org.naklab.lab.core.Format;
import org.naklab.lab.core.Json;
import org.naklab.lab.core.timeline.TimelineEvent;
import org.naklab.lab.instruments.sampling.SamplerStatistics;
import org.naklab.lab.instruments.sockets.SocketSummary;
import org.naklab.lab.instruments.watch.IncidentRecorder;
import org.naklab.lab.instruments.watch.Watch;
import org.naklab.lab.runs.record.DiagnosisRecord;
import org.naklab.lab.runs.record.InstrumentsRecord;
import org.naklab.lab.runs.record.RunCase;
import org.naklab.lab.runs.record.RunDocument;
import org.naklab.lab.runs.record.RunRecord;
import org.naklab.lab.scenarios.record.DiagnosisRecords;
import org.naklab.lab.scenarios.record.RunEnvironment;

/** Writes {@code run.json} and {@code diagnosis.json} of a window, of the same records as a run, so that {@code naklab report} renders it. */
final class WatchDocuments {
    private static final long NS_PER_MS = 1_000_000;

    private final List<String> arguments;

    /** @param arguments of the command line */
    WatchDocuments(List<String> arguments) {
        this.arguments = List.copyOf(arguments);
    }

    /**
     * Writes the documents.
     *
     * @return why they could not be written; empty if they were
     */
    Optional<String> write(WatchSession session, IncidentRecorder.Window window, WatchFindings findings) {
        try {
            Path directory = window.directory();
            Json.write(
                    directory.resolve(DiagnosisRecord.NAME),
                    DiagnosisRecords.of(findings.diagnosis(), findings.stalls()));
            Json.write(directory.resolve(RunRecord.NAME), recordOf(session, window, findings));
            return Optional.empty();
        } catch (UncheckedIOException e) {
            return Optional.of("the window has no report: " + e.getMessage());
        }
    }

    private RunRecord recordOf(WatchSession session, IncidentRecorder.Window window, WatchFindings findings) {
        Watch watch = session.watch();
        long epochOffsetNs = SystemEpochNanoClock.INSTANCE.nanoTime() - System.nanoTime();
        long beginNs = window.interval().beginNs() + epochOffsetNs;
        return new RunRecord(
                document(watch, window, findings),
                null,
                Instant.ofEpochMilli(beginNs / NS_PER_MS).toString(),
                epochOffsetNs,
                window.interval().lengthNs() / NS_PER_MS,
                window.interval(),
                List.of(),
                List.of(),
                null,
                List.of(),
                watch.sockets().stream()
                        .map(socket -> socket(findings.process(), socket))
                        .toList(),
                Map.of(),
                instruments(watch),
                null,
                null,
                List.of(story(session, window)),
                "naklab " + String.join(" ", arguments),
                RunEnvironment.describe(Version.current()),
                arguments);
    }

    private static RunDocument document(Watch watch, IncidentRecorder.Window window, WatchFindings findings) {
        return new RunDocument(
                RunCase.ofWatch(),
                null,
                findings.diagnosis().cause().label(),
                RunDocument.Messages.NONE,
                findings.naks(),
                findings.losses().dropped().all(),
                0,
                0,
                watch.sockets().stream()
                        .mapToLong(SocketSummary::maxDepthBytes)
                        .max()
                        .orElse(0),
                findings.stalls(),
                window.directory().toString());
    }

    private static RunRecord.Socket socket(String process, SocketSummary socket) {
        return new RunRecord.Socket(
                process,
                socket.identity().localAddress(),
                socket.identity().localPort(),
                socket.maxDepthBytes(),
                socket.drops(),
                socket.headroom());
    }

    private static InstrumentsRecord instruments(Watch watch) {
        SamplerStatistics sampler = watch.statistics();
        return new InstrumentsRecord(
                watch.describe(),
                watch.missing(),
                new InstrumentsRecord.Sampler(
                        sampler.ticks(), sampler.missedTicks(), sampler.maxLatenessNs(), sampler.cpuShare(), 0));
    }

    private static String story(WatchSession session, IncidentRecorder.Window window) {
        return session.title() + ", " + Format.seconds(window.interval().lengthNs()) + " around the first "
                + words(window.trip());
    }

    /** Returns the type of an event as words. */
    static String words(TimelineEvent event) {
        return event.type().name().toLowerCase(Locale.ROOT).replace('_', ' ');
    }
}
