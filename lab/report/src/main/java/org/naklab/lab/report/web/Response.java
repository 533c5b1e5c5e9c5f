package org.naklab.lab.report.web;

import io.netty.channel.DefaultFileRegion;
import io.netty.channel.FileRegion;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpResponseStatus;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.naklab.lab.runs.page.ContentPolicy;

/**
 * The response to a request. Responses are not compared, so the body is not copied.
 *
 * @param hasForms whether it is a page whose forms may be sent to this server
 * @param body of an answer that is not streamed
 * @param file to be streamed in place of the body; who sends the answer closes it
 * @param length of what is sent, in bytes
 * @param more values of headers by their names
 */
@SuppressWarnings("ArrayRecordComponent")
public record Response(
        HttpResponseStatus status,
        String contentType,
        ContentPolicy policy,
        boolean hasForms,
        byte[] body,
        @Nullable FileRegion file,
        long length,
        Map<String, String> more) {
    private static final String DOWNLOAD = "application/octet-stream";
    private static final String HTML = "text/html; charset=utf-8";

    public Response {
        more = Map.copyOf(more);
    }

    private static Response of(
            HttpResponseStatus status, String contentType, ContentPolicy policy, boolean hasForms, byte[] body) {
        return new Response(status, contentType, policy, hasForms, body, null, body.length, Map.of());
    }

    /** Responds with a page. */
    public static Response page(byte[] html, ContentPolicy policy) {
        return of(HttpResponseStatus.OK, HTML, policy, false, html);
    }

    /** Responds with a page whose forms may be sent to this server. */
    public static Response form(HttpResponseStatus status, String html, ContentPolicy policy) {
        return of(status, HTML, policy, true, html.getBytes(StandardCharsets.UTF_8));
    }

    /** Responds with a page that is streamed from a file. */
    public static Response page(FileChannel html, long length, ContentPolicy policy) {
        return streamed(HTML, policy, html, length);
    }

    /** Responds with a small file that is no page. */
    public static Response file(String contentType, byte[] content) {
        return of(HttpResponseStatus.OK, contentType, ContentPolicy.NOTHING, false, content);
    }

    /** Responds with a file to keep. */
    public static Response file(FileChannel file, long length) {
        return streamed(DOWNLOAD, ContentPolicy.NOTHING, file, length);
    }

    private static Response streamed(String contentType, ContentPolicy policy, FileChannel file, long length) {
        FileRegion region = new DefaultFileRegion(file, 0, length);
        return new Response(HttpResponseStatus.OK, contentType, policy, false, new byte[0], region, length, Map.of());
    }

    /** Responds with one line of text. */
    public static Response refusal(HttpResponseStatus status, String line) {
        byte[] text = (line + "\n").getBytes(StandardCharsets.UTF_8);
        return of(status, "text/plain; charset=utf-8", ContentPolicy.NOTHING, false, text);
    }

    /** Leads to another page of this server, which is asked for with GET. */
    public static Response redirect(String path) {
        return refusal(HttpResponseStatus.SEE_OTHER, path).with(HttpHeaderNames.LOCATION, path);
    }

    /** Returns this response with another header. */
    public Response with(CharSequence name, String value) {
        Map<String, String> longer = new TreeMap<>(more);
        longer.put(name.toString(), value);
        return new Response(status, contentType, policy, hasForms, body, file, length, longer);
    }

    /** Closes a file that nobody will send. */
    void discard() {
        if (file != null) {
            file.release();
        }
    }
}
