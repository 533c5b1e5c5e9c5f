package org.naklab.lab.dashboard;

import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.channel.socket.SocketChannel;
import io.netty.handler.codec.http.DefaultHttpContent;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpObject;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.handler.codec.http.QueryStringDecoder;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Answers one request and closes the connection: a page is looked at by a person, one at a time. Files are read on other threads. */
final class RequestHandler extends SimpleChannelInboundHandler<HttpObject> {
    /** Maximum length of the body of a request, which is ignored. */
    private static final int MAX_BODY_BYTES = 4_096;

    private final Router pages;
    private final HostNames names;
    private final Executor workers;
    private final Consumer<Throwable> errors;
    private boolean asked;

    RequestHandler(Router pages, HostNames names, Executor workers, Consumer<Throwable> errors) {
        this.pages = pages;
        this.names = names;
        this.workers = workers;
        this.errors = errors;
    }

    /** Reads and ignores everything after the head of the request: a body or a further request. */
    @Override
    protected void channelRead0(ChannelHandlerContext context, HttpObject message) {
        if (asked || !(message instanceof HttpRequest request)) {
            return;
        }
        asked = true;
        HttpMethod method = request.method();
        Response refusal = refusal(request);
        if (refusal != null) {
            send(context, method, refusal);
            return;
        }
        String uri = request.uri();
        try {
            workers.execute(() -> {
                Response answer = answer(method, uri);
                context.executor().execute(() -> send(context, method, answer));
            });
        } catch (RejectedExecutionException e) {
            send(
                    context,
                    method,
                    Response.refusal(HttpResponseStatus.SERVICE_UNAVAILABLE, "too many requests at once"));
        }
    }

    private @Nullable Response refusal(HttpRequest request) {
        if (request.decoderResult().isFailure()) {
            return Response.refusal(HttpResponseStatus.BAD_REQUEST, "not a request");
        }
        List<String> hosts = request.headers().getAll(HttpHeaderNames.HOST);
        if (!names.allow(hosts.size() == 1 ? hosts.get(0) : null)) {
            return Response.refusal(
                    HttpResponseStatus.MISDIRECTED_REQUEST,
                    "this server is not called that; 'naklab serve --name NAME' lets it be called NAME");
        }
        return HttpUtil.getContentLength(request, 0L) > MAX_BODY_BYTES
                ? Response.refusal(HttpResponseStatus.REQUEST_ENTITY_TOO_LARGE, "a request has no body here")
                : null;
    }

    private Response answer(HttpMethod method, String uri) {
        try {
            return pages.answer(method, new QueryStringDecoder(uri).path());
        } catch (IllegalArgumentException e) {
            return Response.refusal(HttpResponseStatus.BAD_REQUEST, "not a path");
        } catch (IOException | RuntimeException | OutOfMemoryError e) {
            errors.accept(e);
            return Response.refusal(
                    HttpResponseStatus.INTERNAL_SERVER_ERROR, "no answer; the server's console says why");
        }
    }

    /** Answers HEAD with the length and without the body. */
    private static void send(ChannelHandlerContext context, HttpMethod method, Response answer) {
        write(context, SecurityHeaders.head(answer));
        if (method.equals(HttpMethod.HEAD)) {
            answer.discard();
        } else if (answer.file() != null) {
            write(context, answer.file());
        } else {
            write(context, new DefaultHttpContent(Unpooled.wrappedBuffer(answer.body())));
        }
        context.writeAndFlush(LastHttpContent.EMPTY_LAST_CONTENT).addListener(RequestHandler::finish);
    }

    /** What becomes of a part, the last one tells. */
    private static void write(ChannelHandlerContext context, Object part) {
        ChannelFuture unused = context.write(part);
    }

    /**
     * Ends the writing and lets the client close: a close with a body unread would reset the connection, and take the answer away. A client
     * that does not close is closed at its deadline.
     */
    private static void finish(io.netty.util.concurrent.Future<? super Void> sent) {
        ChannelFuture future = (ChannelFuture) sent;
        if (sent.isSuccess() && future.channel() instanceof SocketChannel socket) {
            socket.shutdownOutput().addListener(ChannelFutureListener.CLOSE_ON_FAILURE);
        } else {
            ChannelFuture unused = future.channel().close();
        }
    }

    /** A client that went away is no error of the server's. */
    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        if (!(cause instanceof IOException)) {
            errors.accept(cause);
        }
        ChannelFuture unused = context.close();
    }
}
