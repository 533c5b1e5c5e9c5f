package org.naklab.lab.workshop.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.naklab.lab.core.Json;
import org.naklab.lab.workshop.EvidenceFilter;
import org.naklab.lab.workshop.Unit;
import org.naklab.lab.workshop.View;
import org.naklab.lab.workshop.Workshop;
import org.naklab.lab.workshop.seal.SealScan;

/** The film of a case, as a trainee and the wall play it. */
@Timeout(180)
final class CaseFilmTest {
    private static final String UNIT = "/units/01-first-nak";
    private static final String WALL = "/trainer/wall/ada/01-first-nak";
    private static final Path CORPUS = Path.of("..", "cases", "src", "main", "cases");

    @TempDir
    private Path directory;

    private ServedClass served;
    private ClassBrowser ada;
    private ClassBrowser trainer;

    @BeforeEach
    void serve() {
        served = new ServedClass(directory.resolve("workshop"));
        ada = ClassBrowser.of("ada", served.server());
        trainer = ClassBrowser.ofTrainer(served.server());
        ada.post(UNIT + "/start");
        while (!cause().equals("process-paused")) {
            ada.post(UNIT + "/start", "again", "yes");
        }
    }

    @AfterEach
    void close() {
        served.close();
    }

    private String cause() {
        Workshop workshop = served.terminal("ada");
        return workshop.cause(workshop.unit("1"));
    }

    private String film(String path, ClassBrowser browser) {
        try (FilmViewer viewer = new FilmViewer(served.server().port(), path + "/film", browser.cookie())) {
            return viewer.all();
        }
    }

    /** What costs points is in the film when it was paid for. */
    @Test
    void shouldShowWhatTheTraineeMayLookAt() {
        assertThat(ada.page(UNIT + "/film.html")).contains("Play", "hidden>Reveal the cause");
        assertThat(film(UNIT, ada)).contains("\"STALL\"", "\"depth\"").doesNotContain("THREAD_STOPPED");
        ada.post(UNIT + "/evidence/scheduler");
        assertThat(film(UNIT, ada)).contains("\"STALL\"", "THREAD_STOPPED");
    }

    /** All may see the wall: what one trainee has bought is not on it. */
    @Test
    void shouldShowOnTheWallWhatIsFree() {
        ada.post(UNIT + "/evidence/scheduler");
        assertThat(trainer.page(WALL + "/film.html")).contains("the case of ada");
        assertThat(film(WALL, trainer)).contains("\"STALL\"").doesNotContain("THREAD_STOPPED");
        assertThat(trainer.page("/trainer?unit=01-first-nak")).contains(WALL + "/film.html");
    }

    /** A time of the film is one that an answer can name. */
    @Test
    void shouldHaveTheTimesOfTheEvidence() throws IOException {
        Workshop workshop = served.terminal("ada");
        Unit unit = workshop.unit("1");
        double longestMs = workshop.show(unit, EvidenceFilter.ALL).events(View.LOGS).stream()
                .filter(event ->
                        event.type().name().equals("STALL") && event.span().beginNs() >= 0)
                .mapToDouble(event -> event.span().beginNs() / 1e6)
                .max()
                .orElseThrow();
        String last = film(UNIT, ada)
                .lines()
                .filter(line -> line.contains("\"stalls\""))
                .reduce("", (a, b) -> b);
        assertThat(Json.parse(last).path("stalls"))
                .extracting((JsonNode each) -> each.path("atMs").asDouble())
                .contains(longestMs);
    }

    /** Nothing that a viewer is told, whatever was opened, gives a cause away. */
    @Test
    void shouldTellNoCause() throws IOException {
        Path told = Files.createDirectory(directory.resolve("told"));
        for (String unit :
                new String[] {"01-first-nak", "05-the-ring", "09-the-second-boundary", "16-the-final-hunt"}) {
            ada.post("/units/" + unit + "/start");
            Workshop workshop = served.terminal("ada");
            for (View view : View.values()) {
                if (view.cost() <= workshop.left(workshop.resume(unit))) {
                    ada.post("/units/" + unit + "/evidence/" + view.label());
                }
            }
            Files.writeString(told.resolve(unit), film("/units/" + unit, ada), StandardCharsets.UTF_8);
        }
        assertThat(SealScan.of(CORPUS).findings(told)).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "nobody, /units/01-first-nak/film",
        "nobody, /trainer/wall/ada/01-first-nak/film",
        "bo, /units/01-first-nak/film",
        "bo, /trainer/wall/ada/01-first-nak/film",
        "ada, /trainer/wall/ada/01-first-nak/film",
        "trainer, /units/01-first-nak/film",
        "trainer, /trainer/wall/bo/01-first-nak/film",
        "trainer, /trainer/wall/ada/no-such-unit/film",
        "trainer, /trainer/wall/../workshop.key/film",
        "ada, /units/no-such-unit/film",
        "ada, /film"
    })
    void shouldPlayNothingToOthers(String who, String path) {
        String cookie =
                switch (who) {
                    case "ada" -> ada.cookie();
                    case "trainer" -> trainer.cookie();
                    case "bo" -> ClassBrowser.of("bo", served.server()).cookie();
                    default -> "naklab-trainee=0";
                };
        assertThatThrownBy(() -> new FilmViewer(served.server().port(), path, cookie))
                .isInstanceOf(CompletionException.class);
    }
}
