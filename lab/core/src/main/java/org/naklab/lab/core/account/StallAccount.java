package org.naklab.lab.core.account;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The parts of one stall. Together they are as long as the stall: what no source covers is an entry of kind
 * {@link AccountKind#UNEXPLAINED}.
 *
 * @param entries the longest first, what is unexplained last
 */
public record StallAccount(List<AccountEntry> entries) {
    private static final Comparator<AccountEntry> ORDER = Comparator.comparing(
                    (AccountEntry entry) -> entry.kind() == AccountKind.UNEXPLAINED)
            .thenComparing(Comparator.comparingDouble(AccountEntry::ms).reversed());

    /** The account of a run that kept none. */
    public static final StallAccount NONE = new StallAccount(List.of());

    @JsonCreator
    public StallAccount {
        entries = entries.stream().sorted(ORDER).toList();
    }

    /** Returns the entries as the array of the JSON documents. */
    @JsonValue
    @Override
    public List<AccountEntry> entries() {
        return entries;
    }

    /** Returns the sum of the entries, ms. */
    public double totalMs() {
        return entries.stream().mapToDouble(AccountEntry::ms).sum();
    }

    /** Returns the time of one kind, ms. */
    public double ms(AccountKind kind) {
        return entries.stream()
                .filter(entry -> entry.kind() == kind)
                .mapToDouble(AccountEntry::ms)
                .sum();
    }

    /** Returns the share of one kind, from 0 to 1; 0 in an empty account. */
    public double share(AccountKind kind) {
        double totalMs = totalMs();
        return totalMs > 0 ? ms(kind) / totalMs : 0;
    }

    /** Returns the longest entry of a kind. */
    public Optional<AccountEntry> largest(AccountKind kind) {
        return entries.stream().filter(entry -> entry.kind() == kind).findFirst();
    }

    /** Returns the sum as one line, such as {@code 150.6 ms = 150.1 page fault (libc.so.6 .gnu.hash) + 0.5 unexplained}. */
    public String text() {
        return String.format(Locale.ROOT, "%.1f ms = ", totalMs())
                + entries.stream().map(AccountEntry::text).collect(Collectors.joining(" + "));
    }

    /** Leaves an account without entries out of a JSON document. */
    public static final class OmitIfEmpty {
        /** Returns whether Jackson leaves the value out. */
        @Override
        public boolean equals(@Nullable Object value) {
            return value == null
                    || (value instanceof StallAccount account
                            && account.entries().isEmpty());
        }

        @Override
        public int hashCode() {
            return 0;
        }
    }
}
