package org.naklab.lab.workshop.web;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.naklab.lab.core.InputException;
import org.naklab.lab.core.Json;
import org.naklab.lab.core.UsageException;
import org.naklab.lab.report.web.Token;
import org.naklab.lab.workshop.seal.Seal;

/**
 * The link by which somebody who does the course alone opens a browser. It works once, and only until the next one is made. Its hash is in a file of the workshop's
 * directory that only its owner can read and replace: whoever can make a fresh link could read all files of the workshop anyway.
 */
final class LoneLink {
    /** Name of the file; no trainee has a name like that. */
    static final String NAME = "_alone.json";

    private static final String USED = "";

    private final Path directory;

    /**
     * Tells what is kept.
     *
     * @param address of the server
     * @param trainee who does the course
     * @param hash of the secret part of the link; empty: it was used
     */
    private record State(String address, String trainee, String hash) {}

    LoneLink(Path directory) {
        this.directory = directory;
    }

    /** Returns whether a server of the directory is for one person alone. */
    boolean isOffered() {
        return Files.exists(file());
    }

    /**
     * Makes the first link of a server.
     *
     * @param address of the server, with a slash at its end
     * @throws InputException the directory cannot be written
     */
    String offer(String address, String trainee) {
        String secret = Token.make();
        keep(new State(address, trainee, Seal.sha256(secret.getBytes(StandardCharsets.UTF_8))));
        return address + "#" + secret;
    }

    /**
     * Makes another link, and takes back the one of before if it was not used.
     *
     * @throws UsageException no server is there for one person alone
     * @throws InputException the directory cannot be read or written
     */
    String renew() {
        State state = state().orElseThrow(
                        () -> new UsageException("no server of this workshop is for one person: start "
                                + "it with 'naklab workshop serve --alone', and let it run"));
        return offer(state.address(), state.trainee());
    }

    /** Returns whose link has a secret, which is worth nothing from then on; empty if the secret is wrong or was used. */
    synchronized Optional<String> use(String secret) {
        Optional<State> state = state().filter(each -> !each.hash().equals(USED) && isHash(each.hash(), secret));
        state.ifPresent(each -> keep(new State(each.address(), each.trainee(), USED)));
        return state.map(State::trainee);
    }

    private static boolean isHash(String hash, String secret) {
        String given = Seal.sha256(secret.getBytes(StandardCharsets.UTF_8));
        return Token.isSame(hash, given);
    }

    /** Makes no more links: the server has ended. */
    void withdraw() {
        try {
            Files.deleteIfExists(file());
        } catch (IOException e) {
            throw new InputException("the file " + file() + " cannot be deleted: " + e.getMessage(), e);
        }
    }

    private Path file() {
        return directory.resolve(NAME);
    }

    private Optional<State> state() {
        try {
            return isOffered() ? Optional.of(Json.read(file(), State.class)) : Optional.empty();
        } catch (UncheckedIOException e) {
            throw new InputException(
                    "the link in " + file() + " cannot be read: end the server, and start it again", e);
        }
    }

    private void keep(State state) {
        PrivateFile.replace(file(), state);
    }
}
