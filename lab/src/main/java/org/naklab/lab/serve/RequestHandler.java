package org.naklab.lab.serve;

import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.QueryStringDecoder;
import java.io.UncheckedIOException;
import java.util.function.Consumer;
import org.naklab.lab.LabException;

/** Answers one request and closes the connection: a page is looked at by a person, one at a time. */
final class RequestHandler extends SimpleChannelInboundHandler<FullHttpRequest> {
    private final Pages pages;
    private final Consumer<Throwable> errors;

    RequestHandler(Pages pages, Consumer<Throwable> errors) {
        this.pages = pages;
        this.errors = errors;
    }

    @Override
    protected void channelRead0(ChannelHandlerContext context, FullHttpRequest request) {
        context.writeAndFlush(response(request.method(), answer(request))).addListener(ChannelFutureListener.CLOSE);
    }

    private Answer answer(FullHttpRequest request) {
        if (request.decoderResult().isFailure()) {
            return Answer.refusal(HttpResponseStatus.BAD_REQUEST, "not a request");
        }
        try {
            return pages.answer(request.method(), new QueryStringDecoder(request.uri()).path());
        } catch (IllegalArgumentException e) {
            return Answer.refusal(HttpResponseStatus.BAD_REQUEST, "not a path");
        } catch (UncheckedIOException | LabException e) {
            errors.accept(e);
            return Answer.refusal(HttpResponseStatus.INTERNAL_SERVER_ERROR, String.valueOf(e.getMessage()));
        }
    }

    /** To HEAD the length is told, and the body kept. */
    private static FullHttpResponse response(HttpMethod method, Answer answer) {
        boolean isBodyWanted = !method.equals(HttpMethod.HEAD);
        FullHttpResponse response = new DefaultFullHttpResponse(
                HttpVersion.HTTP_1_1,
                answer.status(),
                isBodyWanted ? Unpooled.wrappedBuffer(answer.body()) : Unpooled.EMPTY_BUFFER);
        response.headers()
                .set(HttpHeaderNames.CONTENT_TYPE, answer.contentType())
                .setInt(HttpHeaderNames.CONTENT_LENGTH, answer.body().length)
                .set(HttpHeaderNames.CACHE_CONTROL, "no-store")
                .set("x-content-type-options", "nosniff")
                .set(HttpHeaderNames.CONNECTION, "close");
        if (answer.status().equals(HttpResponseStatus.METHOD_NOT_ALLOWED)) {
            response.headers().set(HttpHeaderNames.ALLOW, "GET, HEAD");
        }
        return response;
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        errors.accept(cause);
        ChannelFuture unused = context.close();
    }
}
