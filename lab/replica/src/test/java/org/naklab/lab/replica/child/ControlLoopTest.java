package org.naklab.lab.replica.child;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.naklab.lab.process.ControlChannel;
import org.naklab.lab.process.ProcessEvent;
import org.naklab.messaging.Topic;

@Timeout(60)
final class ControlLoopTest {
    private final ContextEventReporter watch = new ContextEventReporter("mds");
    private final Replica replica = new Replica();

    /** A part of the replica that notes what it is told to do. */
    private static final class Replica implements ReplicaRole {
        private final List<String> told = new ArrayList<>();
        private boolean isComplete;
        private @Nullable Throwable failure;
        private @Nullable Throwable failureOfClose;
        private int asked;
        private int mayEndAfter;

        @Override
        public ProcessEvent.Ready ready() {
            return ProcessEvent.Ready.now();
        }

        @Override
        public void settle() {
            told.add("settle");
        }

        @Override
        public void connect(String addresses) {
            told.add("connect to " + addresses);
        }

        @Override
        public void start() {
            told.add("start");
            isComplete = true;
        }

        @Override
        public void stop() {
            told.add("stop");
        }

        @Override
        public ProcessEvent completion() {
            return ProcessEvent.Complete.now();
        }

        @Override
        public boolean isComplete() {
            return isComplete;
        }

        @Override
        public boolean mayEnd() {
            return asked++ >= mayEndAfter;
        }

        @Override
        public @Nullable Throwable failure() {
            return failure;
        }

        @Override
        public String obeyFaultCommand(String line) {
            told.add("fault " + line);
            return "{\"ok\":true}";
        }

        @Override
        public long progress() {
            return asked;
        }

        @Override
        public Object report() {
            return Map.of("told", told.size());
        }

        @Override
        public void close() {
            told.add("close");
            failure = failureOfClose == null ? failure : failureOfClose;
        }
    }

    @Test
    void shouldObeyInOrderUntilItIsToClose() throws InterruptedException {
        List<ProcessEvent> events =
                run("connect {\"mds\":1}", "settle", "no such command", "start", "stop", "close", "start");

        assertThat(replica.told).containsExactly("connect to {\"mds\":1}", "settle", "start", "stop", "close");
        assertThat(names(events))
                .as("complete is told once, with the figures of then before it")
                .containsExactly("Ready", "Settled", "Progress", "Complete", "Closed");
        assertThat(figure(events.get(events.size() - 1)))
                .as("after it has closed")
                .isEqualTo(5);
    }

    @Test
    void shouldAnswerAFaultCommandByTheNumberOfTheRequest() throws InterruptedException {
        List<ProcessEvent> events = run("fault 17 add {\"kind\":\"stall\"}", "close");

        assertThat(replica.told).containsExactly("fault add {\"kind\":\"stall\"}", "close");
        assertThat(events).anySatisfy(event -> {
            assertThat(event).isInstanceOf(ProcessEvent.FaultAnswered.class);
            ProcessEvent.FaultAnswered answered = (ProcessEvent.FaultAnswered) event;
            assertThat(answered.request()).isEqualTo(17);
            assertThat(answered.answer()).isEqualTo("{\"ok\":true}");
        });
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "fault",
                "fault ",
                "fault 17",
                "fault proofs",
                "fault add {\"kind\":\"stall\"}",
                "fault 12345678901234567890 proofs"
            })
    void shouldRefuseAFaultCommandWithoutItsPartsAndGoOn(String line) throws InterruptedException {
        List<ProcessEvent> events = run(line, "settle", "close");

        assertThat(replica.told).containsExactly("settle", "close");
        assertThat(events)
                .filteredOn(ProcessEvent.FaultAnswered.class::isInstance)
                .singleElement()
                .satisfies(event -> {
                    ProcessEvent.FaultAnswered answered = (ProcessEvent.FaultAnswered) event;
                    assertThat(answered.request()).as("nobody's").isZero();
                    assertThat(answered.answer())
                            .startsWith("{\"ok\":false,\"error\":\"no number of a request and command of a fault: '");
                });
    }

    @Test
    void shouldTellOnceThatTheImageOfTheFeedIsThere() throws InterruptedException {
        watch.onImageAvailable(Topic.ORDER_BOOK_SNAPSHOTS, 1, 1_000);
        assertThat(names(run("close"))).as("the last report is of the end").containsExactly("Ready", "Closed");

        watch.onImageAvailable(Topic.ORDER_BOOK_EVENTS, 1, 1_000);
        assertThat(names(run("stop", "stop", "close"))).containsExactly("Ready", "Image", "Closed");
    }

    @Test
    void shouldTellEachFailureOnce() throws InterruptedException {
        replica.failure = new IllegalStateException("the ring is broken");
        replica.failureOfClose = new IllegalStateException("the journal is not on disk");

        List<ProcessEvent> events = run("stop", "stop", "close");
        assertThat(names(events)).containsExactly("Ready", "Failed", "Failed", "Closed");
        assertThat(events)
                .filteredOn(ProcessEvent.Failed.class::isInstance)
                .extracting(event -> ((ProcessEvent.Failed) event).message())
                .containsExactly("the ring is broken", "the journal is not on disk");
    }

    @Test
    void shouldStopAndWaitForWhatIsUnderWayWhenTheLabIsGone() throws InterruptedException {
        replica.mayEndAfter = 4;
        List<ProcessEvent> events = run("end");

        assertThat(replica.told)
                .as("the end of the input ends it as well, once")
                .containsExactly("stop", "close");
        assertThat(replica.asked).isEqualTo(5);
        assertThat(names(events)).containsExactly("Ready", "Closed");
    }

    private List<ProcessEvent> run(String... lines) throws InterruptedException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        ControlChannel link = new ControlChannel(
                new ByteArrayInputStream((String.join("\n", lines) + "\n").getBytes(StandardCharsets.UTF_8)),
                new PrintStream(out, true, StandardCharsets.UTF_8));
        new ControlLoop(link, watch, replica).run();
        return out.toString(StandardCharsets.UTF_8)
                .lines()
                .map(ProcessEvent::parse)
                .toList();
    }

    /** Whether a quarter of a second has passed meanwhile is no matter here: progress that is not of the completion is left out. */
    private static List<String> names(List<ProcessEvent> events) {
        List<String> names = new ArrayList<>();
        for (int i = 0; i < events.size(); i++) {
            boolean isComplete = i + 1 < events.size() && events.get(i + 1) instanceof ProcessEvent.Complete;
            if (!(events.get(i) instanceof ProcessEvent.Progress) || isComplete) {
                names.add(events.get(i).getClass().getSimpleName());
            }
        }
        return names;
    }

    private static int figure(ProcessEvent event) {
        return Objects.requireNonNull(
                        ((ProcessEvent.WithFigures) event).figures().get("told"))
                .intValue();
    }
}
