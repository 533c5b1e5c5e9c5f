package org.naklab.lab.watch;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.naklab.lab.core.Format;
import org.naklab.lab.core.account.AccountEntry;
import org.naklab.lab.core.account.AccountKind;
import org.naklab.lab.records.Stall;

/**
 * Stalls of one thread that spent their time in the same way.
 *
 * @param main what the thread did most of the time in the longest of them
 * @param stalls the longest first
 */
record StallGroup(String thread, AccountEntry main, List<Stall> stalls) {
    private static final AccountEntry UNEXPLAINED = new AccountEntry(AccountKind.UNEXPLAINED, 0, "");

    /** Of a stall, which is then told as a whole. */
    private static final double MOST = 0.8;

    private record Key(String process, String thread, AccountKind kind, String detail) {}

    StallGroup {
        stalls = List.copyOf(stalls);
    }

    /** Groups stalls; those that took longest together come first. */
    static List<StallGroup> of(List<Stall> stalls) {
        Map<Key, List<Stall>> groups = new LinkedHashMap<>();
        stalls.stream()
                .sorted(Comparator.comparingDouble(Stall::durationMs).reversed())
                .forEach(stall -> {
                    AccountEntry main = mainOf(stall);
                    Key key = new Key(stall.process(), stall.thread(), main.kind(), detailOf(main));
                    groups.computeIfAbsent(key, each -> new ArrayList<>()).add(stall);
                });
        return groups.values().stream()
                .map(group -> new StallGroup(group.get(0).thread(), mainOf(group.get(0)), group))
                .sorted(Comparator.comparingDouble(StallGroup::totalMs).reversed())
                .toList();
    }

    private static AccountEntry mainOf(Stall stall) {
        return stall.account().entries().stream()
                .max(Comparator.comparingDouble(AccountEntry::ms))
                .orElse(UNEXPLAINED);
    }

    /** Who had the CPU differs from time to time; the account names the threads. */
    private static String detailOf(AccountEntry entry) {
        return entry.kind() == AccountKind.PREEMPTED ? "" : entry.detail();
    }

    private double totalMs() {
        return stalls.stream().mapToDouble(Stall::durationMs).sum();
    }

    Stall longest() {
        return stalls.get(0);
    }

    /** Returns one sentence, such as {@code 3 stalls; each time recv waited about 300 ms for a lock, woken by reporter}. */
    String sentence() {
        return sentenceOf(longest().who());
    }

    /** Returns the sentence with a name of the thread for people. */
    String sentenceOf(String who) {
        String clause =
                who + " " + String.format(Locale.ROOT, verb(main.kind()), part() + length()) + clause(detailOf(main));
        return stalls.size() == 1 ? "1 stall: " + clause : stalls.size() + " stalls; each time " + clause;
    }

    /** What took a part of the time only is not said to have taken all of it. */
    private String part() {
        boolean isMost = main.ms() >= MOST * longest().durationMs() || main.kind() == AccountKind.UNEXPLAINED;
        return isMost ? "" : String.format(Locale.ROOT, "%.1f of ", main.ms());
    }

    private static String clause(String detail) {
        if (detail.isEmpty()) {
            return "";
        }
        if (detail.startsWith("in ") || detail.startsWith("at ")) {
            return " " + detail;
        }
        return detail.startsWith("woken by ") ? ", " + detail : " (" + detail + ")";
    }

    private String length() {
        if (stalls.size() == 1) {
            return Format.milliseconds(longest().durationMs());
        }
        long leastMs = Math.round(stalls.get(stalls.size() - 1).durationMs());
        long mostMs = Math.round(longest().durationMs());
        return mostMs - leastMs <= mostMs / 10
                ? "about " + Format.count(mostMs) + " ms"
                : Format.count(leastMs) + " to " + Format.count(mostMs) + " ms";
    }

    private static String verb(AccountKind kind) {
        return switch (kind) {
            case ON_CPU -> "kept datagrams waiting for %s: it worked on a CPU";
            case PREEMPTED -> "was runnable for %s and had no CPU";
            case INTERRUPTED -> "stood still for %s: the kernel handled interrupts on its CPU";
            case THROTTLED -> "stood still for %s: the CPU quota was used up";
            case STOLEN -> "stood still for %s: the hypervisor had taken the CPU";
            case LOCK -> "waited %s for a lock";
            case FILE_LOCK -> "waited %s for a file lock";
            case PIPE -> "waited %s for a pipe";
            case TERMINAL -> "waited %s for a terminal";
            case SOCKET -> "waited %s for a socket";
            case NOT_NOTIFIED -> "waited %s in epoll, which did not report its datagrams";
            case DISK -> "waited %s for a disk or a file system";
            case PAGE_FAULT -> "waited %s for a page";
            case SWAP -> "waited %s for a page from swap";
            case RECLAIM -> "waited %s for memory";
            case FROZEN -> "stood still for %s: its cgroup was frozen";
            case STOPPED -> "stood still for %s: a signal had stopped the process";
            case TRACED -> "stood still for %s: a tracer had stopped it";
            case GC -> "stood still for %s: the JVM collected garbage";
            case VM_OPERATION -> "stood still for %s: the JVM executed a VM operation";
            case TIME_TO_SAFEPOINT -> "stood still for %s: the JVM waited until all threads reached a safepoint";
            case SLEEP -> "slept for %s";
            case OTHER_WAIT -> "waited %s";
            case UNEXPLAINED -> "stood still for %s, unexplained";
        };
    }
}
