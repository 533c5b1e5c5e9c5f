package org.naklab.lab.containers.faults;

import org.naklab.lab.containers.FaultArguments;

/**
 * A limit on a container's use of a disk.
 *
 * @param perSecond operations or bytes
 */
public record DiskLimit(Access access, Unit unit, long perSecond) {
    /** Direction of the access. */
    public enum Access {
        READ("Read", "r"),
        WRITE("Write", "w");

        private final String first;
        private final String second;

        Access(String first, String second) {
            this.first = first;
            this.second = second;
        }
    }

    /** Unit of the limit. */
    public enum Unit {
        OPERATIONS("iops", "io_serviced", "ios"),
        BYTES("bps", "io_service_bytes", "bytes");

        private final String limit;
        private final String firstCount;
        private final String secondCount;

        Unit(String limit, String firstCount, String secondCount) {
            this.limit = limit;
            this.firstCount = firstCount;
            this.secondCount = secondCount;
        }
    }

    public DiskLimit {
        FaultArguments.positive("limit of a disk", perSecond);
    }

    public static DiskLimit readsPerSecond(long operations) {
        return new DiskLimit(Access.READ, Unit.OPERATIONS, operations);
    }

    public static DiskLimit writesPerSecond(long operations) {
        return new DiskLimit(Access.WRITE, Unit.OPERATIONS, operations);
    }

    public static DiskLimit bytesWrittenPerSecond(long bytes) {
        return new DiskLimit(Access.WRITE, Unit.BYTES, bytes);
    }

    /** Returns the limit's file under version 1. */
    String firstFile() {
        return "blkio.throttle." + access.first.toLowerCase(java.util.Locale.ROOT) + '_' + unit.limit + "_device";
    }

    /** Returns the file of the counts under version 1. */
    String firstCounts() {
        return "blkio.throttle." + unit.firstCount;
    }

    /** Returns the second word of the counts under version 1. */
    String firstWord() {
        return access.first;
    }

    /** Returns the limit's key under version 2. */
    String secondKey() {
        return access.second + unit.limit;
    }

    /** Returns the key of the count under version 2. */
    String secondCount() {
        return access.second + unit.secondCount;
    }
}
