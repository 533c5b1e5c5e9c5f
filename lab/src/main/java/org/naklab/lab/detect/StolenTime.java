package org.naklab.lab.detect;

import java.nio.file.Path;

/**
 * For how long a hypervisor kept this machine's processors from running what was ready to run, from the first line of proc(5)'s
 * {@code stat}, all processors together.
 *
 * <pre>
 * cpu  user nice system idle iowait irq softirq steal guest guest_nice     in hundredths of a second
 * </pre>
 */
public final class StolenTime implements AutoCloseable {
    private static final int WORDS_BEFORE_STEAL = 8;
    private static final long NS_PER_TICK = 10_000_000;

    private final ProcFile file;
    private final AsciiScanner scanner;
    private long stolenNs;

    /**
     * Opens the file, {@code /proc/stat} or one like it.
     *
     * @throws DetectException it cannot be opened
     */
    public StolenTime(Path path) {
        file = ProcFile.open(path, 256);
        scanner = new AsciiScanner(file.view());
    }

    /** Reads the figure, without allocation; false when there is none. */
    public boolean read() {
        int length = file.read();
        if (length <= 0) {
            return false;
        }
        stolenNs = scanner.reset(0, length).skipWords(WORDS_BEFORE_STEAL).nextLong() * NS_PER_TICK;
        return true;
    }

    /** Since boot; 0 on a machine without a hypervisor, or one that does not tell. */
    public long stolenNs() {
        return stolenNs;
    }

    @Override
    public void close() {
        file.close();
    }
}
