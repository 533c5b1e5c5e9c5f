package org.naklab.lab.instruments.threads;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.nio.MappedByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.naklab.lab.core.timeline.TimelineEventType;
import org.naklab.lab.instruments.sampling.Allocations;
import org.naklab.lab.instruments.sampling.EventLog;
import org.naklab.lab.instruments.series.SampleSink;
import org.naklab.testing.Await;
import org.naklab.testing.host.PageCache;

@Timeout(60)
class ThreadInstrumentTest {
    private static final long PID = ProcessHandle.current().pid();

    @TempDir
    Path directory;

    private final EventLog events = new EventLog();
    private final Map<String, Long> samples = new HashMap<>();

    @Test
    void shouldReportRealMajorFaultsOfTheNamedThread() throws Exception {
        assumeThat(Files.getFileStore(directory).type())
                .as("a memory file system has nothing to fault in from")
                .isNotEqualTo("tmpfs");
        MappedByteBuffer evicted = PageCache.mapEvicted(directory.resolve("evicted"));
        CountDownLatch go = new CountDownLatch(1);
        AtomicBoolean stop = new AtomicBoolean();
        Thread toucher = startNamed("toucher", () -> {
            go.await();
            PageCache.touch(evicted);
            while (!stop.get()) {
                Thread.onSpinWait();
            }
            return null;
        });
        try (ThreadInstrument instrument = new ThreadInstrument("mds", PID, "toucher", events)) {
            sample(instrument);
            go.countDown();
            Await.until("major fault", () -> {
                sample(instrument);
                return !events.of(TimelineEventType.MAJOR_FAULT).isEmpty();
            });
        } finally {
            stop.set(true);
            toucher.join();
        }

        assertThat(events.of(TimelineEventType.MAJOR_FAULT).get(0).thread()).isEqualTo("toucher");
    }

    @Test
    void shouldReportAWaitForAProcessorThatOthersOccupy() throws Exception {
        AtomicBoolean stop = new AtomicBoolean();
        List<Thread> spinners = new ArrayList<>();
        for (int i = 0; i < 6 * Runtime.getRuntime().availableProcessors(); i++) {
            spinners.add(startNamed("spinner" + i, () -> {
                while (!stop.get()) {
                    Thread.onSpinWait();
                }
                return null;
            }));
        }
        try (ThreadInstrument instrument = new ThreadInstrument("mds", PID, "spinner0", events)) {
            Await.until("run-queue delay", () -> {
                sample(instrument);
                return !events.of(TimelineEventType.RUN_QUEUE_DELAY).isEmpty();
            });
        } finally {
            stop.set(true);
            for (Thread spinner : spinners) {
                spinner.join();
            }
        }
        assertThat(samples.keySet()).anyMatch(name -> name.endsWith(".runDelayNs"));
    }

    @Test
    void shouldReportAProcessThatIsStopped() throws Exception {
        Process sleeper = new ProcessBuilder("sleep", "60").start();
        try (ThreadInstrument instrument = new ThreadInstrument("sleeper", sleeper.pid(), "sleep", events)) {
            Await.until("thread found", () -> {
                instrument.refresh(System.nanoTime());
                sample(instrument);
                return instrument.isFound();
            });
            signal(sleeper, "STOP");
            Await.until("stopped", () -> {
                sample(instrument);
                return !events.of(TimelineEventType.THREAD_STOPPED).isEmpty();
            });
            signal(sleeper, "CONT");
            Await.until("continued", () -> {
                sample(instrument);
                return !events.of(TimelineEventType.THREAD_CONTINUED).isEmpty();
            });
        } finally {
            sleeper.destroyForcibly().waitFor();
        }
    }

    @Test
    void shouldSayNothingOfASleepingThreadButThatItSlept() throws Exception {
        CountDownLatch stop = new CountDownLatch(1);
        Thread idler = startNamed("idler", () -> {
            stop.await();
            return null;
        });
        // On its way to sleep it may have to wait for a processor.
        while (idler.getState() != Thread.State.WAITING) {
            Thread.onSpinWait();
        }
        try (ThreadInstrument instrument = new ThreadInstrument("mds", PID, "idler", events)) {
            assertThat(instrument.isFound()).isTrue();
            for (int i = 0; i < 1_000; i++) {
                sample(instrument);
            }
        } finally {
            stop.countDown();
            idler.join();
        }
        assertThat(events.types()).isSubsetOf(TimelineEventType.THREAD_SLEPT);
    }

    @Test
    void shouldFindAThreadThatStartsLaterAndSurviveItsEnd() throws Exception {
        try (ThreadInstrument instrument = new ThreadInstrument("mds", PID, "a-very-long-thread-name", events)) {
            assertThat(instrument.isFound()).isFalse();
            CountDownLatch stop = new CountDownLatch(1);
            Thread late = startNamed("a-very-long-thread-name", () -> {
                stop.await();
                return null;
            });
            instrument.refresh(System.nanoTime());
            assertThat(instrument.isFound()).isTrue();
            stop.countDown();
            late.join();
            Await.until("gone", () -> {
                sample(instrument);
                return !instrument.isFound();
            });
        }
    }

    @Test
    void shouldNotAllocatePerSample() throws Exception {
        CountDownLatch stop = new CountDownLatch(1);
        Thread idler = startNamed("alloc-check", () -> {
            stop.await();
            return null;
        });
        try (ThreadInstrument instrument = new ThreadInstrument("mds", PID, "alloc-check", events)) {
            assertThat(instrument.isFound()).isTrue();
            assertThat(Allocations.bytesOf(5_000, () -> instrument.sample(1, SampleSink.NONE)))
                    .isZero();
        } finally {
            stop.countDown();
            idler.join();
        }
    }

    private void sample(ThreadInstrument instrument) {
        instrument.sample(System.nanoTime(), (series, timeNs, value) -> samples.put(series.toString(), value));
    }

    /** The kernel learns the name when the thread runs. */
    private static Thread startNamed(String name, Callable<Object> body) throws Exception {
        CountDownLatch running = new CountDownLatch(1);
        Thread thread = new Thread(
                () -> {
                    running.countDown();
                    try {
                        body.call();
                    } catch (Exception e) {
                        throw new IllegalStateException(e);
                    }
                },
                name);
        thread.start();
        running.await();
        return thread;
    }

    private static void signal(Process process, String name) throws IOException, InterruptedException {
        assertThat(new ProcessBuilder("kill", "-" + name, Long.toString(process.pid()))
                        .start()
                        .waitFor())
                .isZero();
    }
}
