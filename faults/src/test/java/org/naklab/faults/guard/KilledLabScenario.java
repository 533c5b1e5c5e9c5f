package org.naklab.faults.guard;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.naklab.faults.Await;
import org.naklab.faults.TargetProcess;
import org.naklab.faults.process.LiveChild;
import org.naklab.faults.process.SpinningProcess;

/** A lab that ends with its faults armed: whatever the way, nothing of them is left. */
@Timeout(120)
class KilledLabScenario {
    @TempDir
    Path directory;

    private LiveChild victim;
    private TargetProcess target;
    private Path file;

    @BeforeEach
    void start() throws IOException {
        victim = new LiveChild(SpinningProcess.class, Map.of());
        assertThat(victim.hear()).isEqualTo("ready");
        target = victim.target();
        file = Files.createFile(directory.resolve("left behind"));
    }

    @AfterEach
    void stop() {
        victim.close();
    }

    private String plan() {
        return """
                {"seed":1,"faults":[
                  {"kind":"cpu-contention","on":"contended","forMs":100000,"parameters":{"thread":"victim","burners":2}},
                  {"kind":"memory-pressure","on":"lab","forMs":60000,
                   "parameters":{"residentMib":8,"pageCacheMib":16,"limitMib":24,"directory":"%s"}},
                  {"kind":"process-pause","on":"victim","when":{"afterMs":500},"forMs":60000}]}
                """.formatted(directory).replace("\n", " ");
    }

    private LiveChild lab(String end) {
        LiveChild lab =
                new LiveChild(DoomedLab.class, Map.of(), Long.toString(target.pid()), file.toString(), plan(), end);
        assertThat(lab.hear()).isEqualTo("armed");
        return lab;
    }

    @Test
    void shouldBeUndoneByTheGuardWhenTheLabIsKilled() throws IOException {
        String allowedBefore = allowedCpus();
        List<ProcessHandle> burners;
        try (LiveChild lab = lab("wait")) {
            assertThat(target.state()).isEqualTo('T');
            assertThat(allowedCpus()).isNotEqualTo(allowedBefore);
            burners = burnersOf(lab);
            assertThat(burners).hasSize(2);
            lab.process().destroyForcibly();
        }
        assertUndone(burners, allowedBefore);
    }

    @Test
    void shouldBeUndoneOnSigterm() throws Exception {
        String allowedBefore = allowedCpus();
        try (LiveChild lab = lab("wait")) {
            List<ProcessHandle> burners = burnersOf(lab);
            lab.process().destroy();
            assertThat(lab.process().waitFor(30, TimeUnit.SECONDS)).isTrue();
            assertUndone(burners, allowedBefore);
        }
    }

    @Test
    void shouldBeUndoneOnCtrlC() throws Exception {
        String allowedBefore = allowedCpus();
        try (LiveChild lab = lab("wait")) {
            List<ProcessHandle> burners = burnersOf(lab);
            new ProcessBuilder("kill", "-INT", Long.toString(lab.process().pid())).start();
            assertThat(lab.process().waitFor(30, TimeUnit.SECONDS)).isTrue();
            assertUndone(burners, allowedBefore);
        }
    }

    @Test
    void shouldBeUndoneOnExit() throws Exception {
        String allowedBefore = allowedCpus();
        try (LiveChild lab = lab("exit")) {
            assertThat(lab.process().waitFor(30, TimeUnit.SECONDS)).isTrue();
            assertThat(lab.process().exitValue()).isEqualTo(3);
            assertUndone(List.of(), allowedBefore);
        }
    }

    private void assertUndone(List<ProcessHandle> burners, String allowedBefore) throws IOException {
        Await.until("the victim runs again", () -> target.state() != 'T');
        Await.until("the burners are gone", () -> burners.stream().noneMatch(ProcessHandle::isAlive));
        Await.until("the file is deleted", () -> !Files.exists(file));
        Await.until("the victim may run where it could", () -> allowedCpus().equals(allowedBefore));
        try (var left = Files.list(directory)) {
            assertThat(left).isEmpty();
        }
    }

    private static List<ProcessHandle> burnersOf(LiveChild lab) {
        return lab.process()
                .descendants()
                .filter(each -> each.info().commandLine().orElse("").contains("naklab-burner"))
                .toList();
    }

    /** Of the thread that burns; the kernel learns a thread's name when it runs already. */
    private String allowedCpus() {
        Await.until("a thread is named victim", () -> victimsCpus().isPresent());
        return victimsCpus().orElseThrow();
    }

    private Optional<String> victimsCpus() {
        Path tasks = Path.of("/proc", Long.toString(target.pid()), "task");
        try (var threads = Files.list(tasks)) {
            for (Path thread : threads.toList()) {
                if (Files.readString(thread.resolve("comm")).strip().equals("victim")) {
                    return Files.readAllLines(thread.resolve("status")).stream()
                            .filter(line -> line.startsWith("Cpus_allowed_list"))
                            .findFirst();
                }
            }
        } catch (IOException e) {
            throw new AssertionError(e);
        }
        return Optional.empty();
    }
}
