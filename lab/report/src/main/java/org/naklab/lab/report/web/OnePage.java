package org.naklab.lab.report.web;

import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpResponseStatus;
import java.io.IOException;

/** Serves one text, which is written anew for each request, and nothing else. */
public final class OnePage implements Pages {
    private final String path;
    private final String contentType;
    private final Text text;

    /** Writes the text. */
    public interface Text {
        /** Returns the text as it is now. */
        byte[] write() throws IOException;
    }

    /**
     * Describes the page.
     *
     * @param path at which it is served
     */
    public OnePage(String path, String contentType, Text text) {
        this.path = path;
        this.contentType = contentType;
        this.text = text;
    }

    @Override
    public Response answer(WebRequest request) throws IOException {
        if (!request.method().equals(HttpMethod.GET) && !request.method().equals(HttpMethod.HEAD)) {
            return Response.refusal(HttpResponseStatus.METHOD_NOT_ALLOWED, "only GET and HEAD")
                    .with(HttpHeaderNames.ALLOW, "GET, HEAD");
        }
        return request.path().equals(path)
                ? Response.file(contentType, text.write())
                : Response.refusal(HttpResponseStatus.NOT_FOUND, "here is " + path);
    }
}
