package org.naklab.messaging;

import static org.assertj.core.api.Assertions.assertThat;

import io.aeron.logbuffer.ControlledFragmentHandler;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.LongStream;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@Timeout(60)
class MessagingContextTest {
    private static final TopicChannels CHANNELS = TopicChannels.onLoopback(20_000);

    @ParameterizedTest
    @EnumSource(TransportProfile.class)
    void shouldCarryMessagesInOrder(TransportProfile profile) {
        List<Long> received = new CopyOnWriteArrayList<>();
        List<Throwable> errors = new CopyOnWriteArrayList<>();
        try (MessagingContext sender = launch("sender", profile, errors);
                MessagingContext receiver = launch("receiver", profile, errors)) {
            ContextPublication publication = sender.addPublication(Topic.ORDER_BOOK_EVENTS, null);
            receiver.addSubscription(Topic.ORDER_BOOK_EVENTS, (buffer, offset, length, header) -> {
                received.add(buffer.getLong(offset));
                return ControlledFragmentHandler.Action.CONTINUE;
            });
            sender.start();
            receiver.start();
            Await.until(publication::isConnected);

            UnsafeBuffer message = new UnsafeBuffer(new byte[57]);
            for (long i = 0; i < 1000; i++) {
                message.putLong(0, i);
                Await.until(() -> publication.offer(message, 0, 57).accepted());
            }

            Await.until(() -> received.size() == 1000);
            assertThat(receiver.grantedReceiveBufferBytes(Topic.ORDER_BOOK_EVENTS))
                    .isPositive();
        }
        assertThat(received)
                .containsExactlyElementsOf(LongStream.range(0, 1000).boxed().toList());
        assertThat(errors).isEmpty();
    }

    private static MessagingContext launch(String name, TransportProfile profile, List<Throwable> errors) {
        return MessagingContext.launch(new MessagingContext.Context()
                .name(name)
                .channels(CHANNELS)
                .profile(profile)
                .errorHandler(errors::add));
    }
}
