package org.naklab.lab.instruments.linux;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@Timeout(60)
class PriorityThreadFactoryTest {
    private static final Standing NORMAL = new Standing(0, 0);
    private static final Standing HEAVY = new Standing(-20, 0);
    private static final Standing FIFO = new Standing(0, 1);

    /** Of a thread, fields 19 and 41 of its {@code stat}. */
    private record Standing(int nice, int policy) {
        static Standing ofCallingThread() {
            try {
                String stat = Files.readString(Path.of("/proc/thread-self/stat"));
                String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
                return new Standing(Integer.parseInt(fields[16]), Integer.parseInt(fields[38]));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    @BeforeEach
    void assumeANormalBuild() {
        assumeTrue(Standing.ofCallingThread().equals(NORMAL), "the build itself has a priority, which threads inherit");
    }

    @ParameterizedTest
    @EnumSource
    void shouldNotHandAPriorityOnToThreadsThatStart(ThreadPriority priority) throws Exception {
        assumeTrue(isGranted(priority), "this machine does not grant " + priority);
        AtomicReference<Standing> own = new AtomicReference<>();
        AtomicReference<Standing> child = new AtomicReference<>();
        run(new PriorityThreadFactory(priority), () -> {
            own.set(Standing.ofCallingThread());
            Thread started = new Thread(() -> child.set(Standing.ofCallingThread()));
            started.start();
            join(started);
        });

        assertThat(own.get()).isEqualTo(priority == ThreadPriority.REAL_TIME ? FIFO : HEAVY);
        assertThat(child.get()).isEqualTo(NORMAL);
        assertThat(Standing.ofCallingThread()).isEqualTo(NORMAL);
    }

    @Test
    void shouldTakeTheFirstThatIsGranted() {
        assumeTrue(isGranted(ThreadPriority.REAL_TIME), "this machine does not grant real-time priority");
        PriorityThreadFactory threads = new PriorityThreadFactory(ThreadPriority.REAL_TIME, ThreadPriority.SHORT_SLICE);
        run(threads, () -> {});
        assertThat(threads.describe()).isEqualTo(ThreadPriority.REAL_TIME.describe());
    }

    @Test
    void shouldSayThatNoneIsGranted() {
        PriorityThreadFactory threads = new PriorityThreadFactory();
        AtomicReference<Standing> own = new AtomicReference<>();
        run(threads, () -> own.set(Standing.ofCallingThread()));
        assertThat(threads.describe()).contains("without any priority");
        assertThat(own.get()).isEqualTo(NORMAL);
    }

    private static boolean isGranted(ThreadPriority priority) {
        PriorityThreadFactory threads = new PriorityThreadFactory(priority);
        run(threads, () -> {});
        return threads.describe().equals(priority.describe());
    }

    private static void run(PriorityThreadFactory threads, Runnable body) {
        Thread thread = threads.newThread(body);
        thread.start();
        join(thread);
    }

    private static void join(Thread thread) {
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
