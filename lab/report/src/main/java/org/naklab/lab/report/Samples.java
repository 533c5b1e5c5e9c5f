package org.naklab.lab.report;

import java.io.BufferedReader;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.zip.GZIPInputStream;
import org.naklab.lab.core.InputException;
import org.naklab.lab.core.LabException;

/**
 * What {@code samples.csv.gz} holds: {@code time_ns,series,value}, a row for each sample that differs from the one before of its
 * series.
 *
 * @param bySeries by the series' names, sorted
 */
record Samples(Map<String, SampleSeries> bySeries) {
    static final Samples NONE = new Samples(Map.of());

    /**
     * Reads a file; one that a killed run left unfinished is read as far as it goes.
     *
     * @throws LabException it cannot be read, or a row is none; the message has its number
     */
    static Samples read(Path file) {
        Map<String, SampleSeries> bySeries = new TreeMap<>();
        int row = 0;
        try (InputStream zipped = Files.newInputStream(file);
                BufferedReader reader = new BufferedReader(
                        new InputStreamReader(new GZIPInputStream(zipped, 1 << 16), StandardCharsets.UTF_8))) {
            for (String line = reader.readLine(); line != null; line = reader.readLine()) {
                row++;
                if (row > 1) {
                    take(line, bySeries);
                }
            }
        } catch (EOFException e) {
            // The end of a run that was killed is missing; what it wrote before is evidence all the same.
            return new Samples(bySeries);
        } catch (NumberFormatException | IndexOutOfBoundsException e) {
            throw new InputException("samples " + file + " row " + row + " is none: " + e.getMessage(), e);
        } catch (IOException e) {
            throw new InputException("cannot read samples " + file + ": " + e.getMessage(), e);
        }
        return new Samples(bySeries);
    }

    private static void take(String line, Map<String, SampleSeries> bySeries) {
        int name = line.indexOf(',') + 1;
        int value = line.lastIndexOf(',');
        bySeries.computeIfAbsent(line.substring(name, value), key -> new SampleSeries())
                .add(Long.parseLong(line, 0, name - 1, 10), Long.parseLong(line, value + 1, line.length(), 10));
    }

    /** The names that begin and end so. */
    List<String> named(String begin, String end) {
        return bySeries.keySet().stream()
                .filter(name -> name.startsWith(begin) && name.endsWith(end))
                .toList();
    }

    SampleSeries of(String name) {
        return bySeries.getOrDefault(name, new SampleSeries());
    }

    boolean isEmpty() {
        return bySeries.isEmpty();
    }
}
