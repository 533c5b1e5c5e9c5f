package org.naklab.lab.instruments.series;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.naklab.testing.Matrix;
import org.openjdk.jcstress.infra.Status;
import org.openjdk.jcstress.infra.collectors.TestResult;

@Matrix
@Timeout(value = 600, unit = TimeUnit.SECONDS)
final class LockFreeStressTest {
    @TempDir
    private Path directory;

    @Test
    void shouldShowNoForbiddenOutcome() throws Exception {
        assumeTrue(Runtime.getRuntime().availableProcessors() > 1, "one processor shows no race");

        Collection<TestResult> results = JcstressRun.of(LockFreeStress.class, directory);

        List<String> expected = Arrays.stream(LockFreeStress.class.getDeclaredClasses())
                .filter(type -> java.lang.reflect.Modifier.isPublic(type.getModifiers()))
                .map(Class::getCanonicalName)
                .toList();
        assertThat(results)
                .extracting(TestResult::getName)
                .containsAll(expected)
                .hasSizeGreaterThanOrEqualTo(5);
        assertThat(results).allSatisfy(LockFreeStressTest::assertPassed);
    }

    private static void assertPassed(TestResult result) {
        TreeMap<String, Long> outcomes = new TreeMap<>();
        result.getStateKeys().forEach(state -> outcomes.put(state, result.getCount(state)));
        String what = result.getName() + " saw " + outcomes + ", said " + result.getMessages();
        assertThat(result.status()).as(what).isEqualTo(Status.NORMAL);
        assertThat(result.getTotalCount()).as(what).isPositive();
        assertThat(result.grading().isPassed).as(what).isTrue();
    }
}
