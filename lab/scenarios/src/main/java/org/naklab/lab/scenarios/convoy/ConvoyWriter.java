package org.naklab.lab.scenarios.convoy;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.Pipe;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.naklab.lab.core.Json;

/**
 * A writer: {@code NAME LOCK-FILE wide|narrow}. It waits in {@code poll} for cases from two pipes. Those of one pipe, one case of a hundred, write
 * a snapshot that all writers share, and need the lock of the file. A wide writer takes the lock right after {@code poll}, for every case; a narrow
 * one in the one branch that needs it. A case is an answer that somebody else takes a while to give.
 *
 * <p>Prints {@code ready}, begins at the line {@code go}, ends at the end of its input, and prints a {@link WriterReport}.
 */
public final class ConvoyWriter {
    /** Name of the thread that handles the cases. */
    static final String THREAD = "convoy-writer";

    static final String READY = "ready";
    static final String GO = "go";
    static final String WIDE = "wide";
    static final String NARROW = "narrow";
    /** One case of so many needs the lock. */
    static final int PERIOD = 100;

    static final long PLAIN_NS = TimeUnit.MILLISECONDS.toNanos(1);
    private static final long SNAPSHOT_NS = TimeUnit.MILLISECONDS.toNanos(10);

    private final String name;
    private final FileChannel file;
    private final boolean isWide;
    private final ByteBuffer event = ByteBuffer.allocate(1);
    private volatile boolean isEnded;
    private long plain;
    private long snapshots;
    private long locks;
    private long plainNs;
    private long snapshotNs;
    private long handlingNs;

    private ConvoyWriter(String name, FileChannel file, boolean isWide) {
        this.name = name;
        this.file = file;
        this.isWide = isWide;
    }

    /** Runs a writer. @throws IOException the file or a pipe cannot be used */
    public static void main(String[] arguments) throws IOException, InterruptedException {
        try (FileChannel file =
                FileChannel.open(Path.of(arguments[1]), StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            new ConvoyWriter(arguments[0], file, arguments[2].equals(WIDE)).run();
        }
    }

    private void run() throws IOException, InterruptedException {
        CountDownLatch begin = new CountDownLatch(1);
        Thread thread = new Thread(() -> handleAll(begin), THREAD);
        thread.start();
        BufferedReader input = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.US_ASCII));
        boolean isToRun = GO.equals(input.readLine());
        isEnded = !isToRun;
        begin.countDown();
        while (!isEnded && input.readLine() != null) {
            // Ends at the end of the input.
        }
        isEnded = true;
        thread.join();
    }

    private void handleAll(CountDownLatch begin) {
        try (Selector selector = Selector.open()) {
            Pipe plainCases = open(selector);
            Pipe snapshotCases = open(selector);
            // From this thread, which has its name by then.
            System.out.println(READY);
            begin.await();
            long beginNs = System.nanoTime();
            long beginCpuNs = cpuNs();
            for (long number = 1; !isEnded; number++) {
                boolean isSnapshot = number % PERIOD == 0;
                send(isSnapshot ? snapshotCases : plainCases);
                selector.select();
                handle(selector, snapshotCases);
            }
            report(System.nanoTime() - beginNs, cpuNs() - beginCpuNs);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void handle(Selector selector, Pipe snapshotCases) throws IOException {
        for (SelectionKey key : selector.selectedKeys()) {
            Pipe.SourceChannel source = (Pipe.SourceChannel) key.channel();
            boolean isSnapshot = source.equals(snapshotCases.source());
            long polledNs = System.nanoTime();
            FileLock lock = isWide || isSnapshot ? file.lock() : null;
            long handledFromNs = System.nanoTime();
            event.clear();
            int unused = source.read(event);
            await(handledFromNs + (isSnapshot ? SNAPSHOT_NS : PLAIN_NS));
            long endNs = System.nanoTime();
            if (lock != null) {
                locks++;
                lock.release();
            }
            count(isSnapshot, endNs - polledNs, endNs - handledFromNs);
        }
        selector.selectedKeys().clear();
    }

    private void count(boolean isSnapshot, long responseNs, long ownNs) {
        handlingNs += ownNs;
        if (isSnapshot) {
            snapshots++;
            snapshotNs += responseNs;
        } else {
            plain++;
            plainNs += responseNs;
        }
    }

    /** Waits for the answer. */
    private static void await(long answerNs) {
        for (long leftNs = answerNs - System.nanoTime(); leftNs > 0; leftNs = answerNs - System.nanoTime()) {
            LockSupport.parkNanos(leftNs);
        }
    }

    private void send(Pipe pipe) throws IOException {
        event.clear();
        int unused = pipe.sink().write(event);
    }

    private static Pipe open(Selector selector) throws IOException {
        Pipe pipe = Pipe.open();
        pipe.source().configureBlocking(false);
        pipe.source().register(selector, SelectionKey.OP_READ);
        return pipe;
    }

    private static long cpuNs() {
        return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
    }

    private void report(long elapsedNs, long cpuNs) {
        System.out.println(Json.line(new WriterReport(
                name,
                new WriterReport.Calls(plain, snapshots, locks),
                new WriterReport.Times(plainNs, snapshotNs, handlingNs, elapsedNs, cpuNs))));
    }
}
