package org.naklab.lab.replica.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.aeron.logbuffer.ControlledFragmentHandler;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.agrona.concurrent.UnsafeBuffer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.naklab.faults.FaultCommands;
import org.naklab.faults.FaultException;
import org.naklab.faults.FaultPlan;
import org.naklab.faults.FaultSpec;
import org.naklab.faults.When;
import org.naklab.faults.kind.SlowCallbackFault;
import org.naklab.lab.process.ProcessFaults;
import org.naklab.lab.records.FaultRecord;
import org.naklab.messaging.DutyCycleListener;
import org.naklab.testing.Await;

/** The seams that a subscriber offers, each struck by a fault that takes a microsecond. */
@Timeout(60)
final class ServiceFaultsTest {
    private @Nullable ServiceFaults faults;

    @AfterEach
    void end() {
        if (faults != null) {
            faults.close();
        }
    }

    @Test
    void shouldObstructTheHandlerOfTheFeed() throws Exception {
        ServiceFaults launched = launch(FaultPlan.of(42, slow(ServiceFaults.FEED_CALLBACK, 2)));
        Await.until("the fault", () -> record(launched).armed());
        List<Integer> handled = new ArrayList<>();
        ControlledFragmentHandler handler = launched.obstruct((buffer, offset, length, header) -> {
            handled.add(length);
            return ControlledFragmentHandler.Action.ABORT;
        });

        assertThat(record(launched).proof().fired()).isFalse();
        for (int length = 1; length <= 3; length++) {
            assertThat(handler.onFragment(new UnsafeBuffer(new byte[8]), 0, length, null))
                    .as("the answer of the handler")
                    .isEqualTo(ControlledFragmentHandler.Action.ABORT);
        }

        assertThat(handled).containsExactly(1, 2, 3);
        assertThat(record(launched).proof().fired()).isTrue();
        assertThat(record(launched).proof().firings()).as("two calls at most").hasSize(2);
    }

    @Test
    void shouldObstructTheDutyCycleAfterThePolls() {
        ServiceFaults launched = launch(FaultPlan.of(42, slow(ServiceFaults.DUTY_CYCLE, 5)));
        Await.until("the fault", () -> record(launched).armed());
        List<String> told = new ArrayList<>();
        DutyCycleListener listener = launched.obstruct(new DutyCycleListener() {
            @Override
            public void onPolled(long timeNs) {
                told.add("polled " + timeNs + " after " + firings(launched));
            }

            @Override
            public void onCycleEnd(long timeNs) {
                told.add("ended " + timeNs + " after " + firings(launched));
            }
        });
        listener.onPolled(10);
        listener.onCycleEnd(20);
        listener.onPolled(30);

        assertThat(told).containsExactly("polled 10 after 0", "ended 20 after 1", "polled 30 after 1");
        assertThat(firings(launched)).isEqualTo(2);
    }

    @Test
    void shouldInformThePlanThatTheFlowHasBegun() {
        FaultSpec onFlow = slow(ServiceFaults.JOURNAL, 1).withWhen(When.onTrigger(ProcessFaults.FLOW_TRIGGER));
        ServiceFaults launched = launch(FaultPlan.of(42, onFlow));
        launched.poll(0);
        assertThat(record(launched).armed()).isFalse();
        launched.poll(1);
        Await.until("the fault", () -> record(launched).armed());
    }

    @Test
    void shouldAddAFaultWhileItRuns() {
        ServiceFaults launched = launch(null);
        assertThat(launched.reports()).isEmpty();

        String answer = launched.execute(FaultCommands.add(slow(ServiceFaults.BEFORE_YIELD, 1)));
        assertThat(FaultCommands.isAddedIn(answer)).isTrue();
        assertThat(launched.reports()).containsOnlyKeys("slow-callback");
        assertThat(launched.execute("nonsense")).contains("\"ok\":false").contains("unknown fault command: nonsense");
    }

    @Test
    void shouldRefuseAFaultOfASeamThatItDoesNotHave() {
        assertThatThrownBy(() -> launch(FaultPlan.of(42, slow("elsewhere", 1))))
                .isInstanceOf(FaultException.class)
                .hasMessageContaining("mds offers no Checkpoint named elsewhere")
                .hasMessageContaining("[OrderBookEvents, context, context-yield, journal]");
    }

    @Test
    void shouldTakeNoNoticeOfAFaultOfAnotherProcess() {
        FaultSpec other = FaultSpec.of(
                "slow-callback", "gateway-*", new SlowCallbackFault.Parameters("OrderBookEvents", 1, 1.0, 1));

        assertThat(launch(FaultPlan.of(42, other)).reports()).isEmpty();
    }

    private ServiceFaults launch(@Nullable FaultPlan plan) {
        faults = ServiceFaults.launch("mds", plan);
        return faults;
    }

    private static FaultSpec slow(String checkpoint, int maxCalls) {
        return FaultSpec.of("slow-callback", "mds", new SlowCallbackFault.Parameters(checkpoint, 1, 1.0, maxCalls));
    }

    private static FaultRecord record(ServiceFaults launched) {
        return Objects.requireNonNull(launched.reports().get("slow-callback"));
    }

    private static int firings(ServiceFaults launched) {
        return record(launched).proof().firings().size();
    }
}
