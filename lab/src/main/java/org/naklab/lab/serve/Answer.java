package org.naklab.lab.serve;

import io.netty.handler.codec.http.HttpResponseStatus;
import java.nio.charset.StandardCharsets;

/** What a request comes to. Compared by nobody, so that the body need not be copied. */
@SuppressWarnings("ArrayRecordComponent")
record Answer(HttpResponseStatus status, String contentType, byte[] body) {
    static Answer page(byte[] html) {
        return new Answer(HttpResponseStatus.OK, "text/html; charset=utf-8", html);
    }

    static Answer refusal(HttpResponseStatus status, String line) {
        return new Answer(status, "text/plain; charset=utf-8", (line + "\n").getBytes(StandardCharsets.UTF_8));
    }
}
