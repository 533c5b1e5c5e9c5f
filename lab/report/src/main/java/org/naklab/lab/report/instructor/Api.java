package org.naklab.lab.report.instructor;

import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpResponseStatus;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.naklab.lab.core.LabException;
import org.naklab.lab.report.web.PerSecond;
import org.naklab.lab.report.web.Response;
import org.naklab.lab.report.web.WebRequest;

/** The interface for programs, which the page uses as well: the run, its faults, and what can be started. Safe for several threads. */
final class Api {
    /** Path of the description for programs. */
    static final String DESCRIPTION = "api/openapi.json";

    private static final int MOST_ACTS_PER_SECOND = 5;
    private static final HttpResponseStatus TOO_MANY = HttpResponseStatus.TOO_MANY_REQUESTS;

    private final LabActs acts;
    /** Each act costs processes. */
    private final PerSecond rate = new PerSecond(System::nanoTime, MOST_ACTS_PER_SECOND);

    private final List<ApiRoute> routes;
    private final Object description;

    Api(LabActs acts) {
        this.acts = acts;
        routes = List.of(
                ApiRoute.read(
                        "listScenarios",
                        "api/scenarios",
                        "Lists the scenarios that can be started.",
                        ScenarioChoice.class,
                        true,
                        (role, body, number) -> acts.scenarios()),
                ApiRoute.read(
                        "listFaults",
                        "api/faults",
                        "Lists the kinds of faults that a run takes while it goes on.",
                        FaultChoice.class,
                        true,
                        (role, body, number) -> acts.faults()),
                ApiRoute.read(
                        "getRun",
                        "api/run",
                        "Tells the state of the run; the audience is not told what is hidden.",
                        RunState.class,
                        false,
                        (role, body, number) -> role.sees(acts.state())),
                ApiRoute.act(
                        "startRun",
                        HttpMethod.POST,
                        "api/run",
                        "Starts a run. What is left out has the value of 'naklab run'.",
                        RunWish.class,
                        (role, body, number) -> then(() -> acts.start(as(RunWish.class, body)))),
                ApiRoute.act(
                        "stopRun",
                        HttpMethod.POST,
                        "api/run/stop",
                        "Asks the run to end in order.",
                        null,
                        (role, body, number) -> then(acts::stop)),
                ApiRoute.act(
                        "revealRun",
                        HttpMethod.POST,
                        "api/run/reveal",
                        "Tells the cause, and what is run, to all viewers.",
                        null,
                        (role, body, number) -> then(acts::reveal)),
                ApiRoute.act(
                        "injectFault",
                        HttpMethod.POST,
                        "api/run/faults",
                        "Injects a fault into the run.",
                        FaultWish.class,
                        (role, body, number) ->
                                then(() -> acts.inject(as(FaultWish.class, body).fault()))),
                ApiRoute.act(
                        "removeFault",
                        HttpMethod.DELETE,
                        "api/run/faults/" + ApiRoute.NUMBER,
                        "Removes a fault that was injected.",
                        null,
                        (role, body, number) -> then(() -> acts.remove(number))));
        description = OpenApi.of(routes);
    }

    List<ApiRoute> routes() {
        return routes;
    }

    private static <T> T as(Class<T> type, @Nullable Object body) {
        return type.cast(Objects.requireNonNull(body));
    }

    private RunState then(Runnable act) {
        act.run();
        return acts.state();
    }

    /**
     * Answers a request.
     *
     * @param path below the address with the token
     */
    Response answer(Role role, WebRequest request, String path) {
        boolean isRead =
                request.method().equals(HttpMethod.GET) || request.method().equals(HttpMethod.HEAD);
        if (path.equals(DESCRIPTION) && isRead) {
            return ApiRoute.json(description);
        }
        List<ApiRoute> here =
                routes.stream().filter(each -> each.match(path) >= 0).toList();
        if (here.isEmpty()) {
            return Response.refusal(HttpResponseStatus.NOT_FOUND, "there is no such operation; see " + DESCRIPTION);
        }
        HttpMethod method = isRead ? HttpMethod.GET : request.method();
        return here.stream()
                .filter(each -> each.address().method().equals(method))
                .findFirst()
                .map(route -> answer(route, role, request, route.match(path)))
                .orElseGet(
                        () -> Response.refusal(HttpResponseStatus.METHOD_NOT_ALLOWED, "only " + ApiRoute.methods(here))
                                .with(HttpHeaderNames.ALLOW, ApiRoute.methods(here)));
    }

    private Response answer(ApiRoute route, Role role, WebRequest request, int number) {
        if (route.isAct() && role != Role.INSTRUCTOR) {
            return Response.refusal(
                    HttpResponseStatus.FORBIDDEN, "only the instructor acts; this address is for the audience");
        }
        if (route.isAct() && !rate.allows()) {
            return Response.refusal(
                    TOO_MANY, "too many acts at once; at most " + MOST_ACTS_PER_SECOND + " in a second");
        }
        try {
            return route.answer(role, request, number);
        } catch (LabException e) {
            return Response.refusal(status(e.kind()), String.valueOf(e.getMessage()));
        }
    }

    private static HttpResponseStatus status(LabException.Kind kind) {
        return switch (kind) {
            case WRONG_USAGE -> HttpResponseStatus.BAD_REQUEST;
            case INPUT, UNAVAILABLE -> HttpResponseStatus.CONFLICT;
            case ENVIRONMENT, NO_VERDICT -> HttpResponseStatus.INTERNAL_SERVER_ERROR;
        };
    }
}
