package org.naklab.messaging;

import io.aeron.logbuffer.ControlledFragmentHandler;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.agrona.ErrorHandler;
import org.agrona.concurrent.IdleStrategy;
import org.agrona.concurrent.status.CountersReader;
import org.jspecify.annotations.Nullable;

/** SKELETON: signatures only; the messaging branch replaces it. */
@SuppressWarnings({"DoNotCallSuggester", "ObjectToString"})
public final class MessagingContext implements AutoCloseable {
    public static MessagingContext launch(Context context) {
        throw new UnsupportedOperationException(String.valueOf(context));
    }

    /** Before {@link #start()}. {@code rateLimit} null: unlimited. */
    public ContextPublication addPublication(Topic topic, @Nullable RateLimit rateLimit) {
        throw new UnsupportedOperationException();
    }

    /** Before {@link #start()}. The handler runs on the context thread; ABORT leaves the fragment for the next cycle. */
    public void addSubscription(Topic topic, ControlledFragmentHandler handler) {
        throw new UnsupportedOperationException();
    }

    /** Before {@link #start()}. Runs {@code task} on the context thread at each multiple of the interval. */
    public void addTimer(long intervalNs, Runnable task) {
        throw new UnsupportedOperationException();
    }

    public MessagingContext start() {
        throw new UnsupportedOperationException();
    }

    /** The driver's counters. */
    public CountersReader counters() {
        throw new UnsupportedOperationException();
    }

    /** SO_RCVBUF in bytes that the kernel granted to the topic's socket. */
    public int grantedReceiveBufferBytes(Topic topic) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void close() {
        throw new UnsupportedOperationException();
    }

    /** SKELETON. Property setters follow Aeron's style: {@code x(value)} returns this, {@code x()} reads. */
    public static final class Context {
        public Context name(String name) {
            throw new UnsupportedOperationException(name);
        }

        public Context channels(TopicChannels channels) {
            throw new UnsupportedOperationException(String.valueOf(channels));
        }

        public Context profile(TransportProfile profile) {
            throw new UnsupportedOperationException(String.valueOf(profile));
        }

        public Context aeronDirectory(String directory) {
            throw new UnsupportedOperationException(directory);
        }

        public Context idleStrategy(IdleStrategy idleStrategy) {
            throw new UnsupportedOperationException(String.valueOf(idleStrategy));
        }

        /** 0: the profile's default. */
        public Context receiveBufferBytes(int bytes) {
            throw new UnsupportedOperationException(String.valueOf(bytes));
        }

        public Context yieldStrategy(YieldStrategy yieldStrategy) {
            throw new UnsupportedOperationException(String.valueOf(yieldStrategy));
        }

        /** One lock a rate-limited publication; default {@link ReentrantLock}. */
        public Context wakeUpLockSupplier(Supplier<Lock> supplier) {
            throw new UnsupportedOperationException(String.valueOf(supplier));
        }

        public Context listener(ContextListener listener) {
            throw new UnsupportedOperationException(String.valueOf(listener));
        }

        public Context errorHandler(ErrorHandler errorHandler) {
            throw new UnsupportedOperationException(String.valueOf(errorHandler));
        }

        public Context seed(long seed) {
            throw new UnsupportedOperationException(String.valueOf(seed));
        }

        public Context stallThresholdNs(long ns) {
            throw new UnsupportedOperationException(String.valueOf(ns));
        }
    }
}
