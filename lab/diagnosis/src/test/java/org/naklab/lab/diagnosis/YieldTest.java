package org.naklab.lab.diagnosis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.naklab.lab.core.timeline.TimelineEventType.JAVA_WAIT;
import static org.naklab.lab.core.timeline.TimelineEventType.YIELDED;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.naklab.lab.core.timeline.Interval;
import org.naklab.lab.core.timeline.ThreadAbsence;

/** A yield that does not return: what its own Java code does is told apart from what native code below it does. */
@Timeout(60)
final class YieldTest {
    private static final long MS = 1_000_000;

    @Test
    void shouldNotTakeASleepOfNativeCodeForAPark() {
        Diagnosis diagnosis = slept("hrtimer_nanosleep", "clock_nanosleep", "throttle_requests")
                .diagnose();
        assertThat(diagnosis.cause()).isEqualTo(Cause.BLOCKING_CALL);
        assertThat(texts(diagnosis)).contains("in one yield, which slept; no bind was seen");
        assertThat(slept("hrtimer_nanosleep").diagnose().cause()).isEqualTo(Cause.BLOCKING_CALL);
    }

    @Test
    void shouldTellAParkOfJavaCodeByTheStackOfHotSpot() {
        Diagnosis diagnosis = slept("futex_wait_queue", "pthread_cond_timedwait", "Parker::park")
                .diagnose();
        assertThat(diagnosis.cause()).isEqualTo(Cause.LATE_BINDING_SIMULATED);
        assertThat(texts(diagnosis)).contains("which parked the thread; no bind was seen");
        assertThat(diagnosis.remedy()).doesNotContain("on purpose", "none needed");
    }

    @Test
    void shouldTellAParkByWhatTheJvmReports() {
        Incident incident = new Incident().stall(5, 150).event(5.1, YIELDED, "durationMs", 149.0);
        assertThat(incident.event(5.2, JAVA_WAIT, "durationNs", 148 * MS, "kind", "sleep", "what", "parked")
                        .diagnose()
                        .cause())
                .isEqualTo(Cause.LATE_BINDING_SIMULATED);
        Incident slept = new Incident().stall(5, 150).event(5.1, YIELDED, "durationMs", 149.0);
        assertThat(slept.event(5.2, JAVA_WAIT, "durationNs", 148 * MS, "kind", "sleep", "what", "slept")
                        .diagnose()
                        .cause())
                .isEqualTo(Cause.BLOCKING_CALL);
    }

    private static String texts(Diagnosis diagnosis) {
        return String.join(
                "; ", diagnosis.evidence().stream().map(Evidence::text).toList());
    }

    private static Incident slept(String kernelFunction, String... userStack) {
        Interval interval = new Interval(Incident.ns(5.2), Incident.ns(153));
        ThreadAbsence absence = ThreadAbsences.of(
                "mds", "mds-context", interval, interval.lengthNs(), ThreadAbsence.State.SLEEPING, kernelFunction);
        return new Incident()
                .stall(5, 150)
                .event(5.1, YIELDED, "durationMs", 149.0)
                .add(ThreadAbsences.timedOut(absence, List.of(userStack)));
    }
}
