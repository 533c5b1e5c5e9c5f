package org.naklab.lab.scenarios;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.naklab.lab.scenarios.mystery.MysteryPrediction;

/**
 * The verdict tested against lies: whatever a condition stands for is broken, in every run that has the condition, and the verdict must
 * not be PASS and must name that condition. A claim that no mutation breaks fails the build.
 */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
final class VerdictMutationTest {
    private static final List<PassingRuns.Run> PASSING = PassingRuns.all();
    private static final List<Mutation> MUTATIONS = Mutations.all();

    /** A run, one of its conditions, and what breaks that. */
    record Lie(PassingRuns.Run run, Expectation condition, Mutation mutation) {
        List<Expectation> conditions() {
            return run.scenario().check(mutation.of(run.outcome(), condition.about()));
        }

        @Override
        public String toString() {
            return run + " | " + condition.claim() + " | " + mutation.lie();
        }
    }

    static List<PassingRuns.Run> passing() {
        return PASSING;
    }

    static Stream<PassingRuns.Run> runs() {
        return PASSING.stream().flatMap(run -> Stream.of(run, run.interrupted()));
    }

    private static List<Lie> liesAbout(PassingRuns.Run run) {
        return run.scenario().check(run.outcome()).stream()
                .filter(condition -> condition.verdict() == Verdict.PASS)
                .flatMap(condition -> MUTATIONS.stream()
                        .filter(mutation -> mutation.claim() == condition.kind())
                        .filter(mutation -> mutation.where().test(run.outcome().plan()))
                        .map(mutation -> new Lie(run, condition, mutation)))
                .toList();
    }

    @ParameterizedTest
    @MethodSource("passing")
    void shouldPassWhatIsAsPredicted(PassingRuns.Run run) {
        assertThat(run.scenario().check(run.outcome()))
                .isNotEmpty()
                .allSatisfy(condition -> assertThat(condition.verdict()).isEqualTo(Verdict.PASS));
    }

    @ParameterizedTest
    @MethodSource("passing")
    void shouldDoubtWhatWasCutShort(PassingRuns.Run run) {
        List<Expectation> conditions = run.scenario().check(run.interrupted().outcome());
        assertThat(verdict(conditions)).isEqualTo(Verdict.UNKNOWN);
        assertThat(conditions)
                .filteredOn(condition -> condition.verdict() != Verdict.PASS)
                .extracting(Expectation::kind)
                .containsOnly(NoLossChecks.Claims.RUN_ENDED);
    }

    @ParameterizedTest
    @MethodSource("runs")
    void shouldSeeEveryLieAndNameIt(PassingRuns.Run run) {
        assertThat(liesAbout(run)).isNotEmpty().allSatisfy(lie -> {
            List<Expectation> conditions = lie.conditions();
            assertThat(verdict(conditions)).as(conditions.toString()).isNotEqualTo(Verdict.PASS);
            assertThat(conditions)
                    .filteredOn(condition -> condition.verdict() != Verdict.PASS)
                    .extracting(Expectation::claim)
                    .contains(lie.condition().claim());
        });
    }

    /** What is missing in a report must not make a condition go away: a list without it could pass. */
    @ParameterizedTest
    @MethodSource("runs")
    void shouldAskForTheSameWhateverWasSeen(PassingRuns.Run run) {
        List<String> asked = claims(run.scenario().check(run.outcome()));
        assertThat(liesAbout(run)).allSatisfy(lie -> {
            List<Expectation> conditions = lie.conditions();
            if (conditions.stream().noneMatch(VerdictMutationTest::endsTheExamination)) {
                assertThat(claims(conditions)).containsAll(asked);
            }
        });
    }

    private static boolean endsTheExamination(Expectation condition) {
        return condition.verdict() != Verdict.PASS
                && (condition.kind() == NoLossChecks.Claims.RUN_ENDED
                        || condition.kind() == MysteryPrediction.Claims.STALL_PLANNED);
    }

    @Test
    void shouldBreakEveryClaimThatThereIs() {
        Set<Claim> broken = MUTATIONS.stream().map(Mutation::claim).collect(Collectors.toSet());
        assertThat(claimsOfTheCode()).allSatisfy(claim -> assertThat(broken)
                .as("no mutation breaks %s.%s: add one to Mutations", claim.getClass(), claim)
                .contains(claim));
    }

    @Test
    void shouldMakeEveryClaimOfSomeRun() {
        Set<Claim> made = runs().flatMap(run -> run.scenario().check(run.outcome()).stream())
                .map(Expectation::kind)
                .collect(Collectors.toSet());
        assertThat(claimsOfTheCode()).allSatisfy(claim -> assertThat(made)
                .as("no run of PassingRuns is judged by %s.%s", claim.getClass(), claim)
                .contains(claim));
    }

    /** No mutation is idle: each breaks some run. */
    @Test
    void shouldTryEveryLie() {
        Set<String> tried = runs().flatMap(run -> liesAbout(run).stream())
                .map(lie -> lie.mutation().toString())
                .collect(Collectors.toSet());
        assertThat(tried).containsAll(MUTATIONS.stream().map(Mutation::toString).toList());
    }

    /** A scenario cannot leave out what every run is judged by. */
    @ParameterizedTest
    @MethodSource("passing")
    void shouldJudgeEveryRunByItsCompleteness(PassingRuns.Run run) {
        assertThat(claims(run.scenario().check(run.outcome())))
                .containsAll(claims(NoLossChecks.checkCompleteness(
                        run.outcome(), run.scenario().victims())));
    }

    /** All constants of all enums that are claims; nothing else may be one. */
    static List<Claim> claimsOfTheCode() {
        List<Class<?>> types = classesOfTheLab()
                .filter(type -> Claim.class.isAssignableFrom(type) && !type.isInterface())
                .toList();
        assertThat(types).isNotEmpty().allSatisfy(type -> assertThat(type.isEnum())
                .as("%s is a claim, so it must be an enum", type)
                .isTrue());
        return types.stream()
                .flatMap(type -> Arrays.stream(type.getEnumConstants()))
                .map(Claim.class::cast)
                .toList();
    }

    private static Stream<Class<?>> classesOfTheLab() {
        try {
            Path home = Path.of(Claim.class
                    .getProtectionDomain()
                    .getCodeSource()
                    .getLocation()
                    .toURI());
            try (Stream<Path> files = Files.walk(home.resolve("org/naklab/lab"))) {
                return files
                        .map(file -> home.relativize(file).toString())
                        .filter(name -> name.endsWith(".class") && !name.endsWith("package-info.class"))
                        .<Class<?>>map(name ->
                                load(name.substring(0, name.length() - 6).replace('/', '.')))
                        .toList()
                        .stream();
            }
        } catch (IOException | URISyntaxException e) {
            throw new AssertionError("cannot list the lab's classes", e);
        }
    }

    private static Class<?> load(String name) {
        try {
            return Class.forName(name, false, Claim.class.getClassLoader());
        } catch (ClassNotFoundException e) {
            throw new AssertionError(name, e);
        }
    }

    private static Verdict verdict(List<Expectation> conditions) {
        return Verdict.of(conditions.stream().map(Expectation::verdict).toList());
    }

    private static List<String> claims(List<Expectation> conditions) {
        return conditions.stream().map(Expectation::claim).toList();
    }
}
