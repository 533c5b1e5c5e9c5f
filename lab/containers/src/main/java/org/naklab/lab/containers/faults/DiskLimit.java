package org.naklab.lab.containers.faults;

import org.naklab.lab.containers.FaultArguments;
import org.naklab.lab.instruments.linux.CgroupPaths.DiskUse;

/**
 * A limit on a container's use of a disk.
 *
 * @param perSecond operations or bytes
 */
public record DiskLimit(Access access, Unit unit, long perSecond) {
    /** Direction of the access. */
    public enum Access {
        READ,
        WRITE
    }

    /** Unit of the limit. */
    public enum Unit {
        OPERATIONS,
        BYTES
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

    /**
     * Returns a script for a {@link ContainerCgroup} that sets a limit.
     *
     * @param number the disk's, as the shell has it
     * @param value per second, or 0 for no limit
     */
    String setting(String number, String value) {
        return ContainerCgroup.ofEitherVersion(
                group -> "echo " + group.limitLine(use(), number, value) + " >" + group.file(use().limit()));
    }

    /** Returns a script that sets {@code $f} to the limit per second; 0 when there is none. */
    String reading(String number) {
        return ContainerCgroup.ofEitherVersion(group -> "f=$(grep ^" + number + "' ' " + group.file(use().limit())
                        + " | tr ' ' '\\n' | sed -n '2,$s/^" + group.limitKey(use()) + "//p')")
                + "; [ -n \"$f\" ] && [ \"$f\" != max ] || f=0; ";
    }

    /**
     * Returns a script that puts a former limit back; one that someone has set since is left alone.
     *
     * @param former per second, or 0 for no limit
     */
    String restoring(String number, String former) {
        return reading(number) + "[ \"$f\" != " + perSecond + " ] || { " + setting(number, former) + "; }";
    }

    /** Returns a script that sets {@code $c} to what the group did in this direction and unit; empty when it did nothing. */
    String counting(String number) {
        return ContainerCgroup.ofEitherVersion(group -> "c=$(grep '^" + number + " ' " + group.file(use().count())
                        + " | tr ' =' '\\n\\n' | sed -n '/^" + group.countKey(use()) + "$/{n;p;}')")
                + "; ";
    }

    private DiskUse use() {
        return switch (unit) {
            case OPERATIONS -> access == Access.READ ? DiskUse.READS : DiskUse.WRITES;
            case BYTES -> access == Access.READ ? DiskUse.BYTES_READ : DiskUse.BYTES_WRITTEN;
        };
    }
}
