package org.naklab.lab.workshop.web;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.naklab.lab.workshop.Answer;
import org.naklab.lab.workshop.Grade;
import org.naklab.lab.workshop.Session;
import org.naklab.lab.workshop.Unit;
import org.naklab.lab.workshop.Workshop;

/** Tells what all trainees did in all units. */
final class ClassRoll {
    private static final long MS_PER_MINUTE = 60_000;

    private final Course course;

    /** Tells what a trainee did in a unit that was started. */
    record Row(String trainee, Unit unit, Session session) {
        /** Returns the minutes from the start to the answer, or until now. */
        long minutes() {
            long end = session.answeredMs() == 0 ? System.currentTimeMillis() : session.answeredMs();
            return (end - session.startedMs()) / MS_PER_MINUTE;
        }
    }

    ClassRoll(Course course) {
        this.course = course;
    }

    List<Row> rows() {
        List<Row> rows = new ArrayList<>();
        for (String trainee : course.classroom().trainees()) {
            Workshop workshop = course.open(trainee);
            for (Unit unit : course.units()) {
                workshop.session(unit).ifPresent(session -> rows.add(new Row(trainee, unit, session)));
            }
        }
        return rows;
    }

    /** Returns a table with one line for each unit that somebody started. */
    String csv() {
        String head = "trainee,unit,attempt,started_utc,minutes,evidence,asked,hints,points_spent,cause,sure_percent,"
                + "score\n";
        return head + rows().stream().map(row -> line(row) + "\n").collect(Collectors.joining());
    }

    private static String line(Row row) {
        Session session = row.session();
        Answer answer = session.answer();
        Grade grade = session.grade();
        return Stream.of(
                        row.trainee(),
                        row.unit().name(),
                        session.attempt(),
                        Instant.ofEpochMilli(session.startedMs()),
                        row.minutes(),
                        String.join(" ", session.looked()),
                        String.join(" ", session.asked()),
                        session.hints().size(),
                        session.spent(),
                        answer == null ? "" : answer.cause(),
                        answer == null ? "" : answer.sure(),
                        grade == null ? "" : Workshop.points(grade.score()))
                .map(String::valueOf)
                .collect(Collectors.joining(","));
    }
}
