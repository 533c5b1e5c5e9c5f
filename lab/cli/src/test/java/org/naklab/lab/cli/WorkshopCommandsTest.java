package org.naklab.lab.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.naklab.lab.core.Json;
import org.naklab.lab.process.Installation;
import org.naklab.lab.workshop.Unit;
import org.naklab.lab.workshop.Workshop;

/** {@code naklab workshop} as trainees and authors of units call it. */
@Timeout(300)
final class WorkshopCommandsTest {
    private static final Path UNITS = Installation.current().root().resolve("lab/workshop/src/main/units");
    private static final String CORPUS = "lab/cases/src/main/cases";

    @TempDir
    private Path directory;

    private CommandLineRun workshop(String... arguments) {
        String[] all = new String[arguments.length + 5];
        all[0] = "workshop";
        System.arraycopy(arguments, 0, all, 1, arguments.length);
        all[arguments.length + 1] = "--dir";
        all[arguments.length + 2] = directory.resolve("workshop").toString();
        all[arguments.length + 3] = "--trainee";
        all[arguments.length + 4] = "ada";
        return CommandLineRun.of(all);
    }

    /** Plays each case of each unit with its solution, with wrong answers and by guessing. */
    @Test
    void shouldSolveEveryUnitAndNoneByGuessing() throws IOException {
        CommandLineRun run = CommandLineRun.of("workshop", "solve", "--json");
        assertThat(run.exitCode()).as(run.out() + run.err()).isZero();
        JsonNode units = Json.parse(run.out()).path("units");
        assertThat(units).hasSizeGreaterThanOrEqualTo(14).allSatisfy(unit -> {
            assertThat(unit.path("score").asDouble())
                    .as("%s", unit)
                    .isEqualTo(unit.path("full").asDouble());
            assertThat(unit.path("wrong")).hasSize(3).allMatch(wrong -> wrong.asDouble() < 40);
            assertThat(unit.path("guesser").asDouble()).isLessThan(15);
        });
    }

    /** A solution that is not right, and a hint that names the cause, are found. */
    @Test
    void shouldRefuseAUnitWhoseSolutionIsWrong() throws IOException {
        Path unit = Files.createDirectories(directory.resolve("units/01-first-nak"));
        for (String file : new String[] {"unit.yaml", "unit.md"}) {
            String text = Files.readString(UNITS.resolve("01-first-nak").resolve(file));
            Files.writeString(
                    unit.resolve(file),
                    text.replace("because: [THREAD_STOPPED,", "because: [RATE_LIMIT_HIT,")
                            .replace("Compare the two receivers", "The process paused"));
        }
        String units = directory.resolve("units").toString();
        CommandLineRun solve = CommandLineRun.of("workshop", "solve", "1", "--units", units);
        assertThat(solve.exitCode()).as(solve.out() + solve.err()).isNotZero();
        CommandLineRun validate = CommandLineRun.of("workshop", "validate", "--units", units);
        assertThat(validate.exitCode()).isEqualTo(1);
        assertThat(validate.out()).contains("a hint names 'process paused'");
    }

    @Test
    void shouldLeadATraineeFromTheListToTheDebrief() {
        assertThat(workshop().out()).contains("01-first-nak", "16-the-final-hunt");
        CommandLineRun started = workshop("start", "1");
        assertThat(started.exitCode()).as(started.err()).isZero();
        assertThat(started.out())
                .contains("sealed ", "QUESTION", "naklab workshop evidence statistics")
                .contains("  process-frozen ", "  cannot-tell ", "  find-who-stops ", "--not run-queue=0.1");
        assertThat(workshop("status", "--text").out()).contains("BACKGROUND", "  find-who-stops ");
        assertThat(workshop("evidence", "statistics").out()).contains("dropped");
        assertThat(workshop("evidence", "scheduler").out())
                .contains("event   seconds", "what it means", "points left; to look at scheduler again costs nothing");
        assertThat(workshop("ask", "quiet-machine").out()).contains("longest stall of mds", "points left");
        Unit.Solution solution = Workshop.open(
                        directory.resolve("workshop"),
                        Installation.current().root().resolve(CORPUS),
                        UNITS,
                        "ada")
                .solution();
        CommandLineRun answer =
                workshop("answer", "--cause", solution.cause(), "--because", "dropped", "--sure", "70%");
        assertThat(answer.exitCode()).as(answer.err()).isZero();
        assertThat(answer.out()).contains("cause                       30 of 30", "next: naklab workshop debrief");
        assertThat(workshop("debrief").out()).contains("The lab's diagnosis:", solution.cause());
        assertThat(workshop("score").out()).contains("in 1 answered units");
    }

    /** The texts are Markdown, and the marks of bold and italics are for pages. */
    @Test
    void shouldPrintTheTextsWithoutMarks() {
        String text = workshop("start", "3").out();
        assertThat(text)
                .contains("A thread that is runnable and", "A quota is used up. A container")
                .doesNotContain("*");
        workshop("start", "8");
        assertThat(workshop("status", "--text").out()).contains("    printf '#include <sched.h>\\n#include");
    }

    @Test
    void shouldScoreAnswersToTheBenchmarkBesideItsBaselines() throws IOException {
        Path answers = Files.writeString(directory.resolve("answers.jsonl"), "");
        assertThat(workshop("score", answers.toString()))
                .satisfies(run -> assertThat(run.exitCode()).isEqualTo(64))
                .satisfies(run -> assertThat(run.err()).contains("naklab workshop seal"));
        assertThat(workshop("seal").exitCode()).isZero();
        JsonNode scores = Json.parse(
                        workshop("score", answers.toString(), "--json").out())
                .path("scores");
        assertThat(scores).hasSize(6);
        assertThat(scores.path(0).path("missing")).isEqualTo(scores.path(0).path("cases"));
        assertThat(scores.path(1).path("who").asText()).isEqualTo("the lab's diagnosis");
        assertThat(scores.path(1).path("mean").asDouble()).isGreaterThan(80);
    }

    /** All cases of that unit were made by what others did to a run. */
    @Test
    void shouldOfferTheRecordedCaseOfAUnitThatCannotBeRun() {
        assertThat(workshop("start", "15", "--live")).satisfies(run -> {
            assertThat(run.exitCode()).isEqualTo(69);
            assertThat(run.err()).contains("leave out --live for a recorded case");
        });
        assertThat(workshop("status").exitCode()).isEqualTo(64);
        assertThat(workshop("start", "15").exitCode()).isZero();
    }

    @Test
    void shouldLetNobodyElseUseTheLinkOfWhoIsAlone() {
        CommandLineRun run = workshop("serve", "--alone", "--host", "0.0.0.0");
        assertThat(run.exitCode()).isEqualTo(64);
        assertThat(run.err()).contains("leave out --host");
    }

    /** Options before the command are those of the command, so that nobody fills another directory by accident. */
    @Test
    void shouldTakeOptionsBeforeTheCommand() {
        Path own = directory.resolve("own");
        CommandLineRun started =
                CommandLineRun.of("workshop", "--dir", own.toString(), "--trainee", "eve", "start", "1");
        assertThat(started.exitCode()).as(started.err()).isZero();
        assertThat(own.resolve("eve/01-first-nak")).isDirectory();
        CommandLineRun behind = CommandLineRun.of(
                "workshop", "--dir", own.toString(), "--trainee", "eve", "start", "1", "--trainee", "bo");
        assertThat(behind.exitCode()).as(behind.err()).isZero();
        assertThat(own.resolve("bo/01-first-nak")).isDirectory();
    }

    @Test
    void shouldTellWhatToDoNext() {
        assertThat(workshop("status"))
                .satisfies(run -> assertThat(run.exitCode()).isEqualTo(64))
                .satisfies(
                        run -> assertThat(run.errLines()).anyMatch(line -> line.contains("naklab workshop start 1")));
        assertThat(workshop("start", "99"))
                .satisfies(run -> assertThat(run.exitCode()).isEqualTo(64))
                .satisfies(run -> assertThat(run.err()).contains("there is no unit '99'"));
        workshop("start", "1");
        assertThat(workshop("ask", "gremlins").err()).contains("'naklab workshop ask' lists them");
        assertThat(workshop("answer", "--cause", "gremlins").err()).contains("is no cause");
        assertThat(workshop("evidence", "gossip").exitCode()).isEqualTo(64);
    }
}
