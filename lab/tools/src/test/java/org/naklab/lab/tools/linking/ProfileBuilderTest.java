package org.naklab.lab.tools.linking;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.naklab.lab.tools.linking.LibraryProfile.Function;
import org.naklab.lab.tools.linking.LibraryProfile.ThreadProfile;

/** Reads tables that are written here byte by byte, as {@code naklab_libprof.h} draws them, and adds them up. Times are in seconds. */
@Timeout(60)
final class ProfileBuilderTest {
    private static final int FUNCTIONS = 4_096;
    private static final int FUNCTION_BYTES = 256;
    private static final int THREADS = FUNCTIONS + 8_192 * FUNCTION_BYTES;
    private static final int THREAD_BYTES = 128 + 500 * 16 + 8_192 * 16;
    private static final int POLL = 0;
    private static final int SORT = 1;
    private static final int OTHER_POLL = 2;
    private static final int PROGRAM = 100;
    private static final int CHILD = 200;

    /** The program was started at 10 s and ended at 20 s. */
    private static final long BEGIN_NS = 10_000_000_000L;

    private static final long END_NS = 20_000_000_000L;

    @TempDir
    private Path directory;

    private Path file;
    private int threads;

    @BeforeEach
    void create() throws IOException {
        file = directory.resolve("calls.table");
        LibraryCallTable.create(file);
        function(POLL, 1, "poll", "libc.so.6");
        function(SORT, 1, "qsort", "libc.so.6");
        function(OTHER_POLL, 2, "poll", "libother.so");
        put(8, 8, buffer -> buffer.putInt(3));
    }

    private interface Filling {
        void fill(ByteBuffer buffer);
    }

    private void put(long offset, int length, Filling filling) throws IOException {
        ByteBuffer buffer = ByteBuffer.allocate(length).order(ByteOrder.LITTLE_ENDIAN);
        filling.fill(buffer);
        buffer.rewind();
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
            assertThat(channel.write(buffer, offset)).isEqualTo(length);
        }
    }

    private void function(int id, int ready, String name, String library) throws IOException {
        put(FUNCTIONS + (long) id * FUNCTION_BYTES, FUNCTION_BYTES, buffer -> buffer.putInt(ready)
                .position(8)
                .put(name.getBytes(StandardCharsets.UTF_8))
                .position(192)
                .put(library.getBytes(StandardCharsets.UTF_8)));
    }

    /** A thread with its times in seconds; counters are function, calls and seconds in turns, open functions the innermost last. */
    private void thread(int pid, int tid, double[] beginMarkEndOther, int[] counters, int... open) throws IOException {
        long offset = THREADS + (long) threads++ * THREAD_BYTES;
        put(12, 4, buffer -> buffer.putInt(threads));
        put(offset, 128, buffer -> {
            buffer.putInt(pid).putInt(tid);
            for (double seconds : beginMarkEndOther) {
                buffer.putLong(Math.round(seconds * 1e9));
            }
            // Calls that were left, open ones, threads before this one, and whether it is the first of its process.
            buffer.putLong(3).putInt(open.length).putInt(1).putInt(pid == tid ? 1 : 0);
            buffer.position(64).put(("thread-" + tid).getBytes(StandardCharsets.UTF_8));
        });
        for (int i = 0; i < open.length; i++) {
            int id = open[i];
            put(offset + 128 + i * 16L, 16, buffer -> buffer.putLong(0x7ffe).putLong(id));
        }
        for (int i = 0; i < counters.length; i += 3) {
            int calls = counters[i + 1];
            int seconds = counters[i + 2];
            put(offset + 128 + 500 * 16 + counters[i] * 16L, 16, buffer -> buffer.putLong(calls)
                    .putLong(seconds * 1_000_000_000L));
        }
    }

    private static double[] times(double begin, double mark, double end, double other) {
        return new double[] {begin, mark, end, other};
    }

    private LibraryProfile build(ProfileBuilder.@Nullable Gauge gauge) throws IOException {
        return new ProfileBuilder(LibraryCallTable.read(file), PROGRAM, END_NS)
                .build(List.of("program"), 0, BEGIN_NS, gauge, true);
    }

    private LibraryProfile build() throws IOException {
        return build(null);
    }

    private static ThreadProfile thread(LibraryProfile profile, int tid) {
        return Objects.requireNonNull(profile.threads()).stream()
                .filter(each -> each.tid() == tid)
                .findFirst()
                .orElseThrow();
    }

    @Test
    void shouldReadWhatTheProgramWrote() throws IOException {
        put(16, 16, buffer -> buffer.putLong(7).putLong(2));
        thread(PROGRAM, 101, times(11, 12, 13, 0.5), new int[] {SORT, 5, 1}, POLL, SORT);
        LibraryCallTable table = LibraryCallTable.read(file);
        assertThat(table.lostCalls()).isEqualTo(7);
        assertThat(table.loads()).isEqualTo(2);
        assertThat(table.functions())
                .containsExactly(
                        new LibraryCallTable.FunctionEntry("poll", "libc.so.6", true),
                        new LibraryCallTable.FunctionEntry("qsort", "libc.so.6", true),
                        new LibraryCallTable.FunctionEntry("poll", "libother.so", false));
        assertThat(table.threads()).singleElement().satisfies(thread -> {
            assertThat(thread.task())
                    .isEqualTo(new LibraryCallTable.ThreadEntry.Task(PROGRAM, 101, "thread-101", false, 2));
            assertThat(thread.times())
                    .isEqualTo(new LibraryCallTable.ThreadEntry.Times(
                            11_000_000_000L, 12_000_000_000L, 13_000_000_000L, 500_000_000L));
            assertThat(thread.abandoned()).isEqualTo(3);
            assertThat(thread.openFunctions()).containsExactly(POLL, SORT);
            assertThat(thread.counters())
                    .hasSize(1)
                    .containsEntry(SORT, new LibraryCallTable.Counter(5, 1_000_000_000L));
        });
    }

    @Test
    void shouldRefuseWhatIsNoTable() throws IOException {
        put(0, 8, buffer -> buffer.putLong(1));
        assertThatThrownBy(() -> LibraryCallTable.read(file))
                .isInstanceOf(IOException.class)
                .hasMessage("it is no table of library calls");
        Files.write(file, new byte[100]);
        assertThatThrownBy(() -> LibraryCallTable.read(file))
                .isInstanceOf(IOException.class)
                .hasMessage("the table is cut off");
    }

    /** A function has the calls of all threads; one of the same name in another library is another one; the longest is first. */
    @Test
    void shouldAddUpTheThreadsByFunctionAndLibrary() throws IOException {
        thread(PROGRAM, PROGRAM, times(10, 20, 20, 4), new int[] {POLL, 10, 1, SORT, 2, 5});
        thread(PROGRAM, 101, times(10, 14, 14, 1), new int[] {POLL, 30, 2, OTHER_POLL, 1, 0});
        LibraryProfile profile = build(new ProfileBuilder.Gauge(200, 50));
        assertThat(profile.functions())
                .containsExactly(
                        new Function("qsort", "libc.so.6", 5, 100 * 5 / 13.0, 2),
                        new Function("poll", "libc.so.6", 3, 100 * 3 / 13.0, 40),
                        new Function("poll", "libother.so", 0, 0, 1));
        assertThat(profile.entireSeconds()).isEqualTo(13);
        assertThat(profile.nonLibrarySeconds()).isEqualTo(5);
        assertThat(profile.wallSeconds()).isEqualTo(10);
        assertThat(profile.notTimed()).containsExactly("poll");
        assertThat(profile.abandonedCalls()).isEqualTo(6);
        assertThat(profile.overhead().calls()).isEqualTo(43);
        assertThat(profile.overhead().seconds()).isCloseTo(43 * 200e-9, within(1e-12));
        assertThat(profile.threads()).extracting(ThreadProfile::tid).containsExactly(PROGRAM, 101);
    }

    /** It was killed in a call of qsort within one of poll: the innermost one has the time until the end of the program. */
    @Test
    void shouldGiveTheRestToTheCallThatAThreadWasIn() throws IOException {
        thread(PROGRAM, PROGRAM, times(10, 12, 0, 1), new int[] {POLL, 1, 1}, POLL, SORT);
        LibraryProfile profile = build();
        assertThat(profile.functions())
                .extracting(Function::name, Function::seconds, Function::calls)
                .containsExactly(tuple("qsort", 8.0, 0L), tuple("poll", 1.0, 1L));
        assertThat(profile.nonLibrarySeconds()).isEqualTo(1);
        assertThat(profile.entireSeconds()).isEqualTo(10);
    }

    @Test
    void shouldGiveTheRestOfTheFirstThreadToTheProgramItself() throws IOException {
        thread(PROGRAM, PROGRAM, times(10, 12, 0, 1), new int[] {POLL, 1, 1});
        assertThat(build().nonLibrarySeconds()).isEqualTo(9);
    }

    /** Nobody saw when it ended: it may have been long before the program did. */
    @Test
    void shouldEndAnotherThreadWithItsLastCall() throws IOException {
        thread(PROGRAM, 101, times(10, 12, 0, 1), new int[] {POLL, 1, 1});
        assertThat(thread(build(), 101).entireSeconds()).isEqualTo(2);
    }

    /** The first program became the second one at 14 s, in the same process and thread. */
    @Test
    void shouldEndAProgramWhenItBecomesAnotherOne() throws IOException {
        thread(PROGRAM, PROGRAM, times(10, 11, 0, 1), new int[] {});
        thread(PROGRAM, PROGRAM, times(14, 15, 20, 1), new int[] {});
        LibraryProfile profile = build();
        assertThat(profile.entireSeconds()).isEqualTo(4 + 6);
        assertThat(profile.threads()).extracting(ThreadProfile::entireSeconds).containsExactly(6.0, 4.0);
    }

    /** A child that was killed in a call: nothing tells when but the last that any of its threads did. */
    @Test
    void shouldEndTheCallOfAKilledChildWithTheLastEventOfItsProcess() throws IOException {
        thread(CHILD, CHILD, times(10, 11, 0, 1), new int[] {}, POLL);
        thread(CHILD, 201, times(10, 16, 0, 6), new int[] {});
        thread(PROGRAM, PROGRAM, times(10, 19, 20, 9), new int[] {});
        LibraryProfile profile = build();
        assertThat(thread(profile, CHILD).functions())
                .extracting(Function::seconds)
                .containsExactly(5.0);
        assertThat(thread(profile, 201).entireSeconds()).isEqualTo(6);
    }

    /** A call takes 60 ns more, of which the function seems to take 25 longer than its own 10. */
    @Test
    void shouldTellWhatACallCosts() {
        assertThat(gauge(10, 70, 35e-9)).isEqualTo(new ProfileBuilder.Gauge(60, 25));
        assertThat(gauge(10, 70, 200e-9)).as("no more than the whole").isEqualTo(new ProfileBuilder.Gauge(60, 60));
        assertThat(gauge(10, 70, 5e-9)).as("nothing is gained").isEqualTo(new ProfileBuilder.Gauge(60, 0));
        assertThat(gauge(70, 10, 35e-9)).isEqualTo(new ProfileBuilder.Gauge(0, 0));
    }

    private static ProfileBuilder.Gauge gauge(double plainNs, double profiledNs, double secondsPerCall) {
        LibraryProfile.Overhead none = new LibraryProfile.Overhead(0, 0, 1_001, 0);
        // The function with most calls is the one that was called on purpose.
        List<Function> functions = List.of(
                new Function("malloc", "libc", 1, 50, 1),
                new Function("getppid", "libc", 1_024 * secondsPerCall, 50, 1_024));
        LibraryProfile profile = new LibraryProfile(
                List.of("gauge"), 1, "plt-hooks", 0, 1, 1, 0, functions, null, none, 0, 0, List.of(), null, null, 0);
        ProfileBuilder.Gauge gauge = ProfileBuilder.Gauge.of(plainNs, profiledNs, profile);
        return new ProfileBuilder.Gauge(
                gauge.nanosecondsPerCall(), Math.round(gauge.insideNanosecondsPerCall() * 1e6) / 1e6);
    }
}
