package org.naklab.lab.cli.doctor.tuning;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.naklab.lab.tools.tune.Experiment;
import org.naklab.lab.tools.tune.SeparateBench;

@Timeout(60)
final class TuningAuditTest {
    @TempDir
    private Path root;

    @Test
    void shouldFindSomethingForEachExperimentWithTheCommandThatMeasuresIt() {
        List<TuningFinding> findings = TuningAudit.examine();
        assertThat(findings)
                .extracting(TuningFinding::experiment)
                .containsExactlyElementsOf(Stream.concat(
                                Arrays.stream(Experiment.values()).map(Experiment::label),
                                Arrays.stream(SeparateBench.values()).map(SeparateBench::label))
                        .toList());
        assertThat(findings).allSatisfy(finding -> {
            assertThat(finding.found()).isNotBlank();
            assertThat(finding.reason()).isNotBlank();
            assertThat(finding.command())
                    .endsWith(SeparateBench.of(finding.experiment())
                            .map(bench -> " " + bench.command())
                            .orElse(" tune --experiment " + finding.experiment()));
        });
    }

    @Test
    void shouldReadHowTheKernelGivesHugePages() throws IOException {
        kernel("/sys/kernel/mm/transparent_hugepage/enabled", "[always] madvise never\n");
        kernel("/sys/kernel/mm/transparent_hugepage/defrag", "always defer [madvise] never\n");
        kernel("/proc/sys/vm/nr_hugepages", "768\n");
        kernel("/proc/vmstat", "compact_fail 3\ncompact_stall 17\n");
        TuningFinding pages = finding(Experiment.PAGES);
        assertThat(pages.found())
                .isEqualTo("transparent huge pages: always, defragmentation: madvise; 768 huge pages reserved;"
                        + " 17 waits for compaction since the machine started");
        assertThat(pages.reason()).contains("unasked");

        kernel("/sys/kernel/mm/transparent_hugepage/enabled", "always [madvise] never\n");
        assertThat(finding(Experiment.PAGES).reason()).contains("only to a program that asks for them");

        kernel("/sys/kernel/mm/transparent_hugepage/enabled", "always madvise [never]\n");
        assertThat(finding(Experiment.PAGES).reason()).contains("gives no transparent huge pages");
    }

    @Test
    void shouldWarnOfCollectorThreadsBeyondTheQuotaOfTheControlGroup() throws IOException {
        kernel("/proc/self/cgroup", "0::/lab\n");
        kernel("/sys/fs/cgroup/lab/cpu.max", "max 100000\n");
        assertThat(finding(Experiment.GC_THREADS).reason()).startsWith("a pause lasts until");
        assertThat(finding(Experiment.PROCESSORS).found()).contains("no limit of processor time");

        kernel("/sys/fs/cgroup/lab/cpu.max", "50000 100000\n");
        assertThat(finding(Experiment.GC_THREADS).reason()).contains("the time of 0.5 processors");
        assertThat(finding(Experiment.PROCESSORS).found()).contains("0.5 processors' time");
    }

    @Test
    void shouldReadTheQuotaOfVersionOne() throws IOException {
        kernel("/proc/self/cgroup", "3:cpuset:/\n1:cpu,cpuacct:/lab\n0::/\n");
        kernel("/sys/fs/cgroup/cpu/lab/cpu.cfs_quota_us", "-1\n");
        kernel("/sys/fs/cgroup/cpu/lab/cpu.cfs_period_us", "100000\n");
        assertThat(finding(Experiment.PROCESSORS).found()).contains("no limit of processor time");

        kernel("/sys/fs/cgroup/cpu/lab/cpu.cfs_quota_us", "150000\n");
        assertThat(finding(Experiment.PROCESSORS).found()).contains("1.5 processors' time");
    }

    @Test
    void shouldTellTheLimitOfOpenFiles() throws IOException {
        kernel("/proc/self/limits", """
                Limit                     Soft Limit           Hard Limit           Units
                Max open files            256                  4096                 files
                """);
        kernel("/proc/self/fd/0", "");
        kernel("/proc/self/fd/1", "");
        assertThat(finding(Experiment.DESCRIPTORS).found())
                .isEqualTo(
                        "open files of a process: at most 256, and 4096 if it asks for more; this process has 2 open");
    }

    @Test
    void shouldTellWhereSplitLocksWouldStall() throws IOException {
        kernel("/proc/cpuinfo", "flags\t\t: fpu split_lock_detect\n");
        kernel("/proc/sys/kernel/split_lock_mitigate", "1\n");
        assertThat(finding(Experiment.ALIGNMENT).reason())
                .contains("makes a thread")
                .contains("wait");
        kernel("/proc/cpuinfo", "flags\t\t: fpu\n");
        assertThat(finding(Experiment.ALIGNMENT).reason()).contains("only a lower throughput shows it");
    }

    @Test
    void shouldSayWhatItCannotRead() {
        assertThat(finding(Experiment.DIRECT_IO).found()).contains("vm.dirty_ratio: unknown");
    }

    private TuningFinding finding(Experiment experiment) {
        return TuningAudit.examine(root).stream()
                .filter(finding -> finding.experiment().equals(experiment.label()))
                .findFirst()
                .orElseThrow();
    }

    private void kernel(String file, String text) throws IOException {
        Path path = root.resolve(file.substring(1));
        Files.createDirectories(path.getParent());
        Files.writeString(path, text);
    }
}
