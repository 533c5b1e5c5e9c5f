package org.naklab.lab.core.timeline;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.BufferedWriter;
import java.io.Closeable;
import java.io.IOException;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.naklab.lab.core.OutputFile;

/**
 * Writes {@code timeline.jsonl}: one event a line, in the order of arrival. Safe for several threads. Bounded: after
 * {@code maxEvents} the rest is counted, not written.
 */
public final class TimelineWriter implements TimelineListener, AutoCloseable {
    public static final long DEFAULT_MAX_EVENTS = 1_000_000;

    private final ObjectMapper mapper = new ObjectMapper().disable(JsonGenerator.Feature.AUTO_CLOSE_TARGET);
    private final Writer writer;
    private final Closeable end;
    private final long maxEvents;
    private long written;
    private long suppressed;

    public TimelineWriter(Writer writer, long maxEvents) {
        this(writer, writer, maxEvents);
    }

    /** @param end closed last: a writer whose last bytes cannot be written leaves its file open */
    private TimelineWriter(Writer writer, Closeable end, long maxEvents) {
        this.writer = writer;
        this.end = end;
        this.maxEvents = maxEvents;
    }

    /**
     * A writer to a new file.
     *
     * @throws DetectException the file cannot be created
     */
    public static TimelineWriter create(Path file) {
        try {
            OutputStream out = OutputFile.create(file);
            Writer writer = new BufferedWriter(new OutputStreamWriter(out, StandardCharsets.UTF_8));
            return new TimelineWriter(writer, out, DEFAULT_MAX_EVENTS);
        } catch (IOException e) {
            throw new DetectException("cannot write timeline " + file + ": " + e.getMessage(), e);
        }
    }

    @Override
    public synchronized void onEvent(TimelineEvent event) {
        if (written == maxEvents) {
            suppressed++;
            return;
        }
        try {
            writer.write(mapper.writeValueAsString(event));
            writer.write('\n');
            written++;
        } catch (IOException e) {
            throw new DetectException("cannot write timeline: " + e.getMessage(), e);
        }
    }

    /** Events that came after the bound. */
    public synchronized long suppressed() {
        return suppressed;
    }

    public synchronized void flush() {
        try {
            writer.flush();
        } catch (IOException e) {
            throw new DetectException("cannot write timeline: " + e.getMessage(), e);
        }
    }

    @Override
    public synchronized void close() {
        try (end) {
            writer.close();
        } catch (IOException e) {
            throw new DetectException("cannot write timeline: " + e.getMessage(), e);
        }
    }
}
