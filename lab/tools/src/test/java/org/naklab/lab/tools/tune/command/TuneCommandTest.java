package org.naklab.lab.tools.tune.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jsoup.Jsoup;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.naklab.lab.core.Json;
import org.naklab.lab.core.Secrets;
import org.naklab.lab.terminal.ErrorReporter;
import org.naklab.lab.terminal.ExitCode;
import org.naklab.lab.terminal.Terminal;
import org.naklab.lab.tools.tune.workload.Metric;
import picocli.CommandLine;

/** Compares a program from the command line down. The program prints the figure itself, and always the same one in an arm: no clock decides. */
@Timeout(60)
final class TuneCommandTest {
    private static final String FIGURE = "took ([0-9.]+) ms";
    /** The command undoes what killed labs left; those of this machine are not the test's. */
    private static final String STATE = "naklab.state.directory";

    private static final String PROGRAM = "echo took ${LENGTH:-10} ms";

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    @TempDir
    private Path directory;

    @BeforeEach
    void keepPromisesOfOthers() {
        System.setProperty(STATE, directory.toString());
    }

    @AfterEach
    void restore() {
        System.clearProperty(STATE);
    }

    private int run(String... arguments) {
        Terminal terminal = Terminal.of(stream(out), stream(err));
        ErrorReporter reporter = new ErrorReporter(terminal, Secrets.of(List.of(), Map.of()), Map.of());
        return new CommandLine(new TuneCommand(terminal))
                .setParameterExceptionHandler(reporter)
                .setExecutionExceptionHandler(reporter)
                .execute(arguments);
    }

    private int compare(String script, String... options) {
        List<String> arguments = new ArrayList<>(List.of("--figure", FIGURE));
        arguments.addAll(List.of(options));
        arguments.addAll(List.of("--", "sh", "-c", script));
        return run(arguments.toArray(String[]::new));
    }

    private static PrintStream stream(ByteArrayOutputStream bytes) {
        return new PrintStream(bytes, true, StandardCharsets.UTF_8);
    }

    private String printed() {
        return out.toString(StandardCharsets.UTF_8);
    }

    private String said() {
        return err.toString(StandardCharsets.UTF_8);
    }

    /** Of an arm: name, runs, median, effect and answer; the columns are two blanks apart. */
    private List<String> row(String arm) {
        return printed()
                .lines()
                .map(line -> List.of(line.strip().split(" {2,}", -1)))
                .filter(cells -> cells.size() > 1 && cells.get(0).equals(arm))
                .findFirst()
                .orElseThrow(() -> new AssertionError(printed()));
    }

    @Test
    void shouldAnswerAboutEachArmByTheFigureThatTheProgramPrints() {
        assertThat(compare(
                        PROGRAM,
                        "--arm",
                        "half=LENGTH=5",
                        "--arm",
                        "like=LENGTH=10.1",
                        "--arm",
                        "double=LENGTH=20 OTHER='a b'"))
                .isEqualTo(ExitCode.OK);
        assertThat(printed()).startsWith("sh: the number that the program prints; as printed, lower is better");
        assertThat(row("half")).contains("5", "+100.0 % (+100.0 to +100.0)", "helps");
        assertThat(row("like")).contains("10", "-1.0 % (-1.0 to -1.0)", "no difference");
        assertThat(row("double")).contains("20", "-50.0 % (-50.0 to -50.0)", "hurts");
        assertThat(row("default")).contains("10").doesNotContain("helps", "hurts", "no difference");
        assertThat(printed()).contains("  double: started with LENGTH=20", "  double: started with OTHER=a b");
        assertThat(said())
                .containsPattern("round +1 of 40.* half +not enough runs")
                .doesNotContain("left out");
    }

    /** The same runs are judged by the other direction. */
    @Test
    void shouldTurnTheAnswersWhereMoreIsBetter() {
        assertThat(compare(PROGRAM, "--higher-is-better", "--arm", "half=LENGTH=5", "--arm", "double=LENGTH=20"))
                .isEqualTo(ExitCode.OK);
        assertThat(printed()).startsWith("sh: the number that the program prints; as printed, higher is better");
        assertThat(row("half")).contains("-50.0 % (-50.0 to -50.0)", "hurts");
        assertThat(row("double")).contains("+100.0 % (+100.0 to +100.0)", "helps");
    }

    /** 1 % is no difference within 3 %, and one within 0.5 %. */
    @Test
    void shouldJudgeByTheMarginThatIsAskedFor() {
        assertThat(compare(PROGRAM, "--margin", "0.5", "--arm", "like=LENGTH=10.1"))
                .isEqualTo(ExitCode.OK);
        assertThat(row("like")).contains("hurts");
    }

    @Test
    void shouldSayThatTheRoundsWereTooFew() {
        assertThat(compare(PROGRAM, "--rounds", "2", "--arm", "half=LENGTH=5")).isEqualTo(ExitCode.UNKNOWN);
        assertThat(row("half")).contains("2", "not enough runs");
    }

    /** After three failures in a row an arm is not run again, and the others have their answers. */
    @Test
    void shouldGiveUpAnArmWhoseProgramFails() {
        String script = "if [ -n \"$BROKEN\" ]; then echo no room >&2; exit 3; fi; " + PROGRAM;
        assertThat(compare(script, "--arm", "broken=BROKEN=1", "--arm", "half=LENGTH=5"))
                .isEqualTo(ExitCode.UNKNOWN);
        assertThat(row("broken")).contains("0, 3 left out", "failed");
        assertThat(row("half")).contains("helps");
        assertThat(printed())
                .contains("broken: LEFT OUT: round 1: sh ended with 3: no room")
                .contains("broken: LEFT OUT: round 3: sh ended with 3: no room")
                .doesNotContain("broken: started with");
        assertThat(said()).contains("left out: broken: round 2: sh ended with 3: no room");
    }

    /** The third run of the arm fails: the others are compared. */
    @Test
    void shouldCompareTheOtherRunsOfAnArmThatFailsOnce() {
        String script = "if [ -n \"$LENGTH\" ]; then echo x >>" + directory.resolve("runs") + "; test $(wc -l <"
                + directory.resolve("runs") + ") -ne 3 || exit 7; fi; " + PROGRAM;
        assertThat(compare(script, "--arm", "half=LENGTH=5")).isEqualTo(ExitCode.OK);
        assertThat(row("half")).contains("5, 1 left out", "+100.0 % (+100.0 to +100.0)", "helps");
        assertThat(printed()).containsOnlyOnce("half: LEFT OUT: round 3: sh ended with 7");
    }

    @Test
    void shouldCompareNothingWithoutTheDefault() {
        assertThat(compare("test -n \"$LENGTH\" || exit 1; " + PROGRAM, "--arm", "half=LENGTH=5"))
                .isEqualTo(ExitCode.UNKNOWN);
        assertThat(row("default")).contains("0, 3 left out");
        assertThat(row("half")).contains("3", "failed");
    }

    @Test
    void shouldLeaveOutRunsThatPrintNoFigure() {
        String script = "case ${LENGTH:-10} in none) echo finished;; *) " + PROGRAM + ";; esac";
        assertThat(compare(script, "--arm", "none=LENGTH=none")).isEqualTo(ExitCode.UNKNOWN);
        assertThat(printed().replaceAll("\\s+", " "))
                .contains("none: LEFT OUT: round 1: no line of its output has the figure; the last one is: finished");
        assertThat(row("none")).contains("0, 3 left out", "failed");
    }

    /** A ratio of 0 cannot be taken, and words are no number. */
    @Test
    void shouldLeaveOutFiguresOfWhichNoRatioCanBeTaken() {
        assertThat(run(
                        "--figure",
                        "took (\\S+) ms",
                        "--arm",
                        "zero=LENGTH=0",
                        "--arm",
                        "word=LENGTH=long",
                        "--",
                        "sh",
                        "-c",
                        PROGRAM))
                .isEqualTo(ExitCode.UNKNOWN);
        assertThat(printed())
                .contains("zero: LEFT OUT: round 1: the value is 0.0, of which no ratio can be taken")
                .contains("word: LEFT OUT: round 1: 'long' in its output is no number");
    }

    /** A number with separators of thousands is one number; the last line that has it counts, not the last line. */
    @Test
    void shouldTakeTheFigureAsPeoplePrintIt() throws IOException {
        String script = "echo took 1 ms; echo took ${LENGTH:-2,000} ms; echo bye";
        assertThat(run(
                        "--figure",
                        "took ([0-9.,]+) ms",
                        "--json",
                        "--arm",
                        "less=LENGTH=1,000.5",
                        "--",
                        "sh",
                        "-c",
                        script))
                .isEqualTo(ExitCode.OK);
        JsonNode document = Json.parse(printed());
        assertThat(document.at("/task").asText()).isEqualTo("sh");
        assertThat(document.at("/metric").asText()).isEqualTo(Metric.LOW_FIGURE.unit());
        assertThat(document.at("/margin").asDouble()).isEqualTo(0.03);
        assertThat(document.at("/arms/0/median").asDouble()).isEqualTo(2_000);
        assertThat(document.at("/arms/0/answer").isNull()).isTrue();
        assertThat(document.at("/arms/1/median").asDouble()).isEqualTo(1_000.5);
        assertThat(document.at("/arms/1/effect/mean").asDouble()).isCloseTo(2_000 / 1_000.5 - 1, within(1e-9));
        assertThat(document.at("/arms/1/answer").asText()).isEqualTo("helps");
        assertThat(document.at("/arms/1/settings/0").asText()).isEqualTo("LENGTH=1,000.5");
    }

    /** A program whose name is that of a scenario; and an arm whose flags come behind the name. */
    @Test
    void shouldRunTheProgramBehindTheHyphensWhateverItIsCalled() throws IOException {
        Path program = directory.resolve("baseline");
        Files.writeString(program, "#!/bin/sh\necho took $# ms\n");
        assertThat(program.toFile().setExecutable(true)).isTrue();
        Path page = directory.resolve("tune.html");
        assertThat(run(
                        "--figure",
                        FIGURE,
                        "--html",
                        page.toString(),
                        "--arm",
                        "flags=-Xa -Xb",
                        "--",
                        program.toString(),
                        "--list",
                        "x"))
                .isEqualTo(ExitCode.OK);
        assertThat(printed()).startsWith("baseline: the number that the program prints");
        assertThat(row("default")).contains("2");
        assertThat(row("flags")).contains("4", "-50.0 % (-50.0 to -50.0)", "hurts");
        assertThat(Jsoup.parse(page).select(".answer").text()).isEqualTo("flags: hurts.");
    }

    @Test
    void shouldSayThatTheProgramIsNotThere() {
        assertThat(run("--arm", "a=B=c", "--", "/nowhere/program")).isEqualTo(ExitCode.UNKNOWN);
        assertThat(printed()).contains("default: LEFT OUT: round 1: the command cannot be run", "/nowhere/program");
    }

    /** Exit code 1 is a hit, and any other one but 0 a failure; the shares are compared after all rounds. */
    @Test
    void shouldCompareHowOftenAProgramFails() throws IOException {
        assertThat(run(
                        "--figure",
                        "exit",
                        "--rounds",
                        "12",
                        "--margin",
                        "40",
                        "--json",
                        "--arm",
                        "hit=CODE=1",
                        "--arm",
                        "like=CODE=0",
                        "--arm",
                        "broken=CODE=3",
                        "--",
                        "sh",
                        "-c",
                        "exit ${CODE:-0}"))
                .isEqualTo(ExitCode.UNKNOWN);
        JsonNode arms = Json.parse(printed()).path("arms");
        assertThat(arms.findValuesAsText("answer")).containsExactly("null", "more often", "no difference", "failed");
        assertThat(arms.at("/1/share/hits").asInt()).isEqualTo(12);
        assertThat(arms.at("/1/share/trials").asInt()).isEqualTo(12);
        assertThat(arms.at("/1/effect/mean").asDouble()).isEqualTo(1);
        assertThat(arms.at("/2/share/hits").asInt()).isZero();
        assertThat(arms.at("/3/failures/0").asText()).contains("sh ended with 3");
        assertThat(arms.at("/0/median").isNull()).isTrue();
    }

    /** The same in words: no memory, no median, points in place of percent. */
    @Test
    void shouldPrintSharesInTheSameTable() {
        assertThat(run(
                        "--figure",
                        "exit",
                        "--rounds",
                        "12",
                        "--arm",
                        "hit=CODE=1",
                        "--",
                        "sh",
                        "-c",
                        "exit ${CODE:-0}"))
                .isEqualTo(ExitCode.OK);
        assertThat(printed())
                .startsWith("sh: the runs that end with exit code 1; hits, with the 95 % interval of their share")
                .contains("difference from default")
                .doesNotContain("memory");
        assertThat(printed().lines().skip(1).limit(3)).hasSize(3).allMatch(line -> line.length() <= 80);
        assertThat(row("default")).contains("0 of 12, 0 to 24 %");
        assertThat(row("hit")).contains("12 of 12, 76 to 100 %", "+100 points (+66 to +100)", "more often");
    }

    /** A program waits until it is observed, is not disturbed by what it waited for, and reads nothing. */
    @Test
    void shouldObserveAProgramFromItsFirstInstruction() {
        assertThat(compare(
                        "if read -r line; then echo took 99 ms; else " + PROGRAM + "; fi",
                        "--rounds",
                        "2",
                        "--arm",
                        "polled=observe:proc LENGTH=5"))
                .isEqualTo(ExitCode.UNKNOWN);
        assertThat(row("polled")).contains("2", "5", "not enough runs");
        assertThat(printed())
                .containsPattern("polled: observe:proc: records of its threads: [0-9,]+")
                .contains("polled: started with LENGTH=5");
    }

    /** JFR is of JVMs: a shell is none, so that the arm is not judged. */
    @Test
    void shouldNotJudgeWhatWasNotObserved() {
        assertThat(compare(PROGRAM, "--arm", "jfr=observe:jfr")).isEqualTo(ExitCode.UNKNOWN);
        assertThat(row("jfr")).contains("1", "not in effect");
        assertThat(printed()).contains("jfr: NOT IN EFFECT: observe:jfr: nothing was recorded of the program");
    }

    @Test
    void shouldListWhatCanBeRun() {
        assertThat(run("--list")).isEqualTo(ExitCode.OK);
        assertThat(printed()).contains("benchmark", "hand-over", "experiment", "pages", "naklab bench buffers");
    }

    /** What contradicts itself or would change nothing is refused before anything runs. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "--arm a=-Db=c|name a scenario, a benchmark (",
                "--all book|--all runs every experiment",
                "--all --arm a=-Db=c|--all runs every experiment",
                "--all --experiment pages|--all runs every experiment",
                "--all --higher-is-better|--higher-is-better is not an option of a benchmark",
                "--experiment pages book|has a benchmark and arms of its own",
                "--experiment pages --arm a=-Db=c|has a benchmark and arms of its own",
                "--experiment pages --duration 1s|--duration is not an option of a benchmark",
                "--experiment pagse|no experiment 'pagse'; did you mean pages?",
                "--experiment buffers|buffers has a command of its own: naklab bench buffers",
                "bok --arm a=-Db=c|no scenario and no benchmark 'bok'; did you mean book?",
                "book|there is no arm to compare with the default",
                "book more --arm a=-Db=c|'more' is too much: a program with its arguments comes behind '--'",
                "book --arm a=-Db=c --arm a=-Dd=e|two arms have the name a",
                "book --arm a=b|'b' is no setting",
                "book --arm a=-Db=c --figure cpu|--figure is not an option of a benchmark",
                "book --arm a=-Db=c --rate 5|--rate is not an option of a benchmark",
                "baseline --arm a=-Db=c --higher-is-better|--higher-is-better is not an option of a scenario",
                "baseline --arm a=-Db=c --figure wall|'wall' is no figure of a scenario: use latency or nak",
                "baseline --arm a=observe:some|no instruments 'some'; there are: [none, normal, full]",
                "baseline --arm a=observe:none --fidelity NATURAL|baseline cannot be run with fidelity natural",
                "book --arm a=observe:none|observe: is a setting of scenarios and programs",
                "book --arm a=-Db=c --fidelity NONE|--fidelity is not an option of a benchmark",
                "--arm a=observe:full -- sh|nothing observes a program at the level 'full'; there are: none, proc, records",
                "baseline --arm a=limit:nofile=512|limit:nofile=512 is a setting of benchmarks",
                "--arm default=B=c -- sh|the arm 'default' is always there",
                "--arm a=B=c --rate 5 -- sh|--rate is not an option of a program",
                "--arm a=B=c --duration 5s -- sh|--duration is not an option of a program",
                "--arm a=B=c --higher-is-better -- sh|--higher-is-better is for a number in the output",
                "--arm a=B=c --higher-is-better --figure exit -- sh|--higher-is-better is for a number in the output",
                "--arm a=B=c --higher-is-better --figure cpu -- sh|--higher-is-better is for a number in the output",
                "--arm a=B=c --figure took -- sh|'took' is no figure: use wall, cpu, exit, or a regular expression",
                "--arm a=B=c --figure ( -- sh|Unclosed group",
                "--arm a=B=c --margin 0 -- sh|--margin is a percentage between 0 and 100",
                "--arm a=B=c --margin 100 -- sh|--margin is a percentage between 0 and 100",
                "--arm a=B=c --margin NaN -- sh|--margin is a percentage between 0 and 100",
                "--arm a=B=c --rounds 0 -- sh|--rounds"
            })
    void shouldRefuseWhatContradictsItself(String line, String message) {
        assertThat(run(line.split(" ", -1))).isEqualTo(ExitCode.USAGE);
        assertThat(said()).contains(message).hasLineCount(1);
        assertThat(printed()).isEmpty();
    }
}
