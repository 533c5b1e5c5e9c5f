package org.naklab.lab.workshop;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.naklab.lab.core.UsageException;
import org.naklab.lab.diagnosis.Cause;

/**
 * What a trainee believes, and why.
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
     * Finds a cause by its label.
     *
     * @throws UsageException there is none
     */
    static Cause causeOf(String label) {
        return Arrays.stream(Cause.values())
                .filter(cause -> cause.label().equals(label))
                .findFirst()
                .orElseThrow(() -> new UsageException("'" + label + "' is no cause: choose "
                        + Arrays.stream(Cause.values()).map(Cause::label).collect(Collectors.joining(", "))));
    }
}
