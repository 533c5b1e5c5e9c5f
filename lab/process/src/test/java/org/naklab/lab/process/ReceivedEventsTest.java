package org.naklab.lab.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.naklab.lab.core.Json;

@Timeout(value = 60, unit = TimeUnit.SECONDS)
final class ReceivedEventsTest {
    private static final long LONG_NS = TimeUnit.SECONDS.toNanos(60);

    private final ReceivedEvents events = new ReceivedEvents();

    @Test
    void shouldReturnTheNewestEventOfAKind() {
        assertThat(events.latest(ProcessEvent.Settled.class)).isNull();
        settled(1);
        settled(2);
        assertThat(events.latest(ProcessEvent.Settled.class)).isEqualTo(new ProcessEvent.Settled(2));
        assertThat(events.latest(ProcessEvent.Done.class)).isNull();
    }

    @Test
    void shouldReturnTheEventsSinceAPosition() {
        settled(1);
        int first = events.count();
        settled(2);
        settled(3);
        assertThat(events.since(first, ProcessEvent.Settled.class))
                .containsExactly(new ProcessEvent.Settled(2), new ProcessEvent.Settled(3));
        assertThat(events.since(0, ProcessEvent.Settled.class)).hasSize(3);
    }

    /** An answer to an earlier command is none to this one. */
    @Test
    void shouldWaitForAnEventFromThePositionOn() throws Exception {
        settled(1);
        int first = events.count();
        CompletableFuture<ProcessEvent.Settled> answer = CompletableFuture.supplyAsync(() -> await(first));
        settled(2);
        assertThat(answer.get()).isEqualTo(new ProcessEvent.Settled(2));
        assertThat(events.await(0, ProcessEvent.Settled.class, 0)).isNotNull();
        assertThat(events.await(events.count(), ProcessEvent.Settled.class, 0)).isNull();
    }

    /** The wait would last a minute otherwise: nothing comes of a process that has ended. */
    @Test
    void shouldEndTheWaitWithTheProcess() throws Exception {
        CompletableFuture<ProcessEvent.Settled> answer = CompletableFuture.supplyAsync(() -> await(0));
        events.end();
        assertThat(answer.get()).isNull();
    }

    /** Progress reports come several times a second for as long as the process runs. */
    @Test
    void shouldKeepOnlyTheNewestProgress() {
        for (int i = 0; i < 3; i++) {
            ProcessEvent unused = events.add(Json.line(new ProcessEvent.Progress(i, Map.of())));
        }
        assertThat(events.latest(ProcessEvent.Progress.class)).isEqualTo(new ProcessEvent.Progress(2, Map.of()));
        assertThat(events.since(0, ProcessEvent.Progress.class)).isEmpty();
        assertThat(events.count()).isEqualTo(3);
    }

    private ProcessEvent.@Nullable Settled await(int first) {
        try {
            return events.await(first, ProcessEvent.Settled.class, LONG_NS);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private void settled(long atNs) {
        ProcessEvent unused = events.add(Json.line(new ProcessEvent.Settled(atNs)));
    }
}
