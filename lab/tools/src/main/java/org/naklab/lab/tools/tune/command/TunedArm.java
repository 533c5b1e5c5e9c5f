package org.naklab.lab.tools.tune.command;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.naklab.lab.core.Format;
import org.naklab.lab.core.experiment.Answer;
import org.naklab.lab.scenarios.experiment.WilsonInterval;
import org.naklab.lab.tools.tune.AnytimeInterval;
import org.naklab.lab.tools.tune.ArmResult;
import org.naklab.lab.tools.tune.NoLongerDone;
import org.naklab.lab.tools.tune.Sample;
import org.naklab.lab.tools.tune.Setting;
import org.naklab.lab.tools.tune.workload.Figure;

/**
 * An arm as it is printed.
 *
 * @param figures what else was measured, medians of the runs
 * @param price medians of the runs; {@code null}: no run measured anything
 */
public record TunedArm(
        String name,
        List<String> settings,
        @JsonUnwrapped Tries tries,
        @JsonUnwrapped Outcome outcome,
        @JsonUnwrapped Proof proof,
        List<Figure> figures,
        @Nullable Price price) {
    /**
     * Counts the runs.
     *
     * @param runs that measured something
     * @param failures why other runs did not; they are in no figure
     * @param failedVerdicts how many of the runs had the verdict fail
     */
    public record Tries(int runs, List<String> failures, long failedVerdicts) {}

    /**
     * Compares the arm with the control.
     *
     * @param median of the values; {@code null}: no run measured anything, or a run hits or does not
     * @param share of the runs that hit; {@code null}: the runs have values
     * @param effect against the control: relative, or the difference of the shares; {@code null}: it is the control, or there are too few runs for an interval
     * @param answer {@code null}: it is the control
     */
    public record Outcome(
            @Nullable Double median,

            @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable
            WilsonInterval share,

            @Nullable AnytimeInterval effect,
            @Nullable Answer answer) {}

    /**
     * Tells whether the settings took effect.
     *
     * @param inEffect what shows that they did
     * @param missing settings that were not found in the process
     */
    public record Proof(List<String> inEffect, List<String> missing) {}

    private static final double PERCENT = 100;

    /**
     * Tells what an arm costs: memory without pages of files on a disk, the part of it in huge pages, time until the task began, processor time.
     *
     * @param noLongerDone what no run measures, a sentence for each
     */
    public record Price(
            double memoryBytes, double hugePageBytes, double startMs, double cpuMs, List<String> noLongerDone) {}

    static TunedArm of(ArmResult result) {
        boolean isControl = result.answer() == Answer.REFERENCE;
        boolean hasInterval = !isControl && Double.isFinite(result.effect().high());
        List<Sample> samples = result.samples();
        return new TunedArm(
                result.arm().name(),
                result.arm().settings().stream().map(Setting::toString).toList(),
                new Tries(
                        samples.size(),
                        result.failures(),
                        samples.stream()
                                .filter(sample -> !sample.failedConditions().isEmpty())
                                .count()),
                new Outcome(
                        samples.isEmpty() || result.share() != null ? null : result.median(Sample::value),
                        result.share(),
                        hasInterval ? result.effect() : null,
                        isControl ? null : result.answer()),
                new Proof(
                        samples.isEmpty()
                                ? List.of()
                                : samples.get(samples.size() - 1).effect().proof(),
                        samples.stream()
                                .flatMap(sample -> sample.effect().missing().stream())
                                .distinct()
                                .toList()),
                figures(result),
                samples.isEmpty() ? null : price(result));
    }

    private static Price price(ArmResult result) {
        return new Price(
                result.median(each -> each.cost().memoryBytes()),
                result.median(each -> each.cost().hugePageBytes()),
                result.median(each -> each.cost().startMs()),
                result.median(each -> each.cost().cpuMs()),
                NoLongerDone.of(result.arm().settings()));
    }

    /** Returns the names of the figures, which all arms have that measured something. */
    static List<String> figureNames(List<TunedArm> arms) {
        return arms.stream()
                .filter(arm -> !arm.figures().isEmpty())
                .findFirst()
                .map(arm -> arm.figures().stream().map(Figure::name).toList())
                .orElse(List.of());
    }

    private static List<Figure> figures(ArmResult result) {
        if (result.samples().isEmpty()) {
            return List.of();
        }
        List<Figure> first = result.samples().get(0).figures();
        return IntStream.range(0, first.size())
                .mapToObj(i -> new Figure(
                        first.get(i).name(),
                        result.median(sample -> sample.figures().get(i).value())))
                .toList();
    }

    /** Returns the answer; {@code null}: it is the control. */
    public @Nullable Answer answer() {
        return outcome.answer();
    }

    /** Returns the latency that one event in a thousand exceeded, the median of the runs of a scenario, µs; 0 if none was measured. */
    public double p999Us() {
        return figures.stream()
                .filter(figure -> figure.name().equals(ScenarioMeasurement.P999))
                .mapToDouble(Figure::value)
                .findFirst()
                .orElse(0);
    }

    @Nullable
    AnytimeInterval effect() {
        return outcome.effect();
    }

    String effectText() {
        AnytimeInterval effect = outcome.effect();
        boolean isShare = outcome.share() != null;
        return effect == null
                ? ""
                : Stream.of(effect.mean(), effect.low(), effect.high())
                                .map(part -> String.format(Locale.ROOT, isShare ? "%+.0f" : "%+.1f", part * PERCENT))
                                .reduce((text, part) -> text.contains("(")
                                        ? text + " to " + part
                                        : text + (isShare ? " points (" : " % (") + part)
                                .orElseThrow()
                        + ")";
    }

    /** Returns the number of runs, and what became of those that do not count or are doubtful. */
    String runsText() {
        StringBuilder text = new StringBuilder().append(tries.runs());
        if (!tries.failures().isEmpty()) {
            text.append(", ").append(tries.failures().size()).append(" left out");
        }
        if (tries.failedVerdicts() > 0) {
            text.append(", ").append(tries.failedVerdicts()).append(" with verdict fail");
        }
        return text.toString();
    }

    String medianText() {
        WilsonInterval share = outcome.share();
        if (share != null) {
            return share.text();
        }
        Double median = outcome.median();
        return median == null ? "" : Format.count(Math.round(median));
    }

    String memoryText() {
        return price == null ? "" : Format.bytes(Math.round(price.memoryBytes()));
    }

    String hugeText() {
        return price == null ? "" : Format.bytes(Math.round(price.hugePageBytes()));
    }

    String startText() {
        return price == null ? "" : Format.milliseconds(price.startMs());
    }

    List<String> noLongerDone() {
        return price == null ? List.of() : price.noLongerDone();
    }

    String[] cells() {
        Answer answer = outcome.answer();
        return new String[] {
            name,
            runsText(),
            medianText(),
            effectText(),
            answer == null ? "" : answer.label(),
            memoryText(),
            startText()
        };
    }
}
