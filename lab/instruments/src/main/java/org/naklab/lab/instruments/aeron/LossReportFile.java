package org.naklab.lab.instruments.aeron;

import io.aeron.driver.reports.LossReportReader;
import io.aeron.driver.reports.LossReportUtil;
import java.nio.MappedByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.agrona.IoUtil;
import org.agrona.concurrent.UnsafeBuffer;
import org.naklab.lab.core.timeline.DetectException;

/** A driver's loss report, mapped read-only. Background thread. */
final class LossReportFile implements AutoCloseable {
    private final MappedByteBuffer mapped;
    private final UnsafeBuffer buffer;

    private LossReportFile(MappedByteBuffer mapped) {
        this.mapped = mapped;
        buffer = new UnsafeBuffer(mapped);
    }

    /** @throws DetectException the driver has none */
    static LossReportFile map(Path aeronDirectory) {
        if (!Files.isReadable(aeronDirectory.resolve(LossReportUtil.LOSS_REPORT_FILE_NAME))) {
            throw new DetectException("no loss report in " + aeronDirectory);
        }
        return new LossReportFile(LossReportUtil.mapLossReportReadOnly(aeronDirectory.toString()));
    }

    List<LossEntry> read() {
        List<LossEntry> entries = new ArrayList<>();
        LossReportReader.read(
                buffer,
                (observations, bytes, first, last, session, stream, channel, source) -> entries.add(new LossEntry(
                        new LossEntry.Loss(observations, bytes, first, last),
                        new LossEntry.Stream(session, stream, channel, source))));
        return entries;
    }

    @Override
    public void close() {
        IoUtil.unmap(mapped);
    }
}
