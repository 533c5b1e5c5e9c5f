package org.naklab.lab.report.dashboard;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.http.HttpServerCodec;
import io.netty.util.ReferenceCountUtil;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.naklab.lab.report.web.HostNames;
import org.naklab.lab.report.web.RequestHandler;
import org.naklab.lab.report.web.WebLimits;

/** Whatever a client sends, it gets one protected answer at most, nothing from outside of the runs, and no exception. */
final class FuzzedRequest {
    private static final String SECRET = "not to be seen";

    private FuzzedRequest() {}

    static void requireSafe(Path directory, byte[] sent) throws IOException {
        Path runs = directory.resolve("runs");
        Files.createDirectories(runs.resolve("mystery"));
        Files.writeString(directory.resolve("report.html"), SECRET);
        List<Throwable> errors = new ArrayList<>();
        Router pages = new Router(new RunCatalog(runs, ServeLimits.USUAL), ServeLimits.USUAL);
        HostNames names = new HostNames("127.0.0.1", List.of());
        WebLimits limits = new WebLimits(ServeLimits.USUAL.deadlineMs(), ServeLimits.USUAL.maxConnections(), 0);
        EmbeddedChannel channel = new EmbeddedChannel(
                new HttpServerCodec(), new RequestHandler(pages, names, limits, Runnable::run, errors::add));
        channel.writeInbound(Unpooled.wrappedBuffer(sent));
        channel.runPendingTasks();
        String answer = written(channel);
        channel.finishAndReleaseAll();
        require(errors.isEmpty(), "an error: " + errors);
        require(!answer.contains(SECRET), "a file from outside of the runs");
        boolean isProtected = answer.contains("frame-ancestors 'none'");
        require(answer.isEmpty() || isProtected, "no protection: " + answer);
        require(answer.split("HTTP/1\\.1 \\d{3} ", -1).length <= 2, "several answers: " + answer);
    }

    private static String written(EmbeddedChannel channel) {
        StringBuilder all = new StringBuilder();
        for (Object message = channel.readOutbound(); message != null; message = channel.readOutbound()) {
            if (message instanceof ByteBuf bytes) {
                all.append(bytes.toString(StandardCharsets.ISO_8859_1));
            }
            ReferenceCountUtil.release(message);
        }
        return all.toString();
    }

    private static void require(boolean condition, String otherwise) {
        if (!condition) {
            throw new AssertionError(otherwise);
        }
    }
}
