package org.naklab.lab.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.naklab.lab.core.account.AccountKind;

/** Compares the table of kinds in the documentation with the enum. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
final class AccountTableTest {
    private static final Path PAGE = Path.of(System.getProperty("naklab.root"), "docs/reference/account.md");
    private static final String HEADING = "## Kinds";

    @Test
    void shouldHaveTheRowOfEveryKindAndNoOther() throws IOException {
        List<String> rows = Arrays.stream(AccountKind.values())
                .map(kind -> "| `" + kind.label() + "` | " + kind.meaning() + " |"
                        + (kind.detail().isEmpty() ? "" : " " + kind.detail()) + " |")
                .toList();
        assertThat(rowsOfPage()).isEqualTo(rows);
    }

    private static List<String> rowsOfPage() throws IOException {
        return Files.readAllLines(PAGE).stream()
                .dropWhile(line -> !line.equals(HEADING))
                .skip(1)
                .takeWhile(line -> !line.startsWith("## "))
                .filter(line -> line.startsWith("| `"))
                .toList();
    }
}
