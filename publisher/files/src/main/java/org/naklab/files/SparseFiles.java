package org.naklab.files;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;

/** Frees the blocks of zeros in files: a copy of a sparse file that went through an archive has none of its holes. */
public final class SparseFiles {
    private static final long LEAST_BYTES = 1 << 20;

    private SparseFiles() {}

    /**
     * Makes holes of the blocks of zeros in all files of 1 MiB and more, with {@code fallocate --dig-holes} of util-linux. The contents stay
     * the same; follows no link.
     *
     * @return false if the machine has no {@code fallocate}, or the file system no holes: the files are then as they were
     * @throws IOException the directory cannot be read
     */
    public static boolean digHoles(Path directory) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of("fallocate", "--dig-holes", ""));
        boolean isDone = true;
        for (Path file : largeFiles(directory)) {
            command.set(command.size() - 1, file.toAbsolutePath().toString());
            isDone &= hasSucceeded(command);
        }
        return isDone;
    }

    private static boolean hasSucceeded(List<String> command) throws InterruptedException {
        try {
            return new ProcessBuilder(command)
                            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                            .redirectError(ProcessBuilder.Redirect.DISCARD)
                            .start()
                            .waitFor()
                    == 0;
        } catch (IOException e) {
            // There is no such program: the file keeps its length and its contents, and takes more space.
            return false;
        }
    }

    private static List<Path> largeFiles(Path directory) throws IOException {
        List<Path> files = new ArrayList<>();
        Files.walkFileTree(directory, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
                if (attributes.isRegularFile() && attributes.size() >= LEAST_BYTES) {
                    files.add(file);
                }
                return FileVisitResult.CONTINUE;
            }
        });
        return files;
    }
}
