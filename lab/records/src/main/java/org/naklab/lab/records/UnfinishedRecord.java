package org.naklab.lab.records;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import java.util.List;

/**
 * {@code run.json} of a run that came to no verdict.
 *
 * @param start what was known before it began
 * @param reason what ended it
 */
public record UnfinishedRecord(
        @JsonUnwrapped StartRecord start, String verdict, String diagnosis, String reason, List<String> troubles) {
    private static final String UNKNOWN = "unknown";

    public UnfinishedRecord {
        troubles = List.copyOf(troubles);
    }

    /** Returns the record of a run that was ended before its verdict. */
    public static UnfinishedRecord of(StartRecord start, String reason) {
        return new UnfinishedRecord(start, UNKNOWN, UNKNOWN, reason, List.of(reason));
    }
}
