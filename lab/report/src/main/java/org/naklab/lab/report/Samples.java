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
import org.naklab.lab.core.series.SeriesName;
import org.naklab.lab.core.series.SeriesSource;

/**
 * Tells what {@code samples.csv.gz} holds: {@code time_ns,series,value}, a row for each sample that differs from the one before of its
 * series.
 *
 * @param bySeries by the series' names, sorted
 */
public record Samples(Map<SeriesName, SampleSeries> bySeries) {
    static final Samples NONE = new Samples(Map.of());

    /**
     * Reads a file; one that a killed run left unfinished is read as far as it goes.
     *
     * @throws LabException it cannot be read, or a row is none; the message has its number
     */
    static Samples read(Path file) {
        try (InputStream zipped = Files.newInputStream(file)) {
            return read(zipped, file.toString());
        } catch (IOException e) {
            throw new InputException("cannot read samples " + file + ": " + e.getMessage(), e);
        }
    }

    /**
     * Reads what such a file holds, as far as it goes.
     *
     * @param zipped is closed
     * @param name for messages
     * @throws LabException as {@link #read(Path)}
     */
    public static Samples read(InputStream zipped, String name) {
        Map<String, SampleSeries> byText = new TreeMap<>();
        int row = 0;
        try (BufferedReader reader = new BufferedReader(
                new InputStreamReader(new GZIPInputStream(zipped, 1 << 16), StandardCharsets.UTF_8))) {
            for (String line = reader.readLine(); line != null; line = reader.readLine()) {
                row++;
                if (row > 1) {
                    take(line, byText);
                }
            }
        } catch (EOFException e) {
            // The end of a run that was killed is missing; what it wrote before is evidence all the same.
            return new Samples(named(byText));
        } catch (NumberFormatException | IndexOutOfBoundsException e) {
            throw new InputException("samples " + name + " row " + row + " is none: " + e.getMessage(), e);
        } catch (IOException e) {
            throw new InputException("cannot read samples " + name + ": " + e.getMessage(), e);
        }
        return new Samples(named(byText));
    }

    private static void take(String line, Map<String, SampleSeries> byText) {
        int name = line.indexOf(',') + 1;
        int value = line.lastIndexOf(',');
        byText.computeIfAbsent(line.substring(name, value), key -> new SampleSeries())
                .add(Long.parseLong(line, 0, name - 1, 10), Long.parseLong(line, value + 1, line.length(), 10));
    }

    private static Map<SeriesName, SampleSeries> named(Map<String, SampleSeries> byText) {
        Map<SeriesName, SampleSeries> bySeries = new TreeMap<>();
        byText.forEach((text, samples) -> bySeries.put(SeriesName.of(text), samples));
        return bySeries;
    }

    /** Returns the series of a source, sorted by name. */
    public List<SeriesName> named(SeriesSource source) {
        return bySeries.keySet().stream()
                .filter(name -> name.source() == source)
                .toList();
    }

    /** Returns the series of a source and quantity, sorted by name. */
    public List<SeriesName> named(SeriesSource source, String quantity) {
        return bySeries.keySet().stream()
                .filter(name -> name.is(source, quantity))
                .toList();
    }

    public SampleSeries of(SeriesName name) {
        return bySeries.getOrDefault(name, new SampleSeries());
    }

    boolean isEmpty() {
        return bySeries.isEmpty();
    }
}
