package org.naklab.lab.campaign;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.naklab.lab.core.Cancellation;
import org.naklab.lab.scenarios.Verdict;

/** With a program in the place of the launcher that leaves the record of a run. */
@Timeout(60)
final class ProcessRunnerTest {
    @TempDir
    private Path directory;

    /** No link leads to a run that was ended early; its record tells the reason. */
    @Test
    void shouldTellWhyARunDidNotComeToItsEnd() throws Exception {
        SeedResult result = run("""
                #!/bin/sh
                while [ "$1" != --runs ]; do shift; done
                run="$2/baseline/2026-11-27T02-00-00.000Z-7"
                mkdir -p "$run"
                cat >"$run/run.json" <<'END'
                {"scenario": "baseline", "fidelity": "none", "remedy": "none", "profile": "lbtrm", "seed": 7, "verdict": "unknown",
                 "diagnosis": "unknown", "reason": "no multicast", "troubles": ["no multicast"], "receivers": []}
                END
                exit 2
                """);
        assertThat(result.verdict()).isEqualTo(Verdict.UNKNOWN);
        assertThat(result.claim()).isEqualTo("no multicast");
    }

    @Test
    void shouldSayThatARunLeftNoRecord() throws Exception {
        SeedResult result = run("#!/bin/sh\nexit 70\n");
        assertThat(result.verdict()).isEqualTo(Verdict.UNKNOWN);
        assertThat(result.claim()).contains("exit code 70", "left no record");
    }

    private SeedResult run(String launcher) throws IOException, InterruptedException {
        Path program = Files.writeString(directory.resolve("launcher"), launcher);
        Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwx------"));
        CampaignPlan plan = new CampaignPlan(
                new CampaignPlan.Grid(List.of("baseline"), List.of("none"), 7, 7, List.of()),
                new CampaignPlan.Options(false, List.of(), List.of(), null),
                new CampaignPlan.Execution(false, false, null));
        ProcessRunner runner = new ProcessRunner(
                plan, new ProcessRunner.Settings(program.toString(), directory.resolve("runs"), false));
        return runner.run(new Cell("baseline", "none"), 7, List.of(), new Cancellation());
    }
}
