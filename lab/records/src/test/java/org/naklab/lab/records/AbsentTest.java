package org.naklab.lab.records;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.naklab.lab.core.Json;
import org.naklab.lab.records.latency.CustomersRecord;
import org.naklab.lab.records.latency.LatencyFile;
import org.naklab.lab.records.latency.LatencyRecord;
import org.naklab.lab.records.memory.EvictionRecord;
import org.naklab.lab.records.memory.PageFaultRecord;

/** Old runs, and runs that came to no end, lack keys: a component that is not declared as {@code @Nullable} has a value all the same. */
@Timeout(60)
final class AbsentTest {
    @ParameterizedTest
    @ValueSource(
            classes = {
                CustomersRecord.class,
                DiagnosedStalls.class,
                DiagnosedStalls.DiagnosedCause.class,
                DiagnosisRecord.class,
                DiagnosisRecord.Evidence.class,
                DiagnosisRecord.Link.class,
                DiagnosisRecord.Suspect.class,
                EnvironmentRecord.class,
                EvictionRecord.class,
                EvictionRecord.Since.class,
                ExchangeRecord.class,
                FaultRecord.class,
                FaultRecord.Firing.class,
                FaultRecord.Proof.class,
                FaultStackRecord.class,
                InstrumentsRecord.class,
                JournalRecord.class,
                LatencyFile.class,
                LatencyFile.Subscriber.class,
                LatencyRecord.class,
                PageFaultRecord.class,
                PlanRecord.class,
                PlanRecord.Composition.class,
                ResourceRecord.class,
                RunDocument.class,
                RunDocument.Messages.class,
                RunDocument.Messages.Receiver.class,
                RunRecord.class,
                RunRecord.Condition.class,
                RunRecord.Socket.class,
                Stall.class,
                SubscriberRecord.class,
                TransportRecord.class
            })
    void shouldReadADocumentThatLacksEverything(Class<? extends Record> type) throws ReflectiveOperationException {
        List<String> absent = new ArrayList<>();
        collect(Json.fromLine("{}", type), absent);
        assertThat(absent).isEmpty();

        ObjectNode nulls = Json.object();
        Arrays.stream(type.getRecordComponents())
                .filter(component -> !component.getType().isPrimitive())
                .filter(component -> !component.getAccessor().isAnnotationPresent(JsonUnwrapped.class))
                .forEach(component -> nulls.putNull(component.getName()));
        collect(Json.value(nulls, type), absent);
        assertThat(absent).as("null is absent too").isEmpty();
    }

    private static void collect(Record value, List<String> absent) throws ReflectiveOperationException {
        for (RecordComponent component : value.getClass().getRecordComponents()) {
            Object part = component.getAccessor().invoke(value);
            if (part instanceof Record record) {
                collect(record, absent);
            }
            if (part == null && !component.getAnnotatedType().isAnnotationPresent(Nullable.class)) {
                absent.add(value.getClass().getSimpleName() + "." + component.getName());
            }
        }
    }

    @Test
    void shouldSayWhatIsKnownOfARunThatKeptNothing() {
        RunRecord run = Json.fromLine("{}", RunRecord.class);

        assertThat(run.document().runCase()).isEqualTo(new RunCase("unknown", "unknown", "unknown", "unknown", 0));
        assertThat(run.document().finding().diagnosis()).isEqualTo("unknown");
        assertThat(run.document().messages()).isEqualTo(RunDocument.Messages.NONE);
        assertThat(run.service()).isEmpty();
        assertThat(run.isOfWatch()).isFalse();
        assertThat(run.subjectProcess()).isEqualTo("mds");
    }

    @Test
    void shouldReadTheRecordOfARunThatCameToNoVerdict() {
        StartRecord start = Json.value(RunFiles.run(), StartRecord.class);
        RunRecord run = RunRecord.of(UnfinishedRecord.of(start, "interrupted"));

        assertThat(run.document().runCase()).isEqualTo(new RunCase("slow-client", "none", "none", "lbtrm", 42));
        assertThat(run.document().finding()).isEqualTo(new RunDocument.Finding("unknown", "unknown"));
        assertThat(run.course().reason()).isEqualTo("interrupted");
        assertThat(run.course().startedUtc()).isEqualTo("2026-11-28T05:37:17.338Z");
        assertThat(run.judged().troubles()).containsExactly("interrupted");
        assertThat(run.origin().plan()).isEqualTo(start.plan());
        assertThat(run.origin().environment()).isEqualTo(start.environment());
        assertThat(run.origin().arguments()).containsExactly("run");
        assertThat(run.reported().subscribers()).isEmpty();
    }

    @Test
    void shouldNotWriteAdditionsThatNobodyMade() {
        PlanRecord plan = Json.fromLine("{\"scenario\":\"baseline\",\"seed\":7}", PlanRecord.class);

        assertThat(Json.line(plan))
                .contains("\"scenario\":\"baseline\",\"fidelity\":\"unknown\"", "\"seed\":7", "\"workload\":null")
                .doesNotContain("addedFaults", "journalPageCache", "serviceSettings", "pins", "observedBy", "clients");
        assertThat(Json.fromLine(Json.line(plan), PlanRecord.class)).isEqualTo(plan);
    }

    @Test
    void shouldKeepTheOrderAndTakeNoLaterChange() {
        Map<String, Long> given = new LinkedHashMap<>();
        for (String name : List.of("z", "a", "m", "b")) {
            given.put(name, 1L);
        }
        Map<String, Long> kept = Absent.orNone(given);
        given.put("c", 1L);

        assertThat(kept.keySet()).containsExactly("z", "a", "m", "b");
        assertThatThrownBy(() -> kept.put("d", 1L)).isInstanceOf(UnsupportedOperationException.class);
        Map<String, @Nullable Long> withNull = new HashMap<>();
        withNull.put("a", null);
        assertThatThrownBy(() -> new FaultRecord.Proof(true, "", forced(withNull), List.of()))
                .isInstanceOf(NullPointerException.class);
    }

    @SuppressWarnings({"unchecked", "NullAway"})
    private static Map<String, Long> forced(Map<String, @Nullable Long> map) {
        return (Map<String, Long>) (Map<String, ?>) map;
    }
}
