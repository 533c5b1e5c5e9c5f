package org.naklab.lab.tools.jitter;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import jdk.jfr.Recording;
import org.HdrHistogram.Histogram;
import org.naklab.lab.core.Json;

/**
 * The meter in a JVM of its own, so that no other part of the lab makes safepoints or garbage in it. Ends with its standard input.
 *
 * <pre>
 * in   {@link MeterSettings} as one line
 * out  ready
 * in   go
 * out  {@link MeterLine.WorstSoFar} for each message that was later than all before it, if asked for
 * out  {@link MeterReport} as one line
 * </pre>
 */
public final class MeterProcess {
    static final String READY = "ready";
    static final String GO = "go";

    /** Asks for the worst outlier so far, at once. */
    static final String TELL_WORST = "tell-worst";

    private static final long LOOK_NS = 1_000_000;

    private static final List<String> EVENTS = List.of(
            "jdk.SafepointBegin",
            "jdk.SafepointStateSynchronization",
            "jdk.ExecuteVMOperation",
            "jdk.SafepointEnd",
            "jdk.GarbageCollection");

    private MeterProcess() {}

    /**
     * Measures once.
     *
     * @param args the file for a JFR recording of the safepoints, and {@value #TELL_WORST}; none: nothing is recorded
     */
    public static void main(String[] args) throws IOException, InterruptedException {
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        String line = in.readLine();
        if (line == null) {
            return;
        }
        MeterSettings settings = Json.fromLine(line, MeterSettings.class);
        LatencyMeter meter = new LatencyMeter(settings);
        System.out.println(READY);
        if (!GO.equals(in.readLine())) {
            return;
        }
        endWith(in);
        AtomicBoolean isOver = new AtomicBoolean();
        Thread telling = new Thread(() -> tellWorst(meter, isOver), "jitter-worst");
        if (args.length > 1 && args[1].equals(TELL_WORST)) {
            telling.start();
        }
        MeterReport report = args.length == 0 ? measure(meter, settings) : measure(meter, settings, args[0]);
        isOver.set(true);
        telling.join();
        System.out.println(Json.line(report));
    }

    /** Looks from another thread, so that the measuring one writes nothing; what was late in the warm-up is not told. */
    private static void tellWorst(LatencyMeter meter, AtomicBoolean isOver) {
        long toldNs = 0;
        while (!isOver.get()) {
            LockSupport.parkNanos(LOOK_NS);
            MeterLine.WorstSoFar worst = meter.late().worst();
            if (worst.latencyNs() > toldNs && worst.readNs() >= meter.measuredFromNs()) {
                System.out.println(Json.line(worst));
                toldNs = worst.latencyNs();
            }
        }
    }

    /** Nobody reads the report of a process that its parent has left. */
    private static void endWith(BufferedReader in) {
        Thread watch = new Thread(
                () -> {
                    try {
                        while (in.readLine() != null) {
                            // Nothing else is asked for.
                        }
                    } catch (IOException e) {
                        System.err.println("standard input: " + e.getMessage());
                    }
                    Runtime.getRuntime().halt(0);
                },
                "jitter-input");
        watch.setDaemon(true);
        watch.start();
    }

    private static MeterReport measure(LatencyMeter meter, MeterSettings settings, String file)
            throws IOException, InterruptedException {
        try (Recording recording = new Recording()) {
            EVENTS.forEach(event -> recording.enable(event).withoutStackTrace());
            recording.start();
            MeterReport report = measure(meter, settings);
            recording.stop();
            recording.dump(Path.of(file));
            return report;
        }
    }

    private static MeterReport measure(LatencyMeter meter, MeterSettings settings) throws InterruptedException {
        Injection injection = settings.load().safepoints();
        Laggard laggard = new Laggard(LongWay::copy, injection.lengthNs());
        Thread injecting = new Thread(
                () -> laggard.run(System.nanoTime() + settings.times().warmUpNs()), "jitter-inject");
        if (injection.kind() == Injection.Kind.SAFEPOINT) {
            injecting.start();
        }
        Garbage garbage = new Garbage(Math.max(1, settings.load().garbageMbPerS()));
        Thread allocating = new Thread(garbage::run, "jitter-garbage");
        if (settings.load().garbageMbPerS() > 0) {
            allocating.start();
        }
        Laggard loop = new Laggard(units -> LongWay.loop(), settings.load().loopNs());
        Thread looping = new Thread(() -> loop.run(System.nanoTime()), "jitter-loop");
        if (settings.load().loopNs() > 0) {
            looping.start();
        }
        meter.run();
        laggard.end();
        loop.end();
        looping.join();
        garbage.end();
        injecting.join();
        allocating.join();
        return new MeterReport(
                meter.measuredFromNs(),
                compressed(meter.histogram()),
                meter.late().outliers(),
                meter.late().notKept(),
                meter.allocatedBytes(),
                laggard.made(),
                Runtime.version().toString());
    }

    private static String compressed(Histogram histogram) {
        ByteBuffer bytes = ByteBuffer.allocate(histogram.getNeededByteBufferCapacity());
        int length = histogram.encodeIntoCompressedByteBuffer(bytes);
        return Base64.getEncoder().encodeToString(Arrays.copyOf(bytes.array(), length));
    }
}
