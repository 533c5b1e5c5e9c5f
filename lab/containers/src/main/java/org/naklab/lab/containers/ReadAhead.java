package org.naklab.lab.containers;

import java.util.ArrayList;
import java.util.List;

/**
 * Limits how far the kernel reads ahead of a missing page on one disk. Some machines read megabytes, the whole of a library,
 * so that no part of it stays out of memory while another part is in use. An open file keeps the value that was in force
 * when it was opened.
 */
public final class ReadAhead implements AutoCloseable {
    /** The kernel's own. */
    public static final long DEFAULT_KIB = 128;

    private static final String SYSTEM = "/system";

    private final long formerKib;
    private final Undo undo;

    private ReadAhead(long formerKib, Undo undo) {
        this.formerKib = formerKib;
        this.undo = undo;
    }

    /**
     * Lowers it to the kernel's default, where it is more.
     *
     * @param device path of the disk's device file
     * @throws org.naklab.lab.core.LabException when it cannot be changed
     */
    public static ReadAhead lowered(String device) {
        String file = SYSTEM + "/class/block/" + device.substring("/dev/".length()) + "/queue/read_ahead_kb";
        long formerKib = Long.parseLong(DockerEngine.run(tool("cat " + file)));
        String restore = "[ \"$(cat " + file + ")\" != " + DEFAULT_KIB + " ] || echo " + formerKib + " >" + file;
        Undo undo = Undo.promise(
                "set the read-ahead of " + device + " back to " + formerKib + " KiB",
                List.of(toolCommand(formerKib > DEFAULT_KIB ? restore : "true")));
        if (formerKib > DEFAULT_KIB) {
            undo.orUndo(() -> EngineGuard.run(toolCommand("echo " + DEFAULT_KIB + " >" + file)));
        }
        return new ReadAhead(formerKib, undo);
    }

    /** Returns the value before the change, KiB. */
    public long formerKib() {
        return formerKib;
    }

    private static String[] toolCommand(String script) {
        List<String> words = new ArrayList<>(List.of("run"));
        words.addAll(tool(script));
        return words.toArray(String[]::new);
    }

    private static List<String> tool(String script) {
        List<String> words = new ArrayList<>();
        words.addAll(EngineGuard.faultLabels());
        words.addAll(List.of(
                "--rm",
                "--no-healthcheck",
                "--network",
                "none",
                "--user",
                "0",
                "--volume",
                "/sys:" + SYSTEM,
                Image.name(),
                "sh",
                "-c",
                script));
        return words;
    }

    /**
     * Puts the read-ahead back.
     *
     * @throws org.naklab.lab.core.LabException when it cannot be put back, with what it was
     */
    @Override
    public void close() {
        if (formerKib > DEFAULT_KIB) {
            undo.run();
        } else {
            undo.kept();
        }
    }
}
