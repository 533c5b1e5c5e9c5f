package org.naklab.lab.runs.history.detail;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The name of a series without the numbers that differ from run to run.
 *
 * @param series such as {@code socket.mds.0.0.0.0.depthBytes}
 * @param port of a socket; {@code null}: it has none
 * @param inode of a socket; {@code null}: it has none
 * @param threadId of a thread; {@code null}: it has none
 * @param sessionId of an Aeron stream; {@code null}: it has none
 */
public record SeriesName(
        String series,
        @Nullable Long port,
        @Nullable Long inode,
        @Nullable Long threadId,
        @Nullable Long sessionId) {
    private static final Pattern SOCKET = Pattern.compile("(socket\\..*):(\\d{1,9})#(\\d{1,18})(\\..*)");
    private static final Pattern THREAD = Pattern.compile("(thread\\..*)#(\\d{1,18})(\\..*)");
    private static final Pattern SESSION = Pattern.compile("(aeron\\..*)\\.session(-?\\d{1,18})(\\..*)");

    /** Splits a name as it is in {@code samples.csv.gz}. */
    public static SeriesName of(String name) {
        Matcher socket = SOCKET.matcher(name);
        if (socket.matches()) {
            return new SeriesName(
                    socket.group(1) + socket.group(4),
                    Long.valueOf(socket.group(2)),
                    Long.valueOf(socket.group(3)),
                    null,
                    null);
        }
        Matcher thread = THREAD.matcher(name);
        if (thread.matches()) {
            return new SeriesName(thread.group(1) + thread.group(3), null, null, Long.valueOf(thread.group(2)), null);
        }
        Matcher session = SESSION.matcher(name);
        if (session.matches()) {
            return new SeriesName(
                    session.group(1) + session.group(3), null, null, null, Long.valueOf(session.group(2)));
        }
        return new SeriesName(name, null, null, null, null);
    }
}
