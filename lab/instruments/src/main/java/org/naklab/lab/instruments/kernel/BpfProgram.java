package org.naklab.lab.instruments.kernel;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.naklab.files.NativeResource;
import org.naklab.lab.core.LabException;
import org.naklab.lab.core.process.AskedProcess;
import org.naklab.lab.core.timeline.DetectException;

/** Starts the program {@code naklab-kernel}, which is built with this module and travels in its jar. */
final class BpfProgram {
    private static final String NAME = "naklab-kernel";

    private BpfProgram() {}

    /**
     * Starts the program. Its file is deleted at once: a program that runs does not need its name.
     *
     * @param starter starts it, and reads its output
     * @throws DetectException the build has no such program, or it cannot be started here
     */
    static <P> P start(List<String> arguments, Function<ProcessBuilder, P> starter) {
        try {
            return new NativeResource(BpfProgram.class, NAME)
                    .use(NAME + "-", "", file -> starter.apply(command(file, arguments)))
                    .orElseThrow(
                            () -> new DetectException(
                                    "no BPF recorder: the lab was built without it;"
                                            + " apt-get install clang bpftool libbpf-dev libelf-dev libdw-dev, then build again (x86-64 and aarch64)"));
        } catch (IOException | UncheckedIOException e) {
            throw new DetectException("no BPF recorder: its program cannot be started: " + e.getMessage(), e);
        }
    }

    private static ProcessBuilder command(Path file, List<String> arguments) {
        List<String> command = new ArrayList<>(List.of(file.toString()));
        command.addAll(arguments);
        return new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT);
    }

    /** Returns whether a function has a name in a stack of the program itself. @throws DetectException as {@link #start} */
    static boolean resolves(String function) {
        try (AskedProcess program =
                start(List.of("--resolve", function), builder -> AskedProcess.start(NAME, builder))) {
            return RecordParser.parse(program.next()) instanceof RecordParser.Resolved resolved && resolved.found();
        } catch (LabException e) {
            throw new DetectException("no BPF recorder: " + e.getMessage(), e);
        }
    }
}
