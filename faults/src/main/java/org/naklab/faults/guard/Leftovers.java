package org.naklab.faults.guard;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.naklab.faults.FaultException;

/** Undoes what processes left that were killed together with their guards. */
public final class Leftovers {
    private static final String UNDONE = "undone ";

    private Leftovers() {}

    /**
     * Reports which of the promises that were found have been undone.
     *
     * @param undone one line for each that was kept now
     * @param left one line for each that could not be, with the reason; they are tried again the next time
     */
    public record Outcome(List<String> undone, List<String> left) {
        public Outcome {
            undone = List.copyOf(undone);
            left = List.copyOf(left);
        }
    }

    /** Keeps the promises of all of this user's processes that have ended, after a guard that is at it. */
    public static Outcome undo() {
        List<String> undone = new ArrayList<>();
        List<String> left = new ArrayList<>();
        Optional<Path> directory = StateDirectory.existing();
        if (directory.isEmpty()) {
            return new Outcome(undone, left);
        }
        try (DirectoryStream<Path> files = Files.newDirectoryStream(directory.get(), "*.ledger")) {
            for (Path file : files) {
                Optional<ProcessIdentity> owner = Ledger.ownerOf(file);
                if (owner.isPresent() && owner.get().life() == ProcessIdentity.Life.ENDED) {
                    undo(file, undone, left);
                }
            }
        } catch (IOException e) {
            throw new FaultException("cannot read the promises in " + directory.get() + ": " + e.getMessage(), e);
        }
        return new Outcome(undone, left);
    }

    private static void undo(Path ledger, List<String> undone, List<String> left) throws IOException {
        Process guard = GuardScript.guard(ledger, 1)
                .redirectInput(Path.of("/dev/null").toFile())
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        String said = new String(guard.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        said.lines().forEach(line -> {
            if (line.startsWith(UNDONE)) {
                undone.add(line.substring(UNDONE.length()));
            } else {
                left.add(line);
            }
        });
    }
}
