package org.naklab.lab.studies.foreign;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.naklab.lab.core.Cancellation;

/** Scripts of the shell stand in for the receiver, for the disturbance and for the watch. */
@Timeout(60)
final class ForeignWatchesTest {
    /** From 100 to 200. */
    private static final String PROOF = "{\"made\":true,\"text\":\"held\",\"beganNs\":100,\"endedNs\":200}";

    private static final String READY = "echo 'the first will be recorded here'\n";

    @TempDir
    private Path directory;

    @Test
    void shouldReadTheWindowOfTheDisturbance() throws Exception {
        ForeignExperiment.Outcome outcome = run(
                usual(),
                READY
                        + window(1, 1, 99, "busy-thread")
                        + window(2, 150, 250, "lock-wait")
                        + window(3, 180, 300, "disk-wait")
                        + "exit 3\n");
        assertThat(outcome.proof().isMade()).isTrue();
        assertThat(outcome.diagnosis().main().cause()).isEqualTo("lock-wait");
        assertThat(outcome.verdict()).isEqualTo("fail");
    }

    @Test
    void shouldTakeAQuietWatchForClean() throws Exception {
        ForeignExperiment.Outcome outcome = run(usual(), READY + "exit 0\n");
        assertThat(outcome.diagnosis().main().cause()).isEqualTo("clean");
        assertThat(outcome.diagnosis().main().isCertain()).isFalse();
        assertThat(outcome.verdict()).isEqualTo("pass");
    }

    @Test
    void shouldNotTakeAWindowOfAnotherTime() throws Exception {
        ForeignExperiment.Outcome outcome = run(usual(), READY + window(1, 1, 99, "busy-thread") + "exit 3\n");
        assertThat(outcome.diagnosis().main().cause()).isEqualTo("cannot-tell");
        assertThat(outcome.verdict()).isEqualTo("fail");
    }

    @Test
    void shouldCountAWatchThatFailed() throws Exception {
        ForeignExperiment.Outcome outcome = run(usual(), READY + "exit 70\n");
        assertThat(outcome.proof().isMade()).isTrue();
        assertThat(outcome.diagnosis().main().cause()).isEqualTo("cannot-tell");
        assertThat(outcome.verdict()).isEqualTo("unknown");
    }

    @Test
    void shouldStartReceiverThenWatchThenDisturbance() throws Exception {
        run(usual(), "echo \"watch $1 $2 $4 $5\" >>'" + directory.resolve("told") + "'\n" + READY + "exit 0\n");
        assertThat(Files.readAllLines(directory.resolve("told")))
                .containsExactly("prepare ", "receive ", "watch 42 --record --windows 5", "disturb 42", "undo 42");
    }

    @Test
    void shouldTellWhyThereIsNoReceiver() throws Exception {
        ForeignExperiment.Outcome outcome =
                run("[ \"$1\" != receive ] || { echo 'needs a lake' >&2; exit 1; }\n", READY + "exit 0\n");
        assertThat(outcome.proof()).isEqualTo(Proof.notMade("the script started no receiver: needs a lake"));
    }

    @Test
    void shouldNotDisturbWithoutAWatch() throws Exception {
        ForeignExperiment.Outcome outcome = run(usual(), "exit 2\n");
        assertThat(outcome.proof()).isEqualTo(Proof.notMade("the watch did not begin: exit code 2"));
        assertThat(Files.readAllLines(directory.resolve("told"))).doesNotContain("disturb 42");
    }

    private String usual() {
        return "echo \"$1 $NAKLAB_PID_RECEIVER\" >>'" + directory.resolve("told") + "'\n" + "case $1 in\n"
                + "receive) echo '{\"pid\":42}'; while read -r line; do :; done;;\n"
                + "disturb) while read -r line; do :; done; echo '" + PROOF + "';;\n" + "esac\n";
    }

    private static String window(int number, long beginNs, long endNs, String cause) {
        return "mkdir -p \"$3/" + number + "\"\n"
                + "echo '{\"counted\":{\"beginNs\":" + beginNs + ",\"endNs\":" + endNs + "}}' >\"$3/" + number
                + "/run.json\"\n" + "echo '{\"cause\":\"" + cause + "\",\"confidence\":\"certain\"}' >\"$3/" + number
                + "/diagnosis.json\"\n";
    }

    private ForeignExperiment.Outcome run(String script, String watch) throws IOException, InterruptedException {
        Disturbance disturbance = new Disturbance(
                "shell",
                "",
                "receiver",
                new Disturbance.Truth(List.of(Set.of("lock-wait")), Set.of(), Set.of("fail")),
                new Disturbance.Demands(List.of(), 100, null),
                Target.WATCH,
                Scripts.write(directory, "script", "#!/bin/sh\n" + script));
        Path watching = Scripts.write(directory, "watch", "#!/bin/sh\n" + watch);
        ForeignWatches watches =
                new ForeignWatches(List.of(watching.toString()), "will be recorded", directory.resolve("runs"));
        return watches.run(new ForeignExperiment.Case(disturbance, Load.NONE, 1), new Cancellation());
    }
}
