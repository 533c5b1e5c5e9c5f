package org.naklab.lab.junit;

import java.util.Arrays;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.extension.ExtensionConfigurationException;
import org.naklab.lab.core.Units;
import org.naklab.lab.diagnosis.Cause;
import org.naklab.lab.diagnosis.NamedCause;
import org.naklab.lab.records.Stall;
import org.naklab.lab.watch.WatchFindings;

/**
 * Tells what a test tolerates of its reception.
 *
 * @param stallMs a stall up to this length does not matter, ms
 * @param except causes that do not matter
 */
record ReceiveTolerance(double stallMs, Set<Cause> except) {
    static final ReceiveTolerance DEFAULT = new ReceiveTolerance(20, Set.of());

    private static final Pattern LENGTH = Pattern.compile("(\\d+)(ms|s)");

    ReceiveTolerance {
        except = Set.copyOf(except);
    }

    /** @throws ExtensionConfigurationException the length is none */
    static ReceiveTolerance of(WatchReceive watch) {
        Matcher length = LENGTH.matcher(watch.stallOver());
        if (!length.matches()) {
            throw new ExtensionConfigurationException(
                    "stallOver of @WatchReceive is a length such as 50ms or 2s, not " + watch.stallOver());
        }
        double unit = length.group(2).equals("s") ? Units.MS_PER_S : 1;
        return new ReceiveTolerance(
                Long.parseLong(length.group(1)) * unit,
                Arrays.stream(watch.except()).map(StallCause::cause).collect(Collectors.toSet()));
    }

    /** Returns the number of stalls that matter. */
    long stalls(WatchFindings findings) {
        return findings.standstills().stalls().stream()
                .filter(stall -> stall.durationMs() > stallMs && !isExcepted(stall))
                .count();
    }

    private boolean isExcepted(Stall stall) {
        return except.stream().anyMatch(cause -> cause.label().equals(stall.cause()));
    }

    /** Returns the number of dropped datagrams without those that were lost to an excepted cause. */
    long drops(WatchFindings findings) {
        long excepted = findings.diagnosis().causes().stream()
                .filter(cause -> except.contains(cause.cause()))
                .mapToLong(NamedCause::lostDatagrams)
                .sum();
        return Math.max(0, findings.feed().losses().dropped().all() - excepted);
    }

    /** Returns the least length of a stall that matters, for people. */
    String stallWords() {
        return "over " + Math.round(stallMs) + " ms";
    }
}
