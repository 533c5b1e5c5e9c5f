package org.naklab.lab.containers;

import org.naklab.lab.LabException;

/**
 * How far the kernel reads ahead of a missing page on one disk. Some machines read megabytes, the whole of a library, and then no
 * part of it stays out of memory while another is in use. A file keeps what was in force when it was opened.
 */
public final class ReadAhead implements AutoCloseable {
    /** The kernel's own. */
    public static final long DEFAULT_KIB = 128;

    private static final String SYSTEM = "/system";

    private final String file;
    private final long formerKib;

    private ReadAhead(String file, long formerKib) {
        this.file = file;
        this.formerKib = formerKib;
    }

    /**
     * Lowers it to the kernel's default, where it is more.
     *
     * @param device path of the disk's device file
     * @throws LabException when it cannot be changed
     */
    public static ReadAhead lowered(String device) {
        String file = SYSTEM + "/class/block/" + device.substring("/dev/".length()) + "/queue/read_ahead_kb";
        String output = run("cat " + file + "; [ \"$(cat " + file + ")\" -le " + DEFAULT_KIB + " ] || echo "
                + DEFAULT_KIB + " >" + file);
        return new ReadAhead(file, Long.parseLong(output));
    }

    /** As it was, KiB. */
    public long formerKib() {
        return formerKib;
    }

    private static String run(String script) {
        return Docker.run(
                "run",
                "--rm",
                "--no-healthcheck",
                "--network",
                "none",
                "--user",
                "0",
                "--label",
                ContainerSite.LABEL + "=tool",
                "--volume",
                "/sys:" + SYSTEM,
                Image.name(),
                "sh",
                "-c",
                script);
    }

    /** @throws LabException when it cannot be put back, with what it was */
    @Override
    public void close() {
        if (formerKib <= DEFAULT_KIB) {
            return;
        }
        try {
            String unused = run("echo " + formerKib + " >" + file);
        } catch (LabException e) {
            throw new LabException(
                    "read-ahead of the disk is left at " + DEFAULT_KIB + " KiB, was " + formerKib + ": "
                            + e.getMessage(),
                    e);
        }
    }
}
