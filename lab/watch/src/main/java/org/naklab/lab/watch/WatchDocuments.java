package org.naklab.lab.watch;

import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.naklab.lab.cases.Case;
import org.naklab.lab.cases.CaseReader;
import org.naklab.lab.cases.CaseWriter;
import org.naklab.lab.cases.DiagnosisRecords;
import org.naklab.lab.cases.RunEnvironment;
import org.naklab.lab.core.Format;
import org.naklab.lab.core.Json;
import org.naklab.lab.core.Units;
import org.naklab.lab.core.timeline.TimelineEvent;
import org.naklab.lab.instruments.linux.MonotonicConverter;
import org.naklab.lab.instruments.sampling.SamplerStatistics;
import org.naklab.lab.instruments.sockets.SocketSummary;
import org.naklab.lab.instruments.watch.IncidentRecorder;
import org.naklab.lab.instruments.watch.Watch;
import org.naklab.lab.records.DiagnosisRecord;
import org.naklab.lab.records.InstrumentsRecord;
import org.naklab.lab.records.RunCase;
import org.naklab.lab.records.RunDocument;
import org.naklab.lab.records.RunRecord;

/** Writes {@code run.json}, {@code diagnosis.json} and the case of a window, of the same records as a run, so that {@code naklab report} renders it. */
public final class WatchDocuments {
    /** Files of a window that are evidence beside the events. */
    private static final List<String> RECORDED =
            List.of("window-samples.csv.gz", "window.jfr", "window-perf.data", "window-fault-stacks.json");

    private final String version;
    private final String replay;
    private final List<String> arguments;

    /**
     * Creates a writer of the documents of one watch.
     *
     * @param version of the program
     * @param replay how to watch again, for people
     * @param arguments of the command line
     */
    public WatchDocuments(String version, String replay, List<String> arguments) {
        this.version = version;
        this.replay = replay;
        this.arguments = List.copyOf(arguments);
    }

    /**
     * Writes the documents into the directory of the window.
     *
     * @param title of the process, for people
     * @return why they could not be written; empty if they were
     */
    public Optional<String> write(Watch watch, String title, IncidentRecorder.Window window, WatchFindings findings) {
        return write(watch, watch.sockets(), title, window, findings);
    }

    /**
     * Writes the documents of a part of a watch.
     *
     * @param sockets of that part, with what they lost in it
     */
    Optional<String> write(
            Watch watch,
            List<SocketSummary> sockets,
            String title,
            IncidentRecorder.Window window,
            WatchFindings findings) {
        try {
            Path directory = window.directory();
            Json.write(
                    directory.resolve(DiagnosisRecord.NAME),
                    DiagnosisRecords.of(
                            findings.diagnosis(), findings.standstills().stalls()));
            Case evidence = findings.evidence();
            if (evidence != null) {
                Path caseDirectory = directory.resolve(CaseReader.DIRECTORY);
                CaseWriter.write(caseDirectory, evidence);
                CaseWriter.add(
                        caseDirectory, RECORDED.stream().map(directory::resolve).toList());
            }
            Json.write(directory.resolve(RunRecord.NAME), recordOf(watch, sockets, title, window, findings));
            return Optional.empty();
        } catch (UncheckedIOException e) {
            return Optional.of("the window has no report: " + e.getMessage());
        }
    }

    private RunRecord recordOf(
            Watch watch,
            List<SocketSummary> sockets,
            String title,
            IncidentRecorder.Window window,
            WatchFindings findings) {
        long epochOffsetNs = MonotonicConverter.ofSystem().epochOffsetNs();
        long beginNs = window.interval().beginNs() + epochOffsetNs;
        return new RunRecord(
                document(sockets, window, findings),
                new RunRecord.Course(
                        null,
                        Instant.ofEpochMilli(beginNs / Units.MS_NS).toString(),
                        epochOffsetNs,
                        window.interval().lengthNs() / Units.MS_NS,
                        window.interval()),
                new RunRecord.Judged(List.of(), List.of()),
                new RunRecord.Reported(
                        null,
                        List.of(),
                        sockets.stream()
                                .map(socket -> socket(findings.process(), socket))
                                .toList(),
                        Map.of(),
                        instruments(watch),
                        null),
                new RunRecord.Origin(
                        null, List.of(story(title, window)), replay, RunEnvironment.describe(version), arguments),
                new RunRecord.Used(findings.details().pageFaults(), null, List.of()),
                new RunRecord.Served(null, watch.safepoints(), List.of(), Map.of()));
    }

    private static RunDocument document(
            List<SocketSummary> sockets, IncidentRecorder.Window window, WatchFindings findings) {
        return new RunDocument(
                RunCase.ofWatch(),
                new RunDocument.Finding(null, findings.diagnosis().cause().label()),
                RunDocument.Messages.NONE,
                new RunDocument.Counts(
                        findings.feed().naks(),
                        findings.feed().losses().dropped().all(),
                        0,
                        0,
                        sockets.stream()
                                .mapToLong(each -> each.depths().maxDepthBytes())
                                .max()
                                .orElse(0)),
                findings.standstills().stalls(),
                window.directory().toString());
    }

    private static RunRecord.Socket socket(String process, SocketSummary socket) {
        return new RunRecord.Socket(
                process,
                socket.identity().localAddress(),
                socket.identity().localPort(),
                socket.depths().maxDepthBytes(),
                socket.drops(),
                socket.headroom());
    }

    private static InstrumentsRecord instruments(Watch watch) {
        SamplerStatistics sampler = watch.statistics();
        return new InstrumentsRecord(
                watch.describe(),
                watch.missing(),
                new InstrumentsRecord.Sampler(
                        sampler.ticks(), sampler.missedTicks(), sampler.maxLatenessNs(), sampler.cpuShare(), 0),
                List.of());
    }

    private static String story(String title, IncidentRecorder.Window window) {
        return title + ", " + Format.seconds(window.interval().lengthNs()) + " around the first "
                + words(window.trip());
    }

    /** Returns the type of an event as words. */
    public static String words(TimelineEvent event) {
        return event.type().name().toLowerCase(Locale.ROOT).replace('_', ' ');
    }
}
