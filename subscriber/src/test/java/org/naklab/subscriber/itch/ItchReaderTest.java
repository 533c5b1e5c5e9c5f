package org.naklab.subscriber.itch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.naklab.messaging.feed.OrderEvent;

class ItchReaderTest {
    private final UnsafeBuffer buffer = new UnsafeBuffer(new byte[64]);
    private final ItchWriter writer = new ItchWriter();
    private final List<String> read = new ArrayList<>();
    private final ItchReader.Handler handler = new ItchReader.Handler() {
        @Override
        public void onEvent(OrderEvent event, long timeNs) {
            read.add(event.toString());
        }

        @Override
        public void onState(int instrumentId, BookState state, long sequence, long timeNs) {
            read.add(instrumentId + " " + state + " " + sequence + " " + timeNs);
        }
    };

    /** Left out, they would make a wrong book of a stream of others. */
    @ParameterizedTest
    @ValueSource(chars = {'F', 'E', 'U'})
    void shouldRefuseMessagesThatChangeABookAndAreNotRead(char code) {
        buffer.putByte(0, (byte) code);
        assertThatThrownBy(() -> new ItchReader().read(buffer, 0, 40, handler))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("a message " + code);
    }

    @Test
    void shouldLeaveOutWhatChangesNoBook() {
        new ItchReader().read(buffer, 0, writer.writeDirectory(7, 1, buffer, 0), handler);
        assertThat(read).isEmpty();
    }

    @Test
    void shouldReadTheStateOfABook() {
        int length = writer.writeState(65_535, BookState.SUSPECT, 1L << 40, 86_399_999_999_999L, buffer, 0);
        new ItchReader().read(buffer, 0, length, handler);
        assertThat(read).containsExactly("65535 SUSPECT " + (1L << 40) + " 86399999999999");
    }

    @Test
    void shouldRefuseAMessageThatIsTooShort() {
        int length = writer.writeState(1, BookState.VALID, 0, 0, buffer, 0);
        assertThatThrownBy(() -> new ItchReader().read(buffer, 0, length - 1, handler))
                .hasMessageContaining("it has 20");
    }
}
