package org.naklab.lab.core;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(value = 60, unit = TimeUnit.SECONDS)
final class CancellationTest {
    private final Cancellation cancellation = new Cancellation();
    private final CountDownLatch never = new CountDownLatch(1);
    private final CountDownLatch begun = new CountDownLatch(1);
    private final AtomicBoolean wasInterrupted = new AtomicBoolean();

    @Test
    void shouldInterruptAWorkThatWaits() throws InterruptedException {
        Thread requester = new Thread(this::requestOnceBegun);
        requester.start();

        cancellation.interruptibly(this::waitForEver);

        requester.join();
        assertThat(wasInterrupted).isTrue();
        assertThat(Thread.currentThread().isInterrupted()).isFalse();
    }

    @Test
    void shouldInterruptAWorkThatBeginsAfterTheRequest() {
        cancellation.request();

        cancellation.interruptibly(this::waitForEver);

        assertThat(wasInterrupted).isTrue();
        assertThat(Thread.currentThread().isInterrupted()).isFalse();
    }

    @Test
    void shouldNotInterruptWhatFollows() {
        cancellation.interruptibly(() -> {});

        cancellation.request();

        assertThat(Thread.currentThread().isInterrupted()).isFalse();
    }

    private void requestOnceBegun() {
        try {
            begun.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
        cancellation.request();
    }

    private void waitForEver() {
        begun.countDown();
        try {
            never.await();
        } catch (InterruptedException e) {
            wasInterrupted.set(true);
            Thread.currentThread().interrupt();
        }
    }
}
