package org.naklab.lab.report.live;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.naklab.lab.core.books.BookView;
import org.naklab.lab.core.books.BookView.Level;
import org.naklab.lab.core.books.BookView.Validity;

@Timeout(10)
final class BookMomentsTest {
    private static final long MS = 1_000_000;
    private static final long BEGIN_NS = 7_000 * MS;

    private final BookMoments moments = new BookMoments(10);

    private static BookView book(long atMs, String process, long ageMs, long bid, long ask) {
        return new BookView(
                BEGIN_NS + atMs * MS,
                process,
                3,
                Validity.VALID,
                0,
                ageMs * MS,
                List.of(new Level(bid, 100, 1)),
                List.of(new Level(ask, 200, 2)),
                null);
    }

    private void show(long atMs, long serviceAgeMs, long exchangeBid) {
        moments.onBooks(List.of(
                book(atMs, "exchange", 0, exchangeBid, exchangeBid + 300),
                book(atMs, "mds", serviceAgeMs, 1_000_000, 1_000_300),
                book(atMs, "gateway-1", 1, exchangeBid, exchangeBid + 300)));
    }

    @SuppressWarnings("unchecked")
    private Map<String, Object> view(long atMs, String process) {
        BookMoments.Moment moment = Objects.requireNonNull(moments.at(BEGIN_NS + atMs * MS));
        List<Map<String, Object>> views = Objects.requireNonNull((List<Map<String, Object>>)
                BookMoments.message(moment, 3, BEGIN_NS).get("views"));
        return views.stream()
                .filter(each -> process.equals(each.get("process")))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void shouldTellHowOldAndHowWrongAPriceIsWhileItIs() {
        show(100, 2, 1_000_000);
        show(200, 102, 1_000_700);
        show(300, 202, 1_000_950);
        show(400, 1, 1_000_000);
        assertThat(moments.at(BEGIN_NS + 99 * MS)).isNull();
        assertThat(view(199, "mds")).containsEntry("isLate", false).doesNotContainKey("worst");
        assertThat(view(200, "mds"))
                .containsEntry("isLate", true)
                .containsEntry("ageMs", 102.0)
                .containsEntry("ticks", 7L);
        assertThat(view(399, "mds")).containsEntry("ticks", 10L);
        assertThat(view(399, "gateway-1")).containsEntry("isLate", false).containsEntry("ticks", 0L);
        assertThat(view(399, "exchange")).containsEntry("isLate", false);
        assertThat(view(400, "mds"))
                .containsEntry("isLate", false)
                .containsEntry("worst", Map.of("atMs", 300.0, "ageMs", 202.0, "ticks", 10L));
    }

    /** It is looked at by another process, and is not compared with the exchange: it is one second old before the next comes. */
    @Test
    void shouldShowTheLatestSnapshotBesideTheCustomersAndItsAge() {
        moments.onBooks(List.of(book(100, BookView.SNAPSHOTS, 30, 999_000, 999_300)));
        assertThat(view(100, BookView.SNAPSHOTS)).containsEntry("ageMs", 30.0).containsEntry("ticks", 0L);
        show(350, 2, 1_000_000);
        assertThat(view(350, BookView.SNAPSHOTS)).containsEntry("ageMs", 280.0).containsEntry("isLate", false);
        assertThat(view(350, "mds")).containsEntry("ageMs", 2.0);
        moments.onBooks(List.of(book(1_100, BookView.SNAPSHOTS, 5, 999_100, 999_400)));
        assertThat(view(1_100, BookView.SNAPSHOTS)).containsEntry("ageMs", 5.0);
        assertThat(view(1_100, "mds")).containsEntry("ageMs", 2.0);
    }

    /** The way to a customer takes a millisecond or two, in which the exchange goes on. */
    @Test
    void shouldNotCallAPriceLateThatIsOnItsWay() {
        show(100, 2, 1_000_100);
        assertThat(view(100, "mds")).containsEntry("isLate", false).containsEntry("ticks", 1L);
    }

    @Test
    void shouldForgetWhatIsOldAndKeepTheWorst() {
        show(100, 150, 1_000_700);
        for (int i = 2; i <= 20; i++) {
            show(100L * i, 1, 1_000_000);
        }
        assertThat(moments.at(BEGIN_NS + 1_000 * MS)).isNull();
        assertThat(view(2_000, "mds")).containsKey("worst");
    }

    @Test
    void shouldShowTheFirstInstrumentIfTheWantedOneIsNotThere() {
        show(100, 1, 1_000_000);
        BookMoments.Moment moment = Objects.requireNonNull(moments.at(Long.MAX_VALUE));
        assertThat(BookMoments.message(moment, 99, BEGIN_NS)).containsEntry("instrument", 3);
    }

    @Test
    void shouldForgetWhatIsOlderThanItIsToldToKeep() {
        BookMoments brief = new BookMoments(100, 250 * MS);
        for (int atMs = 0; atMs <= 500; atMs += 100) {
            brief.onBooks(List.of(book(atMs, "exchange", 0, 1_000_000, 1_000_300)));
        }
        assertThat(brief.at(BEGIN_NS + 199 * MS)).isNull();
        assertThat(brief.at(BEGIN_NS + 250 * MS)).isNotNull();
    }
}
