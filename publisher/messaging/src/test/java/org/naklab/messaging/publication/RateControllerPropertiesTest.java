package org.naklab.messaging.publication;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.Tuple;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;

/** What must hold whatever senders, clock, lock and transport do; jqwik prints seed and sample of a failure. */
class RateControllerPropertiesTest {
    @Property(tries = 500)
    void shouldKeepBudgetOrderAndCount(
            @ForAll @IntRange(min = 1, max = 20_000) int budgetBytes,
            @ForAll("steps") @Size(max = 400) List<Step> steps) {
        RateControllerModel model = new RateControllerModel(budgetBytes);

        steps.forEach(step -> step.run(model));

        // A datagram that is longer than the whole budget goes out alone.
        assertThat(model.mostOverBudgetBytes)
                .isLessThan(DatagramSink.wireBytes(RateControllerModel.MAX_PAYLOAD_LENGTH));
        assertThat(model.controller.blockedSends()).isEqualTo(model.refused);
        recover(model);
        assertThat(model.sink.numbers).isEqualTo(model.accepted);
        assertThat(model.reportedBlocked).isEqualTo(model.refused);
        assertThat(model.controller.wakeUps())
                .isEqualTo(model.calls.stream()
                        .filter(call -> call.startsWith("woken"))
                        .count())
                .isEqualTo(model.calls.stream().filter("hit"::equals).count());
    }

    @Property(tries = 200)
    void shouldNeverExceedTheBudgetWithDatagramsThatFitIt(
            @ForAll @IntRange(min = 1408, max = 20_000) int budgetBytes,
            @ForAll("steps") @Size(max = 400) List<Step> steps) {
        RateControllerModel model = new RateControllerModel(budgetBytes);

        steps.forEach(step -> step.run(model));

        assertThat(model.mostOverBudgetBytes).isLessThanOrEqualTo(0);
    }

    /** The sends that were refused last are reported too if the publication closes before their interval ends. */
    @Property(tries = 200)
    void shouldReportEachRefusedSendOnceWhenItCloses(
            @ForAll @IntRange(min = 1, max = 20_000) int budgetBytes,
            @ForAll("steps") @Size(max = 400) List<Step> steps) {
        RateControllerModel model = new RateControllerModel(budgetBytes);
        steps.forEach(step -> step.run(model));
        model.lock.isHeldElsewhere = false;
        model.sink.nextResult = SendResult.SENT;

        assertThat(model.controller.disconnect()).isTrue();

        assertThat(model.reportedBlocked).isEqualTo(model.refused);
    }

    private static void recover(RateControllerModel model) {
        model.lock.isHeldElsewhere = false;
        model.sink.nextResult = SendResult.SENT;
        model.endInterval();
    }

    @Provide
    Arbitrary<List<Step>> steps() {
        Arbitrary<Step> offers = Arbitraries.integers()
                .between(8, RateControllerModel.MAX_PAYLOAD_LENGTH)
                .map(Step.Offer::new);
        Arbitrary<Step> waits = Combinators.combine(
                        Arbitraries.longs().between(1, 3 * RateControllerModel.INTERVAL_NS),
                        Arbitraries.of(true, false))
                .as(Step.Wait::new);
        Arbitrary<Step> holds = Arbitraries.of(true, false).map(Step.HoldLock::new);
        Arbitrary<Step> results = Arbitraries.frequencyOf(
                        Tuple.of(4, Arbitraries.just(SendResult.SENT)),
                        Tuple.of(1, Arbitraries.of(SendResult.BACK_PRESSURED, SendResult.NOT_CONNECTED)))
                .map(Step.Transport::new);
        return Arbitraries.frequencyOf(
                        Tuple.of(20, offers), Tuple.of(5, waits), Tuple.of(1, holds), Tuple.of(1, results))
                .list();
    }

    /** One thing that happens to a rate controller. */
    sealed interface Step {
        void run(RateControllerModel model);

        record Offer(int length) implements Step {
            @Override
            public void run(RateControllerModel model) {
                if (!model.lock.isHeldElsewhere) {
                    model.offer(length);
                }
            }
        }

        record Wait(long ns, boolean isPolledAfter) implements Step {
            @Override
            public void run(RateControllerModel model) {
                model.nowNs += ns;
                if (isPolledAfter) {
                    model.poll();
                }
            }
        }

        record HoldLock(boolean isHeld) implements Step {
            @Override
            public void run(RateControllerModel model) {
                model.lock.isHeldElsewhere = isHeld;
            }
        }

        record Transport(SendResult result) implements Step {
            @Override
            public void run(RateControllerModel model) {
                model.sink.nextResult = result;
            }
        }
    }
}
