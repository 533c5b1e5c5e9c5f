package org.naklab.lab.bench.tune;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Timeout(10)
final class ArmTest {
    @Test
    void shouldParseEachKindOfSetting() {
        Arm arm = Arm.parse(
                "all=-XX:+UseLargePages LD_PRELOAD=/lib/a.so sysctl:vm.nr_hugepages=640 file:/sys/block/vda/queue/read_ahead_kb=128");
        assertThat(arm.name()).isEqualTo("all");
        assertThat(arm.settings())
                .containsExactly(
                        new Setting.JvmFlag("-XX:+UseLargePages"),
                        new Setting.Variable("LD_PRELOAD", "/lib/a.so"),
                        new Setting.KernelFile(Path.of("/proc/sys/vm/nr_hugepages"), "640"),
                        new Setting.KernelFile(Path.of("/sys/block/vda/queue/read_ahead_kb"), "128"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "-XX:+UseLargePages|is no arm",
                "Upper=-Da=b|is no arm",
                "default=-Da=b|is always there",
                "a=vm.nr_hugepages=640|is no setting",
                "a=sysctl:vm.nr_hugepages|is no setting",
                "a=file:/etc/passwd=x|neither in /sys nor in /proc/sys",
                "a=file:/sys/../etc/passwd=x|neither in /sys nor in /proc/sys"
            })
    void shouldRefuseWhatIsNoArm(String text, String reason) {
        assertThatThrownBy(() -> Arm.parse(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(reason);
    }

    @Test
    void shouldHaveArmsOrReasonsInEachExperiment() {
        assertThat(Arrays.stream(Experiment.values())).allSatisfy(experiment -> {
            ExperimentArms arms = experiment.arms();
            assertThat(arms.possible().size() + arms.leftOut().size()).isPositive();
            assertThat(arms.leftOut().values()).noneMatch(String::isBlank);
            assertThat(Experiment.of(experiment.label())).isEqualTo(experiment);
        });
    }
}
