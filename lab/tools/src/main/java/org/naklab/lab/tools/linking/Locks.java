package org.naklab.lab.tools.linking;

import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.naklab.lab.core.Units;
import org.naklab.lab.tools.linking.SystemRecorder.FutexLine;

/** Sums the waits for words of futex by lock. */
final class Locks {
    /** Is a word that threads wait for: the process, and its address there. */
    record Word(int pid, String address) {}

    private Locks() {}

    /** Returns the locks for which threads waited, the longest total first. */
    static List<SystemAccount.Lock> of(List<FutexLine> lines, List<SystemAccount.ThreadAccount> threads) {
        Map<Integer, String> names = threads.stream()
                .collect(Collectors.toMap(
                        SystemAccount.ThreadAccount::tid,
                        thread -> thread.name() + " (" + thread.tid() + ")",
                        (one, two) -> two));
        Map<Word, List<FutexLine>> words = lines.stream()
                .filter(FutexLine::isLock)
                .collect(Collectors.groupingBy(FutexLine::word, LinkedHashMap::new, Collectors.toList()));
        return words.values().stream()
                .map(word -> lock(word, names))
                .sorted(Comparator.comparingDouble(
                                (SystemAccount.Lock lock) -> lock.waits().seconds())
                        .reversed())
                .toList();
    }

    /** Returns the waits for words that are not known to be locks. */
    static SystemAccount.Waits conditions(List<FutexLine> lines) {
        return sum(lines.stream().filter(line -> !line.isLock()).toList());
    }

    private static SystemAccount.Lock lock(List<FutexLine> word, Map<Integer, String> names) {
        Map<Integer, Long> heldNs = word.stream()
                .filter(line -> line.holder() != 0)
                .collect(Collectors.groupingBy(FutexLine::holder, Collectors.summingLong(FutexLine::totalNs)));
        String holder = heldNs.entrySet().stream()
                .max(Map.Entry.comparingByValue())
                .map(most -> name(most.getKey(), names))
                .orElse("");
        FutexLine longest = word.stream()
                .max(Comparator.comparingLong(FutexLine::longestNs))
                .orElseThrow();
        return new SystemAccount.Lock(
                longest.word().pid(), longest.word().address(), holder, name(longest.longestTid(), names), sum(word));
    }

    private static String name(int tid, Map<Integer, String> names) {
        return names.getOrDefault(tid, "thread " + tid);
    }

    private static SystemAccount.Waits sum(Collection<FutexLine> lines) {
        return new SystemAccount.Waits(
                lines.stream().mapToLong(FutexLine::waits).sum(),
                lines.stream().mapToLong(FutexLine::totalNs).sum() / Units.NS_PER_S,
                lines.stream().mapToLong(FutexLine::longestNs).max().orElse(0) / Units.NS_PER_S);
    }
}
