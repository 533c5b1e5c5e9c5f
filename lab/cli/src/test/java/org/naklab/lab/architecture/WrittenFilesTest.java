package org.naklab.lab.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Root's lab writes into directories that its users name: one class alone creates files there, and that one follows no link of others. */
@Timeout(60)
final class WrittenFilesTest {
    private static final Path LAB = Path.of(System.getProperty("naklab.root"), "lab");
    private static final String DOOR = "OutputFile.java";

    private static final Pattern WRITING = Pattern.compile(
            "Files\\s*\\.(?:newOutputStream|newBufferedWriter|write|writeString)\\(|new (?:FileOutputStream|FileWriter)\\(");

    /** These write files of the kernel, whose directories belong to root. */
    private static final Set<String> OF_KERNEL = Set.of(
            "CgroupPaths.java",
            "ControlGroup.java",
            "HostReadAhead.java",
            "KernelFiles.java",
            "TraceInstance.java",
            "TraceSettings.java");

    /** These write into a directory that they have just made, or that was proven before. */
    private static final Set<String> IN_OWN_DIRECTORY =
            Set.of("CaseKeeper.java", "KeptBooks.java", "RemoteRecording.java", "SealedCase.java");

    /** It writes to descriptors that are open. */
    private static final String STREAMS = "Terminal.java";

    @Test
    void shouldCreateFilesInOnePlace() throws IOException {
        Set<String> expected = new TreeSet<>(OF_KERNEL);
        expected.addAll(IN_OWN_DIRECTORY);
        expected.add(STREAMS);
        expected.add(DOOR);
        Set<String> found = new TreeSet<>();
        try (Stream<Path> sources = Files.walk(LAB)) {
            for (Path source : sources.filter(WrittenFilesTest::isMain).toList()) {
                if (WRITING.matcher(Files.readString(source)).find()) {
                    found.add(source.getFileName().toString());
                }
            }
        }
        assertThat(found).containsExactlyElementsOf(expected);
    }

    private static boolean isMain(Path source) {
        return source.toString().contains("src/main/java") && source.toString().endsWith(".java");
    }
}
