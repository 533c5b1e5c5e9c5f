package org.naklab.lab.workshop;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.naklab.lab.core.Units;
import org.naklab.lab.core.UsageException;
import org.naklab.lab.diagnosis.Cause;

/**
 * Tells what a trainee believes, and why.
 *
 * @param cause label of the cause, {@code cannot-tell} or {@code clean}
 * @param at seconds since the begin of the case; {@code null}: none given
 * @param because ids of events, and names of statistics
 * @param not figures that rule suspects out, by the labels of the measurements
 * @param remedy label; {@code null}: none given
 * @param sure percent
 */
public record Answer(
        String cause,
        @Nullable Double at,
        List<String> because,
        Map<String, String> not,
        @Nullable String remedy,
        int sure) {
    private static final int ALL = 100;

    public Answer {
        because = List.copyOf(because);
        not = Map.copyOf(not);
        causeOf(cause);
        if (remedy != null) {
            Remedy.of(remedy);
        }
        if (sure < 0 || sure > ALL) {
            throw new UsageException("a certainty is from 0% to 100%, not " + sure + "%");
        }
    }

    /**
     * Reads an answer as a trainee writes it.
     *
     * @param at seconds, or milliseconds with their unit; {@code null}: none given
     * @param not each a measurement and a figure, with = between them
     * @param sure percent, with or without their sign
     * @throws UsageException something of it is none of that
     */
    public static Answer of(
            String cause,
            @Nullable String at,
            List<String> because,
            List<String> not,
            @Nullable String remedy,
            String sure) {
        return new Answer(cause, at == null ? null : seconds(at), because, figures(not), remedy, percent(sure));
    }

    private static double seconds(String text) {
        try {
            double value = text.endsWith("ms")
                    ? Double.parseDouble(text.substring(0, text.length() - 2)) / Units.MS_PER_S
                    : Double.parseDouble(text.endsWith("s") ? text.substring(0, text.length() - 1) : text);
            if (Double.isFinite(value)) {
                return value;
            }
        } catch (NumberFormatException e) {
            throw new UsageException("'" + text + "' is no time: use seconds as in 0.573, or 573ms");
        }
        throw new UsageException("'" + text + "' is no time: use seconds as in 0.573, or 573ms");
    }

    private static int percent(String text) {
        String digits = text.endsWith("%") ? text.substring(0, text.length() - 1) : text;
        if (!digits.matches("\\d{1,3}")) {
            throw new UsageException("'" + text + "' is no certainty: use a percentage from 0% to 100%");
        }
        return Integer.parseInt(digits);
    }

    private static Map<String, String> figures(List<String> texts) {
        Map<String, String> figures = new LinkedHashMap<>();
        for (String text : texts) {
            int equals = text.indexOf('=');
            if (equals < 1 || equals == text.length() - 1) {
                throw new UsageException(
                        "'" + text + "' has no figure: write run-queue=0.3 with a number of the figure "
                                + "that you got for run-queue");
            }
            figures.put(text.substring(0, equals), text.substring(equals + 1));
        }
        return figures;
    }

    /**
     * Finds a cause by its label.
     *
     * @throws UsageException there is none
     */
    public static Cause causeOf(String label) {
        return Arrays.stream(Cause.values())
                .filter(cause -> cause.label().equals(label))
                .findFirst()
                .orElseThrow(() -> new UsageException("'" + label + "' is no cause: choose "
                        + Arrays.stream(Cause.values()).map(Cause::label).collect(Collectors.joining(", "))));
    }
}
