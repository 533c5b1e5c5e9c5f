package org.naklab.lab.workshop.web;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.naklab.lab.core.timeline.TimelineEventType;
import org.naklab.lab.diagnosis.Cause;
import org.naklab.lab.workshop.Answer;
import org.naklab.lab.workshop.EvidenceFilter;
import org.naklab.lab.workshop.Remedy;
import org.naklab.lab.workshop.Session;
import org.naklab.lab.workshop.View;
import org.naklab.lab.workshop.Workshop;
import org.naklab.lab.workshop.meaning.Meaning;

@Timeout(180)
final class WorkshopServerTest {
    private static final int TRAINEES = 30;
    private static final String UNIT = "/units/01-first-nak";

    @TempDir
    private Path directory;

    private ServedClass served;

    @BeforeEach
    void serve() {
        served = new ServedClass(directory);
    }

    @AfterEach
    void close() {
        served.close();
    }

    private Session session(String trainee) {
        Workshop workshop = served.terminal(trainee);
        return workshop.session(workshop.unit("1")).orElseThrow();
    }

    private static String name(int number) {
        return String.format(Locale.ROOT, "trainee-%02d", number);
    }

    private String cause(String trainee) {
        Workshop workshop = served.terminal(trainee);
        return workshop.cause(workshop.unit("1"));
    }

    /** Starts the unit until its case is that of a process that was stopped. */
    private ClassBrowser startPaused(String trainee) {
        ClassBrowser browser = ClassBrowser.of(trainee, served.server());
        browser.post(UNIT + "/start");
        while (!cause(trainee).equals("process-paused")) {
            browser.post(UNIT + "/start", "again", "yes");
        }
        return browser;
    }

    /** Each plays a unit to its end; half of them name the cause of their case, and the others one that no case of the unit has. */
    private Void play(int number) {
        ClassBrowser browser = ClassBrowser.of(name(number), served.server());
        browser.post(UNIT + "/start");
        browser.page(UNIT + "/evidence/statistics");
        browser.post(UNIT + "/evidence/scheduler");
        browser.page(UNIT + "/evidence/scheduler?rows=5");
        browser.post(UNIT + "/ask", "what", "run-queue");
        browser.post(UNIT + "/hint");
        String cause = number % 2 == 0 ? cause(name(number)) : "network-loss";
        browser.post(UNIT + "/answer", "cause", cause, "sure", "80");
        assertThat(browser.page(UNIT + "/debrief")).contains("The lab&#39;s diagnosis:");
        String home = browser.page("/");
        assertThat(home).contains(name(number));
        assertThat(IntStream.range(0, TRAINEES).filter(other -> other != number))
                .noneMatch(other -> home.contains(name(other)));
        return null;
    }

    @Test
    void shouldTeachThirtyTraineesAtOnce() throws InterruptedException, ExecutionException {
        ExecutorService room = Executors.newFixedThreadPool(TRAINEES);
        try {
            List<Future<Void>> all = new ArrayList<>();
            for (int i = 0; i < TRAINEES; i++) {
                int number = i;
                all.add(room.submit(() -> play(number)));
            }
            for (Future<Void> one : all) {
                one.get();
            }
        } finally {
            room.shutdownNow();
        }
        ClassBrowser trainer = ClassBrowser.ofTrainer(served.server());
        List<String> csv = trainer.page("/trainer/class.csv").lines().toList();
        assertThat(csv).hasSize(1 + TRAINEES);
        for (int i = 0; i < TRAINEES; i++) {
            assertThat(csv.get(1 + i))
                    .startsWith(name(i) + ",01-first-nak,0,")
                    .contains(",statistics scheduler,run-queue,1,9,", ",80,");
            assertThat(session(name(i)).grade()).isNotNull();
        }
        String matrix = trainer.page("/trainer/matrix");
        assertThat(matrix).contains("15 of 30 answers name the right cause");
        assertThat(sum("right", matrix)).isEqualTo(TRAINEES / 2);
        assertThat(sum("wrong", matrix)).isEqualTo(TRAINEES / 2);
        assertThat(trainer.page("/trainer?unit=01-first-nak")).contains(name(0), name(TRAINEES - 1), "80 %");
    }

    private static int sum(String kind, String matrix) {
        return Pattern.compile("<td class=\"" + kind + "\">(\\d+)</td>")
                .matcher(matrix)
                .results()
                .mapToInt(cell -> Integer.parseInt(cell.group(1)))
                .sum();
    }

    /** What one looks at is what the terminal shows, at its price. */
    @Test
    void shouldShowTheEvidenceOfTheTerminal() {
        ClassBrowser ada = startPaused("ada");
        Workshop terminal = served.terminal("ada");
        int budget = terminal.left(terminal.current());
        assertThat(ada.page(UNIT + "/evidence/scheduler"))
                .contains("It costs 6 points")
                .doesNotContain("THREAD_");
        assertThat(session("ada").looked()).isEmpty();
        ada.post(UNIT + "/evidence/scheduler");
        ada.post(UNIT + "/evidence/scheduler");
        assertThat(terminal.left(terminal.current())).isEqualTo(budget - View.SCHEDULER.cost());
        String page = ada.page(UNIT + "/evidence/scheduler?rows=500");
        List<String> ids = terminal.look(View.SCHEDULER, EvidenceFilter.ALL).events(View.SCHEDULER).stream()
                .map(event -> "<td class=\"plain\">" + event.id() + " ")
                .toList();
        assertThat(ids).isNotEmpty().allSatisfy(id -> assertThat(page).contains(id));
        assertThat(ada.page(UNIT + "/evidence/statistics")).contains("<polyline points=\"", "naks-sent");
        assertThat(page)
                .contains("<dt>THREAD_STOPPED</dt><dd>" + Meaning.of(TimelineEventType.THREAD_STOPPED) + "</dd>");
        assertThat(ada.page(UNIT + "/evidence/statistics"))
                .contains("<dt>dropped</dt><dd>" + Meaning.ofCounter("dropped") + "</dd>");
        ada.post(UNIT + "/ask", "what", "run-queue");
        assertThat(ada.page(UNIT)).contains("<strong>run-queue</strong>", "<strong>" + terminal.ask("run-queue"));
    }

    /** No page before the answer names the case, and no other one tells more than the terminal. */
    @Test
    void shouldTellTheCauseAfterTheAnswerOnly() {
        ClassBrowser ada = startPaused("ada");
        assertThat(ada.get(UNIT + "/debrief").statusCode()).isEqualTo(400);
        assertThat(ada.get(UNIT + "/debrief").body()).doesNotContain("SIGSTOP", "process-paused");
        ada.post(UNIT + "/answer", "cause", "cannot-tell", "sure", "50");
        assertThat(ada.page(UNIT + "/debrief")).contains("SIGSTOP");
        HttpResponse<String> second = ada.post(UNIT + "/answer", "cause", "clean", "sure", "50");
        assertThat(second.statusCode()).isEqualTo(400);
        assertThat(second.body()).contains("was answered already");
    }

    /** Who chooses reads what each choice says, as in the terminal. */
    @Test
    void shouldExplainEachCauseAndRemedyWhereOneChooses() {
        ClassBrowser ada = ClassBrowser.of("ada", served.server());
        ada.post(UNIT + "/start");
        String page = unescaped(ada.page(UNIT));
        assertThat(page).contains("<option value=\"\">ask for a measurement first</option>");
        Workshop terminal = served.terminal("ada");
        List<Cause> causes = Stream.concat(
                        terminal.unit("1").settings().suspects().stream().map(Answer::causeOf),
                        Stream.of(Cause.UNEXPLAINED))
                .toList();
        assertThat(causes).hasSizeGreaterThan(8).allSatisfy(cause -> assertThat(page)
                .contains(choice(cause.label(), Meaning.of(cause))));
        assertThat(Remedy.values())
                .allSatisfy(remedy -> assertThat(page).contains(choice(remedy.label(), remedy.about())));
    }

    private static String choice(String label, String about) {
        return "<strong>" + label + "</strong><span>" + about + "</span>";
    }

    private static String unescaped(String html) {
        return html.replace("&#39;", "'")
                .replace("&#x3D;", "=")
                .replace("&#x2F;", "/")
                .replace("&#61;", "=");
    }

    /** Texts are Markdown, and their marks are not for readers. */
    @Test
    void shouldShowNoMarksOfTheTexts() {
        ClassBrowser ada = ClassBrowser.of("ada", served.server());
        ada.post("/units/03-who-took-the-processor/start");
        String page = ada.page("/units/03-who-took-the-processor");
        assertThat(page).contains("<strong>runnable</strong>", "<em>A quota is used up.</em>", "<code>cpu.stat</code>");
        assertThat(page.substring(page.indexOf("<main"), page.indexOf("</main>")))
                .doesNotContain("*", "`");
    }

    /** An answer that is refused keeps what was written. */
    @Test
    void shouldSayWhatIsWrongWithAnAnswer() {
        ClassBrowser ada = ClassBrowser.of("ada", served.server());
        ada.post(UNIT + "/start");
        HttpResponse<String> wrong =
                ada.post(UNIT + "/answer", "cause", "clean", "because", "e999999", "at", "573ms", "sure", "70");
        assertThat(wrong.statusCode()).isEqualTo(400);
        assertThat(wrong.body())
                .contains("neither an event nor a statistic", "value=\"e999999\"", "value=\"573ms\"", "value=\"70\"")
                .contains("value=\"clean\" required checked>");
        assertThat(session("ada").answer()).isNull();
    }

    /** A page that was left open acts on its own unit. */
    @Test
    void shouldGoOnWithTheUnitOfThePage() {
        ClassBrowser ada = ClassBrowser.of("ada", served.server());
        ada.post(UNIT + "/start");
        ada.post("/units/05-the-ring/start");
        ada.post(UNIT + "/ask", "what", "run-queue");
        assertThat(session("ada").asked()).containsExactly("run-queue");
    }

    @Test
    void shouldCallAllToAUnitAndRevealIt() {
        ClassBrowser ada = startPaused("ada");
        ClassBrowser trainer = ClassBrowser.ofTrainer(served.server());
        trainer.post("/trainer/unit", "unit", "01-first-nak");
        assertThat(ada.page("/")).contains("The class works on <a href=\"/units/01-first-nak\">");
        assertThat(trainer.page("/trainer/wall/ada/01-first-nak")).doesNotContain("SIGSTOP");
        trainer.post("/trainer/reveal", "unit", "01-first-nak", "shown", "yes");
        assertThat(trainer.page("/trainer/wall/ada/01-first-nak")).contains("SIGSTOP");
        assertThat(ada.page(UNIT + "/debrief")).contains("SIGSTOP", "gave no answer");
        HttpResponse<String> late = ada.post(UNIT + "/answer", "cause", "process-paused", "sure", "100");
        assertThat(late.statusCode()).isEqualTo(400);
        assertThat(session("ada").answer()).isNull();
    }

    @Test
    void shouldForgetNothingWhenItIsStartedAgain() {
        ClassBrowser ada = ClassBrowser.of("ada", served.server());
        ada.post(UNIT + "/start");
        ada.post(UNIT + "/hint");
        ClassBrowser.ofTrainer(served.server()).post("/trainer/unit", "unit", "03-who-took-the-processor");
        String code = served.server().code();
        String token = served.server().trainerToken();
        served.restart();
        assertThat(served.server().code()).isEqualTo(code);
        assertThat(served.server().trainerToken()).isEqualTo(token);
        ClassBrowser again = new ClassBrowser(served.server().port());
        again.cookie(ada.cookie());
        assertThat(again.page("/")).contains("The class works on", ">begun<");
    }

    /** Who lost the browser joins again, and the token of before opens nothing. */
    @Test
    void shouldLetATraineeJoinAgainIfTheTrainerSaysSo() {
        ClassBrowser before = ClassBrowser.of("ada", served.server());
        before.post(UNIT + "/start");
        ClassBrowser after = new ClassBrowser(served.server().port());
        assertThat(after.join(served.server().code(), "ada").statusCode()).isEqualTo(409);
        assertThat(after.join(served.server().code(), "ADA").statusCode()).isEqualTo(409);
        ClassBrowser.ofTrainer(served.server()).post("/trainer/release", "trainee", "ada");
        assertThat(before.get("/").body()).doesNotContain("ada");
        assertThat(after.join(served.server().code(), "ada").statusCode()).isEqualTo(303);
        assertThat(after.page("/")).contains(">begun<");
        assertThat(before.get(UNIT).statusCode()).isEqualTo(401);
    }

    /** Somebody who began in the terminal is no free name for others. */
    @Test
    void shouldKeepTheNamesOfTheTerminal() {
        served.terminal("eve").start("1", false);
        ClassBrowser other = new ClassBrowser(served.server().port());
        assertThat(other.join(served.server().code(), "eve").statusCode()).isEqualTo(409);
        assertThat(ClassBrowser.ofTrainer(served.server()).page("/trainer")).contains("eve");
    }
}
