package org.naklab.lab.scenarios.mystery;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.naklab.journaler.disk.PageCachePolicy;
import org.naklab.lab.containers.ComposeProject;
import org.naklab.lab.replica.process.ProcessSpec;
import org.naklab.lab.replica.service.ServiceConfig;
import org.naklab.lab.scenarios.Deployment;
import org.naklab.lab.scenarios.Fidelity;
import org.naklab.lab.scenarios.MysteryRun;
import org.naklab.lab.scenarios.Plans;
import org.naklab.lab.scenarios.Remedy;
import org.naklab.lab.scenarios.RunPlan;
import org.naklab.messaging.publication.RateLimitMode;

@Timeout(10)
final class RemedyStrategyTest {
    /** Of those against a stall; the remedy of the lock convoy is none. */
    @Test
    void shouldHaveOneStrategyForEachRemedy() {
        assertThat(MysteryRemedies.ALL)
                .extracting(RemedyStrategy::remedy)
                .contains(Remedy.NONE)
                .doesNotHaveDuplicates();
    }

    private static Stream<Remedy> remedies() {
        return MysteryRemedies.ALL.stream().map(RemedyStrategy::remedy);
    }

    /** One change each: two at once could not be told apart. */
    @ParameterizedTest
    @CsvSource({
        "NONE, false, false, TRANSPORT, false, false",
        "BIND_NOW, true, false, TRANSPORT, false, false",
        "PRE_TOUCH, false, true, TRANSPORT, false, false",
        "APPLICATION_RATE_LIMIT, false, false, APPLICATION, false, false",
        "NO_YIELD, false, false, TRANSPORT, false, true",
        "OWN_CONTEXT, false, false, TRANSPORT, false, false",
        "POLITE_JOURNAL, false, false, TRANSPORT, false, false",
        "BIGGER_BUFFER, false, false, TRANSPORT, true, false"
    })
    void shouldChangeOneThingOfTheService(
            Remedy remedy,
            boolean bindNow,
            boolean preTouch,
            RateLimitMode limiting,
            boolean buffered,
            boolean noYield) {
        RemedyStrategy strategy = MysteryRemedies.of(remedy);
        ProcessSpec<ServiceConfig> service =
                Deployment.standard(new MysteryRun(remedy).plan()).subscribers().get(0);
        ProcessSpec<ServiceConfig> changed = strategy.applyTo(service);
        assertThat(changed.environment().containsKey("LD_BIND_NOW")).isEqualTo(bindNow);
        assertThat(changed.config().tuning().preTouch()).isEqualTo(preTouch);
        assertThat(changed.config().tuning().withoutYield()).isEqualTo(noYield);
        assertThat(changed.config().withRingSlots(8).tuning().withoutYield()).isEqualTo(noYield);
        assertThat(changed.config().tuning().journalPages() == PageCachePolicy.POLITE)
                .isEqualTo(remedy == Remedy.POLITE_JOURNAL);
        assertThat(changed.config().tuning().ownContext()).isEqualTo(remedy == Remedy.OWN_CONTEXT);
        assertThat(strategy.rateLimiting()).isEqualTo(limiting);
        assertThat(strategy.isStallBuffered()).isEqualTo(buffered);
    }

    @ParameterizedTest
    @CsvSource({
        "NONE, STALLED_ONCE, SOCKET_DROPPED",
        "BIND_NOW, DID_NOT_STALL, DROPPED_NOTHING",
        "PRE_TOUCH, DID_NOT_STALL, DROPPED_NOTHING",
        "APPLICATION_RATE_LIMIT, DID_NOT_STALL, DROPPED_NOTHING",
        "NO_YIELD, DID_NOT_STALL, DROPPED_NOTHING",
        "OWN_CONTEXT, DID_NOT_STALL, DROPPED_NOTHING",
        "POLITE_JOURNAL, DID_NOT_STALL, DROPPED_NOTHING",
        "BIGGER_BUFFER, STALLED_ONCE, DROPPED_NOTHING"
    })
    void shouldPredictStallAndLossOfTheService(
            Remedy remedy, MysteryPrediction.Claims stall, MysteryPrediction.Claims loss) {
        assertThat(MysteryPrediction.check(new MysteryRun(remedy).outcome(), Set.of()).stream()
                        .filter(condition -> !condition.about().equals(Deployment.GATEWAY))
                        .map(condition -> (Object) condition.kind())
                        .collect(Collectors.toSet()))
                .contains(stall, loss)
                .doesNotContain(
                        stall == MysteryPrediction.Claims.STALLED_ONCE
                                ? MysteryPrediction.Claims.DID_NOT_STALL
                                : MysteryPrediction.Claims.STALLED_ONCE,
                        loss == MysteryPrediction.Claims.SOCKET_DROPPED
                                ? MysteryPrediction.Claims.DROPPED_NOTHING
                                : MysteryPrediction.Claims.SOCKET_DROPPED);
    }

    /** A run that was not as predicted cured nothing; a bigger buffer never does. */
    @ParameterizedTest
    @MethodSource("remedies")
    void shouldClaimACureOnlyForAPassedRunOfARemedyAgainstTheCause(Remedy remedy) {
        RemedyStrategy strategy = MysteryRemedies.of(remedy);
        boolean isCure = remedy != Remedy.NONE && remedy != Remedy.BIGGER_BUFFER;
        assertThat(strategy.text(true).endsWith("the cause is removed")).isEqualTo(isCure);
        assertThat(strategy.text(false)).doesNotContain("the cause is removed");
    }

    @ParameterizedTest
    @MethodSource("remedies")
    void shouldProposeAFirstRemedyOnlyWithoutOne(Remedy remedy) {
        RunPlan plan = Plans.of(new Mystery(), new Mystery().workload());
        assertThat(MysteryRemedies.of(remedy).next(plan).get(0).contains("--remedy bind-now"))
                .isEqualTo(remedy == Remedy.NONE);
    }

    /** Without a word about what is usual, and with all that is not. */
    @Test
    void shouldProposeARunLikeTheOneThatEnded() {
        Mystery mystery = new Mystery();
        RunPlan usual = mystery.prepare(Plans.of(mystery, mystery.workload()), mystery.stallNs(), false);
        RunPlan other = mystery.prepare(
                Plans.of(mystery, mystery.workload(), Fidelity.SIMULATED)
                        .in(new ComposeProject("naklab", Map.of("mds", "abc")), List.of()),
                TimeUnit.MILLISECONDS.toNanos(300),
                false);
        assertThat(new NoRemedy().next(usual).get(0)).endsWith("run mystery --seed 1 --remedy bind-now");
        assertThat(new NoRemedy().next(other))
                .allSatisfy(command -> assertThat(command)
                        .contains("--fidelity simulated", "--stall 300ms", "--attach --project naklab"))
                .satisfiesExactly(first -> assertThat(first).contains("--remedy bind-now"), second -> assertThat(second)
                        .contains("--remedy all", "--repeat 5"));
    }
}
