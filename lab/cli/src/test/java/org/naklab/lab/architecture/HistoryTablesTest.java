package org.naklab.lab.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.naklab.lab.runs.history.History;
import org.naklab.lab.runs.history.HistoryUrl;
import org.naklab.lab.runs.history.detail.HistoryTable;

/** The page on the history describes each table with each column. */
@Timeout(60)
final class HistoryTablesTest {
    private static final Path PAGE = Path.of(System.getProperty("naklab.root"), "docs/reference/history.md");
    private static final List<String> KEY = List.of("host", "run_directory");

    @TempDir
    private Path runs;

    @Test
    void shouldDescribeEachColumnOfEachTable() throws IOException {
        String page = Files.readString(PAGE);
        History history = History.open(HistoryUrl.inRuns(runs));
        for (HistoryTable table : HistoryTable.values()) {
            StringBuilder csv = new StringBuilder();
            history.export(table, null, csv);
            for (String column : csv.toString().strip().split(",", -1)) {
                assertThat(KEY.contains(column) ? page : section(page, table))
                        .as(table.label() + "." + column)
                        .contains("`" + column + "`");
            }
        }
    }

    private static String section(String page, HistoryTable table) {
        return page.lines()
                .filter(line -> line.startsWith("### `") && line.contains("`" + table.label() + "`"))
                .findFirst()
                .map(heading -> page.substring(page.indexOf(heading)))
                .map(rest -> rest.substring(0, Math.max(rest.indexOf("\n##", 1), 0)))
                .orElse("");
    }
}
