package org.naklab.lab.replica.observation;

import static org.assertj.core.api.Assertions.assertThat;

import io.aeron.driver.MediaDriver;
import io.aeron.driver.ThreadingMode;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Collectors;
import org.agrona.concurrent.SystemNanoClock;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.naklab.lab.instruments.threads.DutyCycleTracker;
import org.naklab.lab.instruments.watch.IncidentRecorder;
import org.naklab.lab.instruments.watch.InstrumentRunner;
import org.naklab.lab.process.Role;
import org.naklab.lab.replica.service.DutyCycleFile;

/** Attaches the instruments to this process, which has a driver, a duty-cycle file and a context thread as a service has. */
@Timeout(60)
final class ServiceInstrumentsTest {
    private static final String NAME = "probe";
    /** A part of the description of each instrument. */
    private static final List<String> INSTRUMENTS = List.of(
            "sockets of probe",
            "Aeron counters and loss report of probe",
            "sentBytes",
            "receivedBytes",
            "thread probe-context",
            "heartbeat of probe",
            "ringDepthSlots",
            "journalLagMessages",
            "/proc/meminfo");

    @TempDir
    private Path directory;

    private final CountDownLatch end = new CountDownLatch(1);
    private MediaDriver driver;
    private DutyCycleTracker dutyCycle;
    private Thread context;
    private InstrumentSet instruments;

    @BeforeEach
    void launch() {
        String aeron = directory.resolve("aeron").toString();
        driver = MediaDriver.launch(new MediaDriver.Context()
                .aeronDirectoryName(aeron)
                .threadingMode(ThreadingMode.SHARED)
                .dirDeleteOnStart(true)
                .termBufferSparseFile(true));
        dutyCycle = DutyCycleTracker.create(DutyCycleFile.of(aeron), DutyCycleTracker.DEFAULT_THRESHOLD_NS);
        CountDownLatch begun = new CountDownLatch(1);
        context = new Thread(
                () -> {
                    begun.countDown();
                    awaitQuietly(end);
                },
                NAME + "-context");
        context.start();
        awaitQuietly(begun);
        instruments =
                new InstrumentSet(new InstrumentRunner(SystemNanoClock.INSTANCE, event -> {}, List.of(), error -> {
                    throw new AssertionError(error);
                }));
    }

    @AfterEach
    void end() throws InterruptedException {
        instruments.stop();
        end.countDown();
        context.join();
        dutyCycle.close();
        driver.close();
    }

    @ParameterizedTest
    @CsvSource({
        "EXCHANGE, 'sockets of probe,Aeron counters and loss report of probe,sentBytes'",
        "GATEWAY, 'sockets of probe,Aeron counters and loss report of probe,receivedBytes,thread probe-context,"
                + "heartbeat of probe'",
        "SERVICE, 'sockets of probe,Aeron counters and loss report of probe,thread probe-context,heartbeat of probe,"
                + "ringDepthSlots,journalLagMessages,/proc/meminfo'"
    })
    void shouldAttachTheInstrumentsOfTheRole(Role role, String expected) {
        ServiceInstruments attached = attach(role, directory.resolve("aeron"));
        assertThat(attached.isComplete()).isTrue();
        assertThat(attached.sockets()).isNotNull();
        assertThat(described()).isEqualTo(Set.of(expected.split(",")));
    }

    @Test
    void shouldListWhatCannotObserveAndAttachTheRest() {
        ServiceInstruments attached = attach(Role.SERVICE, directory.resolve("absent"));
        assertThat(attached.isComplete()).isFalse();
        assertThat(described()).containsExactlyInAnyOrder("sockets of probe", "thread probe-context", "/proc/meminfo");
        assertThat(instruments.blind()).anyMatch(line -> line.contains("absent"));
    }

    /** A recording of JFR would compete for the memory under test. */
    @Test
    void shouldNotRecordTheJvmOfAContainer() {
        attach(Role.SERVICE, directory.resolve("aeron"));
        assertThat(instruments.blind()).anyMatch(line -> line.startsWith("JFR off"));
    }

    @Test
    void shouldAttachTheTimerOfTheMachineAndTheRecordOfTheKernel() {
        long pid = ProcessHandle.current().pid();
        ObservedProcess process = new ObservedProcess(NAME, Role.SERVICE, pid, directory.resolve("aeron"), false);
        ServiceInstruments.attachToMachine(instruments, List.of(process));
        assertThat(instruments.describe())
                .anyMatch(line -> line.startsWith("lateness of a"))
                .anyMatch(line -> line.startsWith("waits and page faults of receiving threads"));
    }

    private ServiceInstruments attach(Role role, Path aeronDirectory) {
        return ServiceInstruments.attach(
                instruments,
                new ObservedProcess(NAME, role, ProcessHandle.current().pid(), aeronDirectory, true),
                new IncidentRecorder(directory, IncidentRecorder.DEFAULT_TRIPS),
                directory);
    }

    private Set<String> described() {
        return instruments.describe().stream()
                .flatMap(line -> INSTRUMENTS.stream().filter(line::contains))
                .collect(Collectors.toSet());
    }

    private static void awaitQuietly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
