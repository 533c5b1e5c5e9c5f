package org.naklab.lab.core.books;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.naklab.lab.core.InputException;

@Timeout(10)
class BooksFileTest {
    @TempDir
    Path directory;

    @Test
    void shouldReadWhatWasWrittenAndLeaveOutALineThatIsNotWhole() throws IOException {
        BookView valid = new BookView(
                5,
                "mds",
                7,
                BookView.Validity.VALID,
                0,
                1_000,
                List.of(new BookView.Level(1_000_000, 200, 2)),
                List.of(),
                new BookView.Trade(4, 1_000_100, 50));
        BookView suspect =
                new BookView(5, "gateway-1", 7, BookView.Validity.SUSPECT, 12, -1, List.of(), List.of(), null);
        List<BookView> first = List.of(valid, suspect);
        List<BookView> second = List.of(valid);
        String lines = BooksFile.line(first) + "\n" + BooksFile.line(second) + "\n"
                + BooksFile.line(first).substring(0, 40);
        Path file = Files.writeString(directory.resolve(BooksFile.NAME), lines);
        List<List<BookView>> read = new ArrayList<>();
        BooksFile.read(file, read::add);
        assertThat(read).containsExactly(first, second);
    }

    @Test
    void shouldSayWhichFileCannotBeRead() {
        assertThatThrownBy(() -> BooksFile.read(directory.resolve("none"), books -> {}))
                .isInstanceOf(InputException.class)
                .hasMessageContaining("none");
    }
}
