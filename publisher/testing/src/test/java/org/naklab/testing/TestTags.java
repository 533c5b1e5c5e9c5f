package org.naklab.testing;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/** Reads the tags of all test classes of the project from their sources. */
record TestTags(List<String> problems, TreeMap<String, Integer> liveRuns) {
    private static final Pattern MARK = Pattern.compile("(?m)^@(Live|Matrix|Contained)\\b");
    private static final Pattern RUNS = Pattern.compile("(?m)^@Live\\(runs = (\\d+)\\)");
    private static final Pattern TAG = Pattern.compile("(?m)^\\s*@Tags?\\(");
    private static final Set<String> OTHERS = Set.of("target", ".git", "runs", "docs");

    /** Examines the test sources of all modules below a directory; the examples in the documents are projects of their own. */
    static TestTags below(Path root) throws IOException {
        TestTags tags = new TestTags(new ArrayList<>(), new TreeMap<>());
        Files.walkFileTree(root, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult preVisitDirectory(Path directory, BasicFileAttributes attributes) {
                return !directory.equals(root) && isOther(directory)
                        ? FileVisitResult.SKIP_SUBTREE
                        : FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
                String path = root.relativize(file).toString();
                if (path.endsWith(".java") && path.contains("src/test/")) {
                    tags.examine(path, Files.readString(file));
                }
                return FileVisitResult.CONTINUE;
            }
        });
        return tags;
    }

    int sumOfLiveRuns() {
        return liveRuns.values().stream().mapToInt(Integer::intValue).sum();
    }

    /** A package may have the name of such a directory too. */
    private static boolean isOther(Path directory) {
        return OTHERS.contains(directory.getFileName().toString())
                && !directory.toString().contains("src/test/java");
    }

    private void examine(String path, String source) {
        List<String> marks = MARK.matcher(source)
                .results()
                .map(MatchResult::group)
                .distinct()
                .toList();
        if (path.endsWith("Scenario.java") && marks.size() != 1) {
            problems.add(path + ": expected one of @Live, @Matrix and @Contained, found " + marks);
        } else if (marks.size() > 1) {
            problems.add(path + ": expected at most one of @Live, @Matrix and @Contained, found " + marks);
        }
        if (TAG.matcher(source).find()) {
            problems.add(path + ": tags other than @Live, @Matrix and @Contained are in no build");
        }
        RUNS.matcher(source)
                .results()
                .findFirst()
                .ifPresentOrElse(runs -> liveRuns.put(path, Integer.parseInt(runs.group(1))), () -> {
                    if (marks.contains("@Live")) {
                        problems.add(path + ": expected @Live(runs = N)");
                    }
                });
    }
}
