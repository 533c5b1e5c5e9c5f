package org.naklab.lab.cli.history;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.naklab.lab.core.Subdirectories;
import org.naklab.lab.runs.record.RunRecord;
import org.naklab.lab.scenarios.record.RunDirectory;

/** Finds finished runs that are old. A directory without {@code run.json}, or with a name that no run has, is none of them. */
final class PrunableRuns {
    private PrunableRuns() {}

    /**
     * Returns the runs of each scenario but for the latest.
     *
     * @param runs the directory of all runs
     * @param kept how many of each scenario remain
     */
    static List<Path> below(Path runs, int kept) {
        List<Path> old = new ArrayList<>();
        for (Path scenario : Subdirectories.of(runs)) {
            List<Path> finished = Subdirectories.of(scenario).stream()
                    .filter(PrunableRuns::isFinished)
                    .sorted(Comparator.comparing(PrunableRuns::name).reversed())
                    .toList();
            finished.stream().skip(kept).forEach(old::add);
        }
        return old;
    }

    /** Returns the bytes on disk of a directory, or 0 if there is none; follows no link. */
    static long bytes(Path directory) {
        AtomicLong bytes = new AtomicLong();
        try {
            if (Files.isDirectory(directory, LinkOption.NOFOLLOW_LINKS)) {
                Files.walkFileTree(directory, new SimpleFileVisitor<>() {
                    @Override
                    public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
                        bytes.addAndGet(attributes.size());
                        return FileVisitResult.CONTINUE;
                    }
                });
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return bytes.get();
    }

    private static boolean isFinished(Path run) {
        return RunDirectory.isName(name(run))
                && Files.isRegularFile(run.resolve(RunRecord.NAME), LinkOption.NOFOLLOW_LINKS);
    }

    private static String name(Path directory) {
        return String.valueOf(directory.getFileName());
    }
}
