package org.naklab.lab.process;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.naklab.faults.binding.YieldMeasurement;
import org.naklab.lab.core.Json;
import org.naklab.lab.core.timeline.Interruption;
import org.naklab.lab.core.timeline.TimelineEvent;

/** The lines are what images of the lab speak that are already built. */
@Timeout(60)
final class ProcessEventTest {
    /** The figures of some process. */
    record Figures(long sent, long received) {}

    private static final Figures FIGURES = new Figures(1, 2);
    private static final String FIGURES_LINE = "\"sent\":1,\"received\":2}";
    private static final Interruption INTERRUPTION = new Interruption(150.5, 2L, 0.25, 3L, 1.5, -1.0);
    private static final String INTERRUPTION_LINE = "\"thread\":\"mds-context\",\"durationMs\":150.5,\"majorFaults\":2,"
            + "\"processorWaitMs\":0.25,\"collectionMs\":3,\"processorPressureMs\":1.5,\"stolenMs\":-1.0}";

    static Stream<Arguments> lines() {
        return Stream.of(
                Arguments.of(new ProcessEvent.Ready(7, null, null, null), "{\"event\":\"ready\",\"atNs\":7}"),
                Arguments.of(
                        new ProcessEvent.Ready(
                                7,
                                new ProcessEvent.PreTouched("pre-touch", 4096, 8192, 0.5),
                                212_992,
                                new ServedAt(1, 2, 3, 4, 5)),
                        "{\"event\":\"ready\",\"atNs\":7,\"preTouched\":{\"thread\":\"pre-touch\",\"lockedBytes\":4096,"
                                + "\"touchedBytes\":8192,\"durationMs\":0.5},\"grantedReceiveBufferBytes\":212992,\"served\":{"
                                + "\"orders\":1,\"quotes\":2,\"snapshots\":3,\"requests\":4,\"dayOffsetNs\":5}}"),
                Arguments.of(new ProcessEvent.Image(7), "{\"event\":\"image\",\"atNs\":7}"),
                Arguments.of(new ProcessEvent.Settled(7), "{\"event\":\"settled\",\"atNs\":7}"),
                Arguments.of(new ProcessEvent.Complete(7), "{\"event\":\"complete\",\"atNs\":7}"),
                Arguments.of(new ProcessEvent.Done(7), "{\"event\":\"done\",\"atNs\":7}"),
                Arguments.of(new ProcessEvent.Failed(7, "no"), "{\"event\":\"error\",\"atNs\":7,\"message\":\"no\"}"),
                Arguments.of(
                        new ProcessEvent.RateLimitHit(7, "mds-context"),
                        "{\"event\":\"RATE_LIMIT_HIT\",\"atNs\":7,\"thread\":\"mds-context\"}"),
                Arguments.of(
                        new ProcessEvent.WakeFailed(7, "mds-context"),
                        "{\"event\":\"WAKE_FAILED\",\"atNs\":7,\"thread\":\"mds-context\"}"),
                Arguments.of(
                        new ProcessEvent.SendersWoken(7, "mds-context", 3),
                        "{\"event\":\"SENDERS_WOKEN\",\"atNs\":7,\"thread\":\"mds-context\",\"blockedSends\":3}"),
                Arguments.of(
                        new ProcessEvent.Yielded(7, "mds-context", INTERRUPTION),
                        "{\"event\":\"YIELDED\",\"atNs\":7," + INTERRUPTION_LINE),
                Arguments.of(
                        new ProcessEvent.Stalled(7, "mds-context", INTERRUPTION),
                        "{\"event\":\"STALL\",\"atNs\":7," + INTERRUPTION_LINE),
                Arguments.of(
                        new ProcessEvent.SymbolBound(7, "mds-context", 12, "sched_yield", 0.5, null, true),
                        "{\"event\":\"SYMBOL_BOUND\",\"atNs\":7,\"thread\":\"mds-context\",\"threadId\":12,"
                                + "\"symbol\":\"sched_yield\",\"durationMs\":0.5,\"delayed\":true}"),
                Arguments.of(
                        new ProcessEvent.SymbolBound(7, "mds-context", 12, "sched_yield", 0.5, 3L, false),
                        "{\"event\":\"SYMBOL_BOUND\",\"atNs\":7,\"thread\":\"mds-context\",\"threadId\":12,"
                                + "\"symbol\":\"sched_yield\",\"durationMs\":0.5,\"majorFaults\":3,\"delayed\":false}"),
                Arguments.of(
                        new ProcessEvent.DerivedFilesLost(7, 8, "no file"),
                        "{\"event\":\"DERIVED_FILES_LOST\",\"atNs\":7,\"eventsDerived\":8,\"reason\":\"no file\"}"),
                Arguments.of(
                        new ProcessEvent.MemoryNarrowed(7, 1, 2, true, 3),
                        "{\"event\":\"MEMORY_NARROWED\",\"atNs\":7,\"roomBytes\":1,\"ballastBytes\":2,\"evicted\":true,\"filledAtNs\":3}"),
                Arguments.of(
                        new ProcessEvent.MemoryAccounted(7, 1, 2, 3, 4, 5, 6, 8, 9.5),
                        "{\"event\":\"MEMORY_ACCOUNTED\",\"atNs\":7,\"limitBytes\":1,\"lowestFreeBytes\":2,\"limitHits\":3,"
                                + "\"refaultedPages\":4,\"majorFaults\":5,\"journalBytes\":6,\"journalCachedBytes\":8,"
                                + "\"pressureMs\":9.5}"),
                Arguments.of(
                        new ProcessEvent.ResourcesUsed(7, 1, 2, 3, 4),
                        "{\"event\":\"RESOURCES_USED\",\"atNs\":7,\"startMs\":1,\"cpuMs\":2,\"memoryBytes\":3,\"lockedBytes\":4}"),
                Arguments.of(new ProcessEvent.Sent(7), "{\"event\":\"sent\",\"atNs\":7}"),
                Arguments.of(
                        new ProcessEvent.FaultAnswered(7, 3, "{\"ok\":true}"),
                        "{\"event\":\"fault-answer\",\"atNs\":7,\"request\":3,\"answer\":\"{\\\"ok\\\":true}\"}"),
                Arguments.of(
                        new ProcessEvent.Bound(7, new YieldMeasurement(1, 2, 3, 4, 5)),
                        "{\"event\":\"bound\",\"atNs\":7,\"beginNs\":1,\"endNs\":2,\"majorFaults\":3,\"minorFaults\":4,"
                                + "\"threadId\":5}"));
    }

    @ParameterizedTest
    @MethodSource("lines")
    void shouldBeTheSameOnBothSidesOfThePipe(ProcessEvent event, String line) {
        assertThat(Json.line(event)).isEqualTo(line);
        assertThat(ProcessEvent.parse(line)).isEqualTo(event);
    }

    static Stream<ProcessEvent.OnTimeline> onTimeline() {
        return lines().map(arguments -> arguments.get()[0])
                .filter(ProcessEvent.OnTimeline.class::isInstance)
                .map(ProcessEvent.OnTimeline.class::cast);
    }

    /** The line of a process and that of the timeline have the same keys, and the timeline's is read as a record. */
    @ParameterizedTest
    @MethodSource("onTimeline")
    void shouldStandOnTheTimelineWithAllThatItSays(ProcessEvent.OnTimeline event) {
        TimelineEvent entry = event.of("mds");
        ObjectNode reported = Json.fromLine(Json.line(event), ObjectNode.class);
        assertThat(entry.type().name()).isEqualTo(reported.path("event").asText());
        assertThat(entry.timeNs()).isEqualTo(event.atNs());
        assertThat(entry.thread()).isEqualTo(reported.path("thread").asText());
        assertThat(Json.fromLine(Json.line(entry.details()), ObjectNode.class))
                .isEqualTo(reported.without(List.of("event", "atNs", "thread")));
        assertThat(Json.fromLine(Json.line(entry), TimelineEvent.class)).isEqualTo(entry);
    }

    static Stream<ProcessEvent.WithFigures> figures() {
        return Stream.of(
                ProcessEvent.Progress.of(FIGURES), ProcessEvent.Closed.of(FIGURES), ProcessEvent.Report.of(FIGURES));
    }

    @ParameterizedTest
    @MethodSource("figures")
    void shouldGiveBackTheRecordThatTheFiguresWereWrittenFrom(ProcessEvent.WithFigures event) {
        String line = Json.line(event);
        assertThat(line)
                .isEqualTo("{\"event\":\"" + ProcessEvent.wordOf(event.getClass()) + "\",\"atNs\":" + event.atNs() + ','
                        + FIGURES_LINE);
        assertThat(ProcessEvent.parse(line)).isInstanceOfSatisfying(event.getClass(), parsed -> {
            assertThat(parsed.atNs()).isEqualTo(event.atNs());
            assertThat(parsed.as(Figures.class)).isEqualTo(FIGURES);
        });
    }

    /** A line whose event is not registered is read as no event; three are the lab's own and never on a line. */
    @Test
    void shouldReadEveryEventThatAProcessReports() {
        Set<Class<?>> unread = records(ProcessEvent.class).collect(Collectors.toSet());
        assertThat(unread).hasSizeGreaterThan(20);
        Arrays.stream(ProcessEvent.class.getAnnotation(JsonSubTypes.class).value())
                .map(JsonSubTypes.Type::value)
                .forEach(unread::remove);
        assertThat(unread)
                .containsExactlyInAnyOrder(
                        ProcessEvent.Deaf.class, ProcessEvent.Mute.class, ProcessEvent.Garbled.class);
    }

    private static Stream<Class<?>> records(Class<?> of) {
        return of.isSealed()
                ? Arrays.stream(of.getPermittedSubclasses())
                        .flatMap(ProcessEventTest::records)
                        .distinct()
                : Stream.of(of);
    }

    @ParameterizedTest
    @MethodSource("garbled")
    void shouldKeepALineThatIsNoEvent(String line) {
        assertThat(ProcessEvent.parse(line))
                .isInstanceOfSatisfying(ProcessEvent.Garbled.class, garbled -> assertThat(garbled.line())
                        .isEqualTo(line));
    }

    static Stream<String> garbled() {
        return Stream.of(
                "", "null", "[]", "Picked up JAVA_TOOL_OPTIONS", "{\"event\":\"news\",\"atNs\":7}", "{\"atNs\":7");
    }

    @Test
    void shouldReadEachCommandByItsWord() {
        assertThat(Arrays.stream(ControlCommand.values()))
                .allMatch(command -> ControlCommand.of(command.word()).orElseThrow() == command);
        assertThat(ControlCommand.of("START")).isEmpty();
        assertThat(Map.of(
                        "start", ControlCommand.START, "settle", ControlCommand.SETTLE, "close", ControlCommand.CLOSE))
                .allSatisfy((word, command) -> assertThat(command.word()).isEqualTo(word));
    }
}
