package org.naklab.messaging;

import io.aeron.logbuffer.ControlledFragmentHandler;
import io.aeron.logbuffer.Header;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.agrona.DirectBuffer;
import org.naklab.testing.Await;

/** A subscriber that notes the numbers it receives and can hold up its context's thread while it handles one of them. */
final class Receiver implements ControlledFragmentHandler, AutoCloseable {
    static final long NEVER = -1;

    final MessagingContext context;
    final CountDownLatch hasImage = new CountDownLatch(1);
    final CountDownLatch isStalled = new CountDownLatch(1);
    private final CountDownLatch release = new CountDownLatch(1);
    private final List<Long> numbers = new ArrayList<>();
    private final long stallAtNumber;
    private volatile int count;

    private final Path images;

    Receiver(MessagingContext.Context context, long stallAtNumber) {
        images = Path.of(context.aeronDirectory(), "images");
        this.stallAtNumber = stallAtNumber;
        this.context = MessagingContext.launch(context.listener(new ContextListener() {
            @Override
            public void onImageAvailable(Topic topic, int sessionId, long timeNs) {
                hasImage.countDown();
            }
        }));
        this.context.addSubscription(Topic.ORDER_BOOK_EVENTS, this);
        this.context.start();
    }

    @Override
    public Action onFragment(DirectBuffer buffer, int offset, int length, Header header) {
        long number = buffer.getLong(offset);
        synchronized (numbers) {
            numbers.add(number);
            count = numbers.size();
        }
        if (number == stallAtNumber) {
            stall();
        }
        return Action.CONTINUE;
    }

    /** What is sent before a receiver has joined is not for it. */
    void awaitImage() {
        Await.until(() -> hasImage.getCount() == 0);
    }

    /** Where the driver keeps the logs that it receives into. */
    Path images() {
        return images;
    }

    int count() {
        return count;
    }

    List<Long> numbers() {
        synchronized (numbers) {
            return List.copyOf(numbers);
        }
    }

    void resume() {
        release.countDown();
    }

    @Override
    public void close() {
        resume();
        context.close();
    }

    private void stall() {
        isStalled.countDown();
        try {
            if (!release.await(30, TimeUnit.SECONDS)) {
                throw new AssertionError("never resumed");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
