package org.naklab.lab.workshop.web;

import io.netty.channel.ChannelHandler;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpResponseStatus;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.naklab.lab.core.UsageException;
import org.naklab.lab.diagnosis.Cause;
import org.naklab.lab.report.live.FilmPage;
import org.naklab.lab.report.web.Response;
import org.naklab.lab.report.web.WebRequest;
import org.naklab.lab.workshop.Answer;
import org.naklab.lab.workshop.EvidenceFilter;
import org.naklab.lab.workshop.Grade;
import org.naklab.lab.workshop.Remedy;
import org.naklab.lab.workshop.Session;
import org.naklab.lab.workshop.Unit;
import org.naklab.lab.workshop.View;
import org.naklab.lab.workshop.Workshop;
import org.naklab.lab.workshop.meaning.Meaning;

/** The pages of a trainee: the units, the evidence of one, the answer and the debrief. All is done by the trainee's {@link Workshop}. */
final class TraineePages {
    private static final long MS_PER_MINUTE = 60_000;
    private static final int RULED_OUT = 3;
    private static final int MAX_ROWS = 500;
    private static final double NO_END = Double.MAX_VALUE;

    private final Course course;
    /** One request of a trainee after the other: two clicks are no two answers. */
    private final Map<String, Object> locks = new ConcurrentHashMap<>();

    TraineePages(Course course) {
        this.course = course;
    }

    /** @param path names between the slashes */
    Response answer(WebRequest request, String trainee, List<String> path) {
        synchronized (locks.computeIfAbsent(trainee, name -> new Object())) {
            return answer(request, course.open(trainee), path);
        }
    }

    private Response answer(WebRequest request, Workshop workshop, List<String> path) {
        boolean isPost = request.method().equals(HttpMethod.POST);
        if (path.equals(List.of("")) && !isPost) {
            return home(workshop);
        }
        if (path.size() < 2 || !path.get(0).equals("units")) {
            return notFound();
        }
        Unit unit = workshop.unit(path.get(1));
        List<String> rest = path.subList(2, path.size());
        if (isPost) {
            return act(request, workshop, unit, rest);
        }
        if (rest.isEmpty()) {
            return unit(HttpResponseStatus.OK, workshop, unit, request, "");
        }
        if (rest.size() == 2 && rest.get(0).equals("evidence")) {
            return evidence(request, workshop, unit, view(rest.get(1)));
        }
        if (rest.equals(List.of("film.html"))) {
            workshop.resume(unit.name());
            List<FilmPage.Way> ways = List.of(
                    new FilmPage.Way("/", "Units"),
                    new FilmPage.Way("/units/" + unit.name(), unit.settings().title()));
            return FilmPage.of(unit.settings().title(), ways, 0);
        }
        return rest.equals(List.of("debrief")) ? debrief(workshop, unit) : notFound();
    }

    /**
     * Plays the trainee's case of a unit, with the evidence that was opened before.
     *
     * @throws UsageException there is no such unit, or it was not started
     */
    ChannelHandler film(String trainee, String unitName) {
        Workshop workshop = course.open(trainee);
        Unit unit = workshop.unit(unitName);
        Session session = workshop.session(unit)
                .orElseThrow(() -> new UsageException("the unit " + unit.name() + " was not started"));
        return CaseFilm.socket(unit.settings().title(), workshop.caseDirectory(unit), session.looked());
    }

    private static Response notFound() {
        return Response.refusal(HttpResponseStatus.NOT_FOUND, "there is no such page; the units are at /");
    }

    private static View view(String label) {
        return View.of(label).orElseThrow(() -> new UsageException("there is no evidence of the kind '" + label + "'"));
    }

    private Response act(WebRequest request, Workshop workshop, Unit unit, List<String> rest) {
        String page = "/units/" + unit.name();
        try {
            if (rest.equals(List.of("start"))) {
                workshop.start(unit.name(), request.field("again").equals("yes"));
                return Response.redirect(page);
            }
            workshop.resume(unit.name());
            requireUnrevealed(unit);
            if (rest.size() == 2 && rest.get(0).equals("evidence")) {
                View view = view(rest.get(1));
                workshop.look(view, EvidenceFilter.ALL);
                return Response.redirect(page + "/evidence/" + view.label());
            }
            if (rest.equals(List.of("ask"))) {
                workshop.ask(request.field("what"));
                return Response.redirect(page + "#measurements");
            }
            if (rest.equals(List.of("hint"))) {
                workshop.hint();
                return Response.redirect(page + "#hints");
            }
            if (rest.equals(List.of("answer"))) {
                workshop.answer(answerOf(request));
                return Response.redirect(page + "#answer");
            }
            return notFound();
        } catch (UsageException e) {
            return unit(HttpResponseStatus.BAD_REQUEST, workshop, unit, request, String.valueOf(e.getMessage()));
        }
    }

    private void requireUnrevealed(Unit unit) {
        if (course.classroom().isRevealed(unit.name())) {
            throw new UsageException("the trainer has shown the solution of this unit: read the debrief");
        }
    }

    private static Answer answerOf(WebRequest request) {
        List<String> not = IntStream.rangeClosed(1, RULED_OUT)
                .filter(i -> !request.field("not" + i).isEmpty())
                .mapToObj(i -> request.field("not" + i) + "="
                        + request.field("figure" + i).strip())
                .toList();
        String at = request.field("at").strip();
        String remedy = request.field("remedy");
        String because = request.field("because").strip();
        return Answer.of(
                request.field("cause"),
                at.isEmpty() ? null : at,
                because.isEmpty() ? List.of() : List.of(because.split("[\\s,]+")),
                not,
                remedy.isEmpty() ? null : remedy,
                request.field("sure").strip());
    }

    private Frame frame(String title, Workshop workshop, String unit, boolean isReloaded) {
        Optional<String> called = course.classroom().unit().filter(name -> !name.equals(unit));
        return new Frame(
                title,
                workshop.trainee(),
                List.of(new Frame.Link("/", "Units")),
                called.map(name -> new Frame.Link("/units/" + name, name)).stream()
                        .toList(),
                isReloaded);
    }

    private Response home(Workshop workshop) {
        List<Map<String, Object>> rows = new ArrayList<>();
        double sum = 0;
        int answered = 0;
        for (Unit unit : workshop.units()) {
            Optional<Session> session = workshop.session(unit);
            Grade grade = session.map(Session::grade).orElse(null);
            sum += grade == null ? 0 : grade.score();
            answered += grade == null ? 0 : 1;
            Map<String, Object> row = head(unit);
            row.put("state", grade != null ? Workshop.points(grade.score()) : session.isPresent() ? "begun" : "-");
            rows.add(row);
        }
        Map<String, Object> values = new HashMap<>();
        values.put("rows", rows);
        values.put("sum", Workshop.points(sum));
        values.put("full", answered * Grade.FULL);
        values.put("answered", answered);
        return frame("Units", workshop, "", true).page(HttpResponseStatus.OK, "home.html", values);
    }

    private static Map<String, Object> head(Unit unit) {
        Unit.Settings settings = unit.settings();
        Map<String, Object> head = new HashMap<>();
        head.put("name", unit.name());
        head.put("number", unit.name().substring(0, 2));
        head.put("title", settings.title());
        head.put("minutes", settings.minutes());
        head.put("level", settings.level());
        if (!settings.needs().equals("nothing")) {
            head.put("needs", settings.needs());
        }
        return head;
    }

    private Response unit(HttpResponseStatus status, Workshop workshop, Unit unit, WebRequest request, String problem) {
        Map<String, Object> values = head(unit);
        Optional<Session> session = workshop.session(unit);
        boolean isRevealed = course.classroom().isRevealed(unit.name());
        if (!problem.isEmpty()) {
            values.put("problem", problem);
        }
        values.put("isStarted", session.isPresent());
        if (session.isPresent()) {
            workshop.resume(unit.name());
            fill(values, workshop, unit, session.get());
            values.put("isOpen", session.get().answer() == null && !isRevealed);
            values.put("isDebriefed", session.get().answer() != null || isRevealed);
            form(values, unit, session.get(), request);
        }
        return frame(unit.settings().title(), workshop, unit.name(), false).page(status, "unit.html", values);
    }

    private static void fill(Map<String, Object> values, Workshop workshop, Unit unit, Session session) {
        long end = session.answeredMs() == 0 ? System.currentTimeMillis() : session.answeredMs();
        values.put("spentMinutes", (end - session.startedMs()) / MS_PER_MINUTE);
        values.put("left", workshop.left(session));
        values.put("budget", unit.settings().budget());
        values.put("seal", session.seal());
        values.put("attempt", session.attempt());
        values.put("question", Prose.html(unit.section(Unit.QUESTION)));
        values.put("background", Prose.html(unit.section(Unit.BACKGROUND)));
        values.put("hunt", Prose.html(unit.section(Unit.HUNT)));
        values.put(
                "views",
                Arrays.stream(View.values())
                        .map(view -> Map.of(
                                "label",
                                view.label(),
                                "about",
                                view.about(),
                                "price",
                                session.looked().contains(view.label())
                                        ? "open"
                                        : view.cost() == 0 ? "free" : view.cost() + " points"))
                        .toList());
        values.put(
                "offers",
                workshop.offers().entrySet().stream()
                        .map(offer -> offer(workshop, session, offer.getKey(), offer.getValue()))
                        .toList());
        values.put("hints", session.hints());
        Grade grade = session.grade();
        values.put("isAnswered", grade != null);
        values.put(
                "steps",
                grade == null
                        ? List.of()
                        : grade.steps().stream()
                                .map(step -> Map.of(
                                        "name", step.name(),
                                        "points", Workshop.points(step.points()),
                                        "full", step.full(),
                                        "remark", step.remark()))
                                .toList());
        values.put("score", grade == null ? "" : Workshop.points(grade.score()));
        if (grade != null && grade.hints() > 0) {
            values.put("hintCost", Workshop.points(grade.hints()));
        }
    }

    /** What was asked for once costs nothing any more. */
    private static Map<String, Object> offer(Workshop workshop, Session session, String name, String about) {
        boolean isAsked = session.asked().contains(name);
        int colon = about.indexOf(':');
        return Map.of(
                "name",
                name,
                "price",
                about.substring(0, colon),
                "about",
                about.substring(colon + 2),
                "isAsked",
                isAsked,
                "told",
                isAsked ? workshop.ask(name) : "");
    }

    private static void form(Map<String, Object> values, Unit unit, Session session, WebRequest request) {
        for (String name : List.of("at", "because", "sure")) {
            values.put(name, request.field(name));
        }
        String cause = request.field("cause");
        values.put(
                "causes",
                Stream.concat(unit.settings().suspects().stream().map(Answer::causeOf), Stream.of(Cause.UNEXPLAINED))
                        .distinct()
                        .map(each -> choice(each.label(), Meaning.of(each), cause))
                        .toList());
        String remedy = request.field("remedy");
        values.put(
                "remedies",
                Arrays.stream(Remedy.values())
                        .map(each -> choice(each.label(), each.about(), remedy))
                        .toList());
        values.put(
                "nots",
                IntStream.rangeClosed(1, RULED_OUT)
                        .mapToObj(i -> Map.of(
                                "i",
                                i,
                                "none",
                                session.asked().isEmpty() ? "ask for a measurement first" : "",
                                "measurements",
                                options(session.asked().stream(), request.field("not" + i)),
                                "figure",
                                request.field("figure" + i)))
                        .toList());
    }

    private static Map<String, Object> choice(String label, String about, String chosen) {
        return Map.of("label", label, "about", about, "isChosen", label.equals(chosen));
    }

    private static List<Map<String, Object>> options(Stream<String> labels, String chosen) {
        return labels.distinct()
                .map(label -> Map.<String, Object>of("label", label, "isChosen", label.equals(chosen)))
                .toList();
    }

    private Response evidence(WebRequest request, Workshop workshop, Unit unit, View view) {
        Session session = workshop.resume(unit.name());
        Map<String, Object> values = head(unit);
        values.put("view", view.label());
        values.put("about", view.about());
        values.put("attempt", session.attempt());
        values.put(
                "views",
                Arrays.stream(View.values())
                        .map(each -> Map.of("label", each.label(), "isHere", each == view))
                        .toList());
        boolean isBought = view.cost() == 0 || session.looked().contains(view.label());
        values.put("isBought", isBought);
        values.put("cost", view.cost());
        values.put("left", workshop.left(session));
        if (isBought) {
            for (String name : List.of("from", "to", "process", "rows")) {
                values.put(name, request.asked(name));
            }
            values.put("part", new EvidenceView(workshop.look(view, filter(request))).html(view));
        }
        return frame(view.label(), workshop, unit.name(), false).page(HttpResponseStatus.OK, "evidence.html", values);
    }

    /** Reads which part of the evidence is wanted. */
    static EvidenceFilter filter(WebRequest request) {
        double from = number(request.asked("from"), EvidenceFilter.ALL.from());
        double to = number(request.asked("to"), NO_END);
        double rows = number(request.asked("rows"), EvidenceFilter.ALL.rows());
        if (from > to || rows < 1) {
            throw new UsageException("nothing would be shown: at least one row is needed, and 'from' is before 'to'");
        }
        return new EvidenceFilter(from, to, request.asked("process").strip(), (int) Math.min(MAX_ROWS, rows));
    }

    private static double number(String text, double otherwise) {
        if (text.isBlank()) {
            return otherwise;
        }
        try {
            double value = Double.parseDouble(text.strip());
            if (Double.isFinite(value)) {
                return value;
            }
        } catch (NumberFormatException e) {
            throw new UsageException("'" + text + "' is no number: use one as in 0.573");
        }
        throw new UsageException("'" + text + "' is no number: use one as in 0.573");
    }

    private Response debrief(Workshop workshop, Unit unit) {
        Session session = workshop.resume(unit.name());
        if (session.answer() == null && !course.classroom().isRevealed(unit.name())) {
            throw new UsageException("the unit " + unit.name() + " was not answered yet: the solution comes after the "
                    + "answer; 'cannot-tell' is one");
        }
        Map<String, Object> values = head(unit);
        values.put("truth", String.join("\n", workshop.truth(unit)));
        values.put("debrief", Prose.html(unit.section(Unit.DEBRIEF)));
        values.put("reading", Prose.html(unit.section(Unit.READING)));
        return frame("Debrief", workshop, unit.name(), false).page(HttpResponseStatus.OK, "debrief.html", values);
    }
}
