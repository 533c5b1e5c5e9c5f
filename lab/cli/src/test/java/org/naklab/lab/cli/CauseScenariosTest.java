package org.naklab.lab.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.naklab.lab.diagnosis.Cause;
import org.naklab.lab.process.Installation;
import org.naklab.lab.studies.foreign.Disturbances;
import org.naklab.testing.Contained;
import org.naklab.testing.Live;
import org.naklab.testing.Matrix;

/** Each cause is made by a scenario of the matrix or of the default build. A new constant of {@link Cause} does not compile without one. */
@Timeout(60)
final class CauseScenariosTest {
    private static final Path SOURCES =
            Installation.current().root().resolve("lab/cli/src/test/java/org/naklab/lab/cli");

    /** The method of a scenario that makes a cause. */
    private sealed interface Maker {
        Class<?> scenario();

        String method();

        void assertMakes(Cause cause) throws IOException;

        default Method find() {
            return Stream.of(scenario().getDeclaredMethods())
                    .filter(each -> each.getName().equals(method()))
                    .findFirst()
                    .orElseThrow(() -> new AssertionError(scenario() + " has no method " + method()));
        }
    }

    /** The lab injects the cause, which is one of the values of {@link ConfusionScenario}. */
    private record Injected() implements Maker {
        @Override
        public Class<?> scenario() {
            return ConfusionScenario.class;
        }

        @Override
        public String method() {
            return "shouldDiagnoseWhatWasInjected";
        }

        @Override
        public void assertMakes(Cause cause) {
            assertThat(find().getAnnotation(ValueSource.class).strings()).contains(cause.label());
        }
    }

    /** A script makes the cause from outside, and its header declares that cause and no other. */
    private record Foreign(String script) implements Maker {
        @Override
        public Class<?> scenario() {
            return ForeignConfusionScenario.class;
        }

        @Override
        public String method() {
            return "shouldJudgeWhatWasMadeFromOutside";
        }

        @Override
        public void assertMakes(Cause cause) {
            assertThat(ForeignConfusionScenario.disturbances()).contains(script);
            assertThat(Disturbances.of(List.of(Disturbances.directory(Installation.current())), List.of(script)))
                    .singleElement()
                    .satisfies(disturbance ->
                            assertThat(disturbance.truth().causes()).containsExactly(Set.of(cause.label())));
        }
    }

    /** A method makes the cause, and the body of that method contains a text that says so. */
    private record Asserted(Class<?> scenario, String method, String text) implements Maker {
        @Override
        public void assertMakes(Cause cause) throws IOException {
            String source = Files.readString(SOURCES.resolve(scenario.getSimpleName() + ".java"));
            int begin = source.indexOf("void " + method + "(");
            assertThat(begin).as(method).isNotNegative();
            assertThat(source.substring(begin, source.indexOf("\n    }\n", begin)))
                    .contains(text);
        }
    }

    private static Maker makerOf(Cause cause) {
        return switch (cause) {
            case SLOW_CALLBACK,
                    CPU_PREEMPTION,
                    KERNEL_INTERFERENCE,
                    TRAFFIC_BURST,
                    GC_OR_SAFEPOINT,
                    TIME_TO_SAFEPOINT,
                    NETWORK_LOSS,
                    NETWORK_DELAY,
                    NETWORK_REORDERING,
                    NETWORK_DUPLICATION,
                    SLOW_CONSUMER,
                    PROCESS_PAUSED,
                    MACHINE_STALLED -> new Injected();
            case LATE_BINDING_DELAY -> new Foreign("watch-late-binding-audit");
            case LATE_BINDING_MAJOR_FAULT -> new Foreign("watch-late-binding-evicted");
            case CPU_THROTTLED -> new Foreign("cpu-quota");
            case VM_OPERATION -> new Foreign("class-histogram");
            case SENDER_PAUSED -> new Foreign("sender-stopped");
            case PROCESS_FROZEN -> new Foreign("watch-freezer");
            case PROCESS_TRACED -> new Foreign("ptrace");
            case MAJOR_FAULT -> new Foreign("watch-userfault");
            case MEMORY_PRESSURE -> new Foreign("watch-memory-limit");
            case LOCK_WAIT -> new Foreign("watch-mutex");
            case FILE_LOCK_WAIT -> new Foreign("watch-file-lock");
            case DISK_WAIT -> new Foreign("watch-slow-fsync");
            case BLOCKING_CALL -> new Foreign("watch-pipe");
            case NOT_NOTIFIED -> new Foreign("watch-epoll-oneshot");
            case BUSY_THREAD -> new Foreign("watch-busy");
            case CLEAN -> new Foreign("healthy");
            case PROCESS_ENDED ->
                new Asserted(ConfusionScenario.class, "shouldDiagnoseAKilledService", '"' + cause.label() + '"');
            case LATE_BINDING_SIMULATED ->
                new Asserted(MysteryScenario.class, "shouldReproduceTheIncidentSimulated", '"' + cause.label() + '"');
            // What has no answer must not be called clean; a busy machine may give it another cause.
            case UNEXPLAINED ->
                new Asserted(LiedToScenario.class, "shouldNotPassWhatNoInstrumentSaw", "isNotEqualTo(Cause.CLEAN)");
        };
    }

    @ParameterizedTest
    @EnumSource(Cause.class)
    void shouldBeMadeByAScenario(Cause cause) throws IOException {
        Maker maker = makerOf(cause);
        assertThat(isTest(maker.find())).as("%s is a test", maker).isTrue();
        assertThat(isInABuild(maker.find()) || isInABuild(maker.scenario()))
                .as("%s has a tag", maker)
                .isTrue();
        maker.assertMakes(cause);
    }

    private static boolean isTest(Method method) {
        return method.isAnnotationPresent(Test.class) || method.isAnnotationPresent(ParameterizedTest.class);
    }

    private static boolean isInABuild(AnnotatedElement element) {
        return Stream.of(Matrix.class, Contained.class, Live.class).anyMatch(element::isAnnotationPresent);
    }
}
