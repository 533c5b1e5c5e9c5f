package org.naklab.faults.datagram;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.TimeUnit;
import org.agrona.concurrent.CachedNanoClock;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.naklab.faults.Fault;
import org.naklab.faults.FaultSite;
import org.naklab.faults.FaultSpec;

/** The order in which a lane gives datagrams back, without a network. */
@Timeout(60)
class EndpointChannelTest {
    private static final InetSocketAddress SOURCE = new InetSocketAddress(InetAddress.getLoopbackAddress(), 24_199);

    private final CachedNanoClock clock = new CachedNanoClock();
    private final DatagramSeam seam = new DatagramSeam();
    private final FaultSite site = new FaultSite("test");
    private final EndpointChannel lane = new EndpointChannel(seam, Direction.INBOUND, clock);
    private final Queue<Integer> socket = new ArrayDeque<>();

    @BeforeEach
    void offer() {
        site.offer(DatagramSeam.NAME, seam);
    }

    private @Nullable InetSocketAddress read(ByteBuffer buffer) {
        buffer.clear();
        Integer offset = socket.poll();
        if (offset == null) {
            return null;
        }
        ByteBuffer bytes = TestDatagrams.dataBytes(offset);
        buffer.put(bytes);
        return SOURCE;
    }

    /** Offsets in the order in which they come out, until nothing comes any more. */
    private List<Integer> receiveAll() {
        List<Integer> offsets = new ArrayList<>();
        ByteBuffer buffer = ByteBuffer.allocateDirect(2_048);
        while (Inbound.receive(lane, buffer, this::read) != null) {
            Datagram datagram = new Datagram(Direction.INBOUND);
            assertThat(datagram.wrap(buffer, 0, buffer.position())).isTrue();
            offsets.add(datagram.termOffset());
        }
        return offsets;
    }

    private Fault reordering(int behind) {
        Selection second = Selection.exact(Direction.INBOUND, new Gap(2, 1));
        Record parameters = new DatagramReorderingFault.Parameters(DatagramSeam.NAME, second, behind, 10);
        return new DatagramReorderingFault().create(FaultSpec.of("datagram-reordering", "test", parameters), site, 1);
    }

    @Test
    void shouldLetTheGivenNumberOvertake() {
        reordering(2).arm();
        socket.addAll(List.of(0, 64, 128, 192, 256));

        assertThat(receiveAll()).containsExactly(0, 128, 192, 64, 256);
    }

    @Test
    void shouldNotWaitForeverToBeOvertaken() {
        reordering(2).arm();
        socket.addAll(List.of(0, 64, 128));
        assertThat(receiveAll()).containsExactly(0, 128);

        clock.update(TimeUnit.MILLISECONDS.toNanos(10));

        assertThat(receiveAll()).containsExactly(64);
    }

    @Test
    void shouldLetGoWhenDisarmed() {
        Fault reordering = reordering(2);
        reordering.arm();
        socket.addAll(List.of(0, 64, 128));
        receiveAll();

        reordering.disarm();

        assertThat(receiveAll()).containsExactly(64);
        assertThat(lane.isIdle()).isTrue();
    }

    @Test
    void shouldDeliverADuplicateRightAfterTheOriginal() {
        Selection second = Selection.exact(Direction.INBOUND, new Gap(2, 1));
        Record parameters = new DatagramDuplicationFault.Parameters(DatagramSeam.NAME, second);
        new DatagramDuplicationFault()
                .create(FaultSpec.of("datagram-duplication", "test", parameters), site, 1)
                .arm();
        socket.addAll(List.of(0, 64, 128));

        assertThat(receiveAll()).containsExactly(0, 64, 64, 128);
    }

    @Test
    void shouldKeepTheOrderOfEquallyDelayedDatagrams() {
        Selection all = Selection.random(Direction.INBOUND, Traffic.DATA, 1);
        Record parameters = new DatagramDelayFault.Parameters(DatagramSeam.NAME, all, 10_000, 0);
        new DatagramDelayFault()
                .create(FaultSpec.of("datagram-delay", "test", parameters), site, 1)
                .arm();
        socket.addAll(List.of(0, 64, 128));
        assertThat(receiveAll()).isEmpty();

        clock.update(TimeUnit.MILLISECONDS.toNanos(10));

        assertThat(receiveAll()).containsExactly(0, 64, 128);
    }

    @Test
    void shouldPassDatagramsThroughWhenTooManyAreHeld() {
        Selection all = Selection.random(Direction.INBOUND, Traffic.DATA, 1);
        Record parameters = new DatagramDelayFault.Parameters(DatagramSeam.NAME, all, 10_000, 0);
        new DatagramDelayFault()
                .create(FaultSpec.of("datagram-delay", "test", parameters), site, 1)
                .arm();
        for (int i = 0; i < EndpointChannel.MAX_HELD; i++) {
            socket.add(i * 64);
        }
        while (!socket.isEmpty()) {
            assertThat(receiveAll()).isEmpty();
        }
        socket.add(EndpointChannel.MAX_HELD * 64);

        assertThat(receiveAll()).containsExactly(EndpointChannel.MAX_HELD * 64);
    }
}
