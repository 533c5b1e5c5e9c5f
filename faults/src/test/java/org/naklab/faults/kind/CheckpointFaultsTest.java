package org.naklab.faults.kind;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.aeron.logbuffer.ControlledFragmentHandler.Action;
import io.aeron.logbuffer.Header;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.naklab.faults.Fault;
import org.naklab.faults.FaultException;
import org.naklab.faults.FaultKind;
import org.naklab.faults.FaultProof;
import org.naklab.faults.FaultSite;
import org.naklab.faults.FaultSpec;
import org.naklab.faults.Firing;
import org.naklab.faults.seam.Checkpoint;

/** Stall, slow callback and slow journal: delays where a thread comes by. */
@Timeout(60)
class CheckpointFaultsTest {
    private final FaultSite site = new FaultSite("mds");
    private final Checkpoint checkpoint = site.offer("mds-context", new Checkpoint());

    private Fault create(FaultKind kind, Record parameters) {
        return kind.create(FaultSpec.of(kind.name(), "mds", parameters), site, 42);
    }

    @Test
    void shouldStallOnceForAsLongAsAsked() {
        Fault stall = create(new StallFault(), new StallFault.Parameters("mds-context", 20, 0));
        stall.arm();
        long beginNs = System.nanoTime();
        checkpoint.pass();
        long endNs = System.nanoTime();
        checkpoint.pass();

        FaultProof proof = stall.proof();
        assertThat(proof.fired()).isTrue();
        assertThat(proof.figures()).containsEntry("firings", 1L).containsEntry("passes", 2L);
        assertThat(proof.firings()).singleElement().satisfies(firing -> {
            assertThat(firing.durationNs()).isGreaterThanOrEqualTo(TimeUnit.MILLISECONDS.toNanos(20));
            assertThat(firing.beginNs()).isBetween(beginNs, endNs);
            assertThat(firing.what()).isEqualTo(Thread.currentThread().getName());
        });
    }

    @Test
    void shouldStallAsOftenAsAskedFor() throws Exception {
        Fault stall = create(new StallFault(), new StallFault.Parameters("mds-context", 1, 3));
        stall.arm();
        for (int i = 0; i < 5; i++) {
            checkpoint.pass();
        }

        assertThat(stall.proof().figure("firings")).isEqualTo(3);
    }

    @Test
    void shouldSlowCallbacksDown() {
        Fault slow = create(new SlowCallbackFault(), new SlowCallbackFault.Parameters("mds-context", 100, null, 2));
        List<Integer> handled = new ArrayList<>();
        var handler = checkpoint.beforeControlled((buffer, offset, length, header) -> {
            handled.add(offset);
            return Action.COMMIT;
        });
        slow.arm();
        UnsafeBuffer buffer = new UnsafeBuffer(new byte[8]);
        Header header = new Header(0, 0);
        for (int i = 0; i < 3; i++) {
            assertThat(handler.onFragment(buffer, i, 1, header)).isEqualTo(Action.COMMIT);
        }
        checkpoint.before((b, offset, length, h) -> handled.add(offset)).onFragment(buffer, 3, 1, header);

        assertThat(handled).containsExactly(0, 1, 2, 3);
        assertThat(slow.proof().figure("firings")).isEqualTo(2);
        assertThat(slow.proof().figure("passes")).isEqualTo(4);
    }

    @Test
    void shouldSlowTheJournalDownAtRandomButAlikeForTheSameSeed() {
        Checkpoint journal = site.offer(SlowJournalFault.CHECKPOINT, new Checkpoint());
        Record parameters = new SlowJournalFault.Parameters(1, 0.5, 0);
        List<Long> counts = new ArrayList<>();
        for (int run = 0; run < 2; run++) {
            Fault slow = create(new SlowJournalFault(), parameters);
            slow.arm();
            for (int i = 0; i < 100; i++) {
                journal.pass();
            }
            slow.disarm();
            counts.add(slow.proof().figure("firings"));
        }

        assertThat(counts.get(0)).isEqualTo(counts.get(1)).isBetween(20L, 80L);
    }

    @Test
    void shouldDoNothingWhenDisarmed() {
        site.offer(SlowJournalFault.CHECKPOINT, checkpoint);
        List<Fault> faults = List.of(
                create(new StallFault(), new StallFault.Parameters("mds-context", 1_000, 0)),
                create(new SlowCallbackFault(), new SlowCallbackFault.Parameters("mds-context", 1_000, 1.0, 0)),
                create(new SlowJournalFault(), new SlowJournalFault.Parameters(1_000, 1.0, 0)));
        faults.forEach(fault -> {
            fault.arm();
            fault.disarm();
            fault.disarm();
        });
        checkpoint.pass();

        assertThat(faults).extracting(Fault::proof).allSatisfy(proof -> {
            assertThat(proof.fired()).isFalse();
            assertThat(proof.explanation()).startsWith("no thread came by");
            assertThat(proof.firings()).isEqualTo(List.<Firing>of());
        });
    }

    @Test
    void shouldNameTheSeamThatIsMissing() {
        assertThatThrownBy(() -> create(new StallFault(), new StallFault.Parameters("gateway-context", 1, 0)))
                .isInstanceOf(FaultException.class)
                .hasMessage("mds offers no Checkpoint named gateway-context; it offers [mds-context]");
    }
}
