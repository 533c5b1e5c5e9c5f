package org.naklab.lab.terminal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.naklab.lab.terminal.Table.Align;

@Timeout(60)
final class TableTest {
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    private final PrintStream out = new PrintStream(bytes, true, StandardCharsets.UTF_8);
    private final Terminal terminal = Terminal.of(out, out);

    @Test
    void shouldMakeColumnsAsWideAsTheirCells() {
        assertThat(printed(table -> table.head("name", "n").row("a", "1,000").row("longer", "7")))
                .containsExactly("  name        n", "  a       1,000", "  longer      7");
    }

    @Test
    void shouldLetTheLastOfFewerCellsSpanTheOthers() {
        Table table = new Table(terminal, out, Align.LEFT, Align.LEFT, Align.LEFT)
                .row("kernel", "both a long description")
                .row("drops", "0", "12");
        assertThat(table.naturalWidth()).isEqualTo("  kernel  both a long description".length());
        table.print();
        assertThat(lines()).containsExactly("  kernel  both a long description", "  drops   0  12");
    }

    @Test
    void shouldPrintMarkupThatIsPartOfTheText() {
        assertThat(printed(table -> table.bold("@|red x|@", "@|bold y|@").row("@@|a", "|@")))
                .containsExactly("  @|red x|@  @|bold y|@", "  @@|a               |@");
    }

    @Test
    void shouldRefuseMoreCellsThanColumns() {
        Table table = new Table(terminal, out, Align.LEFT);
        assertThatThrownBy(() -> table.row("a", "b")).hasMessage("2 cells for 1 columns");
    }

    @Test
    void shouldWrapBetweenWords() {
        assertThat(hanging("one two three four", 24)).containsExactly("  why  one two three", "       four");
        assertThat(hanging("one two three four", Integer.MAX_VALUE)).containsExactly("  why  one two three four");
        assertThat(hanging("", 40)).containsExactly("  why");
    }

    @Test
    void shouldNotBreakPathsRatesAndOptions() {
        assertThat(hanging("receive events/s --first-seed 1", 24))
                .containsExactly("  why  receive events/s", "       --first-seed 1");
        assertThat(hanging("larger: sysctl -w net.core.rmem_max=8", 29))
                .containsExactly("  why  larger: sysctl -w", "       net.core.rmem_max=8");
        assertThat(hanging("see runs/mystery/latest-42 for it", 23))
                .as("a word that does not fit is left to the terminal")
                .containsExactly("  why  see runs/mystery/latest-42 for it");
    }

    @Test
    void shouldTruncateALineThatIsRewritten() {
        assertThat(Table.truncated(terminal, out, "published 1,000", 12)).isEqualTo("published");
        assertThat(Table.truncated(terminal, out, "short", Integer.MAX_VALUE)).isEqualTo("short");
        assertThat(Table.truncated(terminal, out, "", 79)).isEmpty();
    }

    private List<String> printed(Consumer<Table> rows) {
        Table table = new Table(terminal, out, Align.LEFT, Align.RIGHT);
        rows.accept(table);
        table.print();
        return lines();
    }

    private List<String> hanging(String text, int columns) {
        bytes.reset();
        terminal.printHanging(out, "  why  ", text, columns);
        return lines();
    }

    private List<String> lines() {
        return bytes.toString(StandardCharsets.UTF_8).lines().toList();
    }
}
