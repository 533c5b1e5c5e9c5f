package org.naklab.lab.instruments.kernel;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import org.naklab.lab.core.timeline.DetectException;

/** Starts the program {@code naklab-kernel}, which is built with this module and travels in its jar. */
final class BpfProgram {
    private static final String NAME = "native/naklab-kernel";

    private BpfProgram() {}

    /**
     * Starts the program. Its file is deleted at once: a program that runs does not need its name.
     *
     * @throws DetectException the build has no such program, or it cannot be started here
     */
    static Process start(List<String> arguments) {
        try (InputStream program = BpfProgram.class.getResourceAsStream(NAME)) {
            if (program == null) {
                throw new DetectException(
                        "no BPF recorder: the lab was built without it;"
                                + " apt-get install clang bpftool libbpf-dev libelf-dev libdw-dev, then build again (x86-64 and aarch64)");
            }
            Path file = Files.createTempFile(
                    "naklab-kernel-",
                    "",
                    PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
            try {
                Files.copy(program, file, StandardCopyOption.REPLACE_EXISTING);
                Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwx------"));
                List<String> command = new ArrayList<>(List.of(file.toString()));
                command.addAll(arguments);
                return new ProcessBuilder(command)
                        .redirectError(ProcessBuilder.Redirect.INHERIT)
                        .start();
            } finally {
                Files.delete(file);
            }
        } catch (IOException e) {
            throw new DetectException("no BPF recorder: its program cannot be started: " + e.getMessage(), e);
        }
    }

    /** Returns whether a function has a name in a stack of the program itself. @throws DetectException as {@link #start} */
    static boolean resolves(String function) {
        Process program = start(List.of("--resolve", function));
        try (BufferedReader output = program.inputReader(StandardCharsets.US_ASCII)) {
            String line = output.readLine();
            return line != null
                    && RecordParser.parse(line) instanceof RecordParser.Resolved resolved
                    && resolved.found();
        } catch (IOException e) {
            throw new DetectException("no BPF recorder: its program cannot be read: " + e.getMessage(), e);
        }
    }
}
