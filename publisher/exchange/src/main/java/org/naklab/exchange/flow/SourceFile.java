package org.naklab.exchange.flow;

import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.zip.GZIPInputStream;
import java.util.zip.ZipException;
import org.jspecify.annotations.Nullable;

/** Opens source files, plain or gzip by their first two bytes (RFC 1952, section 2.3.1), whatever their name. */
public final class SourceFile {
    private static final int BUFFER_BYTES = 1 << 16;
    private static final int GZIP_MAGIC_1 = 0x1f;
    private static final int GZIP_MAGIC_2 = 0x8b;

    private static final byte[] BYTE_ORDER_MARK = {(byte) 0xef, (byte) 0xbb, (byte) 0xbf};

    /** Length of UTF-8's byte order mark. */
    public static final int BYTE_ORDER_MARK_BYTES = BYTE_ORDER_MARK.length;

    private SourceFile() {}

    /**
     * Opens a file for reading, decompressed.
     *
     * @throws OrderFlowException if the file does not exist or cannot be read
     */
    public static InputStream open(Path path) {
        if (Files.isDirectory(path)) {
            throw new OrderFlowException(path + ": is a directory, not a file");
        }
        InputStream raw = null;
        try {
            raw = new BufferedInputStream(Files.newInputStream(path), BUFFER_BYTES);
            raw.mark(2);
            boolean isGzip = raw.read() == GZIP_MAGIC_1 && raw.read() == GZIP_MAGIC_2;
            raw.reset();
            return isGzip ? new GZIPInputStream(raw, BUFFER_BYTES) : raw;
        } catch (IOException e) {
            String where = raw == null ? ": " : " offset 0: ";
            OrderFlowException failure = new OrderFlowException(path + where + reason(e), e);
            closeAfter(failure, raw);
            throw failure;
        }
    }

    /** The first bytes of the content, decompressed; fewer than asked for when the file is shorter or breaks off. */
    public static byte[] head(Path path, int length) {
        byte[] head = new byte[length];
        int count = 0;
        try (InputStream in = open(path)) {
            int read = in.read(head, 0, length);
            while (read > 0) {
                count += read;
                read = in.read(head, count, length - count);
            }
        } catch (IOException e) {
            if (count == 0) {
                throw new OrderFlowException(path + " offset 0: " + reason(e), e);
            }
            // Who reads the file in earnest comes to the same place, and can name the row or the offset.
        }
        return Arrays.copyOf(head, count);
    }

    /** Returns whether content begins with UTF-8's byte order mark, which some programs write in front of a text. */
    public static boolean hasByteOrderMark(byte[] head) {
        return head.length >= BYTE_ORDER_MARK_BYTES
                && Arrays.equals(head, 0, BYTE_ORDER_MARK_BYTES, BYTE_ORDER_MARK, 0, BYTE_ORDER_MARK_BYTES);
    }

    /** Returns what went wrong, in an operator's words. */
    public static String reason(IOException e) {
        if (e instanceof NoSuchFileException) {
            return "no such file";
        }
        if (e instanceof AccessDeniedException) {
            return "may not be read (permission denied)";
        }
        if (e instanceof EOFException) {
            return "the gzip data ends early (truncated file)";
        }
        if (e instanceof ZipException) {
            return "the gzip data is damaged (" + e.getMessage() + ")";
        }
        if (e instanceof BoundedLines.LongLineException) {
            return String.valueOf(e.getMessage());
        }
        return "cannot be read (" + e.getMessage() + ")";
    }

    /** Closes a resource on the way out of a failure, which stays the one that is thrown. */
    public static void closeAfter(Throwable failure, @Nullable AutoCloseable resource) {
        if (resource != null) {
            try {
                resource.close();
            } catch (Exception e) {
                failure.addSuppressed(e);
            }
        }
    }
}
