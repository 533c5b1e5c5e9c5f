package org.naklab.lab.scenarios;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Compares the table of claims in the documentation with the code. {@code GuaranteesTest} checks that the tests of its last column exist. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
final class ClaimsTableTest {
    private static final Path PAGE = Path.of(System.getProperty("naklab.root"), "docs/notes/claims.md");

    /** A row of the table: the claim, its sentence, the run that has the condition, and the test that makes such a run. */
    private record Row(String claim, String sentence, String run) {
        static Row of(String line) {
            List<String> cells =
                    Arrays.stream(line.split("\\|", -1)).map(String::strip).toList();
            assertThat(cells).as(line).hasSize(6);
            return new Row(cells.get(1).replace("`", ""), cells.get(2), cells.get(3));
        }
    }

    @Test
    void shouldListEveryClaimAndNoOther() throws IOException {
        assertThat(rows().stream().map(row -> row.claim() + ": " + row.sentence()))
                .containsExactlyInAnyOrderElementsOf(VerdictMutationTest.claimsOfTheCode().stream()
                        .map(claim -> nameOf(claim) + ": " + claim.template())
                        .toList());
    }

    /** The run of a row is one whose conditions include the claim, so that its test can hold it. */
    @Test
    void shouldNameARunThatIsJudgedByTheClaim() throws IOException {
        var claimsByRun = VerdictMutationTest.runs()
                .collect(Collectors.toMap(PassingRuns.Run::name, run -> run.scenario().check(run.outcome()).stream()
                        .map(condition -> nameOf(condition.kind()))
                        .collect(Collectors.toSet())));
        assertThat(rows()).isNotEmpty().allSatisfy(row -> {
            assertThat(claimsByRun).as(row.toString()).containsKey(row.run());
            assertThat(claimsByRun.get(row.run())).as(row.run()).contains(row.claim());
        });
    }

    private static String nameOf(Claim claim) {
        return claim.getClass().getEnclosingClass().getSimpleName() + '.' + claim.name();
    }

    private static List<Row> rows() throws IOException {
        try (Stream<String> lines = Files.lines(PAGE)) {
            return lines.filter(line -> line.startsWith("| `")).map(Row::of).toList();
        }
    }
}
