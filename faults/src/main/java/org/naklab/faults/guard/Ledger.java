package org.naklab.faults.guard;

import java.io.FileOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.stream.Stream;
import org.naklab.faults.FaultException;

/**
 * The file of one process's promises. It is written before what is promised is done, so that it is there whoever is killed; the
 * guard reads it when the process has ended, and deletes it when everything is undone.
 *
 * <pre>
 *   naklab-promises BOOT:MACHINE:NAMESPACE:PID:START   whose they are
 *   + ID VERB WORDS                                    a promise, see guard.sh
 *   @ ID TIME                                          when the guard keeps it, in hundredths of a second since boot
 *   - ID                                               it is kept
 *   = ID TIME                                          the guard has kept it, as its time had come
 *   &amp; PID START                                        the second guard
 *   ! WHAT: REASON                                     the guard could not keep it
 * </pre>
 */
final class Ledger implements AutoCloseable {
    private static final String HEADER = "naklab-promises ";

    private final Path file;
    // Not a channel: an interrupt of the thread that writes would close that.
    private final FileOutputStream out;
    private int lastId;

    private Ledger(Path file, FileOutputStream out) {
        this.file = file;
        this.out = out;
    }

    static Ledger create() {
        ProcessIdentity self = ProcessIdentity.current();
        Path file = StateDirectory.newFile(self.process().pid() + "-");
        try {
            Ledger ledger = new Ledger(file, new FileOutputStream(file.toFile(), true));
            ledger.append(HEADER + self.text());
            return ledger;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    Path file() {
        return file;
    }

    /** Writes a promise down, and returns its id. */
    synchronized int add(String action) {
        if (action.indexOf('\n') >= 0) {
            throw new FaultException("what has a line break cannot be promised: " + action);
        }
        append("+ " + ++lastId + " " + action);
        return lastId;
    }

    synchronized void strike(int id) {
        append("- " + id);
    }

    /** Writes down when a promise is to be kept; a later time replaces an earlier one. */
    synchronized void keepAt(int id, long centiseconds) {
        append("@ " + id + " " + centiseconds);
    }

    /** Returns whether the guard has kept a promise because its time had come. */
    boolean wasKeptInTime(int id) {
        return hasLine("= " + id + " ");
    }

    /** Returns whether the guard that waits for the end of this process stands by itself. */
    boolean hasSecond() {
        return hasLine("& ");
    }

    private boolean hasLine(String begin) {
        try (Stream<String> lines = Files.lines(file)) {
            return lines.anyMatch(line -> line.startsWith(begin));
        } catch (NoSuchFileException everythingWasKept) {
            return false;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void append(String line) {
        try {
            long formerBytes = out.getChannel().size();
            try {
                out.write((line + "\n").getBytes(StandardCharsets.UTF_8));
            } catch (IOException e) {
                out.getChannel().truncate(formerBytes);
                throw e;
            }
        } catch (IOException e) {
            throw new FaultException("cannot write down how to undo a fault, in " + file + ": " + e.getMessage(), e);
        }
    }

    /** Lets the file be; the guard deletes it. */
    @Override
    public void close() {
        try {
            out.close();
        } catch (IOException e) {
            throw new FaultException("cannot close " + file, e);
        }
    }

    /** Returns whose ledger a file is; empty if it has none of their first lines, or is not this user's own. */
    static Optional<ProcessIdentity> ownerOf(Path file) {
        if (!Files.isRegularFile(file, java.nio.file.LinkOption.NOFOLLOW_LINKS) || !StateDirectory.isPrivate(file)) {
            return Optional.empty();
        }
        try (Stream<String> lines = Files.lines(file)) {
            return lines.findFirst()
                    .filter(line -> line.startsWith(HEADER))
                    .map(line -> ProcessIdentity.parse(line.substring(HEADER.length())));
        } catch (IOException | UncheckedIOException | IllegalArgumentException e) {
            // Deleted by its guard meanwhile, or no ledger: there is nothing to undo that could be read.
            return Optional.empty();
        }
    }
}
