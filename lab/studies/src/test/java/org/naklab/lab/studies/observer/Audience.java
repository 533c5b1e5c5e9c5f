package org.naklab.lab.studies.observer;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicLong;

/** A process of viewers that read all that the page of a run sends, as browsers do, and draw nothing. Ends with its standard input, and prints how many frames came. */
final class Audience {
    private static final AtomicLong FRAMES = new AtomicLong();
    private static final AtomicLong BYTES = new AtomicLong();

    private Audience() {}

    /**
     * Connects the viewers.
     *
     * @param args address of the page, and the number of viewers
     */
    public static void main(String[] args) throws Exception {
        URI page = URI.create(args[0]);
        URI socket = URI.create("ws://" + page.getAuthority() + page.getPath().replace(".html", ""));
        HttpClient client = HttpClient.newHttpClient();
        List<WebSocket> viewers = new ArrayList<>();
        for (int i = 0; i < Integer.parseInt(args[1]); i++) {
            WebSocket viewer = client.newWebSocketBuilder()
                    .header("Origin", "http://" + page.getAuthority())
                    .buildAsync(socket, new Viewer())
                    .join();
            viewer.sendText("{\"columns\": 600, \"windowMs\": 20000}", true).join();
            viewers.add(viewer);
        }
        System.out.println("all are there");
        while (System.in.read() >= 0) {
            // Until the end.
        }
        System.out.println(FRAMES + " frames, " + BYTES + " bytes");
        viewers.forEach(WebSocket::abort);
        System.exit(0);
    }

    private static final class Viewer implements WebSocket.Listener {
        @Override
        public CompletionStage<?> onBinary(WebSocket socket, ByteBuffer data, boolean isLast) {
            BYTES.addAndGet(data.remaining());
            if (isLast) {
                FRAMES.incrementAndGet();
            }
            return WebSocket.Listener.super.onBinary(socket, data, isLast);
        }
    }
}
