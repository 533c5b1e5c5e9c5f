package org.naklab.journaler.derived;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import org.naklab.journaler.JournalDirectory;
import org.naklab.journaler.JournalException;

/** Reads one file of the surveillance format, record by record, and checks each record's checksum. */
public final class SurveillanceReader implements AutoCloseable {
    private final SurveillanceLayout layout = new SurveillanceLayout();
    private final Path file;
    private final InputStream stream;
    private long records;

    private SurveillanceReader(Path file, InputStream stream) {
        this.file = file;
        this.stream = stream;
    }

    /**
     * Opens a file at its first record.
     *
     * @throws JournalException when it cannot be read or is of another format or version
     */
    public static SurveillanceReader open(Path file) {
        try {
            InputStream stream = new BufferedInputStream(Files.newInputStream(file));
            byte[] header = stream.readNBytes(SurveillanceLayout.HEADER_BYTES);
            if (!Arrays.equals(header, SurveillanceLayout.header())) {
                stream.close();
                throw new JournalException(file + " is not a surveillance file of version 1");
            }
            return new SurveillanceReader(file, stream);
        } catch (IOException e) {
            throw new JournalException("cannot read " + file + ": " + JournalDirectory.reason(e), e);
        }
    }

    /**
     * Reads the next record.
     *
     * @return null at the end of the file
     * @throws JournalException when the file ends within a record, or the record is not what was written
     */
    public @Nullable SurveillanceRecord next() {
        int length = fill();
        if (length == 0) {
            return null;
        }
        if (length < SurveillanceLayout.RECORD_BYTES) {
            throw new JournalException(file + " is cut short: it ends within record " + records);
        }
        SurveillanceRecord surveillanceRecord = layout.read();
        if (surveillanceRecord == null) {
            throw new JournalException(file + " is corrupt: record " + records + " does not match its checksum");
        }
        records++;
        return surveillanceRecord;
    }

    @Override
    public void close() {
        try {
            stream.close();
        } catch (IOException e) {
            throw new JournalException("cannot close " + file + ": " + JournalDirectory.reason(e), e);
        }
    }

    private int fill() {
        try {
            return stream.readNBytes(layout.bytes(), 0, SurveillanceLayout.RECORD_BYTES);
        } catch (IOException e) {
            throw new JournalException("cannot read " + file + ": " + JournalDirectory.reason(e), e);
        }
    }
}
