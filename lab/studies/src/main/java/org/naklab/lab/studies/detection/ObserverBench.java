package org.naklab.lab.studies.detection;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardProtocolFamily;
import java.nio.channels.DatagramChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.naklab.lab.core.process.AskedProcess;
import org.naklab.lab.instruments.sockets.SocketSource;
import org.naklab.lab.instruments.sockets.SocketSources;

/**
 * Measures the cost of reading the depth and drops of one socket of another process: with each source of the instruments,
 * and with LMAX's angler on the same {@code /proc/net/udp}; then again with other sockets open in the network namespace.
 */
public final class ObserverBench {
    private static final int SAMPLES = 5_000;

    private ObserverBench() {}

    /**
     * Measures; takes some seconds.
     *
     * @param idleSockets how many to open for the second half, such as 1,000
     * @param anglerJars directory with angler and the Agrona it needs, as the build copies them; without it there are no rows of angler
     * @return a row for each way without them, then with
     */
    public static List<SampleCost> sampleCosts(int idleSockets, Path anglerJars) {
        return sampleCosts(idleSockets, anglerJars, SAMPLES);
    }

    static List<SampleCost> sampleCosts(int idleSockets, Path anglerJars, int samples) {
        List<String> jars = jars(anglerJars);
        List<DatagramChannel> idle = new ArrayList<>();
        try (AskedProcess subject = BenchProcess.start(List.of(), BenchSubject.class)) {
            String port = subject.next();
            try (AskedProcess angler = jars.isEmpty() ? null : BenchProcess.start(jars, AnglerProcess.class, port)) {
                List<SampleCost> costs = new ArrayList<>(measure(subject, angler, 0, samples));
                openIdle(idleSockets, idle);
                costs.addAll(measure(subject, angler, idleSockets, samples));
                return costs;
            }
        } finally {
            idle.forEach(ObserverBench::close);
        }
    }

    private static List<SampleCost> measure(
            AskedProcess subject, @Nullable AskedProcess angler, int idleSockets, int samples) {
        List<SampleCost> costs = new ArrayList<>();
        for (SocketSources way : SocketSources.values()) {
            try (SocketSource source = way.open(subject.pid())) {
                String name = way.name().toLowerCase(Locale.ROOT);
                costs.add(SampleCostMeter.measure(name, idleSockets, source.sockets().length, samples, source::sample));
            }
        }
        if (angler != null) {
            angler.send(Integer.toString(samples));
            String[] figures = angler.next().split(" ", -1);
            costs.add(new SampleCost(
                    "angler",
                    idleSockets,
                    Long.parseLong(figures[0]),
                    Long.parseLong(figures[1]),
                    Double.parseDouble(figures[2]),
                    1));
        }
        return costs;
    }

    private static void openIdle(int count, List<DatagramChannel> idle) {
        try {
            for (int i = 0; i < count; i++) {
                DatagramChannel channel = DatagramChannel.open(StandardProtocolFamily.INET);
                idle.add(channel);
                channel.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            }
        } catch (IOException e) {
            throw new UncheckedIOException("cannot open " + count + " sockets", e);
        }
    }

    private static List<String> jars(Path directory) {
        if (!Files.isDirectory(directory)) {
            return List.of();
        }
        try (Stream<Path> files = Files.list(directory)) {
            return files.filter(file -> file.toString().endsWith(".jar"))
                    .map(Path::toString)
                    .sorted()
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void close(DatagramChannel channel) {
        try {
            channel.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
