package org.naklab.lab.instruments.aeron;

import io.aeron.CncFileDescriptor;
import java.io.File;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import org.agrona.IoUtil;
import org.agrona.SemanticVersion;
import org.agrona.concurrent.UnsafeBuffer;
import org.agrona.concurrent.status.CountersReader;
import org.naklab.lab.core.timeline.DetectException;

/**
 * An Aeron driver's command-and-control file, mapped read-only: its counters can be read from any process, whatever the driver's
 * threads are doing.
 */
final class CncFile implements AutoCloseable {
    private final MappedByteBuffer mapped;
    private final CountersReader counters;
    private final long pid;

    private CncFile(MappedByteBuffer mapped, UnsafeBuffer metaData) {
        this.mapped = mapped;
        counters = new CountersReader(
                CncFileDescriptor.createCountersMetaDataBuffer(mapped, metaData),
                CncFileDescriptor.createCountersValuesBuffer(mapped, metaData));
        pid = CncFileDescriptor.pid(metaData);
    }

    /**
     * Maps the file of a driver that runs.
     *
     * @param aeronDirectory as the driver was given it
     * @throws DetectException there is none, it is not ready yet, or of another format
     */
    static CncFile map(Path aeronDirectory) {
        File file = aeronDirectory.resolve(CncFileDescriptor.CNC_FILE).toFile();
        if (!Files.isReadable(file.toPath()) || file.length() < CncFileDescriptor.META_DATA_LENGTH) {
            throw new DetectException("no Aeron driver in " + aeronDirectory);
        }
        MappedByteBuffer mapped = IoUtil.mapExistingFile(file, FileChannel.MapMode.READ_ONLY, "cnc");
        UnsafeBuffer metaData = CncFileDescriptor.createMetaDataBuffer(mapped);
        int version = metaData.getIntVolatile(CncFileDescriptor.cncVersionOffset(0));
        if (SemanticVersion.major(version) != SemanticVersion.major(CncFileDescriptor.CNC_VERSION)
                || SemanticVersion.minor(version) < SemanticVersion.minor(CncFileDescriptor.CNC_VERSION)) {
            IoUtil.unmap(mapped);
            throw new DetectException(
                    version == 0
                            ? "the Aeron driver in " + aeronDirectory + " is not ready"
                            : "the Aeron driver in " + aeronDirectory + " has another format: "
                                    + SemanticVersion.toString(version));
        }
        return new CncFile(mapped, metaData);
    }

    CountersReader counters() {
        return counters;
    }

    /** Returns the process id of the driver. */
    long pid() {
        return pid;
    }

    @Override
    public void close() {
        IoUtil.unmap(mapped);
    }
}
