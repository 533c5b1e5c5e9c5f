package org.naklab.lab.tools.jitter.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.naklab.lab.core.UsageException;
import org.naklab.lab.instruments.linux.ThreadAffinity;
import org.naklab.lab.tools.jitter.Injection;
import org.naklab.lab.tools.jitter.MeterSettings;
import picocli.CommandLine;
import picocli.CommandLine.ParameterException;

/** What is measured by the options of the command line. */
@Timeout(60)
final class MeterOptionsTest {
    private static MeterOptions parsed(String line) {
        MeterOptions options = new MeterOptions();
        new CommandLine(options).parseArgs(line.isEmpty() ? new String[0] : line.split(" ", -1));
        return options;
    }

    private static MeterSettings settings(String line) {
        return parsed(line).settings(0, 0);
    }

    /** A message is due early in each pause that is injected, and an outlier is half of one. */
    @ParameterizedTest
    @CsvSource({
        "--inject stop:1ms, 20000, 500000",
        "--inject stop:40us, 10000, 20000",
        "--inject stop:1us, 1000, 500",
        "--inject safepoint:40us --pace 5us, 5000, 20000",
        "--inject stop:40us --threshold 7us, 10000, 7000",
        "--pace 30us, 30000, 50000",
        "--pace 1s --duration 1s, 1000000000, 50000"
    })
    void shouldFitPaceAndThresholdToWhatIsInjected(String line, long paceNs, long thresholdNs) {
        MeterSettings settings = settings(line);
        assertThat(settings.times().paceNs()).isEqualTo(paceNs);
        assertThat(settings.times().thresholdNs()).isEqualTo(thresholdNs);
    }

    @Test
    void shouldMeasureForHalfAMinuteAfterAWarmUp() {
        MeterSettings.Times times = settings("").times();
        assertThat(times.durationNs()).isEqualTo(30_000_000_000L);
        assertThat(times.warmUpNs()).isEqualTo(3_000_000_000L);
        assertThat(times.thresholdNs()).isEqualTo(50_000);
        assertThat(settings("").threads())
                .extracting(MeterSettings.Threads::producerCpu)
                .isEqualTo(-1);
    }

    /** The meter makes safepoints by itself; what is done to it from outside is not its business. */
    @Test
    void shouldTellTheMeterOnlyWhatItMakesByItself() {
        assertThat(settings("--inject safepoint:100us").load().safepoints())
                .isEqualTo(new Injection(Injection.Kind.SAFEPOINT, 100_000));
        MeterOptions stop = parsed("--inject stop:100us");
        assertThat(stop.injection()).isEqualTo(new Injection(Injection.Kind.STOP, 100_000));
        assertThat(stop.settings(0, 0).load().safepoints()).isEqualTo(Injection.NONE);
    }

    @Test
    void shouldAllocateWhatTheOptionOrTheExperimentAsksForWhicheverIsMore() {
        assertThat(parsed("--garbage 5").settings(400, 2_000_000).load())
                .isEqualTo(new MeterSettings.Load(400, 2_000_000, Injection.NONE));
        assertThat(parsed("--garbage 500").settings(400, 0).load().garbageMbPerS())
                .isEqualTo(500);
        assertThat(settings("").load().garbageMbPerS()).isZero();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "--pace 900ns|--pace must be from 1us to 1s",
                "--pace 2s|--pace must be from 1us to 1s",
                "--pace 2ms --duration 1ms|--duration must not be shorter than --pace",
                "--inject preemption:100us|--inject preemption needs --pin"
            })
    void shouldRefuseOptionsThatContradictEachOther(String line, String message) {
        assertThatThrownBy(() -> settings(line))
                .isInstanceOf(UsageException.class)
                .hasMessageContaining(message);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "--inject fire:1ms|'fire' is none of safepoint, preemption, stop",
                "--inject none:1ms|'none' is none of safepoint, preemption, stop",
                "--inject stop|'stop' has no length from 1us to 20ms",
                "--inject stop:21ms|'stop:21ms' has no length from 1us to 20ms",
                "--inject stop:999ns|'stop:999ns' has no length from 1us to 20ms",
                "--pin 0|'0' is not two different CPUs",
                "--pin 1,1|'1,1' is not two different CPUs",
                "--pin 0,9999|must be two of the CPUs",
                "--garbage=-1|must be from 0 to 1000000"
            })
    void shouldRefuseWhatCannotBeMeasured(String line, String message) {
        assertThatThrownBy(() -> parsed(line))
                .isInstanceOf(ParameterException.class)
                .hasMessageContaining(message);
    }

    @Test
    void shouldPinBothThreadsInTheOrderOfTheOption() {
        List<Integer> allowed = ThreadAffinity.allowed();
        assumeThat(allowed).hasSizeGreaterThan(1);
        int first = allowed.get(0);
        int second = allowed.get(1);
        assertThat(settings("--pin " + second + "," + first + " --inject preemption:100us")
                        .threads())
                .satisfies(threads -> {
                    assertThat(threads.producerCpu()).isEqualTo(second);
                    assertThat(threads.consumerCpu()).isEqualTo(first);
                });
    }
}
