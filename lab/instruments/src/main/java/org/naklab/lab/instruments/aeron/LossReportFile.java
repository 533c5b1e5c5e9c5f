package org.naklab.lab.instruments.aeron;

import io.aeron.driver.reports.LossReportReader;
import io.aeron.driver.reports.LossReportUtil;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.agrona.IoUtil;
import org.agrona.concurrent.AtomicBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.jspecify.annotations.Nullable;
import org.naklab.lab.core.timeline.DetectException;
import org.naklab.lab.instruments.linux.ForeignFile;

/** A driver's loss report: mapped read-only, or copied each time as {@link CncFile} is. Background thread. */
final class LossReportFile implements AutoCloseable {
    /** Bounds the report of another user's driver; a driver's is as long as a page of its term buffers by default, 1 MiB. */
    private static final int MOST_COPIED_BYTES = 16 << 20;

    private final Path file;
    private final @Nullable ByteBuffer mapped;
    private final @Nullable FileChannel copied;

    private LossReportFile(Path file, @Nullable ByteBuffer mapped, @Nullable FileChannel copied) {
        this.file = file;
        this.mapped = mapped;
        this.copied = copied;
    }

    /** @throws DetectException the driver has none */
    static LossReportFile map(Path aeronDirectory) {
        Path file = aeronDirectory.resolve(LossReportUtil.LOSS_REPORT_FILE_NAME);
        ForeignFile.Opened opened = CncFile.open(file, "no loss report in " + aeronDirectory);
        FileChannel channel = opened.channel();
        if (opened.isOfOthers()) {
            return new LossReportFile(file, null, channel);
        }
        try {
            long length = Math.min(channel.size(), Integer.MAX_VALUE);
            return new LossReportFile(file, channel.map(FileChannel.MapMode.READ_ONLY, 0, length), null);
        } catch (IOException e) {
            throw cannotRead(file, e);
        } finally {
            CncFile.close(channel);
        }
    }

    /** @throws DetectException it cannot be read any more */
    List<LossEntry> read() {
        List<LossEntry> entries = new ArrayList<>();
        LossReportReader.read(
                content(),
                (observations, bytes, first, last, session, stream, channel, source) -> entries.add(new LossEntry(
                        new LossEntry.Loss(observations, bytes, first, last),
                        new LossEntry.Stream(session, stream, channel, source))));
        return entries;
    }

    private AtomicBuffer content() {
        FileChannel channel = copied;
        if (channel == null) {
            return new UnsafeBuffer(mapped);
        }
        try {
            ByteBuffer content = ByteBuffer.allocateDirect((int) Math.min(channel.size(), MOST_COPIED_BYTES));
            CncFile.read(channel, content, 0);
            return new UnsafeBuffer(content, 0, content.position());
        } catch (IOException e) {
            throw cannotRead(file, e);
        }
    }

    private static DetectException cannotRead(Path file, IOException e) {
        return new DetectException("the loss report " + file + " cannot be read: " + e.getMessage(), e);
    }

    @Override
    public void close() {
        if (mapped != null) {
            IoUtil.unmap(mapped);
        }
        FileChannel channel = copied;
        if (channel != null) {
            CncFile.close(channel);
        }
    }
}
