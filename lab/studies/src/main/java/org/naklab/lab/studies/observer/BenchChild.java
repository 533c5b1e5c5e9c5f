package org.naklab.lab.studies.observer;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.naklab.lab.process.Installation;
import org.naklab.lab.process.LineProcess;

/** The bench's end of a process of its own, which is told by lines what to do and answers by lines. */
final class BenchChild implements AutoCloseable {
    private final LineProcess.Answers answers = new LineProcess.Answers();
    private final LineProcess process;

    private BenchChild(String name, ProcessBuilder builder) {
        process = LineProcess.start(name, builder.redirectError(ProcessBuilder.Redirect.INHERIT), answers);
    }

    /**
     * Starts it.
     *
     * @param jvmOptions beside those that every process of the lab has
     */
    static BenchChild start(List<String> jvmOptions, Class<?> main, String... args) throws IOException {
        return start(jvmOptions, Map.of(), main, args);
    }

    /** Starts it with more variables in its environment. */
    static BenchChild start(List<String> jvmOptions, Map<String, String> variables, Class<?> main, String... args)
            throws IOException {
        ProcessBuilder builder = new ProcessBuilder(Installation.current().command(jvmOptions, main, List.of(args)));
        builder.environment().putAll(variables);
        return new BenchChild(main.getSimpleName(), builder);
    }

    long pid() {
        return process.pid();
    }

    /** Sends a line. A child that has ended takes none, which its missing answer tells. */
    void send(String line) {
        boolean unused = process.send(line);
    }

    /** Waits for a line. */
    String answer() {
        return answers.next();
    }

    /** Ends its input, so that it clears up after itself. */
    @Override
    public void close() {
        process.close();
    }
}
