package org.naklab.lab.report.web;

import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.channel.socket.SocketChannel;
import io.netty.handler.codec.http.DefaultFullHttpRequest;
import io.netty.handler.codec.http.DefaultHttpContent;
import io.netty.handler.codec.http.EmptyHttpHeaders;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpObject;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.handler.codec.http.websocketx.WebSocketServerHandshaker;
import io.netty.handler.codec.http.websocketx.WebSocketServerHandshakerFactory;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Answers one request and closes the connection: a page is looked at by a person, one at a time. Files are read on other threads. Only a server that takes
 * forms reads a body. Such a form must come from a page of this server, by the origin that the browser tells.
 */
public final class RequestHandler extends SimpleChannelInboundHandler<HttpObject> {
    /** Maximum length of the body of a request that is ignored. */
    private static final int MAX_IGNORED_BYTES = 4_096;
    /** Maximum length of a message of a viewer. */
    private static final int MAX_COMMAND_BYTES = 1_024;

    private final Pages pages;
    private final HostNames names;
    private final WebLimits limits;
    private final Executor workers;
    private final Consumer<Throwable> errors;
    private final ByteArrayOutputStream body = new ByteArrayOutputStream();
    private @Nullable HttpRequest head;
    private boolean isAnswered;

    /**
     * Creates the handler of one connection.
     *
     * @param errors is told what kept a request from its answer
     */
    public RequestHandler(
            Pages pages, HostNames names, WebLimits limits, Executor workers, Consumer<Throwable> errors) {
        this.pages = pages;
        this.names = names;
        this.limits = limits;
        this.workers = workers;
        this.errors = errors;
    }

    /** Reads and ignores everything after the request: a further one, or a body that the server does not take. */
    @Override
    protected void channelRead0(ChannelHandlerContext context, HttpObject message) {
        if (isAnswered) {
            return;
        }
        HttpRequest request = head;
        if (request == null && message instanceof HttpRequest begun) {
            head = begun;
            request = begun;
            Response refusal = refusal(begun);
            if (refusal != null) {
                refuse(context, begun, refusal);
            } else if (isUpgrade(begun)) {
                upgrade(context, begun);
            } else if (limits.maxFormBytes() == 0) {
                ask(context, begun);
            }
        }
        if (!isAnswered && request != null && message instanceof HttpContent content) {
            collect(context, request, content);
        }
    }

    private void collect(ChannelHandlerContext context, HttpRequest request, HttpContent content) {
        if (content.decoderResult().isFailure()) {
            refuse(context, request, Response.refusal(HttpResponseStatus.BAD_REQUEST, "not a request"));
            return;
        }
        if (body.size() + content.content().readableBytes() > limits.maxFormBytes()) {
            refuse(context, request, tooLarge());
            return;
        }
        body.writeBytes(ByteBufUtil.getBytes(content.content()));
        if (content instanceof LastHttpContent) {
            ask(context, request);
        }
    }

    private void refuse(ChannelHandlerContext context, HttpRequest request, Response refusal) {
        isAnswered = true;
        send(context, request.method(), refusal);
    }

    private void ask(ChannelHandlerContext context, HttpRequest request) {
        isAnswered = true;
        HttpMethod method = request.method();
        String client = client(context);
        byte[] form = body.toByteArray();
        try {
            workers.execute(() -> {
                Response answer = answer(request, form, client);
                context.executor().execute(() -> send(context, method, answer));
            });
        } catch (RejectedExecutionException e) {
            send(context, method, busy());
        }
    }

    private static boolean isUpgrade(HttpRequest request) {
        return request.headers().containsValue(HttpHeaderNames.UPGRADE, HttpHeaderValues.WEBSOCKET, true);
    }

    /** A script of another site may ask for a WebSocket as well, so the origin must be told. */
    private void upgrade(ChannelHandlerContext context, HttpRequest request) {
        String host = request.headers().get(HttpHeaderNames.HOST);
        if (!request.headers().contains(HttpHeaderNames.ORIGIN) || !isOwnOrigin(request, host)) {
            refuse(context, request, Response.refusal(HttpResponseStatus.FORBIDDEN, "a page of another site asks"));
            return;
        }
        isAnswered = true;
        try {
            workers.execute(() -> {
                try {
                    ChannelHandler socket = pages.socket(WebRequest.of(request, new byte[0], client(context)));
                    context.executor().execute(() -> open(context, request, socket));
                } catch (IOException | RuntimeException | OutOfMemoryError e) {
                    errors.accept(e);
                    context.executor()
                            .execute(() -> send(
                                    context,
                                    request.method(),
                                    Response.refusal(
                                            HttpResponseStatus.INTERNAL_SERVER_ERROR,
                                            "no answer; the server's console says why")));
                }
            });
        } catch (RejectedExecutionException e) {
            send(context, request.method(), busy());
        }
    }

    private static void open(ChannelHandlerContext context, HttpRequest request, @Nullable ChannelHandler socket) {
        WebSocketServerHandshaker handshaker = socket == null
                ? null
                : new WebSocketServerHandshakerFactory("", null, false, MAX_COMMAND_BYTES).newHandshaker(request);
        if (socket == null || handshaker == null) {
            send(context, request.method(), Response.refusal(HttpResponseStatus.NOT_FOUND, "no WebSocket here"));
            return;
        }
        Connections connections = context.pipeline().get(Connections.class);
        if (connections == null) {
            // The client went away while a file was read.
            return;
        }
        if (!connections.keep(context.channel())) {
            send(context, request.method(), busy());
            return;
        }
        FullHttpRequest whole = new DefaultFullHttpRequest(
                request.protocolVersion(),
                request.method(),
                request.uri(),
                Unpooled.EMPTY_BUFFER,
                request.headers(),
                EmptyHttpHeaders.INSTANCE);
        handshaker.handshake(context.channel(), whole).addListener(done -> {
            if (done.isSuccess()) {
                context.pipeline().replace(context.handler(), "socket", socket);
            } else {
                ChannelFuture unused = context.close();
            }
        });
    }

    private static Response busy() {
        return Response.refusal(HttpResponseStatus.SERVICE_UNAVAILABLE, "too many requests at once");
    }

    private static String client(ChannelHandlerContext context) {
        return context.channel().remoteAddress() instanceof InetSocketAddress address
                ? String.valueOf(address.getAddress().getHostAddress())
                : "";
    }

    private @Nullable Response refusal(HttpRequest request) {
        if (request.decoderResult().isFailure()) {
            return Response.refusal(HttpResponseStatus.BAD_REQUEST, "not a request");
        }
        List<String> hosts = request.headers().getAll(HttpHeaderNames.HOST);
        if (!names.allow(hosts.size() == 1 ? hosts.get(0) : null)) {
            return Response.refusal(
                    HttpResponseStatus.MISDIRECTED_REQUEST,
                    "this server is not called that; the option '--name NAME' lets it be called NAME");
        }
        if (limits.maxFormBytes() > 0 && !isOwnOrigin(request, hosts.get(0))) {
            return Response.refusal(HttpResponseStatus.FORBIDDEN, "a page of another site sent this");
        }
        return HttpUtil.getContentLength(request, 0L) > Math.max(MAX_IGNORED_BYTES, limits.maxFormBytes())
                ? tooLarge()
                : null;
    }

    /** A browser tells the origin of each form; whoever only reads need not. */
    private static boolean isOwnOrigin(HttpRequest request, String host) {
        List<String> origins = request.headers().getAll(HttpHeaderNames.ORIGIN);
        boolean isRead =
                request.method().equals(HttpMethod.GET) || request.method().equals(HttpMethod.HEAD);
        return origins.isEmpty()
                ? isRead
                : origins.size() == 1
                        && (origins.get(0).equalsIgnoreCase("http://" + host)
                                || origins.get(0).equalsIgnoreCase("https://" + host));
    }

    private Response tooLarge() {
        return Response.refusal(
                HttpResponseStatus.REQUEST_ENTITY_TOO_LARGE,
                limits.maxFormBytes() == 0 ? "a request has no body here" : "a form is not as long as that");
    }

    private Response answer(HttpRequest request, byte[] form, String client) {
        try {
            return pages.answer(WebRequest.of(request, form, client));
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
