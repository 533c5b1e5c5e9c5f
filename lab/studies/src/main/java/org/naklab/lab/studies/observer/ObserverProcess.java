package org.naklab.lab.studies.observer;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;

/**
 * Runs all instruments in a separate process, so that they can be halted together. Ends with its standard input.
 *
 * <pre>
 * in   watch PID AERON-DIRECTORY DIRECTORY     attach to a service
 * out  watching
 * in   end                                     let go of it
 * out  what each instrument took, see {@link InstrumentCosts}
 * </pre>
 */
final class ObserverProcess {
    /** Options of the JVM, as the launcher sets them for a command that observes a run. */
    static final List<String> JVM_OPTIONS = List.of("-XX:TieredStopAtLevel=1");

    static final String WATCH = "watch";
    static final String WATCHING = "watching";
    static final String END = "end";

    private ObserverProcess() {}

    /** Watches one service after the other. */
    public static void main(String[] args) throws IOException {
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.US_ASCII));
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            watch(line.split(" ", 4), in);
        }
    }

    private static void watch(String[] words, BufferedReader in) throws IOException {
        if (words.length != 4 || !words[0].equals(WATCH)) {
            throw new IllegalArgumentException("unknown command: " + String.join(" ", words));
        }
        PipelineWatch watch = new PipelineWatch(Long.parseLong(words[1]), words[2], Path.of(words[3]));
        watch.blind().forEach(line -> System.err.println("not measured: " + line));
        try (watch) {
            System.out.println(WATCHING);
            String line = in.readLine();
            if (!END.equals(line)) {
                return;
            }
        }
        System.out.println(new InstrumentCosts(watch.costs(), watch.elapsedNs()));
    }
}
