package org.naklab.lab.workshop.web;

import io.netty.channel.ChannelHandler;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpResponseStatus;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.naklab.lab.core.Units;
import org.naklab.lab.core.UsageException;
import org.naklab.lab.core.timeline.TimelineEventType;
import org.naklab.lab.report.live.FilmPage;
import org.naklab.lab.report.web.Response;
import org.naklab.lab.report.web.WebRequest;
import org.naklab.lab.workshop.Answer;
import org.naklab.lab.workshop.EvidenceFilter;
import org.naklab.lab.workshop.Grade;
import org.naklab.lab.workshop.Session;
import org.naklab.lab.workshop.Unit;
import org.naklab.lab.workshop.View;
import org.naklab.lab.workshop.Workshop;

/** The pages of the trainer: the class by units, its confusion matrix, and the wall. */
final class TrainerPages {
    private static final long BEFORE_MS = 200;

    private final Course course;
    private final LastSeen seen;

    TrainerPages(Course course, LastSeen seen) {
        this.course = course;
        this.seen = seen;
    }

    /** @param path names between the slashes, without the first */
    Response answer(WebRequest request, List<String> path) {
        if (request.method().equals(HttpMethod.POST)) {
            return act(request, path);
        }
        if (path.isEmpty()) {
            return classPage(request);
        }
        if (path.equals(List.of("matrix"))) {
            return matrix(request);
        }
        if (path.equals(List.of("class.csv"))) {
            return Response.file(
                            "text/csv; charset=utf-8",
                            new ClassRoll(course).csv().getBytes(StandardCharsets.UTF_8))
                    .with(HttpHeaderNames.CONTENT_DISPOSITION, "attachment; filename=\"class.csv\"");
        }
        if (path.size() < 3 || !path.get(0).equals("wall")) {
            return notFound();
        }
        String trainee = trainee(path.get(1));
        Unit unit = unit(path.get(2));
        List<String> rest = path.subList(3, path.size());
        if (rest.equals(List.of("film.html"))) {
            return wall(trainee, unit);
        }
        return rest.isEmpty() ? solution(trainee, unit) : notFound();
    }

    /**
     * Plays the case of a trainee on the wall, with the evidence that costs nothing.
     *
     * @throws UsageException there is no such trainee or unit, or the trainee has not started it
     */
    ChannelHandler film(String name, String unitName) {
        Unit unit = unit(unitName);
        Workshop workshop = course.open(trainee(name));
        requireStarted(workshop, unit);
        return CaseFilm.socket(wallTitle(name, unit), workshop.caseDirectory(unit), List.of());
    }

    private static void requireStarted(Workshop workshop, Unit unit) {
        if (workshop.session(unit).isEmpty()) {
            throw new UsageException(workshop.trainee() + " has not started the unit " + unit.name());
        }
    }

    private static String wallTitle(String trainee, Unit unit) {
        return unit.settings().title() + ": the case of " + trainee;
    }

    private static Response notFound() {
        return Response.refusal(HttpResponseStatus.NOT_FOUND, "there is no such page; the class is at /trainer");
    }

    private Response act(WebRequest request, List<String> path) {
        if (path.equals(List.of("release"))) {
            course.classroom().release(trainee(request.field("trainee")));
            return Response.redirect("/trainer");
        }
        if (!path.equals(List.of("unit")) && !path.equals(List.of("reveal"))) {
            return notFound();
        }
        String unit = unit(request.field("unit")).name();
        if (path.equals(List.of("unit"))) {
            course.classroom().call(unit);
        } else {
            course.classroom().reveal(unit, request.field("shown").equals("yes"));
        }
        return Response.redirect("/trainer?unit=" + unit);
    }

    private Unit unit(String name) {
        return course.units().stream()
                .filter(unit -> unit.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new UsageException("there is no unit '" + name + "'"));
    }

    private String trainee(String name) {
        if (!course.classroom().trainees().contains(name)) {
            throw new UsageException("there is no trainee '" + name + "'");
        }
        return name;
    }

    private static Frame frame(String title, boolean isReloaded) {
        return new Frame(
                title,
                "trainer",
                List.of(
                        new Frame.Link("/trainer", "Class"),
                        new Frame.Link("/trainer/matrix", "Confusion matrix"),
                        new Frame.Link("/trainer/class.csv", "CSV")),
                List.of(),
                isReloaded);
    }

    private Response classPage(WebRequest request) {
        String asked = request.asked("unit");
        Optional<String> called = course.classroom().unit();
        Unit unit =
                asked.isEmpty() ? called.map(this::unit).orElse(course.units().get(0)) : unit(asked);
        List<ClassRoll.Row> rows = new ClassRoll(course).rows();
        Map<String, Object> values = new HashMap<>();
        values.put("code", course.classroom().code());
        called.ifPresent(name -> values.put("called", name));
        next(unit, called).ifPresent(name -> values.put("next", name));
        values.put("unit", unit.name());
        values.put("title", unit.settings().title());
        values.put("minutes", unit.settings().minutes());
        values.put("isRevealed", course.classroom().isRevealed(unit.name()));
        values.put("machine", machine());
        values.put(
                "units",
                course.units().stream()
                        .map(each -> Map.of(
                                "name",
                                each.name(),
                                "number",
                                each.name().substring(0, 2),
                                "title",
                                each.settings().title(),
                                "isChosen",
                                each.name().equals(unit.name()),
                                "isCalled",
                                called.equals(Optional.of(each.name()))))
                        .toList());
        List<String> trainees = course.classroom().trainees();
        values.put("isEmpty", trainees.isEmpty());
        values.put(
                "trainees",
                trainees.stream().map(trainee -> inUnit(trainee, unit, rows)).toList());
        values.put(
                "grid", trainees.stream().map(trainee -> inAll(trainee, rows)).toList());
        return frame("Class", true).page(HttpResponseStatus.OK, "class.html", values);
    }

    /** Returns the unit that is shown, or, if the class works on that one, the unit after it; empty after the last. */
    private Optional<String> next(Unit shown, Optional<String> called) {
        boolean isCalled = called.equals(Optional.of(shown.name()));
        return course.units().stream()
                .skip(course.units().indexOf(shown) + (isCalled ? 1L : 0))
                .map(Unit::name)
                .findFirst();
    }

    private String machine() {
        return Machine.words(course.directory()) + "; " + seen.now() + " of "
                + course.classroom().trainees().size() + " trainees looked within the last minute";
    }

    private Map<String, Object> inUnit(String trainee, Unit unit, List<ClassRoll.Row> rows) {
        Map<String, Object> values = new HashMap<>();
        values.put("name", trainee);
        values.put("seen", seen.words(trainee));
        Optional<ClassRoll.Row> row = rows.stream()
                .filter(each -> each.trainee().equals(trainee) && each.unit().equals(unit))
                .findFirst();
        values.put("isStarted", row.isPresent());
        row.ifPresent(each -> {
            Session session = each.session();
            Answer answer = session.answer();
            Grade grade = session.grade();
            values.put("minutes", each.minutes());
            values.put(
                    "isLate", grade == null && each.minutes() > unit.settings().minutes());
            values.put("looked", String.join(", ", session.looked()));
            values.put("asked", String.join(", ", session.asked()));
            values.put("spent", session.spent());
            values.put("budget", unit.settings().budget());
            values.put("hints", session.hints().size());
            values.put("answer", answer == null ? "" : answer.cause());
            values.put("sure", answer == null ? "" : answer.sure() + " %");
            values.put("score", grade == null ? "" : Workshop.points(grade.score()));
        });
        return values;
    }

    private Map<String, Object> inAll(String trainee, List<ClassRoll.Row> rows) {
        List<Map<String, Object>> cells = new ArrayList<>();
        double sum = 0;
        for (Unit unit : course.units()) {
            Optional<ClassRoll.Row> row = rows.stream()
                    .filter(each ->
                            each.trainee().equals(trainee) && each.unit().equals(unit))
                    .findFirst();
            Grade grade = row.map(each -> each.session().grade()).orElse(null);
            sum += grade == null ? 0 : grade.score();
            cells.add(Map.of(
                    "isStarted",
                    row.isPresent(),
                    "isAnswered",
                    grade != null,
                    "unit",
                    unit.name(),
                    "words",
                    grade != null
                            ? Workshop.points(grade.score())
                            : row.map(each -> each.minutes() + " min").orElse("")));
        }
        return Map.of("name", trainee, "cells", cells, "sum", Workshop.points(sum));
    }

    private Response matrix(WebRequest request) {
        String asked = request.asked("unit");
        List<ClassRoll.Row> rows = new ClassRoll(course)
                .rows().stream()
                        .filter(row -> asked.isEmpty() || row.unit().equals(unit(asked)))
                        .toList();
        Map<String, Object> values = new HashMap<>(new Confusion(course, rows).values());
        values.put(
                "units",
                course.units().stream()
                        .map(unit -> Map.of(
                                "name", unit.name(), "isChosen", unit.name().equals(asked)))
                        .toList());
        return frame("Confusion matrix", false).page(HttpResponseStatus.OK, "matrix.html", values);
    }

    private Response wall(String trainee, Unit unit) {
        List<FilmPage.Way> ways = List.of(
                new FilmPage.Way("/trainer?unit=" + unit.name(), "Class"),
                new FilmPage.Way("/trainer/wall/" + trainee + "/" + unit.name(), "Solution"));
        Workshop workshop = course.open(trainee);
        return FilmPage.of(wallTitle(trainee, unit), ways, beforeStallMs(workshop, unit));
    }

    /** A short time before the longest stall of the logs; 0 if there is none. */
    private static long beforeStallMs(Workshop workshop, Unit unit) {
        return workshop.show(unit, EvidenceFilter.ALL).events(View.LOGS).stream()
                .filter(event -> event.type() == TimelineEventType.STALL)
                .max(Comparator.comparingLong(event -> event.span().lengthNs()))
                .map(event -> Math.max(0, event.span().beginNs() / Units.MS_NS - BEFORE_MS))
                .orElse(0L);
    }

    private Response solution(String trainee, Unit unit) {
        Workshop workshop = course.open(trainee);
        requireStarted(workshop, unit);
        boolean isRevealed = course.classroom().isRevealed(unit.name());
        Answer answer = workshop.session(unit).map(Session::answer).orElse(null);
        Map<String, Object> values = new HashMap<>();
        values.put("trainee", trainee);
        values.put("unit", unit.name());
        values.put("title", unit.settings().title());
        values.put("isRevealed", isRevealed);
        values.put("truth", isRevealed ? String.join("\n", workshop.truth(unit)) : "");
        values.put("debrief", isRevealed ? Prose.html(unit.section(Unit.DEBRIEF)) : "");
        if (answer != null && answer.at() != null) {
            values.put("answeredAt", answer.at() + " s");
        }
        return frame("Solution", false).page(HttpResponseStatus.OK, "solution.html", values);
    }
}
