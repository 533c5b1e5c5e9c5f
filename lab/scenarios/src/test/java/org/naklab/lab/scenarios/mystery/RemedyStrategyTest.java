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
import org.naklab.lab.process.ProcessSpec;
import org.naklab.lab.replica.service.ServiceConfig;
import org.naklab.lab.scenarios.Deployment;
import org.naklab.lab.scenarios.Fidelity;
import org.naklab.lab.scenarios.MysteryRun;
import org.naklab.lab.scenarios.Plans;
import org.naklab.lab.scenarios.Remedy;
import org.naklab.lab.scenarios.RunPlan;
import org.naklab.lab.scenarios.mystery.memory.LockedPages;
import org.naklab.messaging.publication.RateLimitMode;

@Timeout(60)
final class RemedyStrategyTest {
    /** Of those against a stall; the remedy of the lock convoy is none. */
    @Test
    void shouldHaveOneStrategyForEachRemedy() {
        assertThat(MysteryRemedies.ALL)
                .extracting(RemedyStrategy::remedy)
                .contains(Remedy.NONE)
                .doesNotHaveDuplicates();
    }

    /** Without a remedy first, what only hides the symptom last. */
    @Test
    void shouldFindTheRemediesInTheOrderOfAComparison() {
        assertThat(new Mystery().prices().keySet())
                .extracting(Remedy::label)
                .containsExactly(
                        "none",
                        "application-rate-limit",
                        "bind-now",
                        "locked-pages",
                        "no-yield",
                        "own-context",
                        "polite-journal",
                        "pre-touch",
                        "bigger-buffer");
        assertThat(new Mystery().prices().values()).doesNotContain("");
    }

    /** Two arms under different pressure are not compared without a word. */
    @Test
    void shouldSayThatThePressureIsNotEqual() {
        Mystery mystery = new Mystery();
        assertThat(mystery.comparisonNote(Fidelity.NATURAL, List.of(Remedy.NONE, Remedy.POLITE_JOURNAL)))
                .hasValueSatisfying(note -> assertThat(note)
                        .startsWith(
                                "the pressure is not equal: 8 MiB were left for the page cache with polite-journal, "
                                        + "and 3 MiB with the others"));
        assertThat(mystery.comparisonNote(Fidelity.NATURAL, List.of(Remedy.NONE, LockedPages.REMEDY)))
                .isEmpty();
        assertThat(mystery.comparisonNote(Fidelity.AUDITED, mystery.remedies())).isEmpty();
    }

    private static Stream<Remedy> remedies() {
        return MysteryRemedies.ALL.stream().map(RemedyStrategy::remedy);
    }

    /** One change each: two at once could not be told apart. */
    @ParameterizedTest
    @CsvSource({
        "none, false, false, TRANSPORT, false, false",
        "bind-now, true, false, TRANSPORT, false, false",
        "pre-touch, false, true, TRANSPORT, false, false",
        "application-rate-limit, false, false, APPLICATION, false, false",
        "no-yield, false, false, TRANSPORT, false, true",
        "own-context, false, false, TRANSPORT, false, false",
        "polite-journal, false, false, TRANSPORT, false, false",
        "locked-pages, false, false, TRANSPORT, false, false",
        "bigger-buffer, false, false, TRANSPORT, true, false"
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
                .isEqualTo(remedy.equals(Remedy.POLITE_JOURNAL));
        assertThat(changed.config().tuning().ownContext()).isEqualTo(remedy.equals(Remedy.OWN_CONTEXT));
        assertThat(changed.config().tuning().lockPages()).isEqualTo(remedy.equals(LockedPages.REMEDY));
        assertThat(strategy.rateLimiting()).isEqualTo(limiting);
        assertThat(strategy.isStallBuffered()).isEqualTo(buffered);
    }

    @ParameterizedTest
    @CsvSource({
        "none, STALLED_ONCE, SOCKET_DROPPED",
        "bind-now, DID_NOT_STALL, DROPPED_NOTHING",
        "pre-touch, DID_NOT_STALL, DROPPED_NOTHING",
        "application-rate-limit, DID_NOT_STALL, DROPPED_NOTHING",
        "no-yield, DID_NOT_STALL, DROPPED_NOTHING",
        "own-context, DID_NOT_STALL, DROPPED_NOTHING",
        "polite-journal, DID_NOT_STALL, DROPPED_NOTHING",
        "locked-pages, DID_NOT_STALL, DROPPED_NOTHING",
        "bigger-buffer, STALLED_ONCE, DROPPED_NOTHING"
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
        boolean isCure = !remedy.equals(Remedy.NONE) && !remedy.equals(Remedy.BIGGER_BUFFER);
        assertThat(strategy.text(true).endsWith("the cause is removed")).isEqualTo(isCure);
        assertThat(strategy.text(false)).doesNotContain("the cause is removed");
    }

    @ParameterizedTest
    @MethodSource("remedies")
    void shouldProposeAFirstRemedyOnlyWithoutOne(Remedy remedy) {
        RunPlan plan = Plans.of(new Mystery(), new Mystery().workload());
        assertThat(MysteryRemedies.of(remedy).next(plan).get(0).contains("--remedy bind-now"))
                .isEqualTo(remedy.equals(Remedy.NONE));
    }

    /** Without a word about what is usual, but for the fidelity, whose default is another one on other machines; and with all that is not. */
    @Test
    void shouldProposeARunLikeTheOneThatEnded() {
        Mystery mystery = new Mystery();
        RunPlan usual = mystery.prepare(Plans.of(mystery, mystery.workload()), mystery.stallNs(), false);
        RunPlan other = mystery.prepare(
                Plans.of(mystery, mystery.workload(), Fidelity.SIMULATED)
                        .in(new ComposeProject("naklab", Map.of("mds", "abc")), List.of()),
                TimeUnit.MILLISECONDS.toNanos(300),
                false);
        assertThat(new NoRemedy().next(usual).get(0))
                .endsWith("run mystery --seed 1 --fidelity audited --remedy bind-now");
        assertThat(new NoRemedy().next(other))
                .allSatisfy(command -> assertThat(command)
                        .contains("--fidelity simulated", "--stall 300ms", "--attach --project naklab"))
                .satisfiesExactly(first -> assertThat(first).contains("--remedy bind-now"), second -> assertThat(second)
                        .contains("--remedy all", "--repeat 5"));
    }
}
