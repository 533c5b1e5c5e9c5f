package org.naklab.lab.cli.tune;

import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.naklab.lab.bench.tune.Answer;
import org.naklab.lab.bench.tune.AnytimeInterval;
import org.naklab.lab.bench.tune.Arm;
import org.naklab.lab.bench.tune.ArmResult;
import org.naklab.lab.bench.tune.Sample;
import org.naklab.lab.bench.tune.Setting;
import org.naklab.lab.bench.tune.workload.Figure;
import org.naklab.lab.core.Format;

/**
 * An arm as it is printed.
 *
 * @param median of the values
 * @param effect relative, against the default; {@code null}: it is the default, or there are too few runs for an interval
 * @param answer {@code null}: it is the default
 * @param inEffect what shows that the settings took effect
 * @param missing settings that were not found in the process
 * @param figures what else was measured, medians of the runs
 * @param price medians of the runs
 */
record TunedArm(
        String name,
        List<String> settings,
        int runs,
        double median,
        @Nullable AnytimeInterval effect,
        @Nullable Answer answer,
        List<String> inEffect,
        List<String> missing,
        List<Figure> figures,
        Price price) {
    private static final double PERCENT = 100;

    /** What an arm needs: memory without pages of files on a disk, the part of it in huge pages, time until the task began, processor time. */
    record Price(double memoryBytes, double hugePageBytes, double startMs, double cpuMs) {}

    static TunedArm of(ArmResult result) {
        boolean isControl = result.arm().equals(Arm.CONTROL);
        boolean hasInterval = !isControl && Double.isFinite(result.effect().high());
        List<Sample> samples = result.samples();
        return new TunedArm(
                result.arm().name(),
                result.arm().settings().stream().map(Setting::toString).toList(),
                samples.size(),
                result.median(Sample::value),
                hasInterval ? result.effect() : null,
                isControl ? null : result.answer(),
                samples.get(samples.size() - 1).proof(),
                samples.stream()
                        .flatMap(sample -> sample.missing().stream())
                        .distinct()
                        .toList(),
                figures(result),
                new Price(
                        result.median(Sample::memoryBytes),
                        result.median(Sample::hugePageBytes),
                        result.median(Sample::startMs),
                        result.median(Sample::cpuMs)));
    }

    private static List<Figure> figures(ArmResult result) {
        List<Figure> first = result.samples().get(0).figures();
        return IntStream.range(0, first.size())
                .mapToObj(i -> new Figure(
                        first.get(i).name(),
                        result.median(sample -> sample.figures().get(i).value())))
                .toList();
    }

    String effectText() {
        return effect == null
                ? ""
                : Stream.of(effect.mean(), effect.low(), effect.high())
                                .map(part -> String.format(Locale.ROOT, "%+.1f", part * PERCENT))
                                .reduce((text, part) ->
                                        text.contains("(") ? text + " to " + part : text + " % (" + part)
                                .orElseThrow()
                        + ")";
    }

    String[] cells() {
        return new String[] {
            name,
            Integer.toString(runs),
            Format.count(Math.round(median)),
            effectText(),
            answer == null ? "" : answer.label(),
            Format.bytes(Math.round(price.memoryBytes())),
            Format.milliseconds(price.startMs())
        };
    }
}
