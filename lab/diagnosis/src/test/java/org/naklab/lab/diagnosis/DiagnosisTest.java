package org.naklab.lab.diagnosis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;
import static org.naklab.lab.core.timeline.TimelineEventType.DATAGRAMS_DISCARDED;
import static org.naklab.lab.core.timeline.TimelineEventType.DATAGRAMS_DROPPED;
import static org.naklab.lab.core.timeline.TimelineEventType.FEED_SILENT;
import static org.naklab.lab.core.timeline.TimelineEventType.GC_PAUSE;
import static org.naklab.lab.core.timeline.TimelineEventType.JAVA_WAIT;
import static org.naklab.lab.core.timeline.TimelineEventType.MAJOR_FAULT;
import static org.naklab.lab.core.timeline.TimelineEventType.RATE_LIMIT_HIT;
import static org.naklab.lab.core.timeline.TimelineEventType.RUN_QUEUE_DELAY;
import static org.naklab.lab.core.timeline.TimelineEventType.SAFEPOINT;
import static org.naklab.lab.core.timeline.TimelineEventType.SLOW_CALLBACK;
import static org.naklab.lab.core.timeline.TimelineEventType.STALL;
import static org.naklab.lab.core.timeline.TimelineEventType.SYMBOL_BOUND;
import static org.naklab.lab.core.timeline.TimelineEventType.THREAD_CONTINUED;
import static org.naklab.lab.core.timeline.TimelineEventType.THREAD_INTERRUPTED;
import static org.naklab.lab.core.timeline.TimelineEventType.THREAD_SLEPT;
import static org.naklab.lab.core.timeline.TimelineEventType.TIMER_LATE;
import static org.naklab.lab.core.timeline.TimelineEventType.TRAFFIC_BURST;
import static org.naklab.lab.core.timeline.TimelineEventType.WAKE_FAILED;
import static org.naklab.lab.core.timeline.TimelineEventType.YIELDED;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.naklab.lab.core.timeline.Interval;
import org.naklab.lab.core.timeline.ThreadAbsence;
import org.naklab.lab.core.timeline.ThreadBusy;
import org.naklab.lab.core.timeline.TimelineEventType;

@Timeout(60)
final class DiagnosisTest {
    private static final long MS = 1_000_000;

    @ParameterizedTest(name = "{0}")
    @MethodSource
    void shouldNameTheCause(String story, Incident incident, Cause cause) {
        Diagnosis diagnosis = incident.diagnose();
        assertThat(diagnosis.cause()).isEqualTo(cause);
        assertUnknownIsNotCertain(diagnosis.cause(), diagnosis.confidence());
        diagnosis.causes().forEach(named -> assertUnknownIsNotCertain(named.cause(), named.confidence()));
    }

    private static void assertUnknownIsNotCertain(Cause cause, Confidence confidence) {
        assertThat(cause == Cause.UNEXPLAINED && confidence == Confidence.CERTAIN)
                .isFalse();
    }

    static Stream<Arguments> shouldNameTheCause() {
        return Stream.concat(stalls(), Stream.concat(coincidences(), losses()));
    }

    /** Each seen where it accounts for the stall. */
    private static Stream<Arguments> stalls() {
        return Stream.of(
                row("a delayed bind", binding(true, 0), Cause.LATE_BINDING_DELAY),
                row("a bind that waited for the disk", binding(false, 2), Cause.LATE_BINDING_MAJOR_FAULT),
                row("a bind that counted its own faults", bindingCounted(2), Cause.LATE_BINDING_MAJOR_FAULT),
                row("a bind without any", bindingCounted(0), Cause.LATE_BINDING_DELAY),
                row("a delayed bind that nobody admits", binding(false, 0), Cause.LATE_BINDING_DELAY),
                row("a parked yield", parked(), Cause.LATE_BINDING_SIMULATED),
                row("a yield of unknown doing", stall().event(5.1, YIELDED, "durationMs", 149.0), Cause.UNEXPLAINED),
                row("a slow callback", slowCallback(150, "stolenMs", 20.0), Cause.SLOW_CALLBACK),
                row("no processor", stall().event(5.1, RUN_QUEUE_DELAY, "delayNs", 149 * MS), Cause.CPU_PREEMPTION),
                row("no processor, told by itself", stall("processorWaitMs", 140.0), Cause.CPU_PREEMPTION),
                row("a safepoint", safepoint(2), Cause.VM_OPERATION),
                row("a collection at a safepoint", collection(), Cause.GC_OR_SAFEPOINT),
                row("a long way to a safepoint", safepoint(145), Cause.TIME_TO_SAFEPOINT),
                row("a collection", stall().event(5.1, GC_PAUSE, "durationNs", 149 * MS), Cause.GC_OR_SAFEPOINT),
                row("a stopped process", paused(), Cause.PROCESS_PAUSED),
                row(
                        "a quota that was used up",
                        stall().absent(6, 148, ThreadAbsence.State.PREEMPTED, "task_work_run,exit_to_user_mode_loop"),
                        Cause.CPU_THROTTLED),
                row(
                        "another thread on the CPU",
                        stall().absent(6, 148, ThreadAbsence.State.PREEMPTED, "exit_to_user_mode_loop,do_syscall_64"),
                        Cause.CPU_PREEMPTION),
                row(
                        "soft interrupts on the CPU",
                        stall().event(6, THREAD_INTERRUPTED, "durationNs", 140_000_000L, "kind", "soft"),
                        Cause.KERNEL_INTERFERENCE),
                row("a late timer", machine(stall()), Cause.MACHINE_STALLED),
                row("major faults of unknown length", stall("majorFaults", 3L), Cause.UNEXPLAINED),
                row("a long fault", stall().fault(6, 140, "libc.so.6 .text", ""), Cause.MAJOR_FAULT),
                row("nothing seen", stall(), Cause.UNEXPLAINED));
    }

    /** Each seen, and not the cause. */
    private static Stream<Arguments> coincidences() {
        return Stream.of(
                row(
                        "a bind of another time",
                        parked().event(500, SYMBOL_BOUND, "durationMs", 149.0, "delayed", true),
                        Cause.LATE_BINDING_SIMULATED),
                row(
                        "a bind that waited for the disk, and a longer stall for other pages",
                        binding(false, 2).stall(600, 190).fault(601, 180, "libc.so.6 .text", ""),
                        Cause.MAJOR_FAULT),
                row(
                        "a bind that lost datagrams, and a longer stall that lost none",
                        binding(false, 2).loss(80).stall(600, 190).fault(601, 180, "libc.so.6 .text", ""),
                        Cause.LATE_BINDING_MAJOR_FAULT),
                row(
                        "a bind in which the process was frozen",
                        binding(true, 0).absent(6, 140, ThreadAbsence.State.FROZEN, ""),
                        Cause.PROCESS_FROZEN),
                row(
                        "a callback that waited for a page",
                        slowCallback(150).fault(6, 140, "libc.so.6 .text", ""),
                        Cause.MAJOR_FAULT),
                row(
                        "a callback that waited for the disk",
                        slowCallback(150).absent(6, 140, ThreadAbsence.State.BLOCKED, "io_schedule,vfs_fsync"),
                        Cause.DISK_WAIT),
                row("a short callback", stall().event(5.1, SLOW_CALLBACK, "durationNs", 20 * MS), Cause.UNEXPLAINED),
                row("a collection after it", stall().event(200, GC_PAUSE, "durationNs", 149 * MS), Cause.UNEXPLAINED),
                row("a short safepoint in it", stall().event(30, SAFEPOINT, "durationNs", 30 * MS), Cause.UNEXPLAINED),
                row(
                        "a callback that could not run",
                        stall().event(5.1, SLOW_CALLBACK, "durationNs", 149 * MS)
                                .event(6, RUN_QUEUE_DELAY, "delayNs", 140 * MS),
                        Cause.CPU_PREEMPTION),
                row(
                        "a safepoint that waited for the thread, which had no processor",
                        safepoint(145).event(6, RUN_QUEUE_DELAY, "delayNs", 140 * MS),
                        Cause.CPU_PREEMPTION),
                row(
                        "a safepoint that halted the thread, and a wait after it",
                        safepoint(2).event(70, RUN_QUEUE_DELAY, "delayNs", 84 * MS),
                        Cause.VM_OPERATION),
                row(
                        "a callback while another process collected its garbage",
                        slowCallback(150).elsewhere(8, STALL, "exchange", "durationMs", 140.0, "collectionMs", 139L),
                        Cause.SLOW_CALLBACK),
                row(
                        "other threads that waited for a processor, and nothing seen of this one",
                        stall("processorPressureMs", 149.0),
                        Cause.UNEXPLAINED),
                row(
                        "other threads that waited for a processor while this one was frozen",
                        stall("processorPressureMs", 149.0).absent(6, 148, ThreadAbsence.State.FROZEN, ""),
                        Cause.PROCESS_FROZEN),
                row("a callback while a hypervisor ran others", stolen(), Cause.MACHINE_STALLED),
                row(
                        "a callback that slept while a hypervisor ran others",
                        stolen().event(7, THREAD_SLEPT, "durationNs", 140 * MS),
                        Cause.SLOW_CALLBACK),
                row(
                        "a sleep that was no callback's while a hypervisor ran others",
                        stall("stolenMs", 110.0).event(7, THREAD_SLEPT, "durationNs", 140 * MS),
                        Cause.BLOCKING_CALL),
                row(
                        "a thread without a processor on a machine that stood still",
                        machine(stall("processorWaitMs", 149.0)),
                        Cause.MACHINE_STALLED),
                row(
                        "a burst of catching up",
                        paused().elsewhere(160, TRAFFIC_BURST, "exchange", "durationNs", 40 * MS)
                                .elsewhere(160, TRAFFIC_BURST, "gateway-1", "durationNs", 40 * MS),
                        Cause.PROCESS_PAUSED));
    }

    private static Incident missing() {
        return new Incident().problem("mds: 1 events missing");
    }

    @Test
    void shouldSayWhyARunIsNotClean() {
        Diagnosis diagnosis = missing().diagnose();
        assertThat(diagnosis.cause().label()).isEqualTo("cannot-tell");
        assertThat(diagnosis.confidence()).isEqualTo(Confidence.CANNOT_TELL);
        assertThat(diagnosis.evidence()).extracting(Evidence::figure).containsExactly("mds: 1 events missing");
        assertThat(diagnosis.remedy()).isEqualTo(Cause.UNEXPLAINED.remedy());
    }

    @Test
    void shouldNotCallARunCleanWhosePredictionDidNotHold() {
        Diagnosis clean = new Incident().diagnose();
        assertThat(clean.besides(1, List.of())).isEqualTo(clean);
        Diagnosis doubted = clean.besides(1, List.of("unknown: fault: slow-callback: it did not fire"));
        assertThat(doubted.cause()).isEqualTo(Cause.UNEXPLAINED);
        assertThat(doubted.evidence()).singleElement().satisfies(finding -> assertThat(finding.figure())
                .contains("it did not fire"));

        Diagnosis named = slowCallback(150).diagnose();
        assertThat(named.besides(1, List.of("fail: mds sent no NAK: 1"))).isEqualTo(named);
    }

    private static Stream<Arguments> losses() {
        return Stream.of(
                row("nothing", new Incident(), Cause.CLEAN),
                row("nothing but an event that is missing", missing(), Cause.UNEXPLAINED),
                row(
                        "a harmless stall of a busy machine, and a process that died",
                        busy(25).problem("gateway-1 sent no final report"),
                        Cause.UNEXPLAINED),
                row(
                        "a slow callback, and an event that is missing",
                        slowCallback(150).problem("mds: 1 events missing"),
                        Cause.SLOW_CALLBACK),
                row("a harmless stall of a busy machine", busy(25), Cause.CLEAN),
                row(
                        "a harmless wait for another thread's lock",
                        new Incident().stall(5, 60).absent(6, 58, ThreadAbsence.State.SLEEPING, "futex_wait_queue"),
                        Cause.CLEAN),
                row("a harmless callback while threads waited for a processor", pressed(61), Cause.CLEAN),
                row(
                        "a harmless callback while processors were free",
                        slowCallback(61, "processorPressureMs", 12.0),
                        Cause.SLOW_CALLBACK),
                row(
                        "a callback that cost datagrams while threads waited",
                        pressed(61).loss(20),
                        Cause.SLOW_CALLBACK),
                row("a long callback while threads waited", pressed(120), Cause.SLOW_CALLBACK),
                row("a stall of a busy machine that cost datagrams", busy(25).loss(20), Cause.CPU_PREEMPTION),
                row("a long stall of a busy machine", busy(120), Cause.CPU_PREEMPTION),
                row("NAKs without a drop", new Incident().nak(100), Cause.NETWORK_LOSS),
                row("NAKs without a drop on a busy machine", busy(120).nak(900), Cause.NETWORK_LOSS),
                row(
                        "drops of a busy machine, and more missing than they can have had",
                        busy(120).loss(20).lostOnTheWay(960),
                        Cause.CPU_PREEMPTION),
                row(
                        "a slow callback that cost datagrams, and more missing than those",
                        slowCallback(150).loss(80).lostOnTheWay(960),
                        Cause.SLOW_CALLBACK),
                row(
                        "NAKs before a stall, for what was dropped in the warm-up",
                        new Incident()
                                .event(-5_200, DATAGRAMS_DROPPED, "datagrams", 300L)
                                .stall(600, 150, "processorWaitMs", 150.0)
                                .nak(100)
                                .loss(650),
                        Cause.CPU_PREEMPTION),
                row(
                        "NAKs for what was dropped in the warm-up, and no stall",
                        new Incident()
                                .event(-5_200, DATAGRAMS_DROPPED, "datagrams", 300L)
                                .nak(100),
                        Cause.UNEXPLAINED),
                row(
                        "NAKs of a driver without room, and no stall",
                        new Incident().nak(100).overrun(),
                        Cause.UNEXPLAINED),
                row(
                        "NAKs of a driver without room",
                        busy(150).loss(50).nak(3_000).overrun(),
                        Cause.CPU_PREEMPTION),
                row("NAKs long after a drop", busy(90).nak(3_000), Cause.NETWORK_LOSS),
                row("a drop that nobody explains", new Incident().loss(100), Cause.UNEXPLAINED),
                row("a burst", burst(100).loss(120), Cause.TRAFFIC_BURST),
                row("a burst that was harmless", burst(100), Cause.CLEAN),
                row("a full ring", new Incident().ringFull(), Cause.SLOW_CONSUMER));
    }

    @Test
    void shouldLayOutTheWholeChainInOrder() {
        Diagnosis diagnosis = binding(true, 0).loss(80).diagnose();
        assertThat(diagnosis.chain())
                .extracting(Link::type)
                .containsExactly(
                        RATE_LIMIT_HIT,
                        WAKE_FAILED,
                        SYMBOL_BOUND,
                        STALL,
                        TimelineEventType.SOCKET_DEPTH_RISE,
                        TimelineEventType.DATAGRAMS_DROPPED,
                        TimelineEventType.NAK_SENT,
                        TimelineEventType.RETRANSMIT_RECEIVED,
                        TimelineEventType.REPAIRED);
        assertThat(diagnosis.chain()).isNotEmpty().allMatch(Link::present).allMatch(Link::inOrder);
        assertThat(diagnosis.confidence()).isEqualTo(Confidence.CERTAIN);
        assertThat(diagnosis.wouldSettle()).isEmpty();
    }

    @Test
    void shouldNotBeCertainWithALinkMissingOrOutOfOrder() {
        Incident missing = new Incident()
                .stall(5, 150)
                .event(5.1, YIELDED, "durationMs", 149.0)
                .event(5.2, SYMBOL_BOUND, "durationMs", 148.0, "delayed", true)
                .loss(80);
        assertThat(missing.diagnose().chain())
                .filteredOn(link -> !link.present())
                .extracting(Link::type)
                .contains(RATE_LIMIT_HIT, WAKE_FAILED);
        assertThat(missing.diagnose().confidence()).isEqualTo(Confidence.LIKELY);
        assertThat(missing.diagnose().wouldSettle()).isNotEmpty();
        Incident disordered = binding(true, 0).event(30, WAKE_FAILED).loss(80);
        assertThat(disordered.diagnose().chain()).anyMatch(link -> !link.inOrder());
        assertThat(disordered.diagnose().confidence()).isEqualTo(Confidence.LIKELY);
    }

    @Test
    void shouldRuleOutEachSuspectByAFigureOrSayThatNobodyLooked() {
        Diagnosis diagnosis = binding(true, 0).loss(80).diagnose();
        assertThat(diagnosis.suspects())
                .allSatisfy(suspect -> assertThat(suspect.figure()).isNotBlank());
        assertThat(diagnosis.suspects())
                .filteredOn(suspect -> suspect.figure().contains("not looked at"))
                .isNotEmpty()
                .allMatch(suspect -> !suspect.ruledOut());
        assertThat(diagnosis.suspects())
                .filteredOn(suspect -> suspect.name().startsWith("pre-emption"))
                .isNotEmpty()
                .allMatch(Suspect::ruledOut);
        assertThat(busy(90).loss(50).diagnose().suspects())
                .filteredOn(suspect -> suspect.name().startsWith("pre-emption"))
                .noneMatch(Suspect::ruledOut);
    }

    @Test
    void shouldTellACallbackThatSleptFromOneThatWorked() {
        assertThat(texts(slowCallback(150).event(7, THREAD_SLEPT, "durationNs", 140 * MS)))
                .contains("mds-context: other wait 140.0 of 150.0 ms")
                .noneMatch(text -> text.contains("on CPU"));
        assertThat(texts(slowCallback(150).recorded())).contains("mds-context: on CPU 150.0 of 150.0 ms");
    }

    private static List<String> texts(Incident incident) {
        return incident.diagnose().evidence().stream()
                .map(evidence -> evidence.text() + " " + evidence.figure())
                .toList();
    }

    /** The account names no cause for more than a fifth of the stall. */
    @Test
    void shouldNotBeCertainOfWhatTheAccountDoesNotExplain() {
        assertThat(slowCallback(150).diagnose().confidence()).isEqualTo(Confidence.LIKELY);
        assertThat(slowCallback(150).diagnose().wouldSettle()).anyMatch(line -> line.contains("kernel recorder"));
        assertThat(slowCallback(150)
                        .absent(6, 100, ThreadAbsence.State.SLEEPING, "hrtimer_nanosleep")
                        .loss(80)
                        .diagnose()
                        .confidence())
                .isEqualTo(Confidence.LIKELY);
        assertThat(slowCallback(150)
                        .absent(6, 140, ThreadAbsence.State.SLEEPING, "hrtimer_nanosleep")
                        .loss(80)
                        .diagnose()
                        .confidence())
                .isEqualTo(Confidence.CERTAIN);
        assertThat(stall().recorded().diagnose())
                .returns(Cause.BUSY_THREAD, Diagnosis::cause)
                .returns(Confidence.LIKELY, Diagnosis::confidence);
    }

    /** A build in which the audit library says nothing of its delay must give the same diagnosis. */
    @Test
    void shouldDiagnoseTheSameWhateverTheInjectorSays() {
        Diagnosis admitted = binding(true, 0).loss(80).diagnose();
        assertThat(binding(false, 0).loss(80).diagnose())
                .isEqualTo(new Diagnosis(
                        admitted.cause(),
                        admitted.confidence(),
                        admitted.causes(),
                        binding(false, 0).loss(80).diagnose().stall(),
                        admitted.evidence(),
                        admitted.chain(),
                        admitted.suspects(),
                        admitted.noted(),
                        admitted.wouldSettle(),
                        admitted.remedy()));
    }

    @Test
    void shouldNameAllCausesByHarm() {
        Diagnosis diagnosis = slowCallback(150)
                .absent(6, 140, ThreadAbsence.State.SLEEPING, "hrtimer_nanosleep")
                .stall(1_000, 400)
                .absent(1_001, 398, ThreadAbsence.State.FROZEN, "")
                .stall(2_000, 120)
                .absent(2_001, 118, ThreadAbsence.State.TRACED, "")
                .loss(2_050)
                .diagnose();
        assertThat(diagnosis.causes())
                .extracting(NamedCause::cause, NamedCause::lostDatagrams)
                .containsExactly(
                        tuple(Cause.PROCESS_TRACED, 300L),
                        tuple(Cause.PROCESS_FROZEN, 0L),
                        tuple(Cause.SLOW_CALLBACK, 0L));
        assertThat(diagnosis.cause()).isEqualTo(Cause.PROCESS_TRACED);
        assertThat(diagnosis.stall()).isNotNull();
        assertThat(diagnosis.stall().timeNs()).isEqualTo(Incident.ns(2_000));
        assertThat(busy(120).loss(20).lostOnTheWay(960).diagnose().causes())
                .extracting(NamedCause::cause)
                .containsExactly(Cause.CPU_PREEMPTION, Cause.NETWORK_LOSS);
        assertThat(busy(90).loss(50).nak(3_000).diagnose().causes())
                .extracting(NamedCause::cause)
                .containsExactly(Cause.CPU_PREEMPTION, Cause.NETWORK_LOSS);
    }

    @Test
    void shouldNotCallAFeedCleanWhoseSenderWasSilent() {
        Diagnosis diagnosis = silent("stopped").diagnose();
        assertThat(diagnosis.cause()).isEqualTo(Cause.SENDER_PAUSED);
        assertThat(diagnosis.causes()).singleElement().satisfies(cause -> {
            assertThat(cause.process()).isEqualTo("exchange");
            assertThat(cause.durationMs()).isEqualTo(1_500);
        });
        assertThat(diagnosis.stall()).isNull();
        assertThat(silent("preempted").diagnose().cause()).isEqualTo(Cause.CLEAN);
        assertThat(silent("preempted").diagnose().noted()).singleElement().satisfies(note -> assertThat(note)
                .contains("exchange sent nothing"));
    }

    private static Incident silent(String senderState) {
        return new Incident()
                .elsewhere(
                        100,
                        FEED_SILENT,
                        "exchange",
                        "durationNs",
                        1_500 * MS,
                        "port",
                        (long) Incident.FEED_PORT,
                        "senderState",
                        senderState,
                        "senderAbsentNs",
                        1_500 * MS);
    }

    /** A program without NAKs, such as a watched one: what nobody can have seen is not missing. */
    @Test
    void shouldNotMissTheRepairWhereNobodySendsNaks() {
        Incident incident = slowCallback(150)
                .absent(6, 140, ThreadAbsence.State.SLEEPING, "hrtimer_nanosleep")
                .withoutNaks()
                .event(50, TimelineEventType.SOCKET_DEPTH_RISE)
                .event(80, DATAGRAMS_DROPPED, "datagrams", 300L);
        assertThat(incident.diagnose().confidence()).isEqualTo(Confidence.CERTAIN);
        assertThat(incident.diagnose().chain())
                .extracting(Link::type)
                .containsExactly(STALL, TimelineEventType.SOCKET_DEPTH_RISE, DATAGRAMS_DROPPED);
    }

    @Test
    void shouldNameALossOfThisHostWhereNobodySendsNaks() {
        Object[] discarded = {"port", (long) Incident.FEED_PORT, "count", 40L, "reason", "NETFILTER_DROP"};
        Incident loss = new Incident().withoutNaks().elsewhere(100, DATAGRAMS_DISCARDED, "mds", discarded);
        assertThat(loss.diagnose().cause()).isEqualTo(Cause.NETWORK_LOSS);
        assertThat(loss.diagnose().causes())
                .extracting(NamedCause::lostDatagrams)
                .containsExactly(40L);
        assertThat(new Incident()
                        .elsewhere(100, DATAGRAMS_DISCARDED, "mds", discarded)
                        .diagnose()
                        .cause())
                .isEqualTo(Cause.CLEAN);
    }

    @Test
    void shouldNameTheThreadThatASafepointWaitedFor() {
        Interval busy = new Interval(Incident.ns(5.1), Incident.ns(150.2));
        Diagnosis diagnosis = safepoint(145)
                .add(new ThreadBusy("mds", "mds-journal", busy, 0, 0, 140 * MS))
                .diagnose();
        assertThat(diagnosis.cause()).isEqualTo(Cause.TIME_TO_SAFEPOINT);
        assertThat(diagnosis.evidence())
                .extracting(Evidence::text)
                .anyMatch(text -> text.contains("for mds-journal, which waited for a page"));
    }

    @Test
    void shouldAddUpStallsOfOneCause() {
        Diagnosis diagnosis = new Incident()
                .stall(5, 120)
                .absent(6, 118, ThreadAbsence.State.FROZEN, "")
                .stall(1_000, 200)
                .absent(1_001, 198, ThreadAbsence.State.FROZEN, "")
                .diagnose();
        assertThat(diagnosis.causes()).singleElement().satisfies(cause -> {
            assertThat(cause.durationMs()).isEqualTo(320);
            assertThat(cause.atNs()).isEqualTo(Incident.ns(1_000));
        });
    }

    /** Without an audit library in the process. */
    @Test
    void shouldSeeALateBindByTheLinkersStackAndFaults() {
        Diagnosis byFault = stall().fault(6, 140, "libfoo.so .gnu.hash", "ld-linux-x86-64.so.2 .text")
                .diagnose();
        assertThat(byFault.cause()).isEqualTo(Cause.LATE_BINDING_MAJOR_FAULT);
        assertThat(byFault.evidence())
                .extracting(Evidence::text)
                .contains("the dynamic linker waited for a page of libfoo.so .gnu.hash");
        assertThat(linking("_dl_fixup", "_dl_runtime_resolve_xsavec").diagnose().cause())
                .isEqualTo(Cause.LATE_BINDING_DELAY);
        assertThat(linking("_dl_map_object", "_dl_open").diagnose().cause()).isEqualTo(Cause.BLOCKING_CALL);
    }

    private static Incident linking(String... userStack) {
        Interval interval = new Interval(Incident.ns(6), Incident.ns(150));
        return stall().add(ThreadAbsences.with(
                ThreadAbsences.of(
                        "mds",
                        "mds-context",
                        interval,
                        interval.lengthNs(),
                        ThreadAbsence.State.SLEEPING,
                        "hrtimer_nanosleep"),
                userStack));
    }

    @Test
    void shouldTellWhatACallbackWaitedForLongestAndWhere() {
        Incident incident = slowCallback(150)
                .event(7, JAVA_WAIT, "durationNs", 30 * MS, "what", "slept", "where", "a.Retry.pause:3")
                .event(
                        40,
                        JAVA_WAIT,
                        "durationNs",
                        100 * MS,
                        "what",
                        "waited for the lock of a.Registry",
                        "where",
                        "a.Handler.onMessage:7")
                .event(400, JAVA_WAIT, "durationNs", 500 * MS, "what", "slept", "where", "a.Other.run:1");
        assertThat(incident.diagnose().evidence())
                .extracting(Evidence::text, Evidence::figure)
                .contains(tuple("mds-context waited for the lock of a.Registry, at a.Handler.onMessage:7", "100.0 ms"))
                .noneMatch(finding -> finding.toString().contains("slept,"));
    }

    private static Arguments row(String story, Incident incident, Cause cause) {
        return Arguments.of(story, incident, cause);
    }

    private static Incident stall(Object... details) {
        return new Incident().stall(5, 150, details);
    }

    private static Incident safepoint(long wayMs) {
        return stall().event(5.1, SAFEPOINT, "durationNs", 149 * MS, "toSafepointNs", wayMs * MS);
    }

    private static Incident slowCallback(double durationMs, Object... details) {
        return new Incident()
                .stall(5, durationMs, details)
                .event(5.1, SLOW_CALLBACK, "durationNs", (long) (durationMs * MS) - MS);
    }

    private static Incident pressed(double durationMs) {
        return slowCallback(durationMs, "processorPressureMs", 0.9 * durationMs);
    }

    private static Incident parked() {
        Interval interval = new Interval(Incident.ns(5.2), Incident.ns(153.2));
        return stall().event(5.1, YIELDED, "durationMs", 149.0)
                .add(ThreadAbsences.byTimer(ThreadAbsences.of(
                        "mds",
                        "mds-context",
                        interval,
                        interval.lengthNs(),
                        ThreadAbsence.State.SLEEPING,
                        "futex_wait_queue")));
    }

    private static Incident collection() {
        return safepoint(2).event(8, GC_PAUSE, "durationNs", 140 * MS, "cause", "System.gc()");
    }

    private static Incident stolen() {
        return slowCallback(150, "stolenMs", 110.0);
    }

    private static Incident bindingCounted(long majorFaults) {
        return stall().event(5.1, YIELDED, "durationMs", 149.0)
                .event(5.2, SYMBOL_BOUND, "symbol", "sched_yield", "durationMs", 148.0, "majorFaults", majorFaults);
    }

    private static Incident binding(boolean delayed, long majorFaults) {
        Incident incident = new Incident()
                .recorded()
                .event(1, RATE_LIMIT_HIT)
                .stall(5, 150, "majorFaults", majorFaults)
                .event(5, WAKE_FAILED)
                .event(5.1, YIELDED, "durationMs", 149.0)
                .event(5.2, SYMBOL_BOUND, "symbol", "sched_yield", "durationMs", 148.0, "delayed", delayed);
        return majorFaults == 0
                ? incident.absent(5.3, 147, ThreadAbsence.State.SLEEPING, "hrtimer_nanosleep")
                : incident.event(5.3, MAJOR_FAULT, "faults", majorFaults)
                        .fault(5.3, 147, "libc.so.6 .gnu.hash", "ld-linux-x86-64.so.2 .text");
    }

    private static Incident paused() {
        return stall().event(155, THREAD_CONTINUED, "beganNs", Incident.SECOND_NS + 6 * MS, "durationNs", 149 * MS);
    }

    private static Incident machine(Incident incident) {
        return incident.elsewhere(6, TIMER_LATE, "lab", "latenessNs", 148 * MS);
    }

    private static Incident busy(double durationMs) {
        return new Incident().stall(5, durationMs, "processorWaitMs", durationMs);
    }

    private static Incident burst(double atMs) {
        return new Incident()
                .elsewhere(atMs, TRAFFIC_BURST, "exchange", "durationNs", 40 * MS)
                .elsewhere(atMs, TRAFFIC_BURST, "gateway-1", "durationNs", 40 * MS);
    }
}
