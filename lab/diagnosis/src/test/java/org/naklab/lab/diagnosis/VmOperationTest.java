package org.naklab.lab.diagnosis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.naklab.lab.core.timeline.TimelineEventType.GC_PAUSE;
import static org.naklab.lab.core.timeline.TimelineEventType.SAFEPOINT;
import static org.naklab.lab.core.timeline.TimelineEventType.STALL;

import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.naklab.lab.core.account.AccountEntry;
import org.naklab.lab.core.account.AccountKind;
import org.naklab.lab.core.timeline.Interval;
import org.naklab.lab.core.timeline.ThreadAbsence;
import org.naklab.lab.diagnosis.readings.VmOperation;

class VmOperationTest {
    private static final long MS = 1_000_000L;

    @ParameterizedTest
    @ValueSource(
            strings = {
                "G1CollectForAllocation",
                "G1CollectFull",
                "G1TryInitiateConcMark",
                "G1PauseRemark",
                "G1PauseCleanup",
                "GenCollectForAllocation",
                "GenCollectFull",
                "SerialCollectForAllocation",
                "SerialGCCollect",
                "ParallelGCFailedAllocation",
                "ParallelGCSystemGC",
                "ParallelCollectForAllocation",
                "CollectForMetadataAllocation",
                "ZMarkStart",
                "ZMarkEnd",
                "ZRelocateStart",
                "ShenandoahInitMark"
            })
    void shouldKnowCollections(String name) {
        assertThat(VmOperation.isCollection(name)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "HeapDumper",
                "PrintThreads",
                "ThreadDump",
                "FindDeadlocks",
                "GC_HeapInspection",
                "Cleanup",
                "RedefineClasses",
                "ICBufferFull",
                "ZVerify"
            })
    void shouldKnowOtherOperations(String name) {
        assertThat(VmOperation.isCollection(name)).isFalse();
    }

    @Test
    void shouldNameTheOperationAndItsCallerInTheAccount() {
        Incident incident = safepoint("operation", "HeapDumper", "caller", "Attach Listener", "toSafepointNs", 20 * MS);
        assertThat(account(incident))
                .contains(
                        new AccountEntry(AccountKind.TIME_TO_SAFEPOINT, 20, "HeapDumper, requested by Attach Listener"),
                        new AccountEntry(AccountKind.VM_OPERATION, 80, "HeapDumper, requested by Attach Listener"));
    }

    @Test
    void shouldNameAnOperationWithoutItsCaller() {
        assertThat(account(safepoint("operation", "RedefineClasses")))
                .contains(new AccountEntry(AccountKind.VM_OPERATION, 100, "RedefineClasses"));
    }

    @Test
    void shouldTellTheCollectionWithinAHeapDumpFromTheRest() {
        Incident incident = safepoint("operation", "HeapDumper", "caller", "Attach Listener")
                .event(10, GC_PAUSE, "durationNs", 30 * MS, "cause", "Heap Dump Initiated GC");
        assertThat(account(incident))
                .contains(
                        new AccountEntry(AccountKind.GC, 30, "Heap Dump Initiated GC"),
                        new AccountEntry(AccountKind.VM_OPERATION, 70, "HeapDumper, requested by Attach Listener"));
    }

    @Test
    void shouldCallTheWholeSafepointOfACollectionACollection() {
        Incident incident = safepoint("operation", "G1CollectForAllocation", "caller", "main")
                .event(10, GC_PAUSE, "durationNs", 30 * MS, "cause", "G1 Evacuation Pause");
        assertThat(account(incident)).contains(new AccountEntry(AccountKind.GC, 100, "G1 Evacuation Pause"));
    }

    @Test
    void shouldKnowACollectionByItsOperationAlone() {
        assertThat(account(safepoint("operation", "G1CollectForAllocation", "caller", "main")))
                .contains(new AccountEntry(AccountKind.GC, 100, "G1CollectForAllocation, requested by main"));
    }

    /** To the kernel, a thread that a safepoint halts waits for a lock; without symbols, its stack does not tell which. */
    @Test
    void shouldTakeAWaitForAnUnknownLockForTheSafepointThatItLasted() {
        Incident incident = safepoint("operation", "FindDeadlocks", "caller", "faults", "toSafepointNs", 95 * MS)
                .add(waiting("", "[libc.so.6]"));
        assertThat(account(incident))
                .extracting(AccountEntry::kind)
                .startsWith(AccountKind.TIME_TO_SAFEPOINT)
                .doesNotContain(AccountKind.LOCK);
    }

    @Test
    void shouldNotTakeAWaitForAKnownLockForTheSafepoint() {
        for (ThreadAbsence known : List.of(waiting("other-thread", "[libc.so.6]"), waiting("", "Monitor::lock"))) {
            Incident incident = safepoint("operation", "FindDeadlocks", "caller", "faults", "toSafepointNs", 95 * MS)
                    .add(known);
            assertThat(account(incident)).extracting(AccountEntry::kind).startsWith(AccountKind.LOCK);
        }
    }

    private static ThreadAbsence waiting(String waker, String function) {
        ThreadAbsence absence = ThreadAbsences.of(
                "mds",
                "mds-context",
                new Interval(Incident.ns(3), Incident.ns(99)),
                96 * MS,
                ThreadAbsence.State.SLEEPING,
                "futex_do_wait,__futex_wait");
        return ThreadAbsences.with(waker.isEmpty() ? absence : ThreadAbsences.wokenBy(absence, waker), function);
    }

    private static Incident safepoint(Object... details) {
        Object[] all = Arrays.copyOf(details, details.length + 2);
        all[details.length] = "durationNs";
        all[details.length + 1] = 100 * MS;
        return new Incident().stall(0, 100).event(0, SAFEPOINT, all);
    }

    private static List<AccountEntry> account(Incident incident) {
        CaseFile file = incident.file();
        return new StallAccountant(file, file.of(STALL).get(0)).account().entries();
    }
}
