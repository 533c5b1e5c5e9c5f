package org.naklab.lab.instruments.linux;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.naklab.lab.core.timeline.DetectException;

/**
 * Pressure stall information: how long tasks waited for a resource, in microseconds since boot.
 *
 * <pre>
 * some avg10=0.00 avg60=0.00 avg300=0.00 total=0      at least one task waited
 * full avg10=0.00 avg60=0.00 avg300=0.00 total=0      all that could run waited
 * </pre>
 */
public final class PressureFile implements AutoCloseable {
    private static final byte[] TOTAL = "total=".getBytes(StandardCharsets.US_ASCII);
    private static final int WORDS_BEFORE_TOTAL = 4;

    private final ProcFile file;
    private final AsciiScanner scanner;
    private long someUs;
    private long fullUs;

    /**
     * Opens a pressure file.
     *
     * @throws DetectException it cannot be opened
     */
    public PressureFile(Path path) {
        file = ProcFile.open(path, 256);
        scanner = new AsciiScanner(file.view());
    }

    /**
     * Reads the figures; false when there are none.
     *
     * @throws DetectException the kernel has them switched off
     */
    public boolean read() {
        int length = file.read();
        if (length <= 0) {
            return false;
        }
        scanner.reset(0, length);
        someUs = nextTotal();
        fullUs = scanner.atEnd() ? 0 : nextTotal();
        return true;
    }

    /** Returns the time during which at least one task waited, since boot, in us. */
    public long someUs() {
        return someUs;
    }

    public long fullUs() {
        return fullUs;
    }

    private long nextTotal() {
        scanner.skipWords(WORDS_BEFORE_TOTAL).skipBlanks();
        long total = scanner.skip(TOTAL) ? scanner.nextLong() : 0;
        scanner.skipLine();
        return total;
    }

    @Override
    public void close() {
        file.close();
    }
}
