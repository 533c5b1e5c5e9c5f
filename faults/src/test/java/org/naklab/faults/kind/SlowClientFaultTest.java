package org.naklab.faults.kind;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.naklab.faults.Fault;
import org.naklab.faults.FaultSite;
import org.naklab.faults.FaultSpec;
import org.naklab.faults.seam.ClientReads;

@Timeout(10)
class SlowClientFaultTest {
    private final Readers readers = new Readers();

    private Fault slow(int clients, @Nullable Integer bytesPerSecond) {
        FaultSite site = new FaultSite("customers");
        site.offer("gateway-1", new ClientReads(readers));
        return new SlowClientFault()
                .create(
                        FaultSpec.of(
                                "slow-client",
                                "customers",
                                new SlowClientFault.Parameters("gateway-1", clients, bytesPerSecond)),
                        site,
                        1);
    }

    @Test
    void shouldFireOnceAllOfItsClientsAreBehind() {
        Fault fault = slow(3, null);
        fault.arm();
        assertThat(readers.asked).isEqualTo("3 at 1000");
        readers.behind = new ClientReads.Behind(2, 0, 10);
        assertThat(fault.proof().fired()).isFalse();
        assertThat(fault.proof().explanation()).isEqualTo("2 of 3 clients fell behind");
        readers.behind = new ClientReads.Behind(3, 1, 40);
        fault.disarm();
        fault.disarm();
        assertThat(readers.released).isEqualTo(1);
        assertThat(fault.proof().fired()).isTrue();
        assertThat(fault.proof().figures())
                .containsEntry("behindMessages", 40L)
                .containsEntry("disconnectedClients", 1L)
                .containsEntry("slowClients", 3L);
    }

    @Test
    void shouldNotFireWithFewerClientsThanItWants() {
        readers.available = 2;
        Fault fault = slow(3, 0);
        fault.arm();
        assertThat(readers.asked).isEqualTo("3 at 0");
        readers.behind = new ClientReads.Behind(2, 0, 10);
        fault.disarm();
        assertThat(fault.proof().fired()).isFalse();
        assertThat(fault.proof().explanation()).isEqualTo("only 2 of 3 clients could be made slow");
    }

    @Test
    void shouldLeaveClientsAloneThatItNeverSlowedDown() {
        Fault fault = slow(1, null);
        fault.disarm();
        assertThat(readers.released).isZero();
        assertThat(fault.proof().fired()).isFalse();
    }

    @Test
    void shouldRefuseWhatNoClientCanBe() {
        assertThatThrownBy(() -> slow(0, null)).hasMessageContaining("clients");
        assertThatThrownBy(() -> slow(1, -1)).hasMessageContaining("bytesPerSecond");
    }

    private static final class Readers implements ClientReads.Clients, ClientReads.SlowReaders {
        int available = 100;
        int released;
        String asked = "";
        ClientReads.Behind behind = new ClientReads.Behind(0, 0, 0);

        @Override
        public ClientReads.SlowReaders slowDown(int count, int bytesPerSecond) {
            asked = count + " at " + bytesPerSecond;
            available = Math.min(count, available);
            return this;
        }

        @Override
        public int clients() {
            return available;
        }

        @Override
        public void release() {
            released++;
        }

        @Override
        public ClientReads.Behind behind() {
            return behind;
        }
    }
}
