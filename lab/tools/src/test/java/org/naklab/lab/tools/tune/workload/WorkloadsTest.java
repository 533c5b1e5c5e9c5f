package org.naklab.lab.tools.tune.workload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.naklab.lab.instruments.linux.CachedPages;
import org.naklab.testing.Matrix;

@Timeout(60)
final class WorkloadsTest {
    private static final int BLOCK_BYTES = 64 << 10;
    private static final int BLOCKS = 64;

    @Test
    void shouldPutTheLockWordWhereItIsTold() {
        assertThat(new Alignment(0).run(1).proof().get(0)).isEqualTo("the lock word begins at byte 0 of a cache line");
        assumeTrue(System.getProperty("os.arch").equals("amd64"), "only x86 adds atomically across cache lines");
        WorkloadResult across = new Alignment(Alignment.ACROSS_LINES).run(1);
        assertThat(across.proof().get(0))
                .isEqualTo("the lock word begins at byte 60 of a cache line and ends in the next one");
        assertThat(across.values()).hasSize(1).allMatch(value -> value > 0);
    }

    @Test
    void shouldRefuseAnOffsetThatIsInNoLine() {
        assertThatThrownBy(() -> new Alignment(64)).isInstanceOf(IllegalArgumentException.class);
    }

    @Matrix
    @ParameterizedTest
    @EnumSource(HandOver.Wait.class)
    void shouldHandOverWithEachWayOfWaiting(HandOver.Wait wait) throws Exception {
        WorkloadResult result = new HandOver(HandOver.Wait.of(wait.label())).run(2);
        assertThat(result.values()).hasSize(2).allMatch(value -> value > 0);
        assertThat(result.figures())
                .extracting(Figure::name)
                .containsExactly("99 %, ns", "CPU of the waiting thread, %");
        assertThat(result.proof()).containsExactly("the waiting thread used " + wait.label());
    }

    @Matrix
    @ParameterizedTest
    @EnumSource(LockFairness.Kind.class)
    void shouldContendForEachKindOfLock(LockFairness.Kind kind) throws Exception {
        WorkloadResult result = new LockFairness(LockFairness.Kind.of(kind.label())).run(1);
        assertThat(result.values()).hasSize(1).allMatch(value -> value > 0);
        assertThat(result.figures().get(1).value()).isBetween(0.0, 100.0);
        assertThat(result.proof().get(0)).contains(kind.label());
    }

    @ParameterizedTest
    @EnumSource(FileOutput.Way.class)
    void shouldLeaveInThePageCacheWhatTheWayLeaves(FileOutput.Way way, @TempDir Path directory) throws IOException {
        DirectIo.whyNot(way.label()).ifPresent(why -> assumeTrue(false, why));
        Path file = directory.resolve("file");
        try (FileOutput output = new FileOutput(file, way, BLOCK_BYTES)) {
            for (int i = 0; i < BLOCKS; i++) {
                output.write();
            }
            assertThat(FileOutput.isDirect(output.flags())).isEqualTo(way == FileOutput.Way.DIRECT);
            output.force();
            assertThat(file).hasSize((long) BLOCKS * BLOCK_BYTES);
            long cached = CachedPages.bytesOf(file);
            switch (way) {
                case BUFFERED -> assertThat(cached).isEqualTo((long) BLOCKS * BLOCK_BYTES);
                case DIRECT -> assertThat(cached).isZero();
                case BEHIND, UNCACHED -> assertThat(cached).isLessThan((long) BLOCKS * BLOCK_BYTES / 2);
            }
        }
    }

    @Test
    void shouldRefuseWordsThatItDoesNotKnow() {
        assertThatThrownBy(() -> new DirectIo("sideways")).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> HandOver.Wait.of("never")).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> LockFairness.Kind.of("none")).isInstanceOf(IllegalArgumentException.class);
    }
}
