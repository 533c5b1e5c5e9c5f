package org.naklab.lab.web;

import java.io.IOException;

/** Answers the requests of a server. */
public interface Pages {
    /**
     * Answers a request. It is called on several threads at once.
     *
     * @throws IOException a file cannot be read; the client is told no details
     */
    Response answer(WebRequest request) throws IOException;
}
