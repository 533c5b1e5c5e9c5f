package org.naklab.lab.instruments.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.LongStream;
import org.assertj.core.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.naklab.lab.core.timeline.DetectException;
import org.naklab.lab.core.timeline.Interval;
import org.naklab.testing.host.Installed;

/** Records a foreign process that measures by itself how long it stands still. */
@Timeout(120)
abstract class VictimRecording {
    static final long LONG_NS = 200_000_000L;

    /** Bounds the share of the wait in what the victim measured; the rest is its own work around the wait. */
    static final double SHARE = 0.9;

    @TempDir
    static Path directory;

    static Path program;

    @TempDir
    Path own;

    final RecordLog log = new RecordLog();

    @BeforeAll
    static void prepare() throws Exception {
        Assumptions.assumeThat(KernelRecorder.whyNot(RecorderSource.BPF)).isEmpty();
        Installed.assume("cc");
        program = Victim.compile(directory);
    }

    final KernelRecorder record(RecorderSettings settings, Victim... victims) {
        List<Long> pids = LongStream.of(
                        java.util.Arrays.stream(victims).mapToLong(Victim::pid).toArray())
                .boxed()
                .toList();
        return KernelRecorder.start(RecorderSource.BPF, pids, settings, log);
    }

    /** Ends the recorder first: a short absence within the span may have been delivered while the longest one has not. */
    final Absence longestIn(KernelRecorder recorder, Interval span, String comm) {
        end(recorder);
        return log.longestIn(span, comm);
    }

    /** Before its time, so that everything has been delivered. */
    static void end(KernelRecorder recorder) {
        recorder.close();
    }

    /** The absence accounts for the span. */
    final void assertExplains(Absence absence, Interval span) {
        double covered = span.coveredBy(List.of(absence.interval(0)));
        assertThat(covered).as(absence + " of " + span).isGreaterThan(SHARE);
        assertThat(absence.blockedNs() + absence.runnableNs()).isEqualTo(absence.lengthNs());
    }

    static char state(long pid) {
        try {
            String stat = Files.readString(Path.of("/proc", Long.toString(pid), "stat"));
            return stat.charAt(stat.lastIndexOf(')') + 2);
        } catch (IOException e) {
            throw new DetectException("the victim is gone", e);
        }
    }

    static boolean run(String... command) throws IOException, InterruptedException {
        try {
            return new ProcessBuilder(command).inheritIO().start().waitFor() == 0;
        } catch (IOException notInstalled) {
            return false;
        }
    }

    static String command(ProcessHandle process) {
        return process.info().command().orElse("");
    }
}
