package org.naklab.lab.studies.foreign;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.naklab.lab.core.LabException;
import org.naklab.lab.scenarios.runner.RunProgress;

/** Scripts of the shell, as the lab calls them. */
@Timeout(60)
final class DisturbanceScriptTest {
    private static final String PROOF =
            "echo '{\"made\":true,\"text\":\"done\",\"beganNs\":1,\"endedNs\":2,\"also\":[\"cpu-preemption\"],\"beside\":[\"clean\"]}'";

    @TempDir
    private Path directory;

    @Test
    void shouldDisturbWhenTheWindowBeginsAndTakeTheProof() throws Exception {
        try (DisturbanceScript script =
                        script("echo \"$1 $NAKLAB_PID_MDS $NAKLAB_PID_GATEWAY_1\" >>\"$NAKLAB_WORK/told\"\n"
                                + "[ \"$1\" != disturb ] || { echo noise; " + PROOF + "; }");
                DisturbedRun run = run(script)) {
            assertThat(script.prepare()).isEmpty();
            run.onReady("mds", 17, 0);
            run.onReady("gateway-1", 18, 0);
            run.onProgress(at(999));
            assertThat(told()).as("the window has not begun").containsExactly("prepare  ");
            run.onProgress(at(1_000));
            run.onProgress(at(1_100));
            assertThat(run.proof()).isEqualTo(new Proof(true, "done", 1, 2, Set.of("cpu-preemption"), Set.of("clean")));
            script.undo();
            script.undo();
            assertThat(told()).containsExactly("prepare  ", "disturb 17 18", "undo 17 18");
        }
    }

    @Test
    void shouldSayWhyItWasNotMade() throws Exception {
        try (DisturbanceScript script = script("[ \"$1\" != disturb ] || { echo 'no freezer' >&2; exit 3; }");
                DisturbedRun run = run(script)) {
            assertThat(run.proof()).isEqualTo(Proof.notMade("the flow ended before the disturbance could begin"));
            run.onProgress(at(1_000));
            assertThat(run.proof()).isEqualTo(Proof.notMade("the script gave no proof: no freezer"));
        }
    }

    @Test
    void shouldNotTakeTheProofOfAScriptThatFailedAfterwards() throws Exception {
        try (DisturbanceScript script = script("[ \"$1\" != disturb ] || { " + PROOF + "; exit 3; }");
                DisturbedRun run = run(script)) {
            run.onProgress(at(1_000));
            Proof proof = run.proof();
            assertThat(proof.isMade()).isFalse();
            assertThat(proof.text()).contains("done").contains("exit code 3");
        }
    }

    @Test
    void shouldTakeSilenceForNotMade() throws Exception {
        try (DisturbanceScript script = script("exit 0");
                DisturbedRun run = run(script)) {
            run.onProgress(at(1_000));
            assertThat(run.proof()).isEqualTo(Proof.notMade("the script gave no proof: exit code 0"));
        }
    }

    @Test
    void shouldTellTheScriptThatTheFlowHasEnded() throws Exception {
        try (DisturbanceScript script =
                        script("[ \"$1\" != disturb ] || { while read -r line; do :; done; " + PROOF + "; }");
                DisturbedRun run = run(script)) {
            run.onProgress(at(1_000));
            run.onWindingDown("ending the processes");
            assertThat(run.proof().isMade()).isTrue();
        }
    }

    /** As when the lab is interrupted between the disturbance and its undo. */
    @Test
    void shouldUndoWhenItIsClosedWithout() throws Exception {
        Path undone;
        try (DisturbanceScript script = script("[ \"$1\" != undo ] || echo undone >\"$NAKLAB_WORK/undone\"")) {
            undone = directory.resolve("work/undone");
            assertThat(script.prepare()).isEmpty();
        }
        assertThat(undone).hasContent("undone");
    }

    @Test
    void shouldTellThatItCannotBeUndone() throws Exception {
        DisturbanceScript script =
                script("[ \"$1\" != undo ] || [ -e \"$NAKLAB_WORK/allowed\" ] || { echo stuck; exit 1; }");
        assertThatThrownBy(script::undo)
                .isInstanceOf(LabException.class)
                .hasMessage("cannot undo the disturbance shell: stuck");
        Files.createFile(directory.resolve("work/allowed"));
        script.close();
    }

    @Test
    void shouldAskWhetherItIsPossible() throws Exception {
        assertThat(DisturbanceScript.refusal(disturbance("[ \"$1\" = check ]"))).isEmpty();
        assertThat(DisturbanceScript.refusal(disturbance("echo 'needs a lake' >&2; exit 1")))
                .contains("needs a lake");
    }

    private DisturbanceScript script(String body) {
        return new DisturbanceScript(disturbance(body), directory.resolve("work"), 7);
    }

    private Disturbance disturbance(String body) {
        Path script = Scripts.write(directory, "script", "#!/bin/sh\n" + body + "\n");
        return new Disturbance(
                "shell",
                "",
                "service",
                new Disturbance.Truth(List.of(), Set.of(), Set.of()),
                new Disturbance.Demands(List.of(), 100, null),
                Target.RUN,
                script);
    }

    private static DisturbedRun run(DisturbanceScript script) {
        return new DisturbedRun(script, Scripts.disturbance("shell", List.of()), TimeUnit.MILLISECONDS.toNanos(1_000));
    }

    private static RunProgress at(long elapsedMs) {
        return new RunProgress(TimeUnit.MILLISECONDS.toNanos(elapsedMs), 0, 0, 0, 0);
    }

    private List<String> told() throws IOException {
        return Files.readAllLines(directory.resolve("work/told"));
    }
}
