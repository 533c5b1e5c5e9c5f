package org.naklab.lab.tools.tune;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(60)
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

    @Test
    void shouldParseWhatIsSetOfTheProcess() {
        Arm arm = Arm.parse("all=limit:nofile=512 cpus:quota=1.5 cpus:set=0-1,3 memory:limit=256m");
        assertThat(arm.limits()).containsExactly(new Setting.Limit("nofile", "512"));
        assertThat(arm.grouped())
                .containsExactly(
                        new Setting.ProcessorQuota(1.5),
                        new Setting.ProcessorSet("0-1,3"),
                        new Setting.MemoryLimit(256));
        assertThat(Arm.parse("full=observe:full -Da=b").observed()).contains("full");
        assertThat(Arm.parse("full=observe:full").settings()).hasToString("[observe:full]");
        assertThat(arm.observed()).isEmpty();
        assertThat(arm.ofBenchmarksOnly()).hasSize(4);
        assertThat(arm.settings()).allSatisfy(setting -> assertThat(Setting.parse(setting.toString()))
                .isEqualTo(setting));
    }

    /** A kernel parameter may have several numbers. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "udp=sysctl:net.ipv4.udp_mem='1 2 3' -Da=b",
                "udp=sysctl:net.ipv4.udp_mem=\"1 2 3\"  -Da=b",
                "udp='sysctl:net.ipv4.udp_mem=1 2 3' -Da=b"
            })
    void shouldTakeSpacesBetweenQuotes(String text) {
        assertThat(Arm.parse(text).settings())
                .containsExactly(
                        new Setting.KernelFile(Path.of("/proc/sys/net/ipv4/udp_mem"), "1 2 3"),
                        new Setting.JvmFlag("-Da=b"));
    }

    @Test
    void shouldNameThePriceThatNoRunMeasures() {
        assertThat(NoLongerDone.of(Arm.parse("a=-XX:GuaranteedSafepointInterval=300000 -Da=b")
                        .settings()))
                .singleElement()
                .asString()
                .contains("postpones its clean-up");
        assertThat(NoLongerDone.of(
                        Arm.parse("a=-XX:GuaranteedSafepointInterval=100").settings()))
                .isEmpty();
        assertThat(Experiment.PAGES.arms().possible())
                .allSatisfy(arm -> assertThat(NoLongerDone.of(arm.settings())).isNotEmpty());
    }

    /** The JVM accepts the flag although the kernel may give no huge page. */
    @Test
    void shouldNotTakeAFlagForHugePages() {
        Arm arm = Arm.parse("transparent=-XX:+UseTransparentHugePages");
        assertThat(HugePages.missing(arm, 0)).singleElement().asString().contains("no memory in huge pages");
        assertThat(HugePages.missing(arm, 2 << 20)).isEmpty();
        assertThat(HugePages.missing(Arm.parse("other=-Da=b"), 0)).isEmpty();
        assertThat(HugePages.missing(Arm.parse("always=file:/sys/kernel/mm/transparent_hugepage/enabled=always"), 0))
                .isNotEmpty();
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
                "a=limit:stack=1|is no setting",
                "a=limit:nofile=many|is no setting",
                "a=cpus:quota=half|is no setting",
                "a=memory:limit=much|is no setting",
                "a=-Da=\"b|without its end",
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
