package org.naklab.faults.binding;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.agrona.IoUtil;
import org.naklab.faults.FaultException;

/** Directories named after the process that made them, so that the next one can clear up after one that was killed. */
final class TemporaryDirectories {
    private static final String PREFIX = "naklab-native-";
    private static final Pattern NAME = Pattern.compile(PREFIX + "(\\d+)-.*");

    private TemporaryDirectories() {}

    static Path create() {
        try {
            return Files.createTempDirectory(PREFIX + ProcessHandle.current().pid() + "-");
        } catch (IOException e) {
            throw new FaultException("cannot make a directory for the native libraries", e);
        }
    }

    static void deleteOrphans() {
        Path parent = Path.of(System.getProperty("java.io.tmpdir"));
        try (DirectoryStream<Path> candidates = Files.newDirectoryStream(parent, PREFIX + "*")) {
            for (Path candidate : candidates) {
                Matcher matcher = NAME.matcher(candidate.getFileName().toString());
                if (matcher.matches()
                        && Files.isWritable(candidate)
                        && ProcessHandle.of(Long.parseLong(matcher.group(1))).isEmpty()) {
                    IoUtil.delete(candidate.toFile(), true);
                }
            }
        } catch (IOException e) {
            throw new FaultException("cannot look for left-over native libraries in " + parent, e);
        }
    }
}
