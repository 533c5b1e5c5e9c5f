package org.naklab.lab.runs.history.detail;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.naklab.lab.core.timeline.TimelineEvent;
import org.naklab.lab.core.timeline.TimelineReader;
import org.naklab.lab.records.DiagnosisRecord;
import org.naklab.lab.records.FaultRecord;
import org.naklab.lab.records.RunRecord;
import org.naklab.lab.records.Stall;
import org.naklab.lab.records.memory.EvictionRecord;

/** Reads the details of a run from its records and files. */
public final class DetailReader {
    /** The process of faults that the lab itself ran. */
    public static final String OUTSIDE = "outside";

    /** The limit for one run; the first ones are kept. */
    static final int MAX_EVENTS = 50_000;

    private static final int MAX_PARTS = 100;
    private static final int MAX_CUSTOMERS = 100;
    private static final int MAX_FAULTS = 1_000;
    private static final int MAX_FIRINGS = 10_000;
    private static final int MAX_LINKS = 100;
    private static final int MAX_TEXT_CHARS = 1_000;

    private final @Nullable Long epochOffsetNs;

    private DetailReader(@Nullable Long epochOffsetNs) {
        this.epochOffsetNs = epochOffsetNs;
    }

    /**
     * Reads what the records of a run tell; the events and the samples are not read.
     *
     * @param stalls those of the run that the history keeps
     * @param diagnosis {@code null}: the run has none
     */
    public static RunDetails of(RunRecord run, List<Stall> stalls, @Nullable DiagnosisRecord diagnosis) {
        DetailReader reader = new DetailReader(run.course().epochOffsetNs());
        return new RunDetails(
                stalls.stream().map(DetailReader::parts).toList(),
                reader.eviction(run, stalls),
                reader.faults(run),
                diagnosis == null ? List.of() : reader.links(diagnosis),
                List.of(),
                List.of(),
                null,
                run.served().customers().stream().limit(MAX_CUSTOMERS).toList());
    }

    private RunDetails.@Nullable Eviction eviction(RunRecord run, List<Stall> stalls) {
        EvictionRecord memory = run.used().memory();
        return memory == null
                ? null
                : new RunDetails.Eviction(
                        epochNs(memory.evictionBeganNs()),
                        stalls.stream()
                                .map(stall -> EvictionRecord.secondsBetween(memory.evictionBeganNs(), stall.atNs()))
                                .toList());
    }

    /**
     * Adds the events and the samples of a run directory to what its records tell.
     *
     * @param epochOffsetNs as of the run; {@code null}: the run kept no wall clock, and its samples are left out
     * @throws org.naklab.lab.core.LabException a file cannot be read
     */
    public static RunDetails withFiles(RunDetails details, Path directory, @Nullable Long epochOffsetNs) {
        Path timeline = directory.resolve("timeline.jsonl");
        DetailReader reader = new DetailReader(epochOffsetNs);
        List<TimelineEvent> events = Files.exists(timeline) ? TimelineReader.readWhole(timeline) : List.of();
        SampleSecond.Rows samples = epochOffsetNs == null
                ? new SampleSecond.Rows(List.of(), 0)
                : SampleSecond.read(directory.resolve("samples.csv.gz"), epochOffsetNs);
        return details.with(
                events.stream().limit(MAX_EVENTS).map(reader::event).toList(),
                samples.seconds(),
                new RunDetails.LeftOut(Math.max(0, events.size() - MAX_EVENTS), samples.leftOut()));
    }

    private static List<RunDetails.StallPart> parts(Stall stall) {
        return stall.account().entries().stream()
                .limit(MAX_PARTS)
                .map(entry -> new RunDetails.StallPart(
                        entry.kind().label(), entry.ms(), KeptText.cut(entry.detail(), MAX_TEXT_CHARS)))
                .toList();
    }

    private List<RunDetails.Fault> faults(RunRecord run) {
        List<RunDetails.Fault> faults = new ArrayList<>();
        if (run.reported().exchange() != null) {
            add("exchange", run.reported().exchange().faults(), faults);
        }
        run.reported()
                .subscribers()
                .forEach(each -> add(each.name(), each.effects().faults(), faults));
        add("customers", run.served().customersFaults(), faults);
        add(OUTSIDE, run.reported().outsideFaults(), faults);
        return faults;
    }

    private void add(String process, Map<String, FaultRecord> itsFaults, List<RunDetails.Fault> faults) {
        itsFaults.forEach((id, fault) -> {
            if (faults.size() < MAX_FAULTS) {
                faults.add(fault(KeptText.name(process), KeptText.name(id), fault));
            }
        });
    }

    private RunDetails.Fault fault(String process, String id, FaultRecord fault) {
        FaultRecord.Proof proof = fault.proof();
        if (proof.equals(FaultRecord.Proof.NONE)) {
            return new RunDetails.Fault(process, id, fault.armed(), null, null, Map.of(), List.of());
        }
        Map<String, Long> figures = new HashMap<>();
        proof.figures().forEach((name, value) -> figures.put(KeptText.name(name), value));
        return new RunDetails.Fault(
                process,
                id,
                fault.armed(),
                proof.fired(),
                KeptText.cut(proof.explanation(), MAX_TEXT_CHARS),
                figures,
                proof.firings().stream()
                        .limit(MAX_FIRINGS)
                        .map(firing -> new RunDetails.Firing(
                                epochNs(firing.beginNs()),
                                firing.endNs() - firing.beginNs(),
                                KeptText.cut(firing.what(), MAX_TEXT_CHARS)))
                        .toList());
    }

    private List<RunDetails.Link> links(DiagnosisRecord diagnosis) {
        return diagnosis.grounds().chain().stream()
                .limit(MAX_LINKS)
                .map(link -> new RunDetails.Link(
                        KeptText.name(link.link()), link.present(), link.inOrder(), epochNs(link.atNs())))
                .toList();
    }

    private RunDetails.Event event(TimelineEvent event) {
        return new RunDetails.Event(
                epochNs(event.interval().beginNs()),
                event.interval().lengthNs(),
                event.type().name(),
                KeptText.name(event.process()),
                KeptText.name(event.thread()),
                event.amount());
    }

    private @Nullable Long epochNs(@Nullable Long timeNs) {
        return epochOffsetNs == null || timeNs == null ? null : Long.valueOf(epochOffsetNs + timeNs);
    }
}
