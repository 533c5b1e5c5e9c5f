package org.naklab.messaging;

import io.aeron.logbuffer.ControlledFragmentHandler;
import org.naklab.messaging.publication.ContextPublication;
import org.naklab.testing.Await;

/** Launches, starts and closes a context with nothing but defaults, and ends; {@link QuietStartTest} listens. */
final class QuietStart {
    public static void main(String[] args) {
        TopicChannels channels = TopicChannels.onLoopback(Integer.parseInt(args[0]));
        for (TransportProfile profile : TransportProfile.values()) {
            MessagingContext.Context settings =
                    new MessagingContext.Context().channels(channels).profile(profile);
            try (MessagingContext context = MessagingContext.launch(settings)) {
                ContextPublication publication = context.addPublication(Topic.ORDER_BOOK_EVENTS, null);
                context.addSubscription(
                        Topic.ORDER_BOOK_EVENTS,
                        (buffer, offset, length, header) -> ControlledFragmentHandler.Action.CONTINUE);
                context.start();
                Await.until(publication::isConnected);
            }
        }
    }

    private QuietStart() {}
}
