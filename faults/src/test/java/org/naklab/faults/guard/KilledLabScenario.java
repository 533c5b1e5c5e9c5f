package org.naklab.faults.guard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
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
import org.naklab.faults.TargetProcess;
import org.naklab.faults.process.LiveChild;
import org.naklab.faults.process.SpinningProcess;
import org.naklab.testing.Await;
import org.naklab.testing.Matrix;

/** A lab that ends with its faults armed: whatever the way, nothing of them is left. */
@Matrix
@Timeout(120)
class KilledLabScenario {
    @TempDir
    Path directory;

    @TempDir
    Path state;

    private LiveChild victim;
    private TargetProcess target;
    private Path file;

    @BeforeEach
    void start() throws IOException {
        victim = new LiveChild(SpinningProcess.class, Map.of());
        assertThat(victim.readLine()).isEqualTo("ready");
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
                  {"kind":"process-pause","on":"victim","when":{"afterMs":3000},"forMs":60000}]}
                """.formatted(directory).replace("\n", " ");
    }

    private LiveChild lab(String end) {
        return lab(plan(), end);
    }

    private LiveChild lab(String plan, String end) {
        LiveChild lab =
                new LiveChild(DoomedLab.class, environment(), Long.toString(target.pid()), file.toString(), plan, end);
        assertThat(lab.readLine()).isEqualTo("armed");
        return lab;
    }

    /** Tells its processes, and those that they start, from others; and keeps its ledgers apart. */
    private Map<String, String> environment() {
        return Map.of("XDG_STATE_HOME", state.toString());
    }

    private ProcessHandle guardOf(LiveChild lab) {
        Await.until("a guard is there", () -> guardsOf(lab).size() == 1);
        return guardsOf(lab).get(0);
    }

    private List<ProcessHandle> guardsOf(LiveChild lab) {
        return lab.process()
                .children()
                .filter(each -> contentOf(each, "cmdline").contains("naklab-guard"))
                .toList();
    }

    private static String contentOf(ProcessHandle process, String file) {
        try {
            Path path = Path.of("/proc", String.valueOf(process.pid()), file);
            return new String(Files.readAllBytes(path), StandardCharsets.ISO_8859_1);
        } catch (IOException e) {
            // It has ended.
            return "";
        }
    }

    private boolean isLeft(ProcessHandle process) {
        return contentOf(process, "environ").contains(state.toString());
    }

    @Test
    void shouldBeUndoneByAnotherGuardWhenTheFirstIsKilledBeforeTheLab() throws IOException {
        String allowedBefore = allowedCpus();
        List<ProcessHandle> burners;
        try (LiveChild lab = lab("wait")) {
            burners = burnersOf(lab);
            ProcessHandle first = guardOf(lab);
            first.destroyForcibly();
            Await.until("another guard is there", () -> guardsOf(lab).stream().anyMatch(each -> !each.equals(first)));
            lab.process().destroyForcibly();
        }
        assertUndone(burners, allowedBefore);
    }

    @Test
    void shouldBeUndoneByTheSecondGuardWhenLabAndGuardAreKilledAtOnce() throws IOException {
        String allowedBefore = allowedCpus();
        List<ProcessHandle> burners;
        try (LiveChild lab = lab("wait")) {
            burners = burnersOf(lab);
            killWithGuard(lab);
        }
        assertUndone(burners, allowedBefore);
    }

    @Test
    void shouldBeUndoneAtTheNextStartWhenBothGuardsAreKilledWithTheLab() throws IOException {
        String allowedBefore = allowedCpus();
        List<ProcessHandle> burners;
        try (LiveChild lab = lab("wait")) {
            burners = burnersOf(lab);
            ProcessHandle.allProcesses()
                    .filter(each -> isLeft(each) && lab.process().children().noneMatch(each::equals))
                    .filter(each -> contentOf(each, "cmdline").contains("naklab-guard"))
                    .forEach(ProcessHandle::destroyForcibly);
            killWithGuard(lab);
        }
        Await.until("the burners end by themselves", () -> burners.stream().noneMatch(ProcessHandle::isAlive));
        assertThat(target.state()).as("nobody has undone it").isEqualTo('T');
        try (LiveChild next = new LiveChild(DoomedLab.class, environment())) {
            assertThat(next.readLine()).endsWith(" undone, 0 left").doesNotStartWith("0 ");
        }
        assertUndone(burners, allowedBefore);
    }

    private void killWithGuard(LiveChild lab) throws IOException {
        ProcessHandle guard = guardOf(lab);
        new ProcessBuilder("kill", "-STOP", String.valueOf(lab.process().pid())).start();
        Await.until("the lab stands still", () -> lab.target().state() == 'T');
        guard.destroyForcibly();
        lab.process().destroyForcibly();
    }

    /** A lab that is stopped, swapped out or hangs is there, and does nothing. */
    @Test
    void shouldEndAtItsTimeWhenTheLabStandsStill() throws IOException {
        String plan = "{\"seed\":1,\"faults\":[{\"kind\":\"process-pause\",\"on\":\"victim\",\"forMs\":3000}]}";
        try (LiveChild lab = lab(plan, "wait")) {
            new ProcessBuilder("kill", "-STOP", String.valueOf(lab.process().pid())).start();
            Await.until("the lab stands still", () -> lab.target().state() == 'T');
            Await.until("the victim continues", () -> target.state() != 'T');
            assertThat(lab.target().state()).isEqualTo('T');
            lab.process().destroyForcibly();
        }
        assertUndone(List.of(), allowedCpus());
    }

    @Test
    void shouldEndAMachineStallThatTheLabDoesNotOutlive() throws Exception {
        Process refused = new ProcessBuilder("chrt", "-f", "1", "true").start();
        assumeTrue(refused.waitFor() == 0, "real-time priority is refused here: it needs CAP_SYS_NICE");
        String plan =
                "{\"seed\":1,\"faults\":[{\"kind\":\"machine-stall\",\"on\":\"lab\",\"parameters\":{\"stallMs\":150}}]}";
        try (LiveChild lab = lab(plan, "halt")) {
            assertThat(lab.process().waitFor(30, TimeUnit.SECONDS)).isTrue();
        }
        assertUndone(List.of(), allowedCpus());
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
        Await.until("no process is left", () -> ProcessHandle.allProcesses().noneMatch(this::isLeft));
        Await.until("the victim runs again", () -> target.state() != 'T');
        Await.until("the burners are gone", () -> burners.stream().noneMatch(ProcessHandle::isAlive));
        Await.until("the file is deleted", () -> !Files.exists(file));
        Await.until("the victim may run where it could", () -> allowedCpus().equals(allowedBefore));
        try (var left = Files.list(directory)) {
            assertThat(left).isEmpty();
        }
        try (var left = Files.walk(state)) {
            assertThat(left.filter(Files::isRegularFile)).as("ledgers").isEmpty();
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
