package org.naklab.lab.diagnosis;

import java.util.Locale;
import org.naklab.lab.core.account.AccountKind;
import org.naklab.lab.core.timeline.ThreadAbsence;
import org.naklab.lab.core.timeline.WakerWait;

/** Says for what the thread waited that woke another one. */
final class WakerPhrase {
    private WakerPhrase() {}

    /** Returns a clause, such as {@code ", which waited for a disk in folio_wait_bit_common"}; empty if the waker did not wait, or nobody saw it. */
    static String of(ThreadAbsence absence) {
        WakerWait wait = absence.wakerWait();
        if (wait == null) {
            return "";
        }
        return ", which "
                + switch (wait.state()) {
                    case FROZEN, STOPPED, TRACED -> "was " + wait.state().name().toLowerCase(Locale.ROOT);
                    case RUNNABLE, PREEMPTED -> "had no CPU";
                    case SLEEPING, BLOCKED, OTHER -> waited(wait);
                };
    }

    private static String waited(WakerWait wait) {
        AccountKind kind = KernelWait.of(wait.kernelStack());
        String function = KernelWait.function(wait.kernelStack());
        boolean isTold = function.isEmpty() || kind == AccountKind.LOCK;
        String in = isTold ? "" : " in " + function;
        String until = wait.waker().isEmpty() ? "" : " until " + wait.waker() + " woke it";
        return switch (kind) {
            case SLEEP -> "slept";
            case OTHER_WAIT -> "waited" + in + until;
            default -> "waited for a " + kind.words() + in + until;
        };
    }
}
