package org.naklab.lab.instruments.aeron;

import io.aeron.CncFileDescriptor;
import java.io.File;
import java.io.IOException;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.function.Supplier;
import org.agrona.IoUtil;
import org.agrona.SemanticVersion;
import org.agrona.concurrent.UnsafeBuffer;
import org.agrona.concurrent.status.CountersReader;
import org.naklab.lab.core.timeline.DetectException;
import org.naklab.lab.instruments.linux.ForeignFile;

/**
 * An Aeron driver's command-and-control file, mapped read-only: its counters can be read from any process, whatever the driver's
 * threads are doing.
 */
final class CncFile implements AutoCloseable {
    /** A driver has more counters of its own. */
    private static final long LEAST_COUNTERS = 64;

    private final MappedByteBuffer mapped;
    private final CountersReader counters;
    private final long pid;
    private final boolean ofAnother;
    private final File file;

    private CncFile(File file, MappedByteBuffer mapped, UnsafeBuffer metaData, boolean ofAnother) {
        this.file = file;
        this.mapped = mapped;
        this.ofAnother = ofAnother;
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
        if (!isWhole(metaData, mapped.capacity())) {
            IoUtil.unmap(mapped);
            throw new DetectException("the file " + file + " is damaged: its lengths are not those of its content");
        }
        return new CncFile(file, mapped, metaData, isOfAnother(file.toPath()));
    }

    /** Returns whether the parts that the file declares lie in it, and whether each counter has its description. Anyone can make such a file. */
    private static boolean isWhole(UnsafeBuffer metaData, int fileLength) {
        long descriptions = metaData.getInt(CncFileDescriptor.countersMetaDataBufferLengthOffset(0));
        long values = metaData.getInt(CncFileDescriptor.countersValuesBufferLengthOffset(0));
        long[] parts = {
            metaData.getInt(CncFileDescriptor.toDriverBufferLengthOffset(0)),
            metaData.getInt(CncFileDescriptor.toClientsBufferLengthOffset(0)),
            descriptions,
            values,
            metaData.getInt(CncFileDescriptor.errorLogBufferLengthOffset(0))
        };
        return Arrays.stream(parts).allMatch(length -> length >= 0)
                && CncFileDescriptor.END_OF_METADATA_OFFSET
                                + Arrays.stream(parts).sum()
                        <= fileLength
                && values >= LEAST_COUNTERS * CountersReader.COUNTER_LENGTH
                && descriptions / CountersReader.METADATA_LENGTH >= values / CountersReader.COUNTER_LENGTH;
    }

    private static boolean isOfAnother(Path file) {
        try {
            int owner = ((Number) Files.getAttribute(file, "unix:uid")).intValue();
            return owner != ForeignFile.userOf(ProcessHandle.current().pid());
        } catch (IOException e) {
            throw new DetectException("the owner of " + file + " is not known: " + e.getMessage(), e);
        }
    }

    /** Returns whether another user can change the length of the file while it is mapped: native code must not read it then. */
    boolean isOfAnother() {
        return ofAnother;
    }

    /** Returns whether another user made the file shorter than what is mapped, so that no counter may be read any more. */
    boolean isCutOff() {
        return ofAnother && file.length() < mapped.capacity();
    }

    /**
     * Returns what a reader makes of a driver's files.
     *
     * @throws DetectException what it reads cannot be what a driver wrote
     */
    static <T> T parsed(Path aeronDirectory, Supplier<T> reader) {
        try {
            return reader.get();
        } catch (IndexOutOfBoundsException | IllegalArgumentException | NegativeArraySizeException e) {
            throw new DetectException("the files of the Aeron driver in " + aeronDirectory + " are damaged", e);
        }
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
