package org.naklab.lab.workshop.web;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalDouble;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.naklab.lab.workshop.Answer;

/** The confusion matrix of a class: which causes its answers name, by the right ones. */
final class Confusion {
    private final List<Given> given;

    private record Given(String right, String named, int sure) {
        boolean isRight() {
            return right.equals(named);
        }
    }

    Confusion(Course course, List<ClassRoll.Row> rows) {
        given = rows.stream().flatMap(row -> given(course, row)).toList();
    }

    private static Stream<Given> given(Course course, ClassRoll.Row row) {
        Answer answer = row.session().answer();
        return answer == null
                ? Stream.empty()
                : Stream.of(new Given(course.open(row.trainee()).cause(row.unit()), answer.cause(), answer.sure()));
    }

    Map<String, Object> values() {
        List<String> named =
                List.copyOf(new TreeSet<>(given.stream().map(Given::named).toList()));
        Map<String, List<Given>> byRight = new TreeMap<>();
        given.forEach(each -> byRight.computeIfAbsent(each.right(), cause -> new java.util.ArrayList<>())
                .add(each));
        return Map.of(
                "isEmpty",
                given.isEmpty(),
                "answers",
                given.size(),
                "right",
                given.stream().filter(Given::isRight).count(),
                "sureRight",
                sure(true),
                "sureWrong",
                sure(false),
                "columns",
                named,
                "rows",
                byRight.entrySet().stream()
                        .map(row -> Map.of(
                                "cause",
                                row.getKey(),
                                "cells",
                                named.stream()
                                        .map(cause -> cell(row.getKey(), cause, row.getValue()))
                                        .toList()))
                        .toList());
    }

    private static Map<String, Object> cell(String right, String named, List<Given> given) {
        long count = given.stream().filter(each -> each.named().equals(named)).count();
        return Map.of(
                "words",
                count == 0 ? "" : String.valueOf(count),
                "class",
                count == 0 ? "none" : Objects.equals(right, named) ? "right" : "wrong");
    }

    private String sure(boolean isRight) {
        OptionalDouble mean = given.stream()
                .filter(each -> each.isRight() == isRight)
                .mapToInt(Given::sure)
                .average();
        return mean.isEmpty() ? "-" : Math.round(mean.getAsDouble()) + " %";
    }
}
