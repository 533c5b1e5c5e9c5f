package org.naklab.lab.diagnosis;

import java.util.Arrays;
import java.util.List;
import org.naklab.lab.core.timeline.Interval;
import org.naklab.lab.core.timeline.ThreadAbsence;

/** Absences as the kernel's record has them. */
final class ThreadAbsences {
    private ThreadAbsences() {}

    /** @param kernelStack functions with commas between them, innermost first */
    static ThreadAbsence of(
            String process,
            String thread,
            Interval interval,
            long blockedNs,
            ThreadAbsence.State state,
            String kernelStack) {
        List<String> stack = kernelStack.isEmpty() ? List.of() : Arrays.asList(kernelStack.split(","));
        return new ThreadAbsence(
                process, thread, interval, blockedNs, state, "", false, false, "hog", stack, List.of());
    }

    static ThreadAbsence wokenBy(ThreadAbsence absence, String waker) {
        return with(absence, waker, false, List.of());
    }

    static ThreadAbsence byTimer(ThreadAbsence absence) {
        return with(
                absence,
                "swapper/0",
                true,
                List.of("__futex_abstimed_wait_common64", "pthread_cond_timedwait", "Parker::park"));
    }

    static ThreadAbsence timedOut(ThreadAbsence absence, List<String> userStack) {
        return with(absence, "swapper/0", true, userStack);
    }

    static ThreadAbsence atSafepoint(ThreadAbsence absence) {
        return with(absence, "VM Thread", false, List.of("syscall", "_ZN20SafepointSynchronize5blockEP10JavaThread"));
    }

    static ThreadAbsence with(ThreadAbsence absence, String... userStack) {
        return with(absence, absence.waker(), absence.isWokenByInterrupt(), List.of(userStack));
    }

    private static ThreadAbsence with(
            ThreadAbsence absence, String waker, boolean isByInterrupt, List<String> userStack) {
        return new ThreadAbsence(
                absence.process(),
                absence.thread(),
                absence.interval(),
                absence.blockedNs(),
                absence.state(),
                waker,
                true,
                isByInterrupt,
                absence.next(),
                absence.kernelStack(),
                userStack);
    }
}
