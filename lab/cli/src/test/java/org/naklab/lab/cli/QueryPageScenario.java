package org.naklab.lab.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.naklab.testing.Matrix;

/** Runs the snippets of docs/how-to/query-the-history.md as they stand, with pandas and DuckDB, on the history of a real run. */
@Matrix
@Timeout(value = 300, unit = TimeUnit.SECONDS)
final class QueryPageScenario {
    private static final Path PAGE = Path.of(System.getProperty("naklab.root"), "docs/how-to/query-the-history.md");
    private static final String PYTHON =
            Optional.ofNullable(System.getenv("NAKLAB_PYTHON")).orElse("python3");
    /** The exit code of a shell that does not find a command. */
    private static final int NOT_FOUND = 127;

    private static final String MISSING =
            "no pandas and DuckDB for " + PYTHON + " (python3 -m venv, pip install pandas duckdb, set NAKLAB_PYTHON)";

    /** Prints the answer of each query of standard input; the queries end with semicolons. */
    private static final String ANSWER = """
            import sys, duckdb
            for query in sys.stdin.read().split(";"):
                if query.strip():
                    print(duckdb.sql(query).fetchall())
            """;

    @TempDir
    private Path directory;

    @Test
    void shouldRunTheSnippetsOfThePage() throws Exception {
        assumeTrue(python("", "-c", "import pandas, duckdb").exitCode() == 0, MISSING);
        new MysteryRuns(directory).pass("--fidelity", "audited");
        CommandLineRun export = CommandLineRun.of(
                "history",
                "--runs",
                directory.resolve("runs").toString(),
                "--csv",
                directory.resolve("tables").toString());
        assertThat(export.exitCode()).as(export.err()).isZero();
        String page = Files.readString(PAGE);

        Output pandas = python(String.join("\n", blocks(page, "python")), "-");
        assertThat(pandas.exitCode()).as(pandas.text()).isZero();
        assertThat(pandas.text()).contains("none", "began", "late-binding-delay", "socket.mds.");

        // The last block downloads an extension.
        Output duckDb =
                python(blocks(page.substring(page.indexOf("## DuckDB")), "sql").get(0), "-c", ANSWER);
        assertThat(duckDb.exitCode()).as(duckDb.text()).isZero();
        List<String> answers = duckDb.text().lines().toList();
        assertThat(answers).hasSize(2);
        assertThat(answers.get(0)).contains("late-binding-delay");
        assertThat(answers.get(1)).contains("samples.csv.gz", "socket.mds.");
    }

    private static List<String> blocks(String text, String language) {
        List<String> blocks = new ArrayList<>();
        Matcher block = Pattern.compile("```" + language + "\\n(.*?)```", Pattern.DOTALL)
                .matcher(text);
        while (block.find()) {
            blocks.add(block.group(1));
        }
        assertThat(blocks).isNotEmpty();
        return blocks;
    }

    private record Output(int exitCode, String text) {}

    private Output python(String input, String... arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(PYTHON));
        command.addAll(List.of(arguments));
        Path script = Files.writeString(directory.resolve("input"), input);
        ProcessBuilder builder = new ProcessBuilder(command)
                .directory(directory.toFile())
                .redirectInput(script.toFile())
                .redirectErrorStream(true);
        Process python;
        try {
            python = builder.start();
        } catch (IOException e) {
            return new Output(NOT_FOUND, String.valueOf(e.getMessage()));
        }
        String text = new String(python.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        return new Output(python.waitFor(), text);
    }
}
