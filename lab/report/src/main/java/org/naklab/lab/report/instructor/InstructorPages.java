package org.naklab.lab.report.instructor;

import io.netty.channel.ChannelHandler;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpResponseStatus;
import java.io.IOException;
import org.jspecify.annotations.Nullable;
import org.naklab.lab.report.live.LiveStage;
import org.naklab.lab.report.web.Pages;
import org.naklab.lab.report.web.Response;
import org.naklab.lab.report.web.Token;
import org.naklab.lab.report.web.WebRequest;

/**
 * The pages of an instructor and of an audience, each below a path that only those know to whom it was told: {@code /TOKEN/live.html}. The instructor also has the runs that
 * have ended, whose reports tell the cause. Safe for several threads.
 */
final class InstructorPages implements Pages {
    private static final String PAGE = "live.html";
    private static final String SOCKET = "live";
    private static final String API = "api/";

    private final String instructorToken;
    private final String audienceToken;
    private final LabActs acts;
    private final Api api;
    private final LiveStage stage;
    private final Pages runs;

    /** @param runs that have ended */
    InstructorPages(String instructorToken, String audienceToken, LabActs acts, LiveStage stage, Pages runs) {
        this.instructorToken = instructorToken;
        this.audienceToken = audienceToken;
        this.acts = acts;
        this.stage = stage;
        this.runs = runs;
        api = new Api(acts);
    }

    /** Returns the path of the page of a role. */
    String path(Role role) {
        return "/" + (role == Role.INSTRUCTOR ? instructorToken : audienceToken) + "/" + PAGE;
    }

    @Override
    public Response answer(WebRequest request) throws IOException {
        Role role = role(request.path());
        if (role == null) {
            return Response.refusal(
                    HttpResponseStatus.NOT_FOUND, "the page is at the address that the command has printed");
        }
        String path = rest(request.path());
        if (path.startsWith(API)) {
            return api.answer(role, request, path);
        }
        if (!request.method().equals(HttpMethod.GET) && !request.method().equals(HttpMethod.HEAD)) {
            return Response.refusal(HttpResponseStatus.METHOD_NOT_ALLOWED, "only GET and HEAD")
                    .with(HttpHeaderNames.ALLOW, "GET, HEAD");
        }
        if (path.equals(PAGE)) {
            return stage.page(role.ofPage());
        }
        return role == Role.INSTRUCTOR
                ? runs.answer(request.at("/" + path))
                : Response.refusal(HttpResponseStatus.NOT_FOUND, "here is " + PAGE);
    }

    @Override
    public @Nullable ChannelHandler socket(WebRequest request) throws IOException {
        Role role = role(request.path());
        if (role == null) {
            return null;
        }
        String path = rest(request.path());
        if (path.equals(SOCKET)) {
            return stage.socket(new RunNews(acts, role));
        }
        return role == Role.INSTRUCTOR ? runs.socket(request.at("/" + path)) : null;
    }

    private @Nullable Role role(String path) {
        int end = path.indexOf('/', 1);
        String told = path.substring(Math.min(1, path.length()), Math.max(Math.min(1, path.length()), end));
        boolean isInstructor = Token.isSame(instructorToken, told);
        boolean isAudience = Token.isSame(audienceToken, told);
        return isInstructor ? Role.INSTRUCTOR : isAudience ? Role.AUDIENCE : null;
    }

    private static String rest(String path) {
        return path.substring(path.indexOf('/', 1) + 1);
    }
}
