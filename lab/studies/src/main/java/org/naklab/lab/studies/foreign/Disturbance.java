package org.naklab.lab.studies.foreign;

import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.naklab.lab.core.account.AccountKind;

/**
 * A script that disturbs a run or a watched receiver from outside, as its header declares it.
 *
 * @param disturbs what it disturbs: a process, or the host
 * @param target what the lab looks at while the script disturbs
 */
public record Disturbance(
        String name, String summary, String disturbs, Truth truth, Demands demands, Target target, Path script) {
    /**
     * Tells what a diagnosis of such a run must say.
     *
     * @param causes one set per cause that the script makes, each with the words that name it; empty if only {@code kinds} tell
     * @param kinds the kinds of the account's longest part that are right, whatever cause is named; empty if the receiver does not stand still
     * @param verdicts the labels of the verdicts that such a run may have
     */
    public record Truth(List<Set<String>> causes, Set<AccountKind> kinds, Set<String> verdicts) {
        public Truth {
            causes = List.copyOf(causes);
            kinds = Set.copyOf(kinds);
            verdicts = Set.copyOf(verdicts);
        }
    }

    /**
     * Tells what it needs, and for how long.
     *
     * @param needs for people; the script checks it
     * @param lengthMs how long it disturbs, ms
     * @param rate of the order flow, events per second; {@code null}: any
     */
    public record Demands(
            List<String> needs, long lengthMs, @Nullable Long rate) {
        public Demands {
            needs = List.copyOf(needs);
        }
    }

    /** Returns every word that names one of its causes. */
    public Set<String> acceptedCauses() {
        Set<String> accepted = new LinkedHashSet<>();
        truth.causes().forEach(accepted::addAll);
        return accepted;
    }

    /** Returns how long it disturbs, ns. */
    public long lengthNs() {
        return TimeUnit.MILLISECONDS.toNanos(demands.lengthMs());
    }
}
