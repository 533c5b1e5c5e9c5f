package org.naklab.lab.cli.history;

import java.io.BufferedWriter;
import java.io.IOException;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.naklab.faults.description.Spelling;
import org.naklab.lab.core.Format;
import org.naklab.lab.core.LabException;
import org.naklab.lab.core.OutputFile;
import org.naklab.lab.core.UsageException;
import org.naklab.lab.runs.history.History;
import org.naklab.lab.runs.history.detail.HistoryTable;
import org.naklab.lab.terminal.Terminal;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

/** The options {@code --csv} and {@code --table}: the tables of the history as CSV files. */
final class CsvExport {
    private static final String STANDARD_OUTPUT = "-";

    @Option(
            names = "--csv",
            paramLabel = "DIR",
            description = "Write each table to DIR/TABLE.csv; or, with --table, one to standard output if DIR is -.")
    private @Nullable String destination;

    @Option(
            names = "--table",
            paramLabel = "T",
            converter = TableConverter.class,
            description = "With --csv: only this table, such as run, stall or latency.")
    private @Nullable HistoryTable table;

    boolean isGiven() {
        return destination != null;
    }

    /** @throws UsageException if the options do not belong together */
    void check(boolean isWithOtherOutput) {
        if (destination == null && table != null) {
            throw new UsageException("--table needs --csv");
        }
        if (destination != null && isWithOtherOutput) {
            throw new UsageException("--csv cannot be combined with --json or --html");
        }
        if (STANDARD_OUTPUT.equals(destination) && table == null) {
            throw new UsageException("--csv - needs --table: standard output has room for one table");
        }
    }

    /** Writes the tables of a history. */
    void write(History history, @Nullable String scenario, Terminal terminal) {
        String to = String.valueOf(destination);
        List<HistoryTable> tables = table == null ? List.of(HistoryTable.values()) : List.of(table);
        try {
            if (to.equals(STANDARD_OUTPUT)) {
                Writer out = new BufferedWriter(new OutputStreamWriter(terminal.out(), StandardCharsets.UTF_8));
                history.export(tables.get(0), scenario, out);
                out.flush();
                return;
            }
            Path directory = OutputFile.directory(Path.of(to));
            for (HistoryTable each : tables) {
                Path file = directory.resolve(each.label() + ".csv");
                OutputFile.replace(file, raw -> {
                    Writer out = new BufferedWriter(new OutputStreamWriter(raw, StandardCharsets.UTF_8));
                    terminal.err().println(Format.counted(history.export(each, scenario, out), "row") + " in " + file);
                    out.flush();
                });
            }
        } catch (IOException e) {
            throw new LabException("cannot write the tables to " + to + ": " + e.getMessage(), e);
        }
    }

    /** Names of tables are spelled as in the database. */
    static final class TableConverter implements ITypeConverter<HistoryTable> {
        @Override
        public HistoryTable convert(String text) {
            return Arrays.stream(HistoryTable.values())
                    .filter(each -> each.label().equals(text))
                    .findFirst()
                    .orElseThrow(() -> new TypeConversionException("'" + text + "' is none of the tables"
                            + Spelling.hint(
                                    text,
                                    Arrays.stream(HistoryTable.values())
                                            .map(HistoryTable::label)
                                            .toList())));
        }
    }
}
