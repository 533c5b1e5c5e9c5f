package org.naklab.lab.watch.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Parses the text format of Prometheus, version 0.0.4, and refuses what does not conform to it. */
record PrometheusText(Map<String, String> types, Map<String, String> helps, List<Sample> samples) {
    private static final Pattern COMMENT = Pattern.compile("# (HELP|TYPE) ([a-zA-Z_:][a-zA-Z0-9_:]*) (.+)");
    private static final Pattern SAMPLE =
            Pattern.compile("([a-zA-Z_:][a-zA-Z0-9_:]*)(?:\\{(.*)})? (NaN|[+-]?Inf|[-+0-9.eE]+)");
    private static final Pattern LABEL =
            Pattern.compile("([a-zA-Z_][a-zA-Z0-9_]*)=\"((?:[^\"\\\\\n]|\\\\[\\\\\"n])*)\"");

    /** A line with a value. */
    record Sample(String name, Map<String, String> labels, double value) {}

    static PrometheusText parse(String text) {
        PrometheusText parsed = new PrometheusText(new LinkedHashMap<>(), new LinkedHashMap<>(), new ArrayList<>());
        assertThat(text).endsWith("\n");
        text.lines().forEach(parsed::line);
        assertThat(parsed.samples.stream().map(sample -> sample.name + sample.labels))
                .as("series that occur twice")
                .doesNotHaveDuplicates();
        return parsed;
    }

    private void line(String line) {
        Matcher comment = COMMENT.matcher(line);
        if (comment.matches()) {
            Map<String, String> texts = comment.group(1).equals("HELP") ? helps : types;
            assertThat(texts.put(comment.group(2), comment.group(3)))
                    .as("a second comment: %s", line)
                    .isNull();
            return;
        }
        Matcher sample = SAMPLE.matcher(line);
        assertThat(sample.matches()).as("neither comment nor sample: %s", line).isTrue();
        samples.add(new Sample(sample.group(1), labels(sample.group(2)), Double.parseDouble(sample.group(3))));
    }

    private static Map<String, String> labels(String text) {
        Map<String, String> labels = new LinkedHashMap<>();
        if (text == null) {
            return labels;
        }
        int end = 0;
        Matcher label = LABEL.matcher(text);
        while (label.find()) {
            assertThat(text.substring(end, label.start())).isEqualTo(end == 0 ? "" : ",");
            labels.put(label.group(1), label.group(2));
            end = label.end();
        }
        assertThat(text.substring(end)).isIn("", ",");
        return labels;
    }

    Set<String> names() {
        return samples.stream().map(Sample::name).collect(Collectors.toSet());
    }

    List<Sample> of(String name) {
        return samples.stream().filter(sample -> sample.name.equals(name)).toList();
    }

    /** Returns the value of the only series that has this label. */
    double value(String name, String label, String value) {
        List<Sample> found = of(name).stream()
                .filter(sample -> value.equals(sample.labels.get(label)))
                .toList();
        assertThat(found).as("%s with %s=%s", name, label, value).hasSize(1);
        return found.get(0).value;
    }
}
