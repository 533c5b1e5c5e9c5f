package org.naklab.lab.scenarios.record;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;
import org.naklab.lab.core.Format;
import org.naklab.lab.core.InputException;
import org.naklab.lab.core.LabException;
import org.naklab.lab.core.OutputFile;
import org.naklab.lab.core.Reason;
import org.naklab.lab.core.UnavailableException;

/** The directory of a run's evidence: {@code <runs>/<scenario>/<utc-time>-<seed>/}. */
public record RunDirectory(Path path) {
    private static final DateTimeFormatter UTC = DateTimeFormatter.ofPattern(
                    "uuuu-MM-dd'T'HH-mm-ss.SSS'Z'", Locale.ROOT)
            .withZone(ZoneOffset.UTC);
    private static final int MAX_TRIES = 100;

    /** Groups: hour, minute and second of the time; ISO 8601 writes colons, which the file systems of Windows refuse. */
    private static final Pattern NAME = Pattern.compile("(\\d{4}-\\d\\d-\\d\\dT\\d\\d)-(\\d\\d)-(\\d\\d\\.\\d{3}Z)-.+");

    /**
     * Makes a new one for a run of which it is not known how much it writes.
     *
     * @throws InputException when it cannot be made there
     * @throws UnavailableException when the disk has no room for any run
     */
    public static RunDirectory create(Path runs, String scenario, Instant now, long seed) {
        return create(runs, scenario, now, seed, RunRoom.LEAST_BYTES);
    }

    /**
     * Makes a new one; two of the same millisecond and seed are told apart by a number.
     *
     * @param neededBytes that the run may write, see {@link RunRoom}
     * @throws InputException when it cannot be made there
     * @throws UnavailableException when the disk has no room for the run
     */
    public static RunDirectory create(Path runs, String scenario, Instant now, long seed, long neededBytes) {
        Path parent = runs.resolve(scenario).toAbsolutePath().normalize();
        String name = UTC.format(now) + "-" + seed;
        try {
            OutputFile.directory(parent);
            // In a changed root directory no mount point may be visible, and so no FileStore.
            requireRoom(parent, parent.toFile().getUsableSpace(), neededBytes);
            for (int i = 1; i <= MAX_TRIES; i++) {
                Path path = parent.resolve(i == 1 ? name : name + "-" + i);
                if (Files.notExists(path)) {
                    return new RunDirectory(Files.createDirectory(path));
                }
            }
        } catch (IOException e) {
            throw new InputException(
                    "cannot make a run directory in " + parent + ": " + Reason.of(e) + "; --runs names another place",
                    e);
        }
        throw new LabException("cannot make a run directory in " + parent + ": " + MAX_TRIES + " of the name " + name);
    }

    /**
     * Checks that a run's directory can be made, without making one.
     *
     * @return the room there is for runs, bytes
     * @throws InputException when it cannot be made there
     * @throws UnavailableException when the disk has no room for any run
     */
    public static long check(Path runs) {
        Path at = runs.toAbsolutePath().normalize();
        for (Path above = at.getParent(); above != null && Files.notExists(at); above = above.getParent()) {
            at = above;
        }
        try {
            OutputFile.check(at.resolve("run"));
        } catch (IOException e) {
            throw new InputException("cannot make a run directory in " + runs + ": " + Reason.of(e), e);
        }
        long usableBytes = at.toFile().getUsableSpace();
        requireRoom(at, usableBytes, RunRoom.LEAST_BYTES);
        return usableBytes;
    }

    /** A run that could not write its record would be thrown away after its whole time. */
    static void requireRoom(Path parent, long usableBytes, long neededBytes) {
        if (usableBytes < neededBytes) {
            throw new UnavailableException("no room for a run: " + Format.bytes(usableBytes) + " are free in " + parent
                    + ", and it may write " + Format.bytes(neededBytes)
                    + "; 'naklab prune' deletes old runs, --runs names another place");
        }
    }

    /** Returns whether a directory may be named so: by the time in UTC, to the millisecond, and the seed. Such names sort by time. */
    public static boolean isName(String name) {
        return NAME.matcher(name).matches();
    }

    /** Returns the directory's own name: unique among the runs of its scenario. */
    public String id() {
        return String.valueOf(path.getFileName());
    }

    /** Returns the time of creation from the name: ISO 8601 in UTC with milliseconds. */
    public String startedUtc() {
        return NAME.matcher(id()).replaceFirst("$1:$2:$3");
    }

    /** Points {@code latest} at this run, in the scenario's directory and in that of all runs. */
    public void linkLatest() {
        links().forEach(RunDirectory::link);
    }

    /** Does the same where {@code latest} points at no run: one that was interrupted does not hide those that were not. */
    void linkLatestIfNone() {
        links().forEach((link, target) -> {
            if (Files.notExists(link)) {
                link(link, target);
            }
        });
    }

    private Map<Path, Path> links() {
        Path scenario = parentOf(path);
        Path all = parentOf(scenario);
        return Map.of(scenario.resolve("latest"), path.getFileName(), all.resolve("latest"), all.relativize(path));
    }

    private static Path parentOf(Path path) {
        Path parent = path.getParent();
        if (parent == null) {
            throw new IllegalArgumentException(path + " has no parent");
        }
        return parent;
    }

    /** Replaces the link by renaming, so that a reader always sees the old or the new link. */
    private static void link(Path link, Path target) {
        try {
            Path fresh = Files.createTempFile(parentOf(link), ".latest", "");
            Files.delete(fresh);
            Files.createSymbolicLink(fresh, target);
            Files.move(fresh, link, java.nio.file.StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException | UnsupportedOperationException e) {
            throw new LabException("cannot link " + link + ": " + e, e);
        }
    }
}
