package org.naklab.lab.workshop.benchmark;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.naklab.files.FileTrees;
import org.naklab.lab.cases.Expected;
import org.naklab.lab.core.InputException;
import org.naklab.lab.core.Json;
import org.naklab.lab.core.UsageException;
import org.naklab.lab.diagnosis.Cause;
import org.naklab.lab.workshop.Answer;
import org.naklab.lab.workshop.AnswerKey;
import org.naklab.lab.workshop.Grade;
import org.naklab.lab.workshop.Grader;
import org.naklab.lab.workshop.SealedCase;
import org.naklab.lab.workshop.seal.Seal;

/** All cases of a corpus, sealed under names that tell nothing, and the scores of answers to them. */
public final class Benchmark {
    /** Name of the list of its cases. */
    static final String LIST = "benchmark.json";

    private static final String WORD = "benchmark";

    private final Path directory;
    private final Seal seal;
    private final List<Entry> entries;

    /**
     * One case.
     *
     * @param name of its directory
     * @param seal hash of what is sealed
     */
    public record Entry(String name, String seal) {}

    private record Contents(List<Entry> cases) {}

    private Benchmark(Path directory, Seal seal, List<Entry> entries) {
        this.directory = directory;
        this.seal = seal;
        this.entries = List.copyOf(entries);
    }

    /**
     * Seals all cases of a corpus whose right answer is a cause, or that nothing happened. What the directory had before is deleted.
     *
     * @param directory of the benchmark
     * @param seal of the workshop
     * @throws InputException the corpus has no cases, or the files cannot be written
     */
    public static Benchmark write(Path directory, Path corpus, Seal seal) {
        try {
            if (Files.exists(directory.resolve(LIST))) {
                FileTrees.delete(directory);
            }
            Files.createDirectories(directory);
            List<Entry> entries = new ArrayList<>();
            for (Path source : cases(corpus)) {
                String name = seal.opaque(WORD, String.valueOf(source.getFileName()));
                entries.add(new Entry(name, SealedCase.write(source, directory.resolve(name), seal, WORD, name)));
            }
            entries.sort(Comparator.comparing(Entry::name));
            Json.write(directory.resolve(LIST), new Contents(entries));
            return new Benchmark(directory, seal, entries);
        } catch (IOException e) {
            throw new InputException("the benchmark in " + directory + " cannot be written: " + e.getMessage(), e);
        }
    }

    private static List<Path> cases(Path corpus) throws IOException {
        try (Stream<Path> directories = Files.list(corpus)) {
            List<Path> cases =
                    directories.filter(Benchmark::isAnswered).sorted().toList();
            if (cases.isEmpty()) {
                throw new InputException("no case in " + corpus + " has a right answer, " + Expected.NAME);
            }
            return cases;
        }
    }

    /** Where the right answer itself is that nobody can tell, there is nothing to find. */
    private static boolean isAnswered(Path source) {
        Path expected = source.resolve(Expected.NAME);
        return Files.isRegularFile(expected)
                && !Json.read(expected, Expected.class).cause().equals(Cause.UNEXPLAINED.label());
    }

    /**
     * Opens a benchmark.
     *
     * @throws UsageException there is none
     */
    public static Benchmark open(Path directory, Seal seal) {
        Path list = directory.resolve(LIST);
        if (!Files.isRegularFile(list)) {
            throw new UsageException(
                    "there is no benchmark in " + directory + ": 'naklab workshop seal' makes it from the corpus");
        }
        return new Benchmark(directory, seal, Json.read(list, Contents.class).cases());
    }

    /** Returns its cases, by name. */
    public List<Entry> entries() {
        return entries;
    }

    /** Returns the directory of a case. */
    public Path caseDirectory(Entry entry) {
        return directory.resolve(entry.name());
    }

    AnswerKey key(Entry entry) {
        return SealedCase.open(caseDirectory(entry), seal, WORD, entry.name());
    }

    /**
     * Scores answers. A case that was not answered earns nothing.
     *
     * @param who gave them
     * @param answers by the names of the cases
     * @throws UsageException an answer is to a case that there is not
     */
    public Score score(String who, Map<String, Answer> answers) {
        Map<String, Answer> open = new HashMap<>(answers);
        Score score = Score.none(who);
        for (Entry entry : entries) {
            Answer answer = open.remove(entry.name());
            AnswerKey key = key(entry);
            score = answer == null ? score.plusMissing() : score.plus(key, answer, grade(key, answer));
        }
        if (!open.isEmpty()) {
            throw new UsageException("the benchmark has no case '"
                    + open.keySet().iterator().next() + "': " + LIST + " lists its cases");
        }
        return score;
    }

    /** Suspects can be ruled out only by figures that one asks for, and nobody answers here. */
    static Grade grade(AnswerKey key, Answer answer) {
        return new Grader(key).grade(answer, Set.of(), 0).without(Grader.RULING_OUT);
    }
}
