package org.naklab.lab.tools.jitter.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.HdrHistogram.Histogram;
import org.jsoup.Jsoup;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.naklab.lab.core.UsageException;
import org.naklab.lab.core.experiment.Answer;
import org.naklab.lab.tools.jitter.JitterReport;
import org.naklab.lab.tools.jitter.JitterReport.OperationCount;
import org.naklab.testing.browser.PageInBrowser;
import picocli.CommandLine.TypeConversionException;

@Timeout(60)
class ArmsTest {
    private static final Jdk JDK = Jdk.own();

    @TempDir
    private Path directory;

    @Test
    void shouldConvertArms() {
        Arm.Converter converter = new Arm.Converter();
        assertThat(converter.convert("default")).isEqualTo(Arm.DEFAULT);
        assertThat(converter.convert("gsi=300000").flags())
                .containsExactly("-XX:+UnlockDiagnosticVMOptions", "-XX:GuaranteedSafepointInterval=300000");
        assertThat(converter.convert("big=-Xmx2g -Xms2g")).isEqualTo(new Arm("big", List.of("-Xmx2g", "-Xms2g")));
        for (String wrong : List.of("", "fast", "x=Xmx2g", "x=", "=-Xmx2g", "gsi=fast")) {
            assertThatThrownBy(() -> converter.convert(wrong)).isInstanceOf(TypeConversionException.class);
        }
    }

    /** The lab's own list of flags would make the JVM ignore it. */
    @Test
    void shouldRefuseAFlagThatTheJdkDoesNotKnow() {
        assertThatThrownBy(() -> new Arm("x", List.of("-XX:+NoSuchFlag")).requireKnownTo(JDK))
                .isInstanceOf(UsageException.class)
                .hasMessageContaining("NoSuchFlag");
        for (Experiment experiment : Experiment.values()) {
            experiment.arms().forEach(arm -> Jdk.found().forEach(arm::requireKnownTo));
        }
    }

    /** So that a difference is the flag's; a flag that only permits others does nothing by itself. */
    @Test
    void shouldCompareEachArmWithOneThatDiffersInOneFlag() {
        for (Experiment experiment : Experiment.values()) {
            List<Arm> arms = experiment.arms();
            List<ArmSummary> summaries = ArmRounds.compared(
                    arms.stream()
                            .map(arm -> ArmSummary.of(JDK, arm, List.of(report(1_000, 1))))
                            .toList(),
                    arms);
            assertThat(summaries).anyMatch(each -> each.against().comparedWith() != null);
            summaries.stream()
                    .filter(each -> each.against().comparedWith() != null)
                    .forEach(each -> {
                        Arm reference = arms.stream()
                                .filter(arm -> arm.name().equals(each.against().comparedWith()))
                                .findFirst()
                                .orElseThrow();
                        assertThat(differences(each.tried().flags(), reference.flags()))
                                .as(experiment + ": " + each.tried().arm() + " and " + reference.name())
                                .hasSize(1);
                    });
        }
    }

    /** Names of the flags that only one of both has, or with another value. */
    private static Set<String> differences(List<String> first, List<String> second) {
        return Stream.of(first, second)
                .flatMap(List::stream)
                .filter(flag -> !(first.contains(flag) && second.contains(flag)))
                .filter(flag -> !flag.startsWith("-XX:+Unlock"))
                .map(flag -> flag.replaceFirst("=.*", "").replaceFirst("-XX:[+-]", "-XX:"))
                .collect(Collectors.toSet());
    }

    /** The same setting twice shows what the machine does besides. */
    @Test
    void shouldTellTwoEqualArmsApart() {
        ArmSummary first = ArmSummary.of(JDK, Arm.DEFAULT, List.of(report(1_000, 0)));
        ArmSummary second = ArmSummary.of(JDK, Arm.DEFAULT, List.of(report(9_000, 9)));
        List<ArmSummary> compared = ArmRounds.compared(List.of(first, second), List.of(Arm.DEFAULT, Arm.DEFAULT));
        assertThat(compared).extracting(each -> each.against().effect()).containsExactly(Answer.REFERENCE, Answer.MORE);
        assertThat(compared)
                .extracting(each -> each.measured().latencyUs().max())
                .doesNotHaveDuplicates();
    }

    @Test
    void shouldFindJdks() throws IOException {
        Path other = directory.resolve("jdk-99");
        Files.createDirectories(other.resolve("bin"));
        Files.writeString(other.resolve("release"), "JAVA_VERSION=\"99.0.1\"\n");
        Files.createFile(other.resolve("bin/java")).toFile().setExecutable(true);
        Path old = directory.resolve("jdk-8");
        Files.createDirectories(old.resolve("bin"));
        Files.writeString(old.resolve("release"), "JAVA_VERSION=\"1.8.0_400\"\n");
        Files.createFile(old.resolve("bin/java")).toFile().setExecutable(true);
        assertThat(Jdk.found(directory)).containsExactly(JDK, new Jdk(99, other.resolve("bin/java")));
        assertThat(Jdk.named(String.valueOf(JDK.feature()))).containsExactly(JDK);
        assertThatThrownBy(() -> Jdk.named("1"))
                .isInstanceOf(UsageException.class)
                .hasMessageContaining("no JDK 1 here");
    }

    @Test
    void shouldSumUpAllRounds() {
        ArmSummary summary = ArmSummary.of(JDK, Arm.DEFAULT, List.of(report(100_000, 3), report(300_000, 5)));
        assertThat(summary.tried().rounds()).isEqualTo(2);
        assertThat(summary.measured().latencyUs().max()).isBetween(299.0, 301.0);
        assertThat(summary.measured().latencyUs().p50()).isBetween(99.0, 101.0);
        assertThat(summary.measured().maxUs()).hasSize(2);
        assertThat(summary.pauses().periodicPerMinute()).isEqualTo(12);
        assertThat(summary.measured().secondsWithOutlier().hits()).isEqualTo(8);
        assertThat(summary.measured().secondsWithOutlier().trials()).isEqualTo(20);
        assertThat(summary.pauses().safepoints()).containsExactly(new OperationCount("Cleanup", 4));
    }

    @Test
    void shouldCompareByIntervalsThatDoNotOverlap() {
        ArmSummary many = ArmSummary.of(JDK, new Arm("many", List.of()), List.of(report(1_000, 10), report(1_000, 10)));
        ArmSummary few = ArmSummary.of(JDK, new Arm("few", List.of()), List.of(report(1_000, 0), report(1_000, 1)));
        ArmSummary some = ArmSummary.of(JDK, new Arm("some", List.of()), List.of(report(1_000, 9), report(1_000, 10)));
        assertThat(few.comparedWith(many, 1).against().effect()).isEqualTo(Answer.FEWER);
        assertThat(many.comparedWith(few, 1).against().effect()).isEqualTo(Answer.MORE);
        assertThat(some.comparedWith(many, 1).against().effect()).isEqualTo(Answer.NO_DIFFERENCE_SEEN);
        assertThat(many.against().effect()).isEqualTo(Answer.REFERENCE);
    }

    /** Ten rounds, each with a tail of a third of that of the first arm. */
    @Test
    void shouldAnswerWhetherTheTailIsShorter() {
        ArmSummary first = ArmSummary.of(JDK, Arm.DEFAULT, tails(300_000));
        ArmSummary shorter = ArmSummary.of(JDK, new Arm("shorter", List.of()), tails(100_000));
        assertThat(first.tail().answer()).isNull();
        assertThat(shorter.comparedWith(first, 1).tail().answer()).isEqualTo(Answer.HELPS);
        ArmSummary longer = ArmSummary.of(JDK, new Arm("longer", List.of()), tails(900_000));
        assertThat(longer.comparedWith(first, 1).tail().answer()).isEqualTo(Answer.HURTS);
        assertThat(longer.comparedWith(first, 1).sentence()).contains("p99.9: hurts, 3.00 times that of default");
        String page = ArmPage.render("gc-threads", List.of(first, shorter.comparedWith(first, 1)));
        assertThat(page).contains("helps", "p99.9: helps, 0.33 times", "20 Cleanup");
    }

    /** The arm without periodic safepoints needs five rounds; the one that is like the reference, too; one whose rounds scatter has all of them, and the reference with it. */
    @Test
    void shouldEndAsSoonAsEachArmHasAnAnswer() throws InterruptedException {
        Arm rare = new Arm("rare", List.of());
        Arm same = new Arm("same", List.of());
        Arm noisy = new Arm("noisy", List.of());
        assertThat(rounds(List.of(Arm.DEFAULT, rare, same))).containsExactly(6, 6, 6);
        assertThat(rounds(List.of(Arm.DEFAULT, rare, noisy))).containsExactly(40, 6, 40);
        assertThat(rounds(List.of(Arm.DEFAULT))).as("nothing is compared").containsExactly(40);

        List<ArmSummary> summaries =
                ArmRounds.run(List.of(JDK), List.of(Arm.DEFAULT, rare, same), 40, ArmsTest::measured);
        assertThat(summaries)
                .extracting(each -> each.against().pauseAnswer())
                .containsExactly(null, Answer.HELPS, Answer.NO_DIFFERENCE);
        assertThat(summaries.get(1).sentence()).contains("in 0 of 60 (0 to 6 %) of the seconds: helps");
    }

    private static List<Integer> rounds(List<Arm> arms) throws InterruptedException {
        return ArmRounds.run(List.of(JDK), arms, 40, ArmsTest::measured).stream()
                .map(summary -> summary.tried().rounds())
                .toList();
    }

    /** Each second has a pause, but for the arm in which none has one, and the one in which nobody knows. */
    private static JitterReport measured(ArmRounds.Candidate candidate, long round) {
        return switch (candidate.arm().name()) {
            case "rare" -> report(300_000, 10, 0);
            case "noisy" -> report(round % 2 == 0 ? 30_000 : 3_000_000, 10, round % 3 == 0 ? 0 : 10);
            default -> report(300_000, 10, 9);
        };
    }

    @Test
    void shouldFitOnTelephonesAndDesktops() throws Exception {
        ArmSummary first = ArmSummary.of(JDK, Arm.DEFAULT, tails(300_000));
        ArmSummary shorter = ArmSummary.of(
                JDK,
                new Arm("shorter", List.of("-XX:+UnlockDiagnosticVMOptions", "-XX:GuaranteedSafepointInterval=0")),
                tails(100_000));
        Path arms = directory.resolve("arms.html");
        ArmPage.write(arms, "gc-threads", List.of(first, shorter.comparedWith(first, 1)));
        PageInBrowser.requireToFit(directory, arms);
        Path jitter = directory.resolve("jitter.html");
        JitterPage.write(jitter, report(300_000, 3));
        PageInBrowser.requireToFit(directory, jitter);
        assertThat(Jsoup.parse(jitter)
                        .select("svg[aria-label^=Outliers] > text")
                        .eachText())
                .as("the titles of both axes")
                .contains("outliers, at most 0", "time within the second, ms");
    }

    /** No two rounds are alike. */
    private static List<JitterReport> tails(long latencyNs) {
        return IntStream.range(0, 10)
                .mapToObj(round -> report(latencyNs + latencyNs / 100 * (round % 3), 1))
                .toList();
    }

    private static JitterReport report(long latencyNs, long secondsWithOutlier) {
        return report(latencyNs, secondsWithOutlier, 0);
    }

    /** Ten seconds. */
    private static JitterReport report(long latencyNs, long secondsWithOutlier, long secondsWithPause) {
        Histogram histogram = new Histogram(3_600_000_000_000L, 3);
        histogram.recordValue(latencyNs);
        return new JitterReport(
                new JitterReport.Run("", "17", List.of(), 10, 1),
                new JitterReport.Threads(20, -1, -1, "spin"),
                new JitterReport.Measured(1, 0, JitterReport.Latency.of(histogram)),
                new JitterReport.Outlying(50, 1, 0, 1, List.of(), List.of(), Collections.nCopies(20, 0L)),
                new JitterReport.Pauses(
                        List.of(), List.of(new OperationCount("Cleanup", 2)), 2, secondsWithOutlier, secondsWithPause),
                new JitterReport.Circumstances(List.of(), List.of(), null, 0, null),
                histogram);
    }
}
