package org.naklab.lab.instruments.kernel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;
import org.naklab.lab.core.timeline.Interval;
import org.naklab.testing.Await;
import org.naklab.testing.host.Installed;

/**
 * Holds what the recorder's program printed while a victim stood still, and what the victim measured by itself: recorded once, judged again. With {@code
 * -Dnaklab.record=true} it is recorded anew, as CONTRIBUTING.md says.
 *
 * <pre>
 * {"type":"absence",…}    a line of naklab-kernel
 * = absence {…}           the same record with what only the living process could tell
 * # pid 42                the victim's process
 * # args spin 1           what it was told to do
 * # line span 1 2         what it measured
 * </pre>
 */
final class Recording {
    private static final Path DIRECTORY = Path.of("src/test/resources/org/naklab/lab/instruments/kernel/recorded");
    private static final String PLACED = "= ";
    private static final String NOTE = "# ";
    private static final ObjectMapper MAPPER = new ObjectMapper();

    private final List<String> lines;
    private final RecordLog log = new RecordLog();

    private Recording(List<String> lines, RecorderSettings settings) {
        this.lines = List.copyOf(lines);
        deliver(settings.deferred(), log);
    }

    /** Returns a recording of the victim; the settings are those of the recorder. */
    static Recording of(String name, RecorderSettings settings, String... arguments) throws Exception {
        if (Boolean.getBoolean("naklab.record")) {
            return new Recording(record(name, settings, arguments), settings);
        }
        InputStream resource = Recording.class.getResourceAsStream("recorded/" + name + ".gz");
        try (BufferedReader kept = new BufferedReader(new InputStreamReader(
                new GZIPInputStream(Objects.requireNonNull(resource, name)), StandardCharsets.UTF_8))) {
            return new Recording(kept.lines().toList(), settings);
        }
    }

    private static List<String> record(String name, RecorderSettings settings, String... arguments) throws Exception {
        assumeThat(KernelRecorder.whyNot(RecorderSource.BPF)).isEmpty();
        Installed.assume("cc");
        Path directory = Files.createTempDirectory("victim-");
        List<String> lines = Collections.synchronizedList(new ArrayList<>());
        PlaceResolver resolver = new PlaceResolver();
        RecordStream stream = new RecordStream(
                settings.deferred(),
                kernelRecord -> keep(lines, kernelRecord, resolver.resolve(kernelRecord)),
                lines::add,
                kernelRecord -> {});
        try (Victim victim = Victim.start(Victim.compile(directory), arguments)) {
            lines.add(NOTE + "pid " + victim.pid());
            lines.add(NOTE + "args " + String.join(" ", arguments));
            try (KernelRecorder recorder =
                    KernelRecorder.start(List.of(victim.pid()), source -> BpfRecorder.start(settings, stream))) {
                victim.go();
                lines.add(NOTE + "line " + String.join(" ", victim.line()));
                Await.until("the end of what it did", () -> VictimRecording.state(victim.pid()) == 'S');
                assertThat(recorder.source()).isEqualTo(RecorderSource.BPF);
            }
        }
        List<String> anonymous = lines.stream()
                .map(line -> line.replace(directory.toString(), "/victim"))
                .toList();
        Files.createDirectories(DIRECTORY);
        try (GZIPOutputStream out = new GZIPOutputStream(Files.newOutputStream(DIRECTORY.resolve(name + ".gz")))) {
            out.write((String.join("\n", anonymous) + '\n').getBytes(StandardCharsets.UTF_8));
        }
        return anonymous;
    }

    private static KernelRecord keep(List<String> lines, KernelRecord kernelRecord, KernelRecord placed) {
        if (!placed.equals(kernelRecord)) {
            try {
                lines.add(PLACED + typeOf(placed) + ' ' + MAPPER.writeValueAsString(placed));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
        return placed;
    }

    private static String typeOf(KernelRecord placed) {
        return placed instanceof Absence ? "absence" : placed instanceof PageFaultSpan ? "fault" : "sample";
    }

    /** Delivers all records to a listener, as the recorder did. */
    void deliver(boolean isDeferred, KernelRecordListener listener) {
        Map<String, KernelRecord> placed = new HashMap<>();
        for (String line : lines) {
            if (line.startsWith(PLACED)) {
                String[] words = line.split(" ", 3);
                KernelRecord kernelRecord =
                        (KernelRecord) RecordParser.parse("{\"type\":\"" + words[1] + "\"," + words[2].substring(1));
                placed.put(key(kernelRecord), kernelRecord);
            }
        }
        RecordStream stream = new RecordStream(
                isDeferred, kernelRecord -> placed.getOrDefault(key(kernelRecord), kernelRecord), line -> {}, listener);
        lines.stream().filter(line -> line.startsWith("{")).forEach(stream::onLine);
        stream.onEnd();
    }

    /** A thread ends one thing at a time. */
    private static String key(KernelRecord kernelRecord) {
        int tid = kernelRecord instanceof Absence absence
                ? absence.task().tid()
                : kernelRecord instanceof PageFaultSpan fault
                        ? fault.task().tid()
                        : kernelRecord instanceof KernelRecord.Sample sample
                                ? sample.task().tid()
                                : 0;
        return kernelRecord.getClass().getSimpleName() + tid + ' ' + kernelRecord.timeNs();
    }

    /** Delivers all records to the instrument, which makes events of them. */
    void toTimeline(KernelInstrument.Subject subject, org.naklab.lab.core.timeline.TimelineListener events) {
        KernelInstrument.Machine machine = new KernelInstrument.Machine() {
            @Override
            public long namespaceOf(long pid) {
                return 1;
            }

            @Override
            public KernelRecorder record(
                    java.util.Collection<Long> pids, RecorderSettings settings, KernelRecordListener listener) {
                return KernelRecorder.start(List.of(), source -> new Replay(Recording.this, settings, listener));
            }
        };
        new KernelInstrument(
                        machine, List.of(subject), null, (tid, comm) -> comm, 0, RecorderSettings.Sampling.NONE, events)
                .finish();
    }

    /** Has all records at its end. */
    private record Replay(Recording recording, RecorderSettings settings, KernelRecordListener listener)
            implements KernelRecorder.Backend {
        @Override
        public boolean add(long pid) {
            return true;
        }

        @Override
        public void remove(long pid) {}

        @Override
        public void close() {
            recording.deliver(settings.deferred(), listener);
        }
    }

    /** Returns all records. */
    RecordLog log() {
        return log;
    }

    <T extends KernelRecord> List<T> of(Class<T> type) {
        return log.of(type);
    }

    Absence longest(String comm) {
        return log.longestIn(span(), comm);
    }

    /** Returns the words that the victim printed: {@code span BEGIN END}. */
    List<String> measured() {
        return words("line");
    }

    Interval span() {
        return new Interval(
                Long.parseLong(measured().get(1)), Long.parseLong(measured().get(2)));
    }

    int pid() {
        return Integer.parseInt(words("pid").get(0));
    }

    List<String> arguments() {
        return words("args");
    }

    private List<String> words(String what) {
        String prefix = NOTE + what + ' ';
        return lines.stream()
                .filter(line -> line.startsWith(prefix))
                .map(line -> List.of(line.substring(prefix.length()).split(" ", -1)))
                .findFirst()
                .orElseThrow();
    }
}
