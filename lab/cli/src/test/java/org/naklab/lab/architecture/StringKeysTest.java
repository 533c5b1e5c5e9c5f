package org.naklab.lab.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Figures of the timeline are components of records: nobody but these reads a detail by its key. */
@Timeout(60)
final class StringKeysTest {
    private static final Path LAB = Path.of(System.getProperty("naklab.root"), "lab");
    private static final Pattern READ = Pattern.compile(
            "\\b(?:longDetail|textDetail|detail|details\\(\\)\\.(?:get|getOrDefault|containsKey))\\(\\s*\"(\\w+)\"");
    /** The records of the timeline read the file, and there alone a name is a key. */
    private static final String RECORDS = "/org/naklab/lab/core/timeline/";

    /** What begins the name of a series of a process: core's SeriesName alone writes and reads these. */
    private static final Pattern SERIES = Pattern.compile("\"(?:socket|thread|heartbeat|gauge|rate|timer|sampler)\\.");

    /** Names of files of a control group; CgroupPaths alone opens them. */
    private static final Pattern CGROUP_FILE = Pattern.compile(
            "\\b(?:blkio\\.\\w+|io\\.(?:max|stat|weight|latency|pressure)|cpu\\.(?:max|stat|weight|shares|pressure|cfs_\\w+)|cpuset\\.(?:cpus|mems)|freezer\\.state|"
                    + "memory\\.(?:stat|current|max|peak|high|low|min|events|pressure|failcnt|swappiness|memsw\\.\\w+|swap\\.\\w+|oom\\.\\w+|\\w+_in_bytes)|"
                    + "cgroup\\.(?:procs|threads|type|events|freeze|kill|stat|controllers|subtree_control))\\b"
                    + "|^\"(?:blkio|cpuset|freezer)\"$");

    private static final Pattern LITERAL = Pattern.compile("\"(?:\\\\.|[^\"\\\\])*\"");

    /** These name the files in sentences for people, and open none. */
    private static final Set<String> CGROUP_FILES_IN_SENTENCES = Set.of("Cause.java", "ThrottleInstrument.java");

    /** Words that an experiment answers with. */
    private static final Pattern ANSWER = Pattern.compile(
            "^\"(?:helps|hurts|no difference|no-difference-seen|not enough runs|not in effect|more often|less often|"
                    + "removes the cause|hides the symptom|does not help)\"$");

    /** Returns the names of the files of main code that have such a literal, in order. */
    private static Set<String> filesWithLiteral(Pattern pattern) throws IOException {
        Set<String> found = new TreeSet<>();
        try (Stream<Path> sources = Files.walk(LAB)) {
            for (Path source : sources.filter(StringKeysTest::isMain).toList()) {
                if (Files.readAllLines(source).stream().anyMatch(line -> hasLiteral(line, pattern))) {
                    found.add(source.getFileName().toString());
                }
            }
        }
        return found;
    }

    private static boolean hasLiteral(String line, Pattern pattern) {
        return !line.strip().startsWith("*")
                && !line.strip().startsWith("/")
                && LITERAL.matcher(line).results().anyMatch(literal -> pattern.matcher(literal.group())
                        .find());
    }

    /** All experiments answer with one type. */
    @Test
    void shouldNameAnswersInOnePlace() throws IOException {
        assertThat(filesWithLiteral(ANSWER)).containsExactly("Answer.java");
    }

    /** Both versions of control groups are known in one place. */
    @Test
    void shouldNameFilesOfControlGroupsInOnePlace() throws IOException {
        Set<String> expected = new TreeSet<>(CGROUP_FILES_IN_SENTENCES);
        expected.add("CgroupPaths.java");
        assertThat(filesWithLiteral(CGROUP_FILE)).containsExactlyElementsOf(expected);
    }

    private static List<String> keysRead() throws IOException {
        List<String> keys = new ArrayList<>();
        try (Stream<Path> sources = Files.walk(LAB)) {
            for (Path source : sources.filter(StringKeysTest::isMain).toList()) {
                READ.matcher(Files.readString(source))
                        .results()
                        .map((MatchResult read) -> read.group(1))
                        .forEach(keys::add);
            }
        }
        return keys;
    }

    private static boolean isMain(Path source) {
        String path = source.toString();
        return path.endsWith(".java") && path.contains("src/main/java") && !path.contains(RECORDS);
    }

    @Test
    void shouldReadNoFigureByAStringKey() throws IOException {
        assertThat(keysRead()).isEmpty();
    }

    /** A stack is a list; the file alone has it as one text. */
    @Test
    void shouldSplitStacksInOnePlace() throws IOException {
        try (Stream<Path> sources = Files.walk(LAB)) {
            assertThat(sources.filter(source -> source.toString().endsWith(".java")
                                    && source.toString().contains("src/main/java"))
                            .filter(StringKeysTest::splitsStacks)
                            .map(source -> source.getFileName().toString()))
                    .containsExactly("Stacks.java");
        }
    }

    private static boolean splitsStacks(Path source) {
        try {
            return Files.readString(source).contains("\" < \"");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void shouldNameSeriesInOnePlace() throws IOException {
        List<Path> found = new ArrayList<>();
        try (Stream<Path> sources = Files.walk(LAB)) {
            for (Path source : sources.filter(StringKeysTest::isMain).toList()) {
                if (SERIES.matcher(Files.readString(source)).find()) {
                    found.add(source);
                }
            }
        }
        assertThat(found).isEmpty();
    }
}
