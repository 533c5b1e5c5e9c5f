package org.naklab.testing;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** Writes what the tests of the matrix gave, beside the file of results: {@code matrix.md} for readers, {@code matrix.json} for programs. */
final class MatrixDocument {
    private final List<TestRecord> tests;

    private MatrixDocument(List<TestRecord> tests) {
        this.tests = tests;
    }

    /** The commit of the last test counts, and of a test that was run several times at that commit, the last result. */
    static MatrixDocument of(List<TestRecord> all) {
        Map<String, TestRecord> last = new LinkedHashMap<>();
        String commit = all.isEmpty() ? "" : all.get(all.size() - 1).commit();
        all.stream().filter(test -> test.commit().equals(commit)).forEach(test -> last.put(test.id(), test));
        return new MatrixDocument(List.copyOf(last.values()));
    }

    static void write(Path results) throws IOException {
        MatrixDocument document = of(Files.readAllLines(results).stream()
                .skip(1)
                .map(TestRecord::parse)
                .toList());
        Files.writeString(results.resolveSibling("matrix.md"), document.markdown());
        Files.writeString(results.resolveSibling("matrix.json"), document.json());
    }

    String markdown() {
        StringBuilder text = new StringBuilder();
        text.append(String.format(
                Locale.ROOT,
                "Commit %s: %d passed, %d failed, %d skipped, in %.0f s.%n%n",
                String.join(
                        ", ",
                        new TreeSet<>(tests.stream().map(TestRecord::commit).toList())),
                count(TestRecord.PASSED),
                count(TestRecord.FAILED),
                count(TestRecord.SKIPPED),
                tests.stream().mapToDouble(TestRecord::seconds).sum()));
        text.append("| test | s | attempts | result | reason |\n|---|---:|---:|---|---|\n");
        for (TestRecord test : tests) {
            text.append(String.format(
                    Locale.ROOT,
                    "| %s | %.1f | %d | %s | %s |%n",
                    cell(test.test()),
                    test.seconds(),
                    test.attempts(),
                    test.result(),
                    cell(test.reason())));
        }
        return text.toString();
    }

    String json() {
        return tests.stream()
                .map(test -> String.format(
                        Locale.ROOT,
                        "{\"test\":\"%s\",\"seconds\":%.1f,\"attempts\":%d,\"result\":\"%s\",\"reason\":\"%s\",\"commit\":\"%s\"}",
                        escaped(test.test()),
                        test.seconds(),
                        test.attempts(),
                        test.result(),
                        escaped(test.reason()),
                        escaped(test.commit())))
                .collect(Collectors.joining(",\n", "[\n", "\n]\n"));
    }

    private long count(String result) {
        return tests.stream().filter(test -> test.result().equals(result)).count();
    }

    private static String cell(String text) {
        return text.replace("|", "\\|").replace("<", "&lt;");
    }

    private static String escaped(String text) {
        StringBuilder escaped = new StringBuilder();
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c < ' ') {
                escaped.append(String.format(Locale.ROOT, "\\u%04x", (int) c));
            } else {
                escaped.append(c == '"' || c == '\\' ? "\\" : "").append(c);
            }
        }
        return escaped.toString();
    }
}
