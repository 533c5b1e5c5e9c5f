package org.naklab.messaging;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.LongStream;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.naklab.messaging.publication.ContextPublication;
import org.naklab.messaging.publication.RateLimit;
import org.naklab.messaging.publication.SendResult;
import org.naklab.testing.Await;
import org.naklab.testing.host.FreePorts;

@Timeout(60)
class MessagingContextTest {
    private final Contexts contexts = new Contexts(FreePorts.pair());

    @ParameterizedTest
    @EnumSource(TransportProfile.class)
    void shouldCarryMessagesInOrder(TransportProfile profile) {
        try (Sender sender = new Sender(contexts.named("sender", profile));
                Receiver receiver = new Receiver(contexts.named("receiver", profile), Receiver.NEVER)) {
            sender.awaitReceivers(receiver);
            sender.send(1_000);
            Await.until(() -> receiver.count() == 1_000);

            assertThat(receiver.numbers())
                    .isEqualTo(LongStream.range(0, 1_000).boxed().toList());
        }
        assertThat(contexts.errors).isEmpty();
    }

    @Test
    void shouldReportWhatTheKernelGranted() {
        MessagingContext.Context settings =
                contexts.named("receiver", TransportProfile.LBTRM).receiveBufferBytes(64 * 1024);
        try (Receiver receiver = new Receiver(settings, Receiver.NEVER)) {
            boolean isLinux = System.getProperty("os.name").startsWith("Linux");
            assertThat(receiver.context.grantedReceiveBufferBytes(Topic.ORDER_BOOK_EVENTS))
                    .isEqualTo(isLinux ? 2 * 64 * 1024 : 64 * 1024);
            assertThatThrownBy(() -> receiver.context.grantedReceiveBufferBytes(Topic.ORDER_BOOK_SNAPSHOTS))
                    .isInstanceOf(MessagingException.class);
        }
    }

    @Test
    void shouldSendTheQueuedMessageBeforeItCloses() {
        UnsafeBuffer message = new UnsafeBuffer(new byte[Sender.MESSAGE_LENGTH]);
        try (Receiver receiver = new Receiver(contexts.named("receiver", TransportProfile.LBTRM), Receiver.NEVER)) {
            try (MessagingContext sender = MessagingContext.launch(contexts.named("sender", TransportProfile.LBTRM))) {
                ContextPublication publication =
                        sender.addPublication(Topic.ORDER_BOOK_EVENTS, new RateLimit(16, 60_000_000_000L));
                sender.start();
                receiver.awaitImage();
                Await.until(() -> publication.offer(message, 0, Sender.MESSAGE_LENGTH) == SendResult.SENT);
                assertThat(publication.offer(message, 0, Sender.MESSAGE_LENGTH)).isEqualTo(SendResult.QUEUED);
                assertThat(publication.offer(message, 0, Sender.MESSAGE_LENGTH)).isEqualTo(SendResult.BLOCKED);
            }
            Await.until(() -> receiver.count() == 2);
        }
        assertThat(contexts.errors).isEmpty();
    }

    @Test
    void shouldTellOfEachDutyCycle() throws Exception {
        AtomicLong clock = new AtomicLong(1_000);
        List<Long> told = new ArrayList<>();
        DutyCycleListener listener = new DutyCycleListener() {
            @Override
            public void onPolled(long timeNs) {
                told.add(timeNs);
            }

            @Override
            public void onCycleEnd(long timeNs) {
                told.add(timeNs);
            }
        };
        MessagingContext.Context settings = contexts.named("mds", TransportProfile.LBTRM)
                .nanoClock(clock::incrementAndGet)
                .dutyCycleListener(listener);
        try (MessagingContext context = MessagingContext.launch(settings)) {
            for (int cycle = 1; cycle <= 3; cycle++) {
                long beginNs = clock.get();
                context.agent().doWork();
                assertThat(told).hasSize(2).isSorted().endsWith(clock.get());
                assertThat(told.get(0)).isBetween(beginNs, clock.get() - 1);
                told.clear();
            }
            context.start();
        }
    }

    @Test
    void shouldNameItsThreadAndFireTimersOnIt() {
        AtomicReference<String> threadName = new AtomicReference<>("");
        AtomicInteger fired = new AtomicInteger();
        try (MessagingContext context = MessagingContext.launch(contexts.named("mds", TransportProfile.LBTRM))) {
            context.addTimer(1_000_000, () -> {
                threadName.set(Thread.currentThread().getName());
                fired.incrementAndGet();
            });
            context.start();
            Await.until(() -> fired.get() >= 3);
        }
        assertThat(threadName).hasValue("mds-context");
    }

    @Test
    void shouldTellOnItsThreadThatItStarts() {
        List<String> started = new CopyOnWriteArrayList<>();
        AtomicInteger fired = new AtomicInteger();
        ContextListener listener = new ContextListener() {
            @Override
            public void onThreadStart() {
                started.add(Thread.currentThread().getName() + " after " + fired);
            }
        };
        try (MessagingContext context = MessagingContext.launch(
                contexts.named("mds", TransportProfile.LBTRM).listener(listener))) {
            context.addTimer(1_000_000, fired::incrementAndGet);
            assertThat(started).isEmpty();
            context.start();
            Await.until(() -> fired.get() >= 3);
        }
        assertThat(started).containsExactly("mds-context after 0");
    }

    @Test
    void shouldReportAStallOfItsThread() {
        long stallNs = 30_000_000;
        List<Long> stallsNs = new CopyOnWriteArrayList<>();
        ContextListener listener = new ContextListener() {
            @Override
            public void onStall(long beginNs, long endNs) {
                stallsNs.add(endNs - beginNs);
            }
        };
        try (MessagingContext context = MessagingContext.launch(contexts.named("mds", TransportProfile.LBTRM)
                .stallThresholdNs(stallNs)
                .listener(listener))) {
            context.addTimer(1_000_000, () -> {
                long deadlineNs = System.nanoTime() + stallNs;
                while (System.nanoTime() - deadlineNs < 0) {
                    LockSupport.parkNanos(stallNs);
                }
            });
            context.start();
            Await.until(() -> stallsNs.size() >= 2);
        }
        assertThat(stallsNs).isNotEmpty().allMatch(ns -> ns >= stallNs);
    }

    @Test
    void shouldPassOnErrorsOfItsThreadAndGoOn() {
        AtomicInteger fired = new AtomicInteger();
        try (MessagingContext context = MessagingContext.launch(contexts.named("mds", TransportProfile.LBTRM))) {
            context.addTimer(1_000_000, () -> {
                fired.incrementAndGet();
                throw new IllegalStateException("the timer's own");
            });
            context.start();
            Await.until(() -> fired.get() >= 2);
            assertThat(context.statistics().errors()).isPositive();
        }
        assertThat(contexts.errors).isNotEmpty().allMatch(error -> "the timer's own".equals(error.getMessage()));
    }

    @Test
    void shouldDeleteItsDirectoryOnCloseWhetherStartedOrNot() {
        MessagingContext.Context unstarted = contexts.named("unstarted", TransportProfile.LBTRM);
        MessagingContext.Context started = contexts.named("started", TransportProfile.LBTRM);
        MessagingContext.launch(unstarted).close();
        MessagingContext context = MessagingContext.launch(started).start();
        assertThat(Path.of(started.aeronDirectory())).isDirectory();

        context.close();
        context.close();

        assertThat(Files.exists(Path.of(unstarted.aeronDirectory()))).isFalse();
        assertThat(Files.exists(Path.of(started.aeronDirectory()))).isFalse();
    }

    @Test
    void shouldRefuseSetUpAfterStartAndASecondLaunch() {
        MessagingContext.Context settings = contexts.named("mds", TransportProfile.LBTRM);
        try (MessagingContext context = MessagingContext.launch(settings).start()) {
            assertThatThrownBy(() -> context.addTimer(1, () -> {})).isInstanceOf(IllegalStateException.class);
            assertThatThrownBy(() -> context.addPublication(Topic.ORDER_BOOK_EVENTS, null))
                    .isInstanceOf(IllegalStateException.class);
            assertThatThrownBy(context::start).isInstanceOf(IllegalStateException.class);
            assertThatThrownBy(() -> MessagingContext.launch(settings)).isInstanceOf(IllegalStateException.class);
        }
    }

    @Test
    void shouldNameTheInterfaceThatDoesNotExist() {
        MessagingContext.Context settings =
                contexts.named("mds", TransportProfile.LBTRM).channels(new TopicChannels("203.0.113.7", 0, 20_000));
        try (MessagingContext context = MessagingContext.launch(settings)) {
            assertThatThrownBy(() -> context.addPublication(Topic.ORDER_BOOK_EVENTS, null))
                    .isInstanceOf(MessagingException.class)
                    .hasMessageContaining("203.0.113.7");
        }
    }
}
