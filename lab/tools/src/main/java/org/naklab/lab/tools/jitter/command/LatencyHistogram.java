package org.naklab.lab.tools.jitter.command;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramIterationValue;
import org.naklab.lab.core.Format;
import org.naklab.lab.core.Units;
import org.naklab.lab.terminal.Table;
import org.naklab.lab.terminal.Table.Align;
import org.naklab.lab.terminal.Terminal;

/** Latencies as bars, three to a power of ten. The bars are logarithmic: beside a million quick messages, one late message is to be seen too. */
final class LatencyHistogram {
    private static final int BAR_CHARS = 30;
    private static final double[] STEPS = {1, 2, 5};

    private final List<Bucket> buckets = new ArrayList<>();

    /**
     * Counts the latencies in a stretch.
     *
     * @param fromUs inclusive
     * @param toUs exclusive
     */
    record Bucket(double fromUs, double toUs, long count) {
        private boolean contains(double us) {
            return us >= fromUs && us < toUs;
        }

        private Bucket plus(long more) {
            return new Bucket(fromUs, toUs, count + more);
        }
    }

    /** @param ns latencies in nanoseconds */
    LatencyHistogram(Histogram ns) {
        for (HistogramIterationValue value : ns.recordedValues()) {
            add(value.getValueIteratedTo() / Units.NS_PER_US, value.getCountAtValueIteratedTo());
        }
    }

    /** The latencies come in their order. */
    private void add(double us, long count) {
        if (buckets.isEmpty()) {
            buckets.add(bucketOf(us));
        }
        while (us >= last().toUs()) {
            buckets.add(bucketOf(last().toUs()));
        }
        buckets.set(buckets.size() - 1, last().plus(count));
    }

    private Bucket last() {
        return buckets.get(buckets.size() - 1);
    }

    private static Bucket bucketOf(double us) {
        double power = 0.01;
        while (true) {
            for (int i = 0; i < STEPS.length; i++) {
                double to = i + 1 < STEPS.length ? power * STEPS[i + 1] : power * 10;
                Bucket bucket = new Bucket(power == 0.01 && i == 0 ? 0 : power * STEPS[i], to, 0);
                if (bucket.contains(us)) {
                    return bucket;
                }
            }
            power *= 10;
        }
    }

    List<Bucket> buckets() {
        return List.copyOf(buckets);
    }

    /**
     * Prints the bars.
     *
     * @param thresholdUs from which on a message is an outlier
     */
    void print(Terminal terminal, double thresholdUs) {
        long most = buckets.stream().mapToLong(Bucket::count).max().orElse(0);
        Table table = new Table(terminal, terminal.out(), Align.RIGHT, Align.RIGHT, Align.LEFT);
        table.head("us", "messages", "logarithmic");
        for (Bucket bucket : buckets) {
            String colour = bucket.toUs() > thresholdUs ? "red" : "green";
            table.row(
                    terminal.plain(terminal.out(), us(bucket.fromUs()) + " to " + us(bucket.toUs())),
                    terminal.plain(terminal.out(), Format.count(bucket.count())),
                    terminal.markup(terminal.out(), "@|" + colour + " " + bar(bucket.count(), most) + "|@"));
        }
        table.print();
    }

    /** Returns a bar that is as long as the logarithm of a count; none has none, one has the shortest. */
    static String bar(long count, long most) {
        if (count == 0) {
            return " ";
        }
        double share = Math.log10(1.0 + count) / Math.log10(1.0 + most);
        return "█".repeat((int) Math.max(1, Math.round(BAR_CHARS * share)));
    }

    private static String us(double us) {
        return us < 1
                ? String.format(Locale.ROOT, us == 0 ? "%.0f" : "%.2f", us)
                : String.format(Locale.ROOT, "%,.0f", us);
    }
}
