package org.naklab.lab.instruments.kernel.symbols;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.naklab.lab.core.process.ProcPaths;
import org.naklab.lab.core.timeline.DetectException;
import org.naklab.lab.instruments.linux.ForeignFile;
import org.naklab.lab.instruments.linux.NamespacePid;

/**
 * Names code that a JVM compiled, by the file that {@code jcmd PID Compiler.perfmap} writes (JDK 17 and later) or that
 * {@code -XX:+DumpPerfMapAtExit} and agents write.
 *
 * <pre>
 * 7f1c2a000000 1a0 long org.example.Handler.onMessage(long)
 * begin        length name
 * </pre>
 */
public final class PerfMap {
    private static final long TIMEOUT_S = 10;
    /** The map of a large JVM has some megabytes. */
    private static final long MOST_BYTES = 64L << 20;

    private static final Pattern ENTRY = Pattern.compile("(?:0x)?(\\p{XDigit}{1,16}) (?:0x)?(\\p{XDigit}{1,16}) (.+)");

    private final NavigableMap<Long, Code> codes;

    private record Code(long length, String name) {}

    private PerfMap(NavigableMap<Long, Code> codes) {
        this.codes = codes;
    }

    /** Returns where a process has its map, as seen from here. */
    public static Path file(long pid) {
        Path process = ProcPaths.of(pid);
        return ForeignFile.inRoot(process, "/tmp/perf-" + NamespacePid.of(pid).orElse(pid) + ".map");
    }

    /**
     * Has the JVM write its map. It is a VM operation without a safepoint of its own, but takes the lock of the code cache.
     *
     * @throws DetectException there is no {@code jcmd}, or the process is no JVM of this user, or older than JDK 17
     */
    public static void request(long pid) {
        Path jcmd = Path.of(System.getProperty("java.home"), "bin", "jcmd");
        try {
            Process process = new ProcessBuilder(jcmd.toString(), Long.toString(pid), "Compiler.perfmap")
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start();
            if (!process.waitFor(TIMEOUT_S, TimeUnit.SECONDS)) {
                process.destroyForcibly();
                throw new DetectException("no names of Java frames: jcmd did not end within " + TIMEOUT_S + " s");
            }
            if (process.exitValue() != 0) {
                throw new DetectException("no names of Java frames: jcmd " + pid + " Compiler.perfmap failed");
            }
        } catch (IOException e) {
            throw new DetectException("no names of Java frames: " + e.getMessage(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new DetectException("interrupted while waiting for jcmd", e);
        }
    }

    /**
     * Reads the map of a process. Anyone can put a file there: lines that are no entry are left out.
     *
     * @throws IOException there is none, or it is no regular file of the user of the process, or too large
     */
    public static PerfMap ofProcess(long pid) throws IOException {
        return read(file(pid), ForeignFile.userOf(pid));
    }

    /**
     * Reads a map.
     *
     * @param owner user id of the process
     * @throws IOException there is none, or it is no regular file of that user, or too large
     */
    static PerfMap read(Path file, int owner) throws IOException {
        NavigableMap<Long, Code> codes = new TreeMap<>();
        new String(ForeignFile.read(file, owner, MOST_BYTES), StandardCharsets.UTF_8)
                .lines()
                .map(ENTRY::matcher)
                .filter(Matcher::matches)
                .forEach(entry -> codes.put(
                        Long.parseUnsignedLong(entry.group(1), 16),
                        new Code(Long.parseUnsignedLong(entry.group(2), 16), entry.group(3))));
        return new PerfMap(codes);
    }

    /** Returns the frame with the name of the compiled method; as it is if no such is known. */
    public StackFrame resolve(StackFrame frame) {
        Map.Entry<Long, Code> entry = codes.floorEntry(frame.address());
        if (entry == null
                || frame.address() - entry.getKey() >= entry.getValue().length()) {
            return frame;
        }
        return new StackFrame(frame.address(), entry.getValue().name(), frame.address() - entry.getKey(), "[jit]");
    }
}
