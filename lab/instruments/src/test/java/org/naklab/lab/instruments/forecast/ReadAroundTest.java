package org.naklab.lab.instruments.forecast;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.naklab.lab.instruments.linking.PendingBind.FilePage;

/** The pages that the bind of sched_yield reads in the libraries of Debian 12: 1 of the library that calls, and of libc the hash table, symbols, names and versions. */
@Timeout(60)
final class ReadAroundTest {
    private static final List<FilePage> BIND = Stream.concat(
                    Stream.of(page("libnaklab_yield.so", 0)),
                    IntStream.of(1, 3, 12, 29, 36).mapToObj(number -> page("libc.so.6", number)))
            .toList();

    private static FilePage page(String library, int number) {
        return new FilePage(Path.of("/lib", library), library, ".dynsym", number, false);
    }

    private static List<Long> reads(int window, Set<Integer> resident) {
        return ReadAround.reads(BIND, page -> !resident.contains((int) page.number()), page -> window).stream()
                .map(FilePage::number)
                .toList();
    }

    @Test
    void shouldReadAWholeLibraryAtOnceWithMegabytes() {
        assertThat(reads(2_048, Set.of())).containsExactly(0L, 1L);
    }

    @Test
    void shouldReadThreePartsWithTheDefaultOfTheKernel() {
        assertThat(reads(32, Set.of())).containsExactly(0L, 1L, 36L);
    }

    @Test
    void shouldReadEachPageWithoutReadAhead() {
        assertThat(reads(0, Set.of())).hasSize(BIND.size());
    }

    @Test
    void shouldReadWhatIsMissing() {
        assertThat(reads(32, Set.of(0, 1, 3))).containsExactly(12L, 36L);
        assertThat(reads(2_048, Set.of(0, 1, 3, 12, 29, 36))).isEmpty();
    }
}
