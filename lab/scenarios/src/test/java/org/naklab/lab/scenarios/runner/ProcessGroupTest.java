package org.naklab.lab.scenarios.runner;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.naklab.lab.core.Cancellation;
import org.naklab.lab.core.Json;
import org.naklab.lab.core.LabException;
import org.naklab.lab.process.ControlCommand;
import org.naklab.lab.process.Installation;
import org.naklab.lab.process.ProcessEvent;
import org.naklab.lab.process.ProcessListener;
import org.naklab.lab.process.ProcessSpec;
import org.naklab.lab.scenarios.Deployment;
import org.naklab.lab.scenarios.Plans;
import org.naklab.lab.scenarios.RunPlan;
import org.naklab.lab.scenarios.causes.Baseline;

/** Runs a group of small programs in place of the replica's processes. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
final class ProcessGroupTest {
    private static final String BEHAVIOUR = "NAKLAB_TEST_BEHAVIOUR";
    private static final long LONG_NS = TimeUnit.SECONDS.toNanos(120);

    @TempDir
    private Path directory;

    private final Cancellation cancellation = new Cancellation();
    private final List<String> ended = new CopyOnWriteArrayList<>();

    @Test
    void shouldWaitForAnEventOfAllProcessesAndLeaveNoneBehind() throws Exception {
        List<ProcessHandle> processes = new ArrayList<>();
        try (ProcessGroup group = start("obey")) {
            group.pids().values().forEach(pid -> ProcessHandle.of(pid).ifPresent(processes::add));
            assertThat(processes).hasSize(3).allMatch(ProcessHandle::isAlive);
            group.all().forEach(child -> child.command(ControlCommand.SETTLE));
            group.awaitAll(group.all(), ProcessEvent.Settled.class, LONG_NS, cancellation);
            group.all().forEach(child -> assertThat(child.latest(ProcessEvent.Settled.class))
                    .isNotNull());
            assertThat(group.isWell()).isTrue();
            group.requireWell();
            assertThat(group.subscribers()).hasSize(2).doesNotContain(group.exchange());
        }
        assertThat(processes).noneMatch(ProcessHandle::isAlive);
        assertThat(ended).containsExactlyInAnyOrder(Deployment.SERVICE, Deployment.GATEWAY, Deployment.EXCHANGE);
    }

    /** The wait would outlast the time limit of the test otherwise. */
    @Test
    void shouldEndTheWaitWhenAProcessEndsTooEarly() {
        try (ProcessGroup group = start("die")) {
            assertThatThrownBy(() -> group.awaitAll(group.all(), ProcessEvent.Settled.class, LONG_NS, cancellation))
                    .isInstanceOf(LabException.class)
                    .hasMessageStartingWith(Deployment.SERVICE + " (pid ")
                    .hasMessageContaining("exit code 3: no memory left");
            assertThat(group.isWell()).isFalse();
        }
    }

    @Test
    void shouldEndTheWaitWhenAProcessReportsAnError() {
        try (ProcessGroup group = start("fail")) {
            assertThatThrownBy(() -> group.awaitAll(group.all(), ProcessEvent.Settled.class, LONG_NS, cancellation))
                    .isInstanceOf(LabException.class)
                    .hasMessage(Deployment.SERVICE + ": the disk is full");
        }
    }

    @Test
    void shouldEndTheWaitWhenTheUserCancels() {
        try (ProcessGroup group = start("obey")) {
            cancellation.request();
            assertThatThrownBy(() -> group.awaitAll(group.all(), ProcessEvent.Settled.class, LONG_NS, cancellation))
                    .isInstanceOf(LabException.class)
                    .hasMessage("interrupted");
        }
    }

    /** The condition is looked at after each event, not only when the time is up. */
    @Test
    void shouldWaitUntilAConditionHolds() throws Exception {
        try (ProcessGroup group = start("obey")) {
            group.exchange().command(ControlCommand.SETTLE);
            group.awaitUntil(() -> group.exchange().latest(ProcessEvent.Settled.class) != null, LONG_NS);
            assertThat(group.exchange().latest(ProcessEvent.Settled.class)).isNotNull();
        }
    }

    /** The exchange is the last one that is started. */
    @Test
    void shouldEndTheProcessesBeforeOneThatCannotBeStarted() throws IOException {
        Files.writeString(directory.resolve("exchange.json"), "planted");
        assertThatThrownBy(() -> start("obey").close()).isInstanceOf(UncheckedIOException.class);
        assertThat(ended).containsExactlyInAnyOrder(Deployment.SERVICE, Deployment.GATEWAY);
    }

    private ProcessGroup start(String behaviourOfTheService) {
        Baseline scenario = new Baseline();
        RunPlan plan = Plans.of(scenario, scenario.workload()).at(directory, "aeron-");
        Deployment standard = Deployment.standard(plan);
        Deployment programs = new Deployment(
                programOf(standard.exchange(), "obey"),
                standard.subscribers().stream()
                        .map(spec -> programOf(
                                spec, spec.name().equals(Deployment.SERVICE) ? behaviourOfTheService : "obey"))
                        .toList());
        return ProcessGroup.start(programs, directory, Installation.current(), new ProcessListener() {
            @Override
            public void onEvent(String process, ProcessEvent event) {}

            @Override
            public void onEnd(String process) {
                ended.add(process);
            }
        });
    }

    private static <C> ProcessSpec<C> programOf(ProcessSpec<C> spec, String behaviour) {
        return new ProcessSpec<>(
                spec.name(),
                spec.role(),
                Program.class,
                List.of("-Xmx32m", "-XX:TieredStopAtLevel=1"),
                Map.of(BEHAVIOUR, behaviour),
                spec.config());
    }

    /** Answers each line with an event, or ends badly. */
    static final class Program {
        private Program() {}

        public static void main(String[] arguments) throws IOException {
            switch (System.getenv(BEHAVIOUR)) {
                case "die" -> {
                    System.err.println("no memory left");
                    System.exit(3);
                }
                case "fail" -> System.out.println(Json.line(new ProcessEvent.Failed(1, "the disk is full")));
                default -> {}
            }
            BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
            while (in.readLine() != null) {
                System.out.println(Json.line(new ProcessEvent.Settled(1)));
            }
        }
    }
}
