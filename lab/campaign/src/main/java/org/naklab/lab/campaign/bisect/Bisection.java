package org.naklab.lab.campaign.bisect;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.naklab.lab.core.InputException;
import org.naklab.lab.core.LabException;
import org.naklab.lab.scenarios.Verdict;

/** Finds the first bad commit. Git chooses the commits, in a work tree of its own; a judge runs each. */
public final class Bisection {
    private static final Pattern FIRST_BAD = Pattern.compile("(?m)^([0-9a-f]{40}) is the first bad commit");
    /** What is left when commits without a verdict hide the first bad one. */
    private static final Pattern SKIPPED = Pattern.compile("The first bad commit could be any of");

    private final Path repository;
    private final Path worktree;

    /** Judges a commit that is checked out. */
    @FunctionalInterface
    public interface Judge {
        /** Returns PASS for a good commit, FAIL for a bad one, UNKNOWN for one that cannot be judged. */
        Verdict judge(Path worktree, String commit) throws InterruptedException;
    }

    /** Prepares a search.
     *
     * @param worktree is created for the time of the search; it must not exist
     */
    public Bisection(Path repository, Path worktree) {
        this.repository = repository;
        this.worktree = worktree;
    }

    /**
     * Searches.
     *
     * @return the first bad commit; empty if commits that cannot be judged hide it
     * @throws InputException a commit is not in the repository, or the good one is no ancestor of the bad one
     * @throws LabException the good commit is not good, or the bad one not bad
     */
    public Optional<String> search(String good, String bad, Judge judge) throws InterruptedException {
        String first = commit(good);
        String last = commit(bad);
        if (!git(repository, "rev-list", "--max-count=1", first, "^" + last).isEmpty()) {
            throw new InputException(
                    good + " is not an ancestor of " + bad + ", so no commit between them is the first");
        }
        git(repository, "worktree", "add", "--detach", worktree.toString(), last);
        try {
            require(judge, last, bad, Verdict.FAIL);
            git(worktree, "checkout", "--detach", first);
            require(judge, first, good, Verdict.PASS);
            String answer = git(worktree, "bisect", "start", last, first);
            while (true) {
                Matcher found = FIRST_BAD.matcher(answer);
                if (found.find()) {
                    return Optional.of(found.group(1));
                }
                if (SKIPPED.matcher(answer).find()) {
                    return Optional.empty();
                }
                String here = git(worktree, "rev-parse", "HEAD");
                answer = git(worktree, "bisect", word(judge.judge(worktree, here)));
            }
        } finally {
            git(repository, "worktree", "remove", "--force", worktree.toString());
        }
    }

    private void require(Judge judge, String commit, String name, Verdict expected) throws InterruptedException {
        Verdict verdict = judge.judge(worktree, commit);
        if (verdict != expected) {
            throw new LabException("the commit " + name + " was to be " + word(expected) + ", and is " + word(verdict));
        }
    }

    private static String word(Verdict verdict) {
        return switch (verdict) {
            case PASS -> "good";
            case FAIL -> "bad";
            case UNKNOWN -> "skip";
        };
    }

    private String commit(String name) {
        try {
            return git(repository, "rev-parse", "--verify", "--quiet", "--end-of-options", name + "^{commit}");
        } catch (LabException e) {
            throw new InputException("no commit '" + name + "' in " + repository, e);
        }
    }

    /** Git ends a search that skipped commits hide with 2, and says so. */
    private static String git(Path directory, String... words) {
        List<String> command = new ArrayList<>(List.of("git", "-C", directory.toString()));
        command.addAll(List.of(words));
        try {
            Process process =
                    new ProcessBuilder(command).redirectErrorStream(true).start();
            process.getOutputStream().close();
            String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
            int code = process.waitFor();
            if (code != 0 && !SKIPPED.matcher(output).find()) {
                throw new LabException("git " + String.join(" ", words) + " failed: " + output);
            }
            return output;
        } catch (IOException e) {
            throw new LabException("cannot run git: " + e.getMessage(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new LabException("interrupted", e);
        }
    }
}
