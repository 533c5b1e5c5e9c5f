package org.naklab.lab.runs.history.detail;

import java.io.BufferedReader;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.zip.GZIPInputStream;
import org.naklab.lab.core.InputException;
import org.naklab.lab.core.Units;
import org.naklab.lab.core.series.SeriesName;

/**
 * The samples of a series in one second. There is one for each second in which the series changed.
 *
 * @param epochSecond seconds since 1970
 * @param last the value at the end of the second
 */
public record SampleSecond(SeriesName name, long epochSecond, long samples, long least, long most, long last) {
    /** The limit for one run, about 40 minutes of the mystery; the samples of later seconds are in the run directory only. */
    public static final int MAX_ROWS = 200_000;

    /**
     * Tells what was read of a run.
     *
     * @param leftOut samples behind the last that {@link #MAX_ROWS} rows have a place for
     */
    public record Rows(List<SampleSecond> seconds, long leftOut) {
        public Rows {
            seconds = List.copyOf(seconds);
        }
    }

    /** The second of a series that is not over yet. */
    private static final class Open {
        private final SeriesName name;
        private long second;
        private long samples;
        private long least;
        private long most;
        private long last;

        Open(SeriesName name) {
            this.name = name;
        }

        void begin(long atSecond, long value) {
            second = atSecond;
            samples = 0;
            least = value;
            most = value;
        }

        void add(long value) {
            samples++;
            least = Math.min(least, value);
            most = Math.max(most, value);
            last = value;
        }

        SampleSecond closed() {
            return new SampleSecond(name, second, samples, least, most, last);
        }
    }

    /**
     * Reads the seconds of a file {@code samples.csv.gz}. The end of a file that a killed run left unfinished is missing.
     *
     * @param epochOffsetNs what to add to a time of the file for nanoseconds since 1970
     * @return at most {@link #MAX_ROWS} rows; none if there is no file
     * @throws InputException it cannot be read, or a row is none; the message has its number
     */
    public static Rows read(Path file, long epochOffsetNs) {
        return read(file, epochOffsetNs, MAX_ROWS);
    }

    static Rows read(Path file, long epochOffsetNs, int maxRows) {
        List<SampleSecond> seconds = new ArrayList<>();
        Map<String, Open> open = new HashMap<>();
        if (!Files.exists(file)) {
            return new Rows(seconds, 0);
        }
        int row = 1;
        long leftOut = 0;
        try (InputStream raw = Files.newInputStream(file);
                BufferedReader lines = new BufferedReader(
                        new InputStreamReader(new GZIPInputStream(raw, 1 << 16), StandardCharsets.UTF_8))) {
            lines.readLine();
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                row++;
                if (seconds.size() + open.size() < maxRows) {
                    take(line, epochOffsetNs, open, seconds);
                } else {
                    leftOut++;
                }
            }
        } catch (EOFException e) {
            // What was written before the run was killed is evidence all the same.
            return new Rows(closed(open, seconds), leftOut);
        } catch (NumberFormatException | IndexOutOfBoundsException e) {
            throw new InputException("samples " + file + " row " + row + " is none: " + e.getMessage(), e);
        } catch (IOException e) {
            throw new InputException("cannot read samples " + file + ": " + e.getMessage(), e);
        }
        return new Rows(closed(open, seconds), leftOut);
    }

    private static void take(String line, long epochOffsetNs, Map<String, Open> open, List<SampleSecond> seconds) {
        int name = line.indexOf(',') + 1;
        int value = line.lastIndexOf(',');
        long second = Math.floorDiv(Long.parseLong(line, 0, name - 1, 10) + epochOffsetNs, Units.SECOND_NS);
        long sample = Long.parseLong(line, value + 1, line.length(), 10);
        Open of = open.computeIfAbsent(line.substring(name, value), key -> new Open(SeriesName.of(KeptText.name(key))));
        if (of.samples > 0 && of.second != second) {
            seconds.add(of.closed());
        }
        if (of.samples == 0 || of.second != second) {
            of.begin(second, sample);
        }
        of.add(sample);
    }

    private static List<SampleSecond> closed(Map<String, Open> open, List<SampleSecond> seconds) {
        open.values().stream().filter(of -> of.samples > 0).map(Open::closed).forEach(seconds::add);
        return seconds;
    }
}
