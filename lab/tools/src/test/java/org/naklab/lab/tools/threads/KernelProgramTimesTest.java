package org.naklab.lab.tools.threads;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class KernelProgramTimesTest {
    @TempDir
    Path directory;

    @Test
    void shouldAddUpTheProgramsAmongTheDescriptors() throws IOException {
        Files.writeString(directory.resolve("0"), "pos:\t0\nflags:\t0100000\n");
        Files.writeString(directory.resolve("7"), "prog_type:\t26\nrun_time_ns:\t154140870\nrun_cnt:\t260278\n");
        Files.writeString(directory.resolve("8"), "prog_type:\t26\nrun_time_ns:\t1000\nrun_cnt:\t2\n");

        assertThat(KernelProgramTimes.ofDescriptors(directory)).isEqualTo(new KernelProgramTimes(260_280, 154_141_870));
    }

    @Test
    void shouldReadNothingOfAProcessThatHasEnded() throws IOException {
        assertThat(KernelProgramTimes.ofDescriptors(directory.resolve("ended")))
                .isEqualTo(new KernelProgramTimes(0, 0));
    }

    @Test
    void shouldSubtractAnEarlierReading() {
        assertThat(new KernelProgramTimes(10, 500).since(new KernelProgramTimes(4, 200)))
                .isEqualTo(new KernelProgramTimes(6, 300));
    }
}
