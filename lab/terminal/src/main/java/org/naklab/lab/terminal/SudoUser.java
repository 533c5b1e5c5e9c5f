package org.naklab.lab.terminal;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.naklab.files.FileOwner;

/** Gives what a command has written as root to the user who started it with sudo. Does nothing if nobody did. */
public final class SudoUser {
    private final Map<String, String> environment;
    private final PrintStream notes;

    /** @param notes receives one line if something still belongs to root */
    public SudoUser(PrintStream notes) {
        this(System.getenv(), notes);
    }

    SudoUser(Map<String, String> environment, PrintStream notes) {
        this.environment = environment;
        this.notes = notes;
    }

    /** Tells what is given to a user. */
    @FunctionalInterface
    public interface Gift {
        void giveTo(FileOwner owner) throws IOException;
    }

    /**
     * Gives something to the user.
     *
     * @param what for people, such as "the run"
     */
    public void give(String what, Gift gift) {
        try {
            Optional<FileOwner> owner = FileOwner.ofSudo(environment);
            if (owner.isPresent()) {
                gift.giveTo(owner.get());
            }
        } catch (IOException e) {
            notes.println("note: " + what + " still belongs to root: " + e.getMessage());
        }
    }

    /** Gives a directory to the user, with everything in it. */
    public void giveTree(String what, Path directory) {
        give(what, owner -> owner.takeTree(directory));
    }
}
