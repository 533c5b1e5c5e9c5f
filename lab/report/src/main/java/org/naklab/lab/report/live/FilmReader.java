package org.naklab.lab.report.live;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.naklab.lab.core.Format;
import org.naklab.lab.core.InputException;
import org.naklab.lab.core.Json;
import org.naklab.lab.core.ProcessNames;
import org.naklab.lab.core.Units;
import org.naklab.lab.core.account.AccountEntry;
import org.naklab.lab.core.books.BooksFile;
import org.naklab.lab.core.series.HeadroomMeter;
import org.naklab.lab.core.series.SeriesName;
import org.naklab.lab.core.series.SeriesSource;
import org.naklab.lab.core.timeline.Interval;
import org.naklab.lab.core.timeline.ThreadEvent.SendersWoken;
import org.naklab.lab.core.timeline.TimelineEvent;
import org.naklab.lab.core.timeline.TimelineEventType;
import org.naklab.lab.core.timeline.TimelineReader;
import org.naklab.lab.records.DiagnosisRecord;
import org.naklab.lab.records.RunRecord;
import org.naklab.lab.records.Stall;
import org.naklab.lab.records.latency.LatencyFile;
import org.naklab.lab.report.SampleSeries;
import org.naklab.lab.report.Samples;

/** Makes a film of the files of a run. */
final class FilmReader {
    private static final String TIMELINE = "timeline.jsonl";
    private static final String SAMPLES = "samples.csv.gz";
    private static final int MAX_DOCUMENT_BYTES = 16 << 20;
    private static final int MAX_SCENES = 5_000;
    /** Ten minutes of books. */
    private static final int MAX_BOOKS = 6_000;

    private static final long MARGIN_NS = 300_000_000;

    /** Pre-emptions, short waits and the like are parts of an account; these are what people look for. */
    static final Set<TimelineEventType> SHOWN = EnumSet.of(
            TimelineEventType.RATE_LIMIT_HIT,
            TimelineEventType.WAKE_FAILED,
            TimelineEventType.SYMBOL_BOUND,
            TimelineEventType.MAJOR_FAULT,
            TimelineEventType.STALL,
            TimelineEventType.SOCKET_DEPTH_RISE,
            TimelineEventType.SOCKET_DRAINED,
            TimelineEventType.DATAGRAMS_DROPPED,
            TimelineEventType.DATAGRAMS_DISCARDED,
            TimelineEventType.NAK_SENT,
            TimelineEventType.RETRANSMIT_SENT,
            TimelineEventType.REPAIRED,
            TimelineEventType.GAP_UNREPAIRED,
            TimelineEventType.LOSS_REPORTED,
            TimelineEventType.THREAD_STOPPED,
            TimelineEventType.THREAD_CONTINUED,
            TimelineEventType.CPU_THROTTLED,
            TimelineEventType.FEED_SILENT,
            TimelineEventType.FOREIGN_DATAGRAMS,
            TimelineEventType.MEMBERSHIP_LOST,
            TimelineEventType.SLOW_CALLBACK,
            TimelineEventType.TRAFFIC_BURST,
            TimelineEventType.RING_DEPTH_RISE,
            TimelineEventType.JOURNAL_LAG_RISE,
            TimelineEventType.MEMORY_PRESSURE,
            TimelineEventType.MEMORY_LIMIT_HIT,
            TimelineEventType.GC_PAUSE,
            TimelineEventType.SAFEPOINT,
            TimelineEventType.PROCESS_ENDED);

    /** The files of a run, by their names. */
    interface Files {
        /** Opens a file; {@code null}: there is none. */
        @Nullable
        InputStream open(String name) throws IOException;
    }

    private final Samples samples;
    private final List<TimelineEvent> events;
    private final LatencyFile latencies;

    private FilmReader(Samples samples, List<TimelineEvent> events, LatencyFile latencies) {
        this.samples = samples;
        this.events = events;
        this.latencies = latencies;
    }

    /** Makes a film without a verdict. */
    static Film of(FilmEvidence evidence) {
        FilmReader reader = new FilmReader(evidence.samples(), evidence.events(), new LatencyFile(List.of()));
        Interval shown = evidence.shown();
        return new Film(
                evidence.title(),
                shown.beginNs(),
                Math.max(shown.beginNs() + 1, shown.endNs()),
                null,
                reader.strips(),
                reader.scenes(shown, evidence.names()),
                reader.stalls(shown),
                new BookMoments(0),
                Map.of());
    }

    private List<Film.Stalled> stalls(Interval shown) {
        return events.stream()
                .filter(event -> event.type() == TimelineEventType.STALL)
                .filter(event -> !event.process().equals(ProcessNames.EXCHANGE))
                .filter(event -> shown.contains(event.timeNs()))
                .map(event ->
                        new Film.Stalled(event.process(), event.thread(), event.timeNs(), event.endNs(), List.of()))
                .toList();
    }

    private List<Film.Scene> scenes(Interval shown, Function<TimelineEventType, String> names) {
        return events.stream()
                .filter(event -> SHOWN.contains(event.type()))
                .filter(event -> shown.contains(event.timeNs()))
                .map(event -> scene(event, names.apply(event.type())))
                .sorted(Comparator.comparingLong(Film.Scene::toldNs))
                .limit(MAX_SCENES)
                .toList();
    }

    /**
     * Reads a run.
     *
     * @param title name of the run
     * @throws InputException it is no run that has ended, or a file of it is damaged
     * @throws IOException a file cannot be read
     */
    static Film read(String title, Files files) throws IOException {
        RunRecord run = run(title, files);
        DiagnosisRecord diagnosis = diagnosis(files);
        String window = run.isOfWatch() ? "window-" : "";
        FilmReader reader = new FilmReader(
                samples(files, window + SAMPLES),
                timeline(files, window + TIMELINE),
                document(files, LatencyFile.NAME, LatencyFile.class).orElse(new LatencyFile(List.of())));
        return reader.film(title, run, diagnosis, books(files));
    }

    /**
     * Reads the verdict of a run.
     *
     * @param beginNs from which its times are counted
     * @throws InputException it is no run that has ended, or a file of it is damaged
     * @throws IOException a file cannot be read
     */
    static Map<String, Object> verdict(String title, Files files, long beginNs) throws IOException {
        return verdict(run(title, files), diagnosis(files), beginNs);
    }

    /**
     * Reads the stalls of a run with their accounts.
     *
     * @param beginNs earlier ones are left out
     * @throws InputException it is no run that has ended, or a file of it is damaged
     * @throws IOException a file cannot be read
     */
    static List<Film.Stalled> stalls(String title, Files files, long beginNs) throws IOException {
        return stalls(run(title, files), diagnosis(files), beginNs, Long.MAX_VALUE);
    }

    private static RunRecord run(String title, Files files) throws IOException {
        return document(files, RunRecord.NAME, RunRecord.class)
                .orElseThrow(() -> new InputException("no run " + title + " that has ended"));
    }

    private static @Nullable DiagnosisRecord diagnosis(Files files) throws IOException {
        return document(files, DiagnosisRecord.NAME, DiagnosisRecord.class).orElse(null);
    }

    private static <T> Optional<T> document(Files files, String name, Class<T> type) throws IOException {
        try (InputStream in = files.open(name)) {
            if (in == null) {
                return Optional.empty();
            }
            JsonNode node = Json.parse(in.readNBytes(MAX_DOCUMENT_BYTES));
            return Optional.of(Json.value(node, type));
        }
    }

    private static Samples samples(Files files, String name) throws IOException {
        InputStream in = files.open(name);
        return in == null ? new Samples(Map.of()) : Samples.read(in, name);
    }

    private static List<TimelineEvent> timeline(Files files, String name) throws IOException {
        InputStream in = files.open(name);
        if (in == null) {
            return List.of();
        }
        try (BufferedReader reader = new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8))) {
            return TimelineReader.read(reader, name);
        }
    }

    private static BookMoments books(Files files) throws IOException {
        BookMoments books = new BookMoments(MAX_BOOKS);
        InputStream in = files.open(BooksFile.NAME);
        if (in != null) {
            try (BufferedReader reader = new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8))) {
                BooksFile.read(reader, books);
            }
        }
        return books;
    }

    private Film film(String title, RunRecord run, @Nullable DiagnosisRecord diagnosis, BookMoments books) {
        long beginNs = samples.bySeries().values().stream()
                .filter(series -> series.size() > 0)
                .mapToLong(series -> series.timeNs(0))
                .min()
                .orElse(0);
        long endNs = samples.bySeries().values().stream()
                .filter(series -> series.size() > 0)
                .mapToLong(series -> series.timeNs(series.size() - 1))
                .max()
                .orElse(beginNs + 1);
        if (run.course().counted() != null) {
            beginNs = Math.max(beginNs, run.course().counted().beginNs() - MARGIN_NS);
            endNs = Math.max(beginNs + 1, Math.min(endNs, run.course().counted().endNs() + MARGIN_NS));
        }
        return new Film(
                title,
                beginNs,
                endNs,
                run.course().epochOffsetNs(),
                strips(),
                scenes(new Interval(beginNs, endNs), TimelineEventType::name),
                stalls(run, diagnosis, beginNs, endNs),
                books,
                verdict(run, diagnosis, beginNs));
    }

    private static List<Film.Stalled> stalls(
            RunRecord run, @Nullable DiagnosisRecord diagnosis, long beginNs, long endNs) {
        List<Stall> stalls = diagnosis == null || diagnosis.others().stalls().isEmpty()
                ? run.document().stalls()
                : diagnosis.others().stalls();
        return stalls.stream()
                .filter(stall -> !stall.process().equals(ProcessNames.EXCHANGE))
                .filter(stall -> stall.atNs() >= beginNs && stall.atNs() <= endNs)
                .sorted(Comparator.comparingLong(Stall::atNs))
                .map(stall -> new Film.Stalled(
                        stall.process(),
                        stall.who(),
                        stall.atNs(),
                        stall.endNs(),
                        stall.account().entries().stream().map(FilmReader::part).toList()))
                .toList();
    }

    static Map<String, Object> part(AccountEntry entry) {
        return Map.of("kind", entry.kind().words(), "ms", entry.ms(), "detail", entry.detail());
    }

    private static Map<String, Object> verdict(RunRecord run, @Nullable DiagnosisRecord diagnosis, long beginNs) {
        if (diagnosis == null) {
            return Map.of("cause", run.document().finding().diagnosis(), "chain", List.of(), "suspects", List.of());
        }
        return verdict(diagnosis, beginNs);
    }

    static Map<String, Object> verdict(DiagnosisRecord diagnosis, long beginNs) {
        List<Map<String, Object>> chain = new ArrayList<>();
        for (DiagnosisRecord.Link link : diagnosis.grounds().chain()) {
            Long atNs = link.atNs();
            if (atNs != null) {
                chain.add(Map.of("link", words(link.link()), "atMs", (atNs - beginNs) / Units.NS_PER_MS));
            }
        }
        return Map.of(
                "cause", diagnosis.named().cause(),
                "confidence", String.valueOf(diagnosis.named().confidence()),
                "evidence",
                        diagnosis.grounds().evidence().stream()
                                .map(each -> Map.of("text", each.text(), "figure", each.figure()))
                                .toList(),
                "chain", chain,
                "suspects",
                        diagnosis.grounds().suspects().stream()
                                .map(each -> Map.of(
                                        "suspect",
                                        each.suspect(),
                                        "ruledOut",
                                        each.ruledOut(),
                                        "figure",
                                        each.figure()))
                                .toList(),
                "remedy", diagnosis.advice().remedy());
    }

    static Film.Scene scene(TimelineEvent event) {
        return scene(event, event.type().name());
    }

    private static Film.Scene scene(TimelineEvent event, String name) {
        return new Film.Scene(
                event.timeNs(),
                Math.max(event.timeNs(), event.endNs()),
                name,
                event.process(),
                text(event, name),
                new TreeMap<>(event.details()));
    }

    private static String text(TimelineEvent event, String name) {
        String who = event.thread().isEmpty() ? event.process() : event.thread();
        double lengthMs = (event.endNs() - event.timeNs()) / Units.NS_PER_MS;
        if (event.type() == TimelineEventType.STALL) {
            return who + " received nothing for " + Format.milliseconds(lengthMs);
        }
        String words = words(name);
        return lengthMs > 0 ? who + ": " + words + ", " + Format.milliseconds(lengthMs) : who + ": " + words;
    }

    private static String words(String name) {
        return name.replace('_', ' ').replace('-', ' ').toLowerCase(Locale.ROOT);
    }

    private List<Strip> strips() {
        Map<String, SeriesName> deepest = deepest();
        return Stream.of(
                        StripKind.DEPTH.of(depths(deepest)),
                        StripKind.HEADROOM.of(headrooms(deepest)),
                        StripKind.DROPS.of(drops()),
                        StripKind.SILENCE.of(silences()),
                        StripKind.NAKS.of(naks()),
                        StripKind.FAULTS.of(growths(SeriesSource.THREAD, "majorFaults")),
                        StripKind.MEMORY.of(memory()),
                        StripKind.BLOCKED.of(blocked()),
                        StripKind.LATENCY.of(latency()),
                        StripKind.TRAFFIC.of(traffic()),
                        StripKind.QUEUES.of(queues()))
                .map(strip -> new Strip(strip.id(), strip.title(), strip.unit(), strip.what(), seen(strip.lines())))
                .filter(strip -> !strip.lines().isEmpty())
                .toList();
    }

    /** Leaves out a strip in which nothing ever moves. */
    private static List<StripLine> seen(List<StripLine> lines) {
        return lines.stream().allMatch(StripLine::isEmpty) ? List.of() : lines;
    }

    private List<StripLine> depths(Map<String, SeriesName> deepest) {
        List<StripLine> lines = new ArrayList<>();
        deepest.forEach((process, name) -> {
            lines.add(level(process, role(process), StripLine.Kind.LEVEL, name, StripKind.BYTES_PER_KIB));
            SeriesName limit = name.sibling("limitBytes");
            if (role(process).equals("suspect") && samples.of(limit).size() > 0) {
                lines.add(level("limit", "limit", StripLine.Kind.LIMIT, limit, StripKind.BYTES_PER_KIB));
            }
        });
        return lines;
    }

    /** Returns the depth of the socket of each receiver that held most. */
    private Map<String, SeriesName> deepest() {
        Map<String, SeriesName> deepest = new TreeMap<>();
        for (SeriesName name : samples.named(SeriesSource.SOCKET, "depthBytes")) {
            if (!name.process().equals(ProcessNames.EXCHANGE)) {
                deepest.merge(
                        name.process(),
                        name,
                        (one, other) ->
                                samples.of(one).max() >= samples.of(other).max() ? one : other);
            }
        }
        return deepest;
    }

    private List<StripLine> headrooms(Map<String, SeriesName> deepest) {
        List<StripLine> lines = new ArrayList<>();
        deepest.forEach((process, name) -> {
            if (!role(process).equals("suspect")) {
                return;
            }
            SampleSeries depths = samples.of(name);
            double[] leftMs = leftMs(depths, samples.of(name.sibling("limitBytes")));
            if (Arrays.stream(leftMs).anyMatch(left -> !Double.isNaN(left))) {
                long[] timesNs = new long[depths.size()];
                Arrays.setAll(timesNs, depths::timeNs);
                lines.add(StripLine.of(process, role(process), StripLine.Kind.LEVEL, timesNs, leftMs));
            }
        });
        return lines;
    }

    /** Returns the time until a buffer is full if nobody reads, ms, at each sample of its depth; not a number: not known. */
    private static double[] leftMs(SampleSeries depths, SampleSeries limits) {
        double[] leftMs = new double[depths.size()];
        if (leftMs.length == 0) {
            return leftMs;
        }
        HeadroomMeter meter = new HeadroomMeter(depths.timeNs(0), depths.value(0), 0);
        int limit = 0;
        for (int i = 0; i < leftMs.length; i++) {
            while (limit < limits.size() && limits.timeNs(limit) <= depths.timeNs(i)) {
                limit++;
            }
            long limitBytes = limit == 0 ? 0 : limits.value(limit - 1);
            if (i > 0) {
                meter.update(depths.timeNs(i), depths.value(i), limitBytes, 0);
            }
            double left = meter.leftMs(limitBytes, depths.timeNs(i));
            leftMs[i] = left < 0 ? Double.NaN : left;
        }
        return leftMs;
    }

    private List<StripLine> drops() {
        return samples.named(SeriesSource.SOCKET, "drops").stream()
                .map(name -> StripLine.growth(name.process(), role(name.process()), samples.of(name)))
                .filter(line -> !line.isEmpty())
                .toList();
    }

    private List<StripLine> silences() {
        return samples.named(SeriesSource.HEARTBEAT, "gapNs").stream()
                .map(name -> StripLine.silences(name.process(), role(name.process()), samples.of(name)))
                .toList();
    }

    private List<StripLine> naks() {
        List<StripLine> lines = new ArrayList<>();
        for (SeriesName name : samples.named(SeriesSource.AERON, "naksSent")) {
            if (name.subject().isEmpty() && !name.process().equals(ProcessNames.EXCHANGE)) {
                lines.add(StripLine.growth("NAKs of " + name.process(), role(name.process()), samples.of(name)));
            }
        }
        SeriesName repairs = SeriesName.ofProcess(SeriesSource.AERON, ProcessNames.EXCHANGE, "retransmitsSent");
        if (samples.of(repairs).size() > 0) {
            lines.add(StripLine.growth("repairs by the exchange", "exchange", samples.of(repairs)));
        }
        return lines;
    }

    private List<StripLine> growths(SeriesSource source, String quantity) {
        return samples.named(source, quantity).stream()
                .map(name -> StripLine.growth(name.process(), role(name.process()), samples.of(name)))
                .toList();
    }

    private List<StripLine> memory() {
        List<SeriesName> limited = samples.named(SeriesSource.CGROUP, "freeBytes");
        SeriesName free = limited.isEmpty() ? SeriesName.ofMachine(SeriesSource.MEMORY, "freeBytes") : limited.get(0);
        SeriesName cached = free.sibling("cachedBytes");
        List<StripLine> lines = new ArrayList<>();
        if (samples.of(free).size() > 0) {
            lines.add(level("free", "suspect", StripLine.Kind.LEVEL, free, StripKind.BYTES_PER_MIB));
        }
        if (samples.of(cached).size() > 0) {
            lines.add(level("page cache", "control", StripLine.Kind.LEVEL, cached, StripKind.BYTES_PER_MIB));
        }
        return lines;
    }

    private List<StripLine> blocked() {
        Map<String, List<TimelineEvent>> byProcess = new LinkedHashMap<>();
        events.stream()
                .filter(event -> event.type() == TimelineEventType.SENDERS_WOKEN)
                .forEach(event -> byProcess
                        .computeIfAbsent(event.process(), key -> new ArrayList<>())
                        .add(event));
        List<StripLine> lines = new ArrayList<>();
        byProcess.forEach((process, its) -> lines.add(StripLine.of(
                process,
                role(process),
                StripLine.Kind.TICKS,
                its.stream().mapToLong(TimelineEvent::timeNs).toArray(),
                its.stream()
                        .flatMap(TimelineEvent.only(SendersWoken.class))
                        .mapToDouble(SendersWoken::blockedSends)
                        .toArray())));
        return lines;
    }

    private List<StripLine> latency() {
        return latencies.subscribers().stream()
                .map(subscriber -> StripLine.of(
                        subscriber.name(),
                        role(subscriber.name()),
                        StripLine.Kind.LEVEL,
                        subscriber.intervals().stream()
                                .mapToLong(LatencyFile.Interval::atNs)
                                .toArray(),
                        Arrays.stream(subscriber.intervals().stream()
                                        .mapToDouble(LatencyFile.Interval::maxUs)
                                        .toArray())
                                .map(us -> us / Units.US_PER_MS)
                                .toArray()))
                .toList();
    }

    private List<StripLine> traffic() {
        Map<String, List<SampleSeries>> byProcess = new TreeMap<>();
        samples.bySeries().forEach((name, series) -> {
            if (name.is(SeriesSource.AERON, traffic(name.process()))
                    && !name.subject().isEmpty()) {
                byProcess
                        .computeIfAbsent(name.process(), key -> new ArrayList<>())
                        .add(series);
            }
        });
        List<StripLine> lines = new ArrayList<>();
        byProcess.forEach(
                (process, its) -> lines.add(StripLine.growth(process, role(process), its, StripKind.BYTES_PER_KIB)));
        return lines;
    }

    /** Returns the count of the bytes that a process sends as the exchange, or takes from its sockets. */
    static String traffic(String process) {
        return process.equals(ProcessNames.EXCHANGE) ? "sentPositionBytes" : "highestPositionBytes";
    }

    private List<StripLine> queues() {
        List<StripLine> lines = new ArrayList<>();
        samples.bySeries().keySet().stream().sorted().forEach(name -> {
            String stage = queue(name);
            if (!stage.isEmpty()) {
                String process = name.process();
                lines.add(level(stage + " of " + process, role(process), StripLine.Kind.LEVEL, name, 1)
                        .ofStage(stage));
            }
        });
        return lines;
    }

    /** Returns which queue of a service a series is of; empty: of none. */
    static String queue(SeriesName series) {
        if (series.source() != SeriesSource.GAUGE) {
            return "";
        }
        return switch (series.quantity()) {
            case "ringDepthSlots" -> "ring";
            case "journalLagMessages" -> "journal";
            default -> "";
        };
    }

    private StripLine level(String name, String role, StripLine.Kind kind, SeriesName series, double divisor) {
        SampleSeries its = samples.of(series);
        return StripLine.level(name, role, kind, its, divisor);
    }

    /** The colour follows the role: the suspect, its control group, or the sender. A watched process is the suspect. */
    static String role(String process) {
        if (process.equals(ProcessNames.EXCHANGE)) {
            return "exchange";
        }
        return process.startsWith("gateway") ? "control" : "suspect";
    }
}
