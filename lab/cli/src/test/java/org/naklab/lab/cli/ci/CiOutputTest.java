package org.naklab.lab.cli.ci;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.naklab.lab.cli.ci.RunVerdict.Condition;
import org.naklab.lab.cli.ci.RunVerdict.Kind;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;

final class CiOutputTest {
    private static final RunVerdict FAILED = new RunVerdict(
            "mystery, remedy none, seed 42",
            Kind.FAIL,
            "cpu-preemption",
            14_200_000_000L,
            List.of(
                    new Condition("run completed", Kind.PASS, "run completed: yes"),
                    new Condition("loss < 1 %", Kind.FAIL, "expected: loss < 1 %; found: 3 %\u0007"),
                    new Condition("journal verifies", Kind.UNKNOWN, "not shown: journal verifies; known: nothing")));

    @TempDir
    private Path directory;

    @Test
    void shouldWriteASuiteForEachRunAndACaseForEachCondition() throws Exception {
        Path file = directory.resolve("runs.xml");
        JunitXml.write(file, List.of(FAILED, FAILED));
        Element root = DocumentBuilderFactory.newInstance()
                .newDocumentBuilder()
                .parse(file.toFile())
                .getDocumentElement();
        assertThat(root.getTagName()).isEqualTo("testsuites");
        NodeList suites = root.getElementsByTagName("testsuite");
        assertThat(suites.getLength()).isEqualTo(2);
        Element suite = (Element) suites.item(0);
        assertThat(suite.getAttribute("name")).isEqualTo("mystery, remedy none, seed 42");
        assertThat(suite.getAttribute("tests")).isEqualTo("3");
        assertThat(suite.getAttribute("failures")).isEqualTo("1");
        assertThat(suite.getAttribute("errors")).isEqualTo("1");
        assertThat(suite.getAttribute("time")).isEqualTo("14.200");
        assertThat(suite.getElementsByTagName("testcase").getLength()).isEqualTo(3);
        Element failure = (Element) suite.getElementsByTagName("failure").item(0);
        assertThat(failure.getAttribute("message")).startsWith("expected: loss < 1 %; found: 3 %");
        Element error = (Element) suite.getElementsByTagName("error").item(0);
        assertThat(((Element) error.getParentNode()).getAttribute("name")).isEqualTo("journal verifies");
    }

    @Test
    void shouldPrintAnAnnotationInOneLine() {
        assertThat(annotation(FAILED))
                .isEqualTo(
                        "::error title=mystery%2C remedy none%2C seed 42::fail, diagnosis cpu-preemption%0Aexpected: loss < 1 "
                                + "%25; found: 3 %25\u0007\n");
        assertThat(annotation(new RunVerdict("baseline", Kind.PASS, "clean", 1, List.of())))
                .isEqualTo("::notice title=baseline::pass, diagnosis clean\n");
        assertThat(annotation(new RunVerdict("baseline", Kind.UNKNOWN, "cannot-tell", 1, List.of())))
                .startsWith("::warning ");
    }

    @Test
    void shouldPrintAnnotationsByDefaultInGitHubActionsOnly() {
        assertThat(new CiOptions(Map.of("GITHUB_ACTIONS", "true")).isAnnotated())
                .isTrue();
        assertThat(new CiOptions(Map.of("GITHUB_ACTIONS", "false")).isAnnotated())
                .isFalse();
        assertThat(new CiOptions(Map.of()).isAnnotated()).isFalse();
    }

    private static String annotation(RunVerdict run) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        Annotations.print(new PrintStream(bytes, true, StandardCharsets.UTF_8), run);
        return bytes.toString(StandardCharsets.UTF_8);
    }
}
