package org.naklab.lab.cli.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.naklab.lab.core.UnavailableException;
import org.naklab.lab.core.UsageException;
import org.naklab.lab.scenarios.Expectation;
import org.naklab.lab.scenarios.Fidelity;
import org.naklab.lab.scenarios.Remedy;
import org.naklab.lab.scenarios.RunOutcome;
import org.naklab.lab.scenarios.Scenario;
import org.naklab.lab.scenarios.Workload;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

@Timeout(60)
final class StallOptionsTest {
    private static final Path RUNS = Path.of("runs");
    private static final String NO_IMAGE = "there is no image naklab";
    private static final String OBSTACLE = "only root can create a control group";

    @Test
    void shouldHaveTheRealFaultWhereTheMachineCanMakeIt() {
        assertThat(choose(null, false)).isEqualTo(new StallOptions.Chosen(Fidelity.EVICTED, List.of()));
    }

    @Test
    void shouldSayWhatAWeakerFidelityLeavesOut() {
        StallOptions.Chosen chosen = choose(OBSTACLE, false);
        assertThat(chosen.fidelity()).isEqualTo(Fidelity.AUDITED);
        assertThat(chosen.notes()).containsExactly("fidelity audited: " + OBSTACLE);
    }

    /** The services of a composition run as they were started. */
    @Test
    void shouldNotEvictPagesOfAComposition() {
        assertThat(choose(null, true)).isEqualTo(new StallOptions.Chosen(Fidelity.AUDITED, List.of()));
    }

    @Test
    void shouldTakeTheFidelityThatWasAskedFor() {
        assertThat(choose(null, false, "--fidelity", "audited").fidelity()).isEqualTo(Fidelity.AUDITED);
        assertThat(choose(OBSTACLE, false, "--fidelity", "evicted").fidelity()).isEqualTo(Fidelity.EVICTED);
    }

    /** A script must be able to tell what is wrong with its words from what the machine lacks. */
    @Test
    void shouldTellWhatThisMachineLacksFromAWrongOption() {
        assertThatThrownBy(() -> chosenOf(new Incident(null, NO_IMAGE), false, "--fidelity", "evicted"))
                .isInstanceOf(UnavailableException.class)
                .hasMessageEndingWith(NO_IMAGE);
        assertThatThrownBy(() -> choose(null, false, "--fidelity", "natural")).isInstanceOf(UsageException.class);
    }

    /** A page offers them in this order and starts the first one, as the command line does. */
    @Test
    void shouldOfferFirstWhatIsTakenWhenNothingIsAskedFor() {
        assertThat(StallOptions.possible(new Incident(null, null), RUNS))
                .containsExactly(choose(null, false).fidelity(), Fidelity.AUDITED);
        assertThat(StallOptions.possible(new Incident(OBSTACLE, null), RUNS))
                .containsExactly(choose(OBSTACLE, false).fidelity(), Fidelity.EVICTED);
    }

    @Test
    void shouldNotOfferWhatTheMachineRefuses() {
        assertThat(StallOptions.possible(new Incident(null, NO_IMAGE, Fidelity.EVICTED), RUNS))
                .containsExactly(Fidelity.AUDITED);
        assertThat(StallOptions.possible(new Incident(OBSTACLE, NO_IMAGE, Fidelity.AUDITED), RUNS))
                .containsExactly(Fidelity.EVICTED);
    }

    private static StallOptions.Chosen choose(@Nullable String obstacle, boolean isAttached, String... arguments) {
        return chosenOf(new Incident(obstacle, null), isAttached, arguments);
    }

    private static StallOptions.Chosen chosenOf(Incident incident, boolean isAttached, String... arguments) {
        Parsed parsed = new Parsed();
        new CommandLine(parsed).parseArgs(arguments);
        return parsed.options.choose(incident, RUNS, isAttached);
    }

    /**
     * A scenario with a real fault that this machine can make, or not.
     *
     * @param refused why the machine refuses a fidelity
     * @param only the fidelity that is refused; {@code null}: each
     */
    private record Incident(
            @Nullable String missing,
            @Nullable String refused,
            @Nullable Fidelity only) implements Scenario {
        Incident(@Nullable String missing, @Nullable String refused) {
            this(missing, refused, null);
        }

        @Override
        public String name() {
            return "incident";
        }

        @Override
        public String summary() {
            return "a stall";
        }

        @Override
        public Workload workload() {
            throw new AssertionError("nothing flows here");
        }

        @Override
        public List<Fidelity> fidelities() {
            return List.of(Fidelity.AUDITED, Fidelity.EVICTED);
        }

        @Override
        public Optional<String> refusal(Fidelity fidelity, Remedy remedy) {
            return Optional.ofNullable(only == null || only == fidelity ? refused : null);
        }

        @Override
        public Optional<Realistic> realistic(Path directory) {
            assertThat(directory).isEqualTo(RUNS);
            return Optional.of(new Realistic(Fidelity.EVICTED, missing));
        }

        @Override
        public List<Expectation> check(RunOutcome outcome) {
            return List.of();
        }
    }

    @Command(name = "run")
    private static final class Parsed {
        @Mixin
        private final StallOptions options = new StallOptions();
    }
}
