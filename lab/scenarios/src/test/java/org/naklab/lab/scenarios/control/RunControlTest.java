package org.naklab.lab.scenarios.control;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.SocketChannel;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.naklab.faults.FaultException;
import org.naklab.faults.FaultProof;
import org.naklab.faults.FaultSpec;
import org.naklab.faults.FaultState;
import org.naklab.files.PrivateDirectory;
import org.naklab.files.SharedMemory;
import org.naklab.lab.core.LabException;
import org.naklab.lab.core.UnavailableException;

/** A fault lasts as long as the command that injected it at most, however that ends, and never longer than the run. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
final class RunControlTest {
    private static final FaultSpec FAULT = new FaultSpec(null, "stall", "mds", null, 0, null);
    private static final FaultProof FIRED = new FaultProof(true, "it did", Map.of("firings", 1L), List.of());

    private final FakeRun run = new FakeRun();
    private PrivateDirectory directory;
    private RunControl control;

    @BeforeEach
    void open() throws IOException {
        directory = SharedMemory.create();
        control = RunControl.open(directory.path(), run);
    }

    @AfterEach
    void close() throws IOException {
        control.close();
        directory.close();
    }

    @Test
    void shouldBeFoundWithItsDescription() {
        assertThat(RunningRun.findAll()).extracting(RunningRun::description).contains(run.describe());
        control.close();
        assertThat(RunningRun.findAll()).extracting(RunningRun::description).doesNotContain(run.describe());
    }

    @Test
    void shouldReturnTheProofWhenTheTimeOfTheFaultIsOver() throws InterruptedException {
        CountDownLatch armed = new CountDownLatch(1);
        FaultProof proof = running().inject(FAULT, new Told(armed, () -> run.isOver.set(true)), () -> false);
        assertThat(proof).isEqualTo(FIRED);
        assertThat(armed.getCount()).isZero();
    }

    @Test
    void shouldRemoveTheFaultWhenTheCommandIsCancelled() throws InterruptedException {
        AtomicBoolean isCancelled = new AtomicBoolean();
        FaultProof proof =
                running().inject(FAULT, new Told(new CountDownLatch(1), () -> isCancelled.set(true)), isCancelled::get);
        assertThat(proof).isEqualTo(FIRED);
        assertThat(run.isRemoved.getCount()).isZero();
    }

    /** As the kernel does for a command that is killed. */
    @Test
    void shouldRemoveTheFaultWhenTheCommandIsGone() throws IOException, InterruptedException {
        SocketChannel channel = SocketChannel.open(StandardProtocolFamily.UNIX);
        channel.connect(UnixDomainSocketAddress.of(directory.path().resolve(RunControl.SOCKET)));
        try (LineChannel lines = new LineChannel(channel)) {
            lines.write(new ControlRequest(ControlRequest.Word.INJECT, FAULT));
            assertThat(lines.readLine()).contains("accepted");
            assertThat(lines.readLine()).contains("armed");
            assertThat(run.isRemoved.getCount()).isEqualTo(1);
        }
        run.isRemoved.await();
    }

    @Test
    void shouldRemoveTheFaultWhenTheRunComesToItsEnd() throws InterruptedException {
        Told told = new Told(new CountDownLatch(1), () -> new Thread(control::close, "end-of-the-run").start());
        assertThat(running().inject(FAULT, told, () -> false)).isEqualTo(FIRED);
        assertThat(run.isRemoved.getCount()).isZero();
    }

    @Test
    void shouldTellWhyARunDoesNotTakeAFault() {
        run.refusal = "mds offers no such seam";
        assertThatThrownBy(() -> running().inject(FAULT, new Told(new CountDownLatch(1), () -> {}), () -> false))
                .isInstanceOf(UnavailableException.class)
                .hasMessage("mds offers no such seam");
    }

    @Test
    void shouldRemoveWhatUsersHaveAdded() throws InterruptedException {
        assertThat(running().removeAdded())
                .containsExactly(new RemovedFault("added-stall", "stall", "mds", FIRED, null));
    }

    @Test
    void shouldNotMakeUpAProofWhenTheProcessHasEnded() {
        run.hasEnded.set(true);
        assertThatThrownBy(() -> running().inject(FAULT, new Told(new CountDownLatch(1), () -> {}), () -> false))
                .isInstanceOf(LabException.class)
                .hasMessage("mds has ended");
    }

    private RunningRun running() {
        return new RunningRun(directory.path().resolve(RunControl.SOCKET), run.describe());
    }

    /** Runs an action when the fault is armed. */
    private record Told(CountDownLatch armed, Runnable action) implements RunningRun.Listener {
        @Override
        public void onAccepted(String id, String process) {
            assertThat(id).isEqualTo("injected-stall");
            assertThat(process).isEqualTo("mds");
        }

        @Override
        public void onArmed() {
            armed.countDown();
            action.run();
        }
    }

    private final class FakeRun implements ControlledRun {
        private final AtomicBoolean isOver = new AtomicBoolean();
        private final AtomicBoolean hasEnded = new AtomicBoolean();
        private final CountDownLatch isRemoved = new CountDownLatch(1);
        private volatile String refusal = "";

        @Override
        public RunDescription describe() {
            return new RunDescription(
                    "baseline", directory.path().resolve("run").toString(), Map.of("mds", 4711L));
        }

        @Override
        public InjectedFault inject(FaultSpec spec) {
            if (!refusal.isEmpty()) {
                throw new FaultException(refusal);
            }
            return new InjectedFault() {
                @Override
                public String id() {
                    return "injected-" + spec.kind();
                }

                @Override
                public String process() {
                    return spec.on();
                }

                @Override
                public FaultState state() {
                    if (hasEnded.get()) {
                        throw new LabException("mds has ended");
                    }
                    return new FaultState(isOver.get() ? FaultState.Phase.OVER : FaultState.Phase.ARMED, FIRED);
                }

                @Override
                public FaultState remove() {
                    isOver.set(true);
                    isRemoved.countDown();
                    return state();
                }
            };
        }

        @Override
        public List<RemovedFault> removeAdded() {
            return List.of(new RemovedFault("added-stall", "stall", "mds", FIRED, null));
        }
    }
}
