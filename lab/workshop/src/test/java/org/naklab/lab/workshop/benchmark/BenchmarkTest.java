package org.naklab.lab.workshop.benchmark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.naklab.lab.core.InputException;
import org.naklab.lab.core.UsageException;
import org.naklab.lab.workshop.Answer;
import org.naklab.lab.workshop.seal.Seal;
import org.naklab.lab.workshop.seal.SealScan;

@Timeout(120)
final class BenchmarkTest {
    private static final Path CORPUS = Path.of("..", "cases", "src", "main", "cases");

    @TempDir
    private static Path directory;

    private static Benchmark benchmark;

    @BeforeAll
    static void seal() {
        benchmark =
                Benchmark.write(directory.resolve("benchmark"), CORPUS, Seal.ofFile(directory.resolve("workshop.key")));
    }

    private static Path answers(String... lines) throws IOException {
        return Files.write(Files.createTempFile(directory, "answers", ".jsonl"), List.of(lines));
    }

    private static String firstCase() {
        return benchmark.entries().get(0).name();
    }

    @Test
    void shouldGiveNothingAwayInAnyFileOfAnyCase() {
        assertThat(benchmark.entries()).hasSizeGreaterThan(90);
        assertThat(SealScan.of(CORPUS).findings(directory.resolve("benchmark"))).isEmpty();
    }

    /** Sealed cases open in seconds, from a stick or over a slow line. */
    @Test
    void shouldKeepEachCaseAndAllOfThemSmall() throws IOException {
        long all = 0;
        for (Benchmark.Entry entry : benchmark.entries()) {
            long one = 0;
            try (Stream<Path> files = Files.walk(directory.resolve("benchmark").resolve(entry.name()))) {
                for (Path file : files.filter(Files::isRegularFile).toList()) {
                    one += Files.size(file);
                }
            }
            assertThat(one).as(entry.name()).isBetween(1_000L, 30_000_000L);
            all += one;
        }
        assertThat(all).isLessThan(150_000_000);
    }

    /** A benchmark in which guessing pays is none. */
    @Test
    void shouldScoreTheDiagnosisAboveGuessers() {
        List<Score> scores = new Baselines(benchmark, CORPUS).scores();
        Score lab = scores.get(0);
        Score cannotTell = scores.get(1);
        assertThat(lab.answers().right()).isGreaterThan(lab.total().cases() * 9 / 10);
        assertThat(lab.mean()).isGreaterThan(80);
        assertThat(cannotTell.answers().cannotTell())
                .isEqualTo(cannotTell.total().cases());
        assertThat(scores.subList(2, scores.size())).hasSize(3).allSatisfy(guesser -> assertThat(guesser.mean())
                .as(guesser.who())
                .isLessThan(cannotTell.mean())
                .isPositive());
    }

    @Test
    void shouldReadOneAnswerALine() throws IOException {
        Map<String, Answer> answers = AnswerFile.read(answers(
                "{\"case\":\"" + firstCase()
                        + "\",\"cause\":\"cannot-tell\",\"at\":0.5,\"because\":[\"e1\"],\"sure\":70}",
                ""));
        assertThat(answers)
                .containsEntry(firstCase(), new Answer("cannot-tell", 0.5, List.of("e1"), Map.of(), null, 70));
        Score score = benchmark.score("ada", answers);
        assertThat(score.answers().missing()).isEqualTo(benchmark.entries().size() - 1);
        assertThat(score.answers().cannotTell()).isOne();
    }

    @Test
    void shouldNameTheLineThatIsWrong() throws IOException {
        Path twice = answers("{\"case\":\"a\",\"cause\":\"clean\"}", "{\"case\":\"a\",\"cause\":\"clean\"}");
        assertThatThrownBy(() -> AnswerFile.read(twice))
                .isInstanceOf(InputException.class)
                .hasMessageContaining("line 2 of")
                .hasMessageContaining("was answered before");
        Path gremlins = answers("{\"case\":\"a\",\"cause\":\"gremlins\"}");
        assertThatThrownBy(() -> AnswerFile.read(gremlins)).hasMessageContaining("'gremlins' is no cause");
        Path prose = answers("I think that it was the network");
        assertThatThrownBy(() -> AnswerFile.read(prose)).hasMessageContaining("line 1 of");
        Path unknown = answers("{\"case\":\"none-such\",\"cause\":\"clean\"}");
        assertThatThrownBy(() -> benchmark.score("ada", AnswerFile.read(unknown)))
                .isInstanceOf(UsageException.class)
                .hasMessageContaining("no case 'none-such'");
    }

    @Test
    void shouldSayHowToMakeABenchmark() {
        assertThatThrownBy(() -> Benchmark.open(directory.resolve("nothing"), Seal.ofFile(directory.resolve("key"))))
                .isInstanceOf(UsageException.class)
                .hasMessageContaining("naklab workshop seal");
    }
}
