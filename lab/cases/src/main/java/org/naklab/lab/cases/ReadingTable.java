package org.naklab.lab.cases;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.Writer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.naklab.lab.core.series.SeriesName;
import org.naklab.lab.diagnosis.readings.Reading;

/** The table of readings of a case: {@code time_ns,series,value}, series by series, each by time. */
final class ReadingTable {
    static final String HEADER = "time_ns,series,value";

    private ReadingTable() {}

    static void write(Writer out, Map<SeriesName, List<Reading>> readings) throws IOException {
        out.write(HEADER + '\n');
        for (Map.Entry<SeriesName, List<Reading>> series : new TreeMap<>(readings).entrySet()) {
            for (Reading reading : series.getValue()) {
                out.write(reading.timeNs() + "," + series.getKey() + "," + reading.value() + '\n');
            }
        }
    }

    /** @throws IOException the table cannot be read, or a line is no row; the message has the line's number */
    static Map<SeriesName, List<Reading>> read(BufferedReader in) throws IOException {
        Map<SeriesName, List<Reading>> readings = new HashMap<>();
        int lineNumber = 1;
        if (!HEADER.equals(in.readLine())) {
            throw new IOException("line 1 is not " + HEADER);
        }
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            lineNumber++;
            int afterTime = line.indexOf(',');
            int afterSeries = line.lastIndexOf(',');
            try {
                long timeNs = Long.parseLong(line.substring(0, Math.max(0, afterTime)));
                long value = Long.parseLong(line.substring(afterSeries + 1));
                readings.computeIfAbsent(
                                SeriesName.of(line.substring(afterTime + 1, afterSeries)), name -> new ArrayList<>())
                        .add(new Reading(timeNs, value));
            } catch (NumberFormatException | StringIndexOutOfBoundsException e) {
                throw new IOException("line " + lineNumber + " is no row of " + HEADER, e);
            }
        }
        return readings;
    }
}
