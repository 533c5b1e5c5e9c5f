package org.naklab.lab.cases;

import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;
import org.naklab.lab.core.OutputFile;
import org.naklab.lab.core.timeline.Interval;

/** Cuts a stretch of time out of a file of samples. */
public final class SampleCut {
    private SampleCut() {}

    /**
     * Copies the samples of a stretch.
     *
     * @param samples {@code samples.csv.gz}: a header, then {@code time_ns,series,value}
     * @param target new file of the same format
     * @param stretch CLOCK_MONOTONIC, ns
     * @throws IOException a file cannot be read or written, or a line does not begin with a time
     */
    public static void cut(Path samples, Path target, Interval stretch) throws IOException {
        try (InputStream raw = Files.newInputStream(samples);
                BufferedReader in =
                        new BufferedReader(new InputStreamReader(new GZIPInputStream(raw), StandardCharsets.UTF_8));
                Writer out = new BufferedWriter(new OutputStreamWriter(
                        new GZIPOutputStream(OutputFile.create(target)), StandardCharsets.UTF_8))) {
            out.write(ReadingTable.HEADER + '\n');
            in.readLine();
            for (String line = in.readLine(); line != null; line = in.readLine()) {
                if (stretch.contains(timeNs(line))) {
                    out.write(line + '\n');
                }
            }
        }
    }

    private static long timeNs(String line) throws IOException {
        try {
            return Long.parseLong(line.substring(0, Math.max(0, line.indexOf(','))));
        } catch (NumberFormatException e) {
            throw new IOException("a line of the samples does not begin with a time: " + line, e);
        }
    }
}
