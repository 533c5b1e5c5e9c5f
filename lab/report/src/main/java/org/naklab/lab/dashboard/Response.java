package org.naklab.lab.dashboard;

import io.netty.channel.DefaultFileRegion;
import io.netty.channel.FileRegion;
import io.netty.handler.codec.http.HttpResponseStatus;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;
import org.naklab.lab.runs.page.ContentPolicy;

/**
 * The response to a request. Responses are not compared, so the body is not copied.
 *
 * @param body of an answer that is not streamed
 * @param file to be streamed in place of the body; who sends the answer closes it
 * @param length of what is sent, in bytes
 */
@SuppressWarnings("ArrayRecordComponent")
record Response(
        HttpResponseStatus status,
        String contentType,
        ContentPolicy policy,
        byte[] body,
        @Nullable FileRegion file,
        long length) {
    private static final String DOWNLOAD = "application/octet-stream";
    private static final String HTML = "text/html; charset=utf-8";

    static Response page(byte[] html, ContentPolicy policy) {
        return new Response(HttpResponseStatus.OK, HTML, policy, html, null, html.length);
    }

    static Response page(FileChannel html, long length, ContentPolicy policy) {
        FileRegion region = new DefaultFileRegion(html, 0, length);
        return new Response(HttpResponseStatus.OK, HTML, policy, new byte[0], region, length);
    }

    /** Responds with a small file that is no page. */
    static Response file(String contentType, byte[] content) {
        return new Response(HttpResponseStatus.OK, contentType, ContentPolicy.NOTHING, content, null, content.length);
    }

    /** Responds with a file to keep. */
    static Response file(FileChannel file, long length) {
        FileRegion region = new DefaultFileRegion(file, 0, length);
        return new Response(HttpResponseStatus.OK, DOWNLOAD, ContentPolicy.NOTHING, new byte[0], region, length);
    }

    static Response refusal(HttpResponseStatus status, String line) {
        byte[] text = (line + "\n").getBytes(StandardCharsets.UTF_8);
        return new Response(status, "text/plain; charset=utf-8", ContentPolicy.NOTHING, text, null, text.length);
    }

    /** Closes a file that nobody will send. */
    void discard() {
        if (file != null) {
            file.release();
        }
    }
}
