package org.naklab.faults.host;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.Pipe;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Pairs of threads that pass one message to and fro, until the time is up or standard input ends. */
final class IpcStormProcess {
    private static final int MESSAGE_BYTES = 100;

    private IpcStormProcess() {}

    /**
     * Passes the messages.
     *
     * @param arguments number of pairs, and the time in ms
     */
    public static void main(String[] arguments) throws IOException, InterruptedException {
        CountDownLatch end = new CountDownLatch(1);
        for (int i = 0; i < Integer.parseInt(arguments[0]); i++) {
            Pipe there = Pipe.open();
            Pipe back = Pipe.open();
            there.sink().write(ByteBuffer.allocate(MESSAGE_BYTES));
            start(() -> pass(there, back));
            start(() -> pass(back, there));
        }
        start(() -> {
            awaitInputEnd();
            end.countDown();
        });
        boolean ignored = end.await(Long.parseLong(arguments[1]), TimeUnit.MILLISECONDS);
        System.exit(0);
    }

    private static void start(Runnable work) {
        Thread thread = new Thread(work, "naklab-ipc");
        thread.setDaemon(true);
        thread.start();
    }

    private static void pass(Pipe from, Pipe to) {
        ByteBuffer message = ByteBuffer.allocateDirect(MESSAGE_BYTES);
        try {
            while (true) {
                message.clear();
                while (message.hasRemaining()) {
                    if (from.source().read(message) < 0) {
                        return;
                    }
                }
                message.flip();
                while (message.hasRemaining()) {
                    to.sink().write(message);
                }
            }
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    private static void awaitInputEnd() {
        try {
            while (System.in.read() >= 0) {
                Thread.onSpinWait();
            }
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }
}
