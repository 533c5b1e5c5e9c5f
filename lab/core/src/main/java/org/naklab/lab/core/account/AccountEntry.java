package org.naklab.lab.core.account;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * One part of a stall.
 *
 * @param ms its length, milliseconds
 * @param detail what {@link AccountKind#detail()} says; empty where nothing is known
 */
@JsonPropertyOrder({"kind", "ms", "detail"})
public record AccountEntry(AccountKind kind, double ms, String detail) {
    /** Reads an entry; one without a detail has an empty one, and one without a kind is unexplained. */
    @JsonCreator
    static AccountEntry read(
            @JsonProperty("kind") @Nullable AccountKind kind,
            @JsonProperty("ms") double ms,
            @JsonProperty("detail") @Nullable String detail) {
        return new AccountEntry(kind == null ? AccountKind.UNEXPLAINED : kind, ms, detail == null ? "" : detail);
    }

    /** Returns the entry as a term of the sum, such as {@code 150.1 page fault (libc.so.6 .gnu.hash)}. */
    public String text() {
        String term = String.format(Locale.ROOT, "%.1f %s", ms, kind.words());
        return detail.isEmpty() ? term : term + " (" + detail + ")";
    }
}
