package org.naklab.lab.workshop.web;

import io.netty.channel.ChannelHandler;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpResponseStatus;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.naklab.lab.core.InputException;
import org.naklab.lab.core.UsageException;
import org.naklab.lab.report.web.Pages;
import org.naklab.lab.report.web.Response;
import org.naklab.lab.report.web.WebRequest;
import org.naklab.lab.runs.page.Page;

/**
 * Finds out who asks, and leads to their pages. Who a trainee is, the token alone tells: no path and no field names one, so that nobody can see or act for
 * another. Only the trainer's token leads to the trainer's pages.
 */
final class WorkshopSite implements Pages {
    private static final String TRAINEE = "naklab-trainee";
    private static final String TRAINER = "naklab-trainer";
    private static final String FILM = "film";
    private static final String COOKIE = "=%s; Path=/; HttpOnly; SameSite=Strict; Max-Age=604800";

    private final Course course;
    private final WrongTries tries;
    private final TraineePages trainees;
    private final TrainerPages trainer;
    private final LastSeen seen = new LastSeen();

    WorkshopSite(Course course, WrongTries tries) {
        this.course = course;
        this.tries = tries;
        trainees = new TraineePages(course);
        trainer = new TrainerPages(course, seen);
    }

    @Override
    public Response answer(WebRequest request) {
        boolean isPost = request.method().equals(HttpMethod.POST);
        if (!isPost
                && !request.method().equals(HttpMethod.GET)
                && !request.method().equals(HttpMethod.HEAD)) {
            return Response.refusal(HttpResponseStatus.METHOD_NOT_ALLOWED, "only GET, HEAD and POST")
                    .with(HttpHeaderNames.ALLOW, "GET, HEAD, POST");
        }
        List<String> path = Arrays.stream(request.path().split("/", -1)).skip(1).toList();
        if (path.isEmpty()) {
            return Response.refusal(HttpResponseStatus.BAD_REQUEST, "not a path");
        }
        if (path.equals(List.of("favicon.ico"))) {
            return Response.file("image/svg+xml", Page.icon().getBytes(StandardCharsets.UTF_8));
        }
        try {
            return isPost && path.equals(List.of("join"))
                    ? join(request)
                    : isPost && path.equals(List.of("trainer", "login")) ? login(request) : known(request, path);
        } catch (UsageException e) {
            return problem(HttpResponseStatus.BAD_REQUEST, e);
        } catch (InputException e) {
            return problem(HttpResponseStatus.INTERNAL_SERVER_ERROR, e);
        }
    }

    /** Only who may see a case may see its film. */
    @Override
    public @Nullable ChannelHandler socket(WebRequest request) {
        List<String> path = Arrays.stream(request.path().split("/", -1)).skip(1).toList();
        if (path.isEmpty() || !path.get(path.size() - 1).equals(FILM)) {
            return null;
        }
        try {
            if (path.size() == 5 && path.subList(0, 2).equals(List.of("trainer", "wall"))) {
                return isTrainer(request) ? trainer.film(path.get(2), path.get(3)) : null;
            }
            Optional<String> trainee = traineeOf(request);
            return path.size() == 3 && path.get(0).equals("units") && trainee.isPresent()
                    ? trainees.film(trainee.get(), path.get(1))
                    : null;
        } catch (UsageException e) {
            return null;
        }
    }

    private boolean isTrainer(WebRequest request) {
        return course.classroom().isTrainer(request.cookies().getOrDefault(TRAINER, ""));
    }

    private Optional<String> traineeOf(WebRequest request) {
        return course.classroom().traineeOf(request.cookies().getOrDefault(TRAINEE, ""));
    }

    private Response known(WebRequest request, List<String> path) {
        if (path.get(0).equals("trainer")) {
            return isTrainer(request)
                    ? trainer.answer(request, path.subList(1, path.size()))
                    : loginForm(
                            isLook(request, path, "trainer") ? HttpResponseStatus.OK : HttpResponseStatus.UNAUTHORIZED,
                            "");
        }
        Optional<String> trainee = traineeOf(request);
        if (trainee.isEmpty()) {
            boolean isFront = isLook(request, path, "");
            return joinForm(isFront ? HttpResponseStatus.OK : HttpResponseStatus.UNAUTHORIZED, request, "");
        }
        seen.note(trainee.get());
        return trainees.answer(request, trainee.get(), path);
    }

    private static boolean isLook(WebRequest request, List<String> path, String page) {
        return !request.method().equals(HttpMethod.POST) && path.equals(List.of(page));
    }

    private Response join(WebRequest request) {
        if (tries.mustWait(request.client())) {
            return joinForm(HttpResponseStatus.TOO_MANY_REQUESTS, request, wait("codes"));
        }
        if (course.alone().isOffered()) {
            return joinAlone(request);
        }
        if (!course.classroom().isCode(request.field("code"))) {
            tries.note(request.client());
            return joinForm(
                    HttpResponseStatus.FORBIDDEN,
                    request,
                    "That is not the code of this class: ask the trainer for it.");
        }
        try {
            String name = request.field("name").strip();
            course.open(name);
            return letIn(course.classroom().join(name));
        } catch (UsageException e) {
            return joinForm(HttpResponseStatus.CONFLICT, request, String.valueOf(e.getMessage()));
        }
    }

    /** The code of a class lets nobody in where there is no class. */
    private Response joinAlone(WebRequest request) {
        Optional<String> trainee = course.alone().use(request.field("token").strip());
        if (trainee.isEmpty()) {
            tries.note(request.client());
            return joinForm(
                    HttpResponseStatus.FORBIDDEN,
                    request,
                    "That link was used already, or a newer one was printed. The terminal prints a fresh one.");
        }
        return letIn(course.classroom().admit(trainee.get()));
    }

    private static Response letIn(String token) {
        return Response.redirect("/").with(HttpHeaderNames.SET_COOKIE, TRAINEE + COOKIE.formatted(token));
    }

    private static String wait(String what) {
        return "There were too many wrong " + what + " from your address: try again in a minute.";
    }

    private Response joinForm(HttpResponseStatus status, WebRequest request, String problem) {
        Map<String, Object> values = new HashMap<>();
        if (!problem.isEmpty()) {
            values.put("problem", problem);
        }
        values.put("code", request.field("code"));
        values.put("name", request.field("name"));
        return course.alone().isOffered()
                ? new Frame("Open your units", "", List.of(), List.of(), false).page(status, "alone.html", values)
                : new Frame("Join the workshop", "", List.of(), List.of(), false).page(status, "join.html", values);
    }

    private Response login(WebRequest request) {
        if (tries.mustWait(request.client())) {
            return loginForm(HttpResponseStatus.TOO_MANY_REQUESTS, wait("tokens"));
        }
        String token = request.field("token").strip();
        if (!course.classroom().isTrainer(token)) {
            tries.note(request.client());
            return loginForm(HttpResponseStatus.FORBIDDEN, "That is not the trainer's token.");
        }
        return Response.redirect("/trainer").with(HttpHeaderNames.SET_COOKIE, TRAINER + COOKIE.formatted(token));
    }

    private static Response loginForm(HttpResponseStatus status, String problem) {
        return new Frame("Trainer", "", List.of(), List.of(), false)
                .page(status, "login.html", problem.isEmpty() ? Map.of() : Map.of("problem", problem));
    }

    private static Response problem(HttpResponseStatus status, Exception problem) {
        return new Frame("That does not work", "", List.of(new Frame.Link("/", "back")), List.of(), false)
                .page(status, "problem.html", Map.of("problem", String.valueOf(problem.getMessage())));
    }
}
