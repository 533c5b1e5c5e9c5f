package org.naklab.lab.report.web;

import io.netty.handler.codec.http.DefaultHttpResponse;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpVersion;

/** The head of an answer. Every answer has the same protection, an error too. */
final class SecurityHeaders {
    private SecurityHeaders() {}

    /** Without a referrer, a browser does not tell the origin of a form either. */
    static HttpResponse head(Response answer) {
        HttpResponse response = new DefaultHttpResponse(HttpVersion.HTTP_1_1, answer.status());
        response.headers()
                .set(HttpHeaderNames.CONTENT_TYPE, answer.contentType())
                .set(HttpHeaderNames.CONTENT_LENGTH, answer.length())
                .set(
                        HttpHeaderNames.CONTENT_SECURITY_POLICY,
                        answer.hasForms()
                                ? answer.policy().headerWithForms()
                                : answer.policy().header())
                .set(HttpHeaderNames.CACHE_CONTROL, "no-store")
                .set("x-content-type-options", "nosniff")
                .set("x-frame-options", "DENY")
                .set("referrer-policy", answer.hasForms() ? "same-origin" : "no-referrer")
                .set("cross-origin-resource-policy", "same-origin")
                .set("cross-origin-opener-policy", "same-origin")
                .set(HttpHeaderNames.CONNECTION, "close");
        answer.more().forEach(response.headers()::set);
        return response;
    }
}
