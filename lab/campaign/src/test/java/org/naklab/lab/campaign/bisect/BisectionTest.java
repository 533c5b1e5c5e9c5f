package org.naklab.lab.campaign.bisect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.naklab.lab.core.InputException;
import org.naklab.lab.core.LabException;
import org.naklab.lab.scenarios.Verdict;

/** Searches in a repository of 16 commits, each of which has its number in a file. */
@Timeout(60)
final class BisectionTest {
    private static final int COMMITS = 16;

    @TempDir
    private Path directory;

    private final List<String> commits = new ArrayList<>();
    private final List<Integer> judged = new ArrayList<>();

    @BeforeEach
    void commit() throws IOException, InterruptedException {
        git("init", "--quiet", ".");
        for (int i = 0; i < COMMITS; i++) {
            Files.writeString(directory.resolve("number"), String.valueOf(i));
            git("add", "number");
            git("-c", "user.name=a", "-c", "user.email=a@b", "commit", "--quiet", "--message", "commit " + i);
            commits.add(git("rev-parse", "HEAD"));
        }
    }

    private String git(String... words) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of("git", "-C", directory.toString()));
        command.addAll(List.of(words));
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
        assertThat(process.waitFor()).as(output).isZero();
        return output;
    }

    private Bisection bisection() {
        return new Bisection(directory, directory.resolve("worktree"));
    }

    private int numberIn(Path worktree) {
        try {
            int number = Integer.parseInt(Files.readString(worktree.resolve("number")));
            judged.add(number);
            return number;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void shouldFindTheFirstBadCommit() throws IOException, InterruptedException {
        for (int firstBad = 1; firstBad < COMMITS; firstBad++) {
            int wanted = firstBad;
            judged.clear();
            assertThat(bisection()
                            .search(
                                    commits.get(0),
                                    commits.get(COMMITS - 1),
                                    (worktree, commit) -> numberIn(worktree) < wanted ? Verdict.PASS : Verdict.FAIL))
                    .contains(commits.get(firstBad));
            assertThat(judged).as("both ends, and a binary search").hasSizeLessThanOrEqualTo(2 + 4);
        }
        assertThat(git("worktree", "list").lines())
                .as("the work tree is removed")
                .hasSize(1);
    }

    @Test
    void shouldPassOverACommitThatCannotBeJudged() throws InterruptedException {
        assertThat(bisection().search(commits.get(0), "HEAD", (worktree, commit) -> {
                    int number = numberIn(worktree);
                    return number == 7 ? Verdict.UNKNOWN : number < 5 ? Verdict.PASS : Verdict.FAIL;
                }))
                .contains(commits.get(5));
    }

    @Test
    void shouldNotGuessWhatCommitsWithoutAVerdictHide() throws InterruptedException {
        assertThat(bisection().search(commits.get(0), "HEAD", (worktree, commit) -> {
                    int number = numberIn(worktree);
                    return number == 0 ? Verdict.PASS : number < COMMITS - 1 ? Verdict.UNKNOWN : Verdict.FAIL;
                }))
                .isEmpty();
    }

    @Test
    void shouldRequireThatTheEndsAreAsTheUserSays() throws IOException, InterruptedException {
        assertThatThrownBy(() -> bisection().search(commits.get(0), "HEAD", (worktree, commit) -> Verdict.PASS))
                .isInstanceOf(LabException.class)
                .hasMessageContaining("was to be bad, and is good");
        assertThatThrownBy(() -> bisection().search("HEAD", commits.get(0), (worktree, commit) -> Verdict.PASS))
                .isInstanceOf(InputException.class)
                .hasMessageContaining("ancestor");
        assertThatThrownBy(() -> bisection().search("no-such", "HEAD", (worktree, commit) -> Verdict.PASS))
                .isInstanceOf(InputException.class)
                .hasMessageContaining("no commit 'no-such'");
        assertThat(git("worktree", "list").lines()).hasSize(1);
    }
}
