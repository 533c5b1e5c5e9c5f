package org.naklab.lab.containers.faults;

import java.util.Locale;
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

    /**
     * Returns a script for a {@link ContainerCgroup} that sets a limit.
     *
     * @param number the disk's, as the shell has it
     * @param value per second, or 0 for no limit
     */
    String setting(String number, String value) {
        return "if [ $v = 2 ]; then echo " + number + "' " + secondKey() + '=' + (value.equals("0") ? "max" : value)
                + "' >$g/io.max; else echo " + number + "' " + value + "' >$g/" + firstFile() + "; fi";
    }

    /** Returns a script that sets {@code $f} to the limit per second; 0 when there is none. */
    String reading(String number) {
        return "if [ $v = 2 ]; then f=$(grep ^" + number + "' ' $g/io.max | tr ' ' '\\n' | sed -n 's/^" + secondKey()
                + "=//p'); else f=$(grep ^" + number + "' ' $g/" + firstFile()
                + " | cut -d ' ' -f 2); fi; [ -n \"$f\" ] && [ \"$f\" != max ] || f=0; ";
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
        return "if [ $v = 2 ]; then c=$(grep '^" + number + " ' $g/io.stat | tr ' ' '\\n' | sed -n 's/^" + access.second
                + unit.secondCount + "=//p'); else c=$(awk '$1 == \"" + number + "\" && $2 == \"" + access.first
                + "\" {print $3}' $g/blkio.throttle." + unit.firstCount + "); fi; ";
    }

    private String firstFile() {
        return "blkio.throttle." + access.first.toLowerCase(Locale.ROOT) + '_' + unit.limit + "_device";
    }

    private String secondKey() {
        return access.second + unit.limit;
    }
}
