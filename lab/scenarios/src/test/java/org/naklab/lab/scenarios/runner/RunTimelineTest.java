package org.naklab.lab.scenarios.runner;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.naklab.lab.core.timeline.TimelineEvent;
import org.naklab.lab.core.timeline.TimelineEventType;
import org.naklab.lab.core.timeline.TimelineReader;
import org.naklab.lab.instruments.watch.IncidentRecorder;
import org.naklab.lab.process.ProcessEvent;
import org.naklab.lab.scenarios.evidence.Unkept;
import org.naklab.testing.events.Samples;

@Timeout(60)
class RunTimelineTest {
    private static final long MS = 1_000_000;

    @TempDir
    Path directory;

    @Test
    void shouldHaveTheReplicasOwnEventsInTheWindow() throws Exception {
        IncidentRecorder recorder = recorder();
        try (RunTimeline timeline = timeline(recorder)) {
            timeline.accept("mds", child("STALL", 20));
            timeline.onEvent(event(TimelineEventType.SOCKET_DEPTH_RISE, 25));
            timeline.accept("mds", child("SYMBOL_BOUND", 150));
            timeline.accept("mds", child("RATE_LIMIT_HIT", 5));
            timeline.accept("mds", child("WAKE_FAILED", 18));
            timeline.accept("mds", child("YIELDED", 160));
            timeline.accept("mds", child("progress", 161));
        }
        recorder.close();

        assertThat(window())
                .extracting(TimelineEvent::type)
                .containsExactly(
                        TimelineEventType.RATE_LIMIT_HIT,
                        TimelineEventType.WAKE_FAILED,
                        TimelineEventType.STALL,
                        TimelineEventType.SOCKET_DEPTH_RISE,
                        TimelineEventType.SYMBOL_BOUND,
                        TimelineEventType.YIELDED);
        assertThat(window()).isSubsetOf(TimelineReader.read(directory.resolve("timeline.jsonl")));
    }

    @Test
    void shouldNotBeTrippedByWhatIsNotOnTheTimeline() throws Exception {
        IncidentRecorder recorder = recorder();
        try (RunTimeline timeline = timeline(recorder)) {
            timeline.accept("mds", child("RATE_LIMIT_HIT", 5));
            timeline.onEvent(event(TimelineEventType.STALL, 20));
        }
        recorder.close();

        assertThat(recorder.trip()).isEmpty();
        assertThat(Files.exists(directory.resolve("window-timeline.jsonl"))).isFalse();
    }

    private IncidentRecorder recorder() {
        return new IncidentRecorder(directory, Set.of(TimelineEventType.STALL));
    }

    private RunTimeline timeline(IncidentRecorder recorder) {
        RunTimeline timeline = new RunTimeline(directory.resolve("timeline.jsonl"), new Unkept());
        timeline.addListener(recorder);
        return timeline;
    }

    private List<TimelineEvent> window() throws Exception {
        return TimelineReader.read(directory.resolve("window-timeline.jsonl"));
    }

    private static ProcessEvent child(String type, long atMs) {
        String line = "{\"event\":\"" + type + "\",\"atNs\":" + atMs * MS + ",\"thread\":\"mds-context\"}";
        return ProcessEvent.parse(line);
    }

    private static TimelineEvent event(TimelineEventType type, long atMs) {
        return TimelineEvent.of(atMs * MS, type, "mds", Samples.whole(type.form(), Map.of()));
    }
}
