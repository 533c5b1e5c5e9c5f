package org.naklab.lab.cases;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.naklab.lab.diagnosis.Cause;
import org.naklab.lab.diagnosis.Confidence;
import org.naklab.lab.diagnosis.Diagnosis;

/**
 * {@code expected.json}: the right answer of a case of the corpus, for people to read and to change.
 *
 * @param about what was done to the program or its machine, one sentence
 * @param cause label of the cause to name first
 * @param confidence label of the least confidence in it: {@code certain}, {@code likely} or {@code cannot tell}
 * @param also labels of the causes that are to be named beside it, with any confidence
 */
public record Expected(
        String about,
        String cause,
        String confidence,
        @JsonInclude(JsonInclude.Include.NON_EMPTY) List<String> also) {
    /** Name of the file in the directory of the case. */
    public static final String NAME = "expected.json";

    public Expected {
        also = also == null ? List.of() : List.copyOf(also);
        causeOf(cause);
        confidenceOf(confidence);
        also.forEach(Expected::causeOf);
    }

    /** Returns what a diagnosis gives, as an expectation. */
    public static Expected of(String about, Diagnosis diagnosis) {
        return new Expected(
                about,
                diagnosis.cause().label(),
                diagnosis.confidence().label(),
                diagnosis.causes().stream()
                        .skip(1)
                        .map(named -> named.cause().label())
                        .filter(label -> !label.equals(diagnosis.cause().label()))
                        .distinct()
                        .toList());
    }

    /** Returns all causes that are expected. */
    public Stream<Cause> causes() {
        return Stream.concat(Stream.of(cause), also.stream()).map(Expected::causeOf);
    }

    /** Returns the answer in a few words. */
    public String text() {
        return cause + ", " + confidence + (also.isEmpty() ? "" : ", also " + String.join(", ", also));
    }

    /** Returns in what a diagnosis differs, each one line; empty if it does not. */
    public List<String> differences(Diagnosis diagnosis) {
        List<String> lines = new ArrayList<>();
        if (!diagnosis.cause().label().equals(cause)) {
            lines.add("the cause is " + diagnosis.cause().label() + ", expected " + cause);
        }
        // The constants stand in the order of their strength, the strongest first.
        Confidence least = confidenceOf(confidence);
        if (diagnosis.confidence().compareTo(least) > 0) {
            lines.add("the confidence is " + diagnosis.confidence().label() + ", expected at least " + confidence);
        }
        also.stream()
                .filter(label -> diagnosis.causes().stream()
                        .noneMatch(named -> named.cause().label().equals(label)))
                .forEach(label -> lines.add(label + " is not named, expected beside " + cause));
        return lines;
    }

    private static Cause causeOf(String label) {
        return Stream.of(Cause.values())
                .filter(each -> each.label().equals(label))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("'" + label + "' is no cause"));
    }

    private static Confidence confidenceOf(String label) {
        return Stream.of(Confidence.values())
                .filter(each -> each.label().equals(label))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("'" + label + "' is no confidence"));
    }
}
