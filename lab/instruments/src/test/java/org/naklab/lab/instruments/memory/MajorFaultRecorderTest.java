package org.naklab.lab.instruments.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.junit.jupiter.api.Assumptions.abort;

import java.io.IOException;
import java.nio.MappedByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.assertj.core.api.Assumptions;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.naklab.lab.core.timeline.DetectException;
import org.naklab.lab.instruments.threads.ProcessThreads;
import org.naklab.testing.Await;
import org.naklab.testing.host.PageCache;

@Timeout(120)
class MajorFaultRecorderTest {
    private static final long PID = ProcessHandle.current().pid();

    @TempDir
    Path directory;

    @Test
    void shouldRecordTheStackOfARealMajorFault() throws Exception {
        Assumptions.assumeThat(Files.getFileStore(directory).type())
                .as("a memory file system has nothing to fault in from")
                .isNotEqualTo("tmpfs");
        MappedByteBuffer evicted = PageCache.mapEvicted(directory.resolve("evicted"));
        long beforeNs = System.nanoTime();
        List<MajorFaultStack> stacks = record(perf -> PageCache.touch(evicted));
        long afterNs = System.nanoTime();

        assertThat(stacks).isNotEmpty().allSatisfy(stack -> {
            assertThat(stack.timeNs()).isBetween(beforeNs, afterNs);
            assertThat(stack.frames()).isNotEmpty();
        });
    }

    @Test
    void shouldKeepWhatWasRecordedAndGoOn() throws Exception {
        Assumptions.assumeThat(Files.getFileStore(directory).type())
                .as("a memory file system has nothing to fault in from")
                .isNotEqualTo("tmpfs");
        MappedByteBuffer first = PageCache.mapEvicted(directory.resolve("first"));
        MappedByteBuffer second = PageCache.mapEvicted(directory.resolve("second"));
        Path kept = directory.resolve("window-perf.data");
        AtomicLong keptNs = new AtomicLong();
        List<MajorFaultStack> stacks = record(perf -> {
            PageCache.touch(first);
            perf.keep(kept);
            keptNs.set(System.nanoTime());
            PageCache.touch(second);
        });

        assertThat(kept).isNotEmptyFile();
        assertThat(stacks)
                .isSortedAccordingTo(Comparator.comparingLong(MajorFaultStack::timeNs))
                .anyMatch(stack -> stack.timeNs() < keptNs.get())
                .anyMatch(stack -> stack.timeNs() > keptNs.get());
        assertThat(perfFiles()).containsExactly(kept);
    }

    @Test
    void shouldLeaveNoFileWhenNothingIsKept() throws Exception {
        assertThat(record(perf -> {})).isEmpty();
        assertThat(perfFiles()).isEmpty();
    }

    @Test
    void shouldKeepNothingAfterTheEnd() throws Exception {
        record(perf -> {
            perf.close();
            assertThatExceptionOfType(DetectException.class)
                    .isThrownBy(() -> perf.keep(directory.resolve("window-perf.data")))
                    .withMessageContaining("perf has ended");
        });
        assertThat(perfFiles()).isEmpty();
    }

    @Test
    void shouldSayThatThereIsNoSuchThread() {
        assertThatExceptionOfType(DetectException.class)
                .isThrownBy(() -> MajorFaultStackInstrument.attach("mds", PID, "no-such-thread", directory))
                .withMessageContaining("no-such-thread");
    }

    @Test
    void shouldParseWhatPerfPrints() {
        List<MajorFaultStack> stacks = PerfScriptParser.parse(List.of(
                " 4711  1234.567890123:   major-faults: ",
                "            7f8a1c012345 do_lookup_x+0x45 (/usr/lib/x86_64-linux-gnu/ld-linux-x86-64.so.2)",
                "            7f8a1c016789 _dl_fixup+0x10 (/usr/lib/x86_64-linux-gnu/ld-linux-x86-64.so.2)",
                "",
                " 4711  1234.600000000:   major-faults:u: ",
                "            7f8a1c0 [unknown] ([unknown])",
                ""));

        assertThat(stacks).hasSize(2);
        assertThat(stacks.get(0).timeNs()).isEqualTo(1_234_567_890_123L);
        assertThat(stacks.get(0).tid()).isEqualTo(4711);
        assertThat(stacks.get(0).frames())
                .containsExactly(
                        "do_lookup_x+0x45 (/usr/lib/x86_64-linux-gnu/ld-linux-x86-64.so.2)",
                        "_dl_fixup+0x10 (/usr/lib/x86_64-linux-gnu/ld-linux-x86-64.so.2)");
        assertThat(stacks.get(1).frames()).containsExactly("[unknown] ([unknown])");
    }

    private List<MajorFaultStack> record(Consumer<MajorFaultRecorder> body) throws InterruptedException {
        CountDownLatch go = new CountDownLatch(1);
        CountDownLatch done = new CountDownLatch(1);
        CountDownLatch end = new CountDownLatch(1);
        AtomicReference<@Nullable MajorFaultRecorder> recording = new AtomicReference<>();
        AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
        Thread thread = new Thread(
                () -> {
                    awaitQuietly(go);
                    runQuietly(body, recording.get(), failure);
                    done.countDown();
                    awaitQuietly(end);
                },
                "perf-subject");
        thread.start();
        Await.until(
                "thread known",
                () -> new ProcessThreads(PID).find("perf-subject").isPresent());
        int tid = new ProcessThreads(PID).find("perf-subject").orElseThrow();
        try (MajorFaultRecorder perf = MajorFaultRecorder.start(tid, directory)) {
            recording.set(perf);
            go.countDown();
            done.await();
            assertThat(failure).hasNullValue();
            return perf.stop();
        } catch (DetectException notPermitted) {
            return abort(String.valueOf(notPermitted.getMessage()));
        } finally {
            go.countDown();
            end.countDown();
            thread.join();
        }
    }

    private List<Path> perfFiles() throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            return files.filter(file -> file.getFileName().toString().contains("perf"))
                    .toList();
        }
    }

    /** With no recording, perf is not permitted here. */
    private static void runQuietly(
            Consumer<MajorFaultRecorder> body,
            @Nullable MajorFaultRecorder recording,
            AtomicReference<@Nullable Throwable> failure) {
        try {
            if (recording != null) {
                body.accept(recording);
            }
        } catch (AssertionError | RuntimeException e) {
            failure.set(e);
        }
    }

    private static void awaitQuietly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
