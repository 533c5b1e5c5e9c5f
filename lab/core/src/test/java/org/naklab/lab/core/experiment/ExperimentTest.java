package org.naklab.lab.core.experiment;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.naklab.lab.core.experiment.Experiment.Order;

@Timeout(60)
final class ExperimentTest implements Experiment.Rules<String, Integer> {
    private static final int IN_DOUBT = -1;

    private final List<String> told = new ArrayList<>();
    private final Set<String> closed = new TreeSet<>();
    private final List<Integer> results = new ArrayList<>();
    private int cancelledAfter = Integer.MAX_VALUE;
    private String closesItself = "";

    @Test
    void shouldGiveAnArmAllOfItsSeedsBeforeTheNext() throws Exception {
        run(Order.ARM_BY_ARM, List.of("a", "b"), 2);
        assertThat(told).containsExactly("a7.1", "a8.1", "b7.1", "b8.1");
    }

    @Test
    void shouldBeginEverySeedWithAnotherArm() throws Exception {
        run(Order.IN_TURNS, List.of("a", "b", "c"), 3);
        assertThat(told)
                .containsExactly(
                        "a7.1", "b7.1", "c7.1", "round", "b8.1", "c8.1", "a8.1", "round", "c9.1", "a9.1", "b9.1",
                        "round");
    }

    @Test
    void shouldMakeATrialInDoubtAgain() throws Exception {
        results.addAll(List.of(IN_DOUBT, 1));
        run(Order.ARM_BY_ARM, List.of("a"), 2);
        assertThat(told).containsExactly("a7.1 in doubt", "waits", "a7.2", "a8.1");
    }

    @Test
    void shouldCountTheLastAttemptWhateverItGave() throws Exception {
        results.addAll(List.of(IN_DOUBT, IN_DOUBT, IN_DOUBT));
        run(Order.ARM_BY_ARM, List.of("a"), 1);
        assertThat(told).containsExactly("a7.1 in doubt", "waits", "a7.2 in doubt", "waits", "a7.3");
    }

    @Test
    void shouldNotRunAnArmThatHasItsAnswer() throws Exception {
        closesItself = "b";
        run(Order.IN_TURNS, List.of("a", "b"), 3);
        assertThat(told).containsExactly("a7.1", "b7.1", "round", "a8.1", "round", "a9.1", "round");
        told.clear();
        run(Order.ARM_BY_ARM, List.of("b", "a"), 2);
        assertThat(told).as("b is closed").containsExactly("a7.1", "a8.1");
    }

    @Test
    void shouldEndWhenNoArmIsOpen() throws Exception {
        closed.addAll(List.of("a", "b"));
        run(Order.IN_TURNS, List.of("a", "b"), Long.MAX_VALUE);
        assertThat(told).isEmpty();
    }

    @Test
    void shouldBeginNoTrialAfterTheUserHasCancelled() throws Exception {
        cancelledAfter = 2;
        results.addAll(List.of(1, IN_DOUBT));
        run(Order.IN_TURNS, List.of("a", "b", "c"), 3);
        assertThat(told).as("the last one is not made again").containsExactly("a7.1", "b7.1", "round");
    }

    private void run(Order order, List<String> arms, long seeds) throws InterruptedException {
        int[] begun = {0};
        new Experiment<>(
                        order,
                        (String arm, long seed) -> {
                            begun[0]++;
                            return results.isEmpty() ? 0 : results.remove(0);
                        },
                        this,
                        () -> begun[0] >= cancelledAfter)
                .run(arms, 7, seeds);
    }

    @Override
    public boolean isOpen(String arm) {
        return !closed.contains(arm);
    }

    @Override
    public boolean isInDoubt(String arm, Integer result) {
        return result == IN_DOUBT;
    }

    @Override
    public void awaitMachine() {
        told.add("waits");
    }

    @Override
    public void onTrial(Trial<String, Integer> trial) {
        told.add(trial.arm() + trial.seed() + "." + trial.attempt() + (trial.isCounted() ? "" : " in doubt"));
        if (trial.arm().equals(closesItself)) {
            closed.add(trial.arm());
        }
    }

    @Override
    public void onRound() {
        told.add("round");
    }
}
