package org.naklab.lab.core.account;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The parts of one stall. Together they are as long as the stall: what no source covers is an entry of kind
 * {@link AccountKind#UNEXPLAINED}.
 *
 * @param entries the longest first, what is unexplained last
 */
public record StallAccount(List<AccountEntry> entries) {
    private static final double LEAST_NAMED_MS = 0.5;
    /** Shorter times are printed as zero. */
    private static final double LEAST_SHOWN_MS = 0.05;

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

    private List<AccountEntry> known() {
        return entries.stream()
                .filter(entry -> entry.kind() != AccountKind.UNEXPLAINED)
                .toList();
    }

    /**
     * Returns the sum as terms for a reader: the length, then one entry per term, such as {@code 150.6 ms = 150.1 sleep} and
     * {@code + 0.4 other}. Entries shorter than 0.5 ms are added up as {@code other}; the longest entry and what is
     * unexplained are always named. The terms joined by blanks are the whole line.
     *
     * @return empty if there are no entries
     */
    public List<String> terms() {
        List<String> named = new ArrayList<>();
        double otherMs = 0;
        for (AccountEntry entry : known()) {
            if (named.isEmpty() || entry.ms() >= LEAST_NAMED_MS) {
                named.add(entry.text());
            } else {
                otherMs += entry.ms();
            }
        }
        if (otherMs >= LEAST_SHOWN_MS) {
            named.add(String.format(Locale.ROOT, "%.1f other", otherMs));
        }
        double unexplainedMs = ms(AccountKind.UNEXPLAINED);
        if (unexplainedMs > 0) {
            String figure = unexplainedMs < LEAST_SHOWN_MS ? "<0.1" : String.format(Locale.ROOT, "%.1f", unexplainedMs);
            named.add(figure + " " + AccountKind.UNEXPLAINED.label());
        }
        return IntStream.range(0, named.size())
                .mapToObj(i -> i == 0
                        ? String.format(Locale.ROOT, "%.1f ms = %s", totalMs(), named.get(i))
                        : "+ " + named.get(i))
                .toList();
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
