package org.naklab.lab.report.export;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.StreamSupport;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.naklab.lab.core.InputException;
import org.naklab.lab.core.timeline.Interval;
import org.naklab.lab.core.timeline.ThreadAbsence;
import org.naklab.lab.core.timeline.ThreadAbsence.WakerWait;
import org.naklab.lab.core.timeline.ThreadEvent.JavaWait;
import org.naklab.lab.core.timeline.TimelineEvent;
import org.naklab.lab.core.timeline.TimelineEventType;
import org.naklab.testing.events.Samples;

/** A thread waits 300 ms for a lock that another one holds in its sleep; of these 300 ms, 250 are its stall. */
@Timeout(60)
final class ExportTest {
    private static final long MS = 1_000_000;

    private final RecordedTimeline timeline = new RecordedTimeline(List.of(
                    new ThreadAbsence(
                                    "4711",
                                    "recv",
                                    new Interval(0, 300 * MS),
                                    290 * MS,
                                    ThreadAbsence.State.SLEEPING,
                                    "actor",
                                    true,
                                    false,
                                    "",
                                    List.of("futex_wait"),
                                    List.of("os::PlatformEvent::park", "ObjectMonitor::enter"))
                            .afterWaitOfWaker(new WakerWait(
                                    290 * MS, ThreadAbsence.State.SLEEPING, "", List.of("hrtimer_nanosleep"))),
                    TimelineEvent.of(
                            50 * MS,
                            TimelineEventType.STALL,
                            "4711",
                            "recv",
                            Map.of("durationNs", 250 * MS, "endNs", 300 * MS)),
                    javaWait("recv", "Receiver.onDatagram:21 < Receiver.receive:63"),
                    TimelineEvent.of(
                            100 * MS,
                            TimelineEventType.DATAGRAMS_DROPPED,
                            "4711",
                            Samples.whole(
                                    TimelineEventType.DATAGRAMS_DROPPED.form(),
                                    Map.of("inode", 7L, "datagrams", 12L)))))
            .with(List.of((JavaWait) javaWait("actor", "Actor.report:7 < Actor.run:9")));

    @Test
    void shouldWriteTheWaitWithTheJavaFramesOfBothThreads() {
        JsonNode trace = PerfettoTrace.of(timeline);

        JsonNode absence = named(trace, "off CPU, sleeping");
        assertThat(absence.path("ph").asText()).isEqualTo("X");
        assertThat(absence.path("dur").asDouble()).isEqualTo(300_000);
        assertThat(absence.path("args").path("stack").toString())
                .isEqualTo("[\"futex_wait\",\"Receiver.onDatagram:21\",\"Receiver.receive:63\"]");
        JsonNode wake = named(trace, "wakes recv");
        assertThat(wake.path("ts").asDouble()).isEqualTo(290_000);
        assertThat(wake.path("args").path("stack").toString())
                .isEqualTo("[\"hrtimer_nanosleep\",\"Actor.report:7\",\"Actor.run:9\"]");
        assertThat(named(trace, "datagrams dropped")
                        .path("args")
                        .path("datagrams")
                        .asLong())
                .isEqualTo(12);
    }

    @Test
    void shouldConnectTheWakerWithTheThreadThatWaited() {
        JsonNode trace = PerfettoTrace.of(timeline);

        List<JsonNode> flow = events(trace).stream()
                .filter(event -> event.path("cat").asText().equals("wake"))
                .toList();
        assertThat(flow).extracting(event -> event.path("ph").asText()).containsExactly("s", "f");
        assertThat(flow).extracting(event -> event.path("id").asInt()).containsOnly(1);
        assertThat(trackOf(trace, flow.get(0))).isEqualTo("actor wakes");
        assertThat(trackOf(trace, flow.get(1))).isEqualTo("recv");
    }

    @Test
    void shouldProfileTheAbsenceWithinTheStallWithItsWaker() throws IOException {
        Map<Integer, List<Object>> profile =
                parse(new GZIPInputStream(new ByteArrayInputStream(PprofProfile.of(timeline))).readAllBytes());
        List<String> texts = all(profile, 6).stream()
                .map(text -> new String((byte[]) text, StandardCharsets.UTF_8))
                .toList();
        Map<Long, String> functions = new LinkedHashMap<>();
        for (Object each : all(profile, 5)) {
            Map<Integer, List<Object>> function = parse((byte[]) each);
            functions.put(
                    (Long) all(function, 1).get(0),
                    texts.get(((Long) all(function, 2).get(0)).intValue()));
        }

        assertThat(texts.get(0)).isEmpty();
        assertThat(all(profile, 2)).hasSize(1);
        Map<Integer, List<Object>> sample = parse((byte[]) all(profile, 2).get(0));
        assertThat(varints((byte[]) all(sample, 1).get(0)).stream().map(functions::get))
                .containsExactly(
                        "Actor.run:9",
                        "Actor.report:7",
                        "hrtimer_nanosleep",
                        "woken by actor",
                        "futex_wait",
                        "Receiver.onDatagram:21",
                        "Receiver.receive:63");
        assertThat(varints((byte[]) all(sample, 2).get(0))).containsExactly(1L, 250 * MS);
        assertThat(all(profile, 4)).hasSameSizeAs(all(profile, 5));
    }

    @Test
    void shouldTellWhoseRecordingHasTheWaitsOfWakers() {
        assertThat(timeline.jvm()).contains("4711");
        assertThat(timeline.wakersIn("4711")).containsExactly("actor");
        assertThat(timeline.wakersIn("4712")).isEmpty();
    }

    @Test
    void shouldSayThatThereIsNoTimeline(@TempDir Path empty) {
        assertThatThrownBy(() -> RecordedTimeline.read(empty))
                .isInstanceOf(InputException.class)
                .hasMessageContaining("has no timeline");
    }

    private static TimelineEvent javaWait(String thread, String stack) {
        return TimelineEvent.of(
                MS,
                TimelineEventType.JAVA_WAIT,
                "4711",
                thread,
                Samples.whole(
                        TimelineEventType.JAVA_WAIT.form(),
                        Map.of("durationNs", 288 * MS, "stack", stack, "what", "waited for a lock")));
    }

    private static List<JsonNode> events(JsonNode trace) {
        return StreamSupport.stream(trace.path("traceEvents").spliterator(), false)
                .toList();
    }

    private static JsonNode named(JsonNode trace, String name) {
        return events(trace).stream()
                .filter(event -> event.path("name").asText().equals(name))
                .findFirst()
                .orElseThrow();
    }

    private static String trackOf(JsonNode trace, JsonNode event) {
        return events(trace).stream()
                .filter(each -> each.path("name").asText().equals("thread_name")
                        && each.path("tid").equals(event.path("tid")))
                .map(each -> each.path("args").path("name").asText())
                .findFirst()
                .orElseThrow();
    }

    private static List<Object> all(Map<Integer, List<Object>> message, int field) {
        return message.getOrDefault(field, List.of());
    }

    /** Reads the fields of a message: numbers are {@code Long}, everything else bytes. */
    private static Map<Integer, List<Object>> parse(byte[] message) {
        Map<Integer, List<Object>> fields = new LinkedHashMap<>();
        int[] at = {0};
        while (at[0] < message.length) {
            long tag = varint(message, at);
            Object value;
            if ((tag & 7) == 0) {
                value = varint(message, at);
            } else {
                int length = (int) varint(message, at);
                value = Arrays.copyOfRange(message, at[0], at[0] + length);
                at[0] += length;
            }
            fields.computeIfAbsent((int) (tag >> 3), field -> new ArrayList<>()).add(value);
        }
        return fields;
    }

    private static List<Long> varints(byte[] packed) {
        List<Long> values = new ArrayList<>();
        int[] at = {0};
        while (at[0] < packed.length) {
            values.add(varint(packed, at));
        }
        return values;
    }

    private static long varint(byte[] bytes, int[] at) {
        long value = 0;
        int shift = 0;
        byte next;
        do {
            next = bytes[at[0]++];
            value |= (long) (next & 0x7f) << shift;
            shift += 7;
        } while (next < 0);
        return value;
    }
}
