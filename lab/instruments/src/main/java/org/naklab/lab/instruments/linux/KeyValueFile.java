package org.naklab.lab.instruments.linux;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;

/**
 * Picks numbers out of a file of lines that begin with a key, as {@code /proc/meminfo}, {@code memory.stat} and {@code memory.events} are.
 * Reading does not allocate. One thread.
 */
public final class KeyValueFile implements AutoCloseable {
    private final ProcFile file;
    private final AsciiScanner scanner;
    private final byte[][] keys;
    private final long[] values;

    /**
     * Opens the file.
     *
     * @param keys with the separator that follows them, such as {@code "MemFree:"} or {@code "max "}
     */
    public KeyValueFile(Path path, int capacity, List<String> keys) {
        file = ProcFile.open(path, capacity);
        scanner = new AsciiScanner(file.view());
        this.keys = keys.stream()
                .map(key -> key.getBytes(StandardCharsets.US_ASCII))
                .toArray(byte[][]::new);
        values = new long[keys.size()];
    }

    /** Reads all numbers; false when the file is gone. A key that is not there keeps its value. */
    public boolean read() {
        int length = file.read();
        if (length <= 0) {
            return false;
        }
        scanner.reset(0, length);
        while (!scanner.atEnd()) {
            for (int i = 0; i < keys.length; i++) {
                if (scanner.skip(keys[i])) {
                    values[i] = scanner.nextLong();
                    break;
                }
            }
            scanner.skipLine();
        }
        return true;
    }

    /** Returns the value of the key with that index. */
    public long value(int key) {
        return values[key];
    }

    /** Returns the sum of the values of all keys. */
    public long sum() {
        long sum = 0;
        for (long value : values) {
            sum += value;
        }
        return sum;
    }

    @Override
    public void close() {
        file.close();
    }
}
