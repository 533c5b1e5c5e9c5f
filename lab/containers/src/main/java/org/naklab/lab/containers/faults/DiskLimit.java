package org.naklab.lab.containers.faults;

import org.naklab.lab.containers.FaultArguments;
import org.naklab.lab.instruments.linux.CgroupPaths.DiskUse;

/**
 * A limit on a container's use of a disk.
 *
 * @param use what is limited
 * @param perSecond operations or bytes
 */
public record DiskLimit(DiskUse use, long perSecond) {
    public DiskLimit {
        FaultArguments.positive("limit of a disk", perSecond);
    }

    public static DiskLimit readsPerSecond(long operations) {
        return new DiskLimit(DiskUse.READS, operations);
    }

    public static DiskLimit writesPerSecond(long operations) {
        return new DiskLimit(DiskUse.WRITES, operations);
    }

    public static DiskLimit bytesWrittenPerSecond(long bytes) {
        return new DiskLimit(DiskUse.BYTES_WRITTEN, bytes);
    }

    /** Returns what is limited, for people. */
    String what() {
        return switch (use) {
            case READS -> "read operations";
            case WRITES -> "write operations";
            case BYTES_READ -> "read bytes";
            case BYTES_WRITTEN -> "write bytes";
        };
    }

    /**
     * Returns a script for a {@link ContainerCgroup} that sets a limit.
     *
     * @param number the disk's, as the shell has it
     * @param value per second, or 0 for no limit
     */
    String setting(String number, String value) {
        return ContainerCgroup.ofEitherVersion(
                group -> "echo " + group.limitLine(use, number, value) + " >" + group.file(use.limit()));
    }

    /** Returns a script that sets {@code $f} to the limit per second; 0 when there is none. */
    String reading(String number) {
        return ContainerCgroup.ofEitherVersion(group -> "f=$(grep ^" + number + "' ' " + group.file(use.limit())
                        + " | tr ' ' '\\n' | sed -n '2,$s/^" + group.limitKey(use) + "//p')")
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
        return ContainerCgroup.ofEitherVersion(group -> "c=$(grep '^" + number + " ' " + group.file(use.count())
                        + " | tr ' =' '\\n\\n' | sed -n '/^" + group.countKey(use) + "$/{n;p;}')")
                + "; ";
    }
}
