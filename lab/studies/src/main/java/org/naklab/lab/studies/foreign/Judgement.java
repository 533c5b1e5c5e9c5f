package org.naklab.lab.studies.foreign;

import com.fasterxml.jackson.annotation.JsonValue;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/** Tells how well a diagnosis told a disturbance. */
public enum Judgement {
    /** Every cause of the disturbance was named, a true one first, and the account of its stall is of a declared kind. */
    NAMED,
    /** Some of several causes were named, and none that was not made was named first; or all were, and the account is of another kind. */
    PART,
    /** The cause cannot be told, and the account of the stall is shown. */
    NOT_EXPLAINED,
    /** The cause cannot be told, and there is no account. */
    SILENT,
    /** Another cause was named first, or the disturbance was passed over as clean. */
    WRONG;

    /** Returns the word of the JSON document. */
    @JsonValue
    public String label() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** Judges a diagnosis by the truth that the script declares and by what it measured. */
    static Judgement of(Disturbance disturbance, Proof proof, DiagnosisReading reading) {
        if (disturbance.truth().causes().isEmpty()) {
            return disturbance.truth().kinds().stream().anyMatch(reading::isMainly) ? NAMED : unnamed(reading);
        }
        long named = disturbance.truth().causes().stream()
                .filter(words -> words.stream().anyMatch(reading::names))
                .count();
        String main = reading.main().cause();
        if (!accepts(disturbance, proof, reading, reading.main())) {
            return main.equals(DiagnosisReading.CANNOT_TELL) ? unnamed(reading) : WRONG;
        }
        List<Set<String>> causes = disturbance.truth().causes();
        if (named == causes.size()) {
            return isAccountRight(disturbance, reading, reading.main()) ? NAMED : PART;
        }
        return named > 0 ? PART : isControl(disturbance) ? NAMED : WRONG;
    }

    private static Judgement unnamed(DiagnosisReading reading) {
        if (!reading.main().cause().equals(DiagnosisReading.CANNOT_TELL)) {
            return WRONG;
        }
        return reading.account().entries().isEmpty() ? SILENT : NOT_EXPLAINED;
    }

    /** Returns the statements with confidence {@code certain} about the disturbance whose cause was not made. */
    static List<DiagnosisReading.Statement> wrongCertain(
            Disturbance disturbance, Proof proof, DiagnosisReading reading) {
        return certain(proof, reading).stream()
                .filter(statement -> !isRight(disturbance, proof, reading, statement))
                .toList();
    }

    /**
     * Returns the statements with confidence {@code certain} that can be judged: the main one, and of the others those about the time of the
     * disturbance. What else a run contains, nobody has made and nobody knows.
     */
    static List<DiagnosisReading.Statement> certain(Proof proof, DiagnosisReading reading) {
        return reading.statements().stream()
                .filter(DiagnosisReading.Statement::isCertain)
                .filter(statement -> statement.equals(reading.main()) || isThen(proof, reading, statement))
                .toList();
    }

    /** A statement without a time is about the disturbance. */
    private static boolean isThen(Proof proof, DiagnosisReading reading, DiagnosisReading.Statement statement) {
        return reading.timeOf(statement).map(proof::overlaps).orElse(true);
    }

    private static boolean isRight(
            Disturbance disturbance, Proof proof, DiagnosisReading reading, DiagnosisReading.Statement statement) {
        if (disturbance.truth().causes().isEmpty()) {
            return disturbance.truth().kinds().stream().anyMatch(reading::isMainly);
        }
        return accepts(disturbance, proof, reading, statement) && isAccountRight(disturbance, reading, statement);
    }

    /** The account is that of the main statement; of one about the machine, or without a stall, the script declares no kind. */
    private static boolean isAccountRight(
            Disturbance disturbance, DiagnosisReading reading, DiagnosisReading.Statement statement) {
        boolean hasAccount = statement.equals(reading.main())
                && disturbance.acceptedCauses().contains(statement.cause())
                && !reading.account().entries().isEmpty();
        return !hasAccount
                || disturbance.truth().kinds().isEmpty()
                || disturbance.truth().kinds().stream().anyMatch(reading::isMainly);
    }

    /** What the script measured at another time excuses no statement about the disturbance. */
    private static boolean accepts(
            Disturbance disturbance, Proof proof, DiagnosisReading reading, DiagnosisReading.Statement statement) {
        Set<String> measured = isThen(proof, reading, statement) ? proof.also() : proof.beside();
        return disturbance.acceptedCauses().contains(statement.cause()) || measured.contains(statement.cause());
    }

    /** A control that disturbs nothing: what its script measured of the machine's own doing may be named instead. */
    private static boolean isControl(Disturbance disturbance) {
        return disturbance.acceptedCauses().equals(Set.of("clean"));
    }
}
