package org.naklab.lab.instruments.linux;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.naklab.lab.core.timeline.DetectException;

/**
 * Reads the steal of each CPU from its line in proc(5)'s {@code stat}: the time for which a hypervisor kept it from running
 * runnable threads.
 *
 * <pre>
 * cpu   all of them
 * cpu0  user nice system idle iowait irq softirq steal guest guest_nice     in hundredths of a second
 * cpu1  …
 * </pre>
 */
public final class CpuSteal implements AutoCloseable {
    private static final int WORDS_BEFORE_STEAL = 8;
    private static final long NS_PER_TICK = 10_000_000;
    private static final String PROCESSOR = "cpu\\d+ .*";
    private static final int MAX_LINE_LENGTH = 256;

    private final ProcFile file;
    private final AsciiScanner scanner;
    private final long[] stolenNs;

    /**
     * Opens the file, {@code /proc/stat} or one like it.
     *
     * @throws DetectException it cannot be read
     */
    public CpuSteal(Path path) {
        stolenNs = new long[countProcessors(path)];
        file = ProcFile.open(path, (1 + stolenNs.length) * MAX_LINE_LENGTH);
        scanner = new AsciiScanner(file.view());
    }

    private static int countProcessors(Path path) {
        try (Stream<String> lines = Files.lines(path)) {
            return (int) lines.filter(line -> line.matches(PROCESSOR)).count();
        } catch (IOException e) {
            throw new DetectException("cannot read " + path, e);
        }
    }

    /** Returns the number of CPUs at the time when the file was opened. */
    public int processors() {
        return stolenNs.length;
    }

    /** Reads the figures, without allocation; false when there are none. */
    public boolean read() {
        int length = file.read();
        if (length <= 0) {
            return false;
        }
        scanner.reset(0, length);
        for (int i = 0; i < stolenNs.length; i++) {
            stolenNs[i] = scanner.skipLine().skipWords(WORDS_BEFORE_STEAL).nextLong() * NS_PER_TICK;
        }
        return true;
    }

    /**
     * Returns the steal of a CPU since boot, ns; 0 on a machine without a hypervisor, or with one that does not report it.
     *
     * @param processor from 0 on, in the order of the file
     */
    public long stolenNs(int processor) {
        return stolenNs[processor];
    }

    @Override
    public void close() {
        file.close();
    }
}
