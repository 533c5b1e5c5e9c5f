package org.naklab.exchange;

import java.nio.file.Path;
import java.util.Locale;
import org.naklab.exchange.flow.OrderFlow;
import org.naklab.exchange.flow.OrderFlowException;
import org.naklab.exchange.flow.SourceFile;
import org.naklab.exchange.itch.ItchFlow;
import org.naklab.exchange.lobster.LobsterFlow;

/** Finds out what kind of order flow a file holds, by its content. */
public final class OrderFlows {
    private static final int HEAD_BYTES = 512;

    private OrderFlows() {}

    /**
     * Opens a LOBSTER message CSV (text) or a NASDAQ TotalView-ITCH 5.0 file (binary), either of them plain or gzip.
     * A byte order mark, a line with the names of the columns, an empty last line and BinaryFILE's end mark are passed over.
     *
     * @throws OrderFlowException when the file is missing, unreadable, empty, or bad from the start
     */
    public static OrderFlow open(Path path) {
        byte[] head = SourceFile.head(path, HEAD_BYTES);
        if (head.length == 0) {
            throw new OrderFlowException(path + ": is empty");
        }
        return isText(head, isNamedCsv(path)) ? LobsterFlow.open(path) : ItchFlow.open(path);
    }

    /**
     * ITCH holds control bytes from its first length field on, CSV none. Bytes that are neither count as text only in a file
     * that claims to be CSV, so that its error names a row.
     */
    private static boolean isText(byte[] head, boolean isNamedCsv) {
        for (int i = SourceFile.hasByteOrderMark(head) ? SourceFile.BYTE_ORDER_MARK_BYTES : 0; i < head.length; i++) {
            byte b = head[i];
            boolean isLineEnd = b == '\n' || b == '\r' || b == '\t';
            boolean isControl = (b >= 0 && b < ' ' && !isLineEnd) || b == 0x7f;
            if (isControl || (b < 0 && !isNamedCsv)) {
                return false;
            }
        }
        return true;
    }

    private static boolean isNamedCsv(Path path) {
        String name = path.toString().toLowerCase(Locale.ROOT);
        return name.endsWith(".csv") || name.endsWith(".csv.gz");
    }
}
