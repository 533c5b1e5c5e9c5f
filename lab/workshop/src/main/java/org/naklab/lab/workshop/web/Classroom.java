package org.naklab.lab.workshop.web;

import com.fasterxml.jackson.annotation.JsonFormat;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.naklab.lab.core.InputException;
import org.naklab.lab.core.Json;
import org.naklab.lab.core.UsageException;
import org.naklab.lab.report.web.Token;
import org.naklab.lab.workshop.Workshop;
import org.naklab.lab.workshop.seal.Seal;

/**
 * Tells who may do what in a class: the code by which trainees join, the token of each, that of the trainer, and what the trainer told all. It is kept in a file of
 * the workshop's directory that only its owner can read, so that a restart changes nothing. The tokens of trainees are kept as hashes.
 */
final class Classroom {
    /** Name of the file; no trainee has a name like that. */
    static final String NAME = "_class.json";

    private static final int MAX_TRAINEES = 200;
    /** Of one trainee: who opens another one loses the oldest. */
    static final int MAX_BROWSERS = 8;

    private static final int CODE_LENGTH = 8;
    /** None that looks like another. */
    private static final String CODE_LETTERS = "23456789abcdefghjkmnpqrstuvwxyz";

    private final Path directory;
    private State state;

    /**
     * Tells what is kept.
     *
     * @param unit that all are asked to work on; {@code null}: none yet
     * @param revealed names of units whose solutions all may see
     * @param trainees hashes of the tokens of their browsers by their names, the oldest first; none: may join once more
     */
    private record State(
            String code,
            String trainer,
            @Nullable String unit,
            Set<String> revealed,

            @JsonFormat(with = JsonFormat.Feature.ACCEPT_SINGLE_VALUE_AS_ARRAY)
            Map<String, List<String>> trainees) {
        State {
            revealed = Set.copyOf(revealed);
            Map<String, List<String>> hashes = new TreeMap<>();
            // An earlier version kept one hash, and an empty one for who may join once more.
            trainees.forEach((name, kept) -> hashes.put(
                    name, kept.stream().filter(hash -> !hash.isEmpty()).toList()));
            trainees = Map.copyOf(hashes);
        }
    }

    private Classroom(Path directory, State state) {
        this.directory = directory;
        this.state = state;
    }

    /**
     * Opens the class of a workshop, and begins one if there is none.
     *
     * @throws InputException its file cannot be read or written
     */
    static Classroom open(Path directory) {
        Path file = directory.resolve(NAME);
        if (!Files.exists(file)) {
            Classroom begun = new Classroom(directory, new State(freshCode(), Token.make(), null, Set.of(), Map.of()));
            begun.keep(begun.state);
            return begun;
        }
        try {
            return new Classroom(directory, Json.read(file, State.class));
        } catch (UncheckedIOException e) {
            throw new InputException("the class in " + file + " cannot be read: delete it to begin a new one", e);
        }
    }

    private static String freshCode() {
        SecureRandom random = new SecureRandom();
        StringBuilder code = new StringBuilder();
        for (int i = 0; i < CODE_LENGTH; i++) {
            code.append(i == CODE_LENGTH / 2 ? "-" : "")
                    .append(CODE_LETTERS.charAt(random.nextInt(CODE_LETTERS.length())));
        }
        return code.toString();
    }

    /** Returns the code by which trainees join. */
    synchronized String code() {
        return state.code();
    }

    /** Returns the token of the trainer. */
    synchronized String trainerToken() {
        return state.trainer();
    }

    boolean isCode(String code) {
        return Token.isSame(plain(code()), plain(code));
    }

    private static String plain(String code) {
        return code.toLowerCase(Locale.ROOT).replaceAll("[\\s-]", "");
    }

    boolean isTrainer(String token) {
        return Token.isSame(trainerToken(), token);
    }

    /**
     * Lets somebody join who knows the code.
     *
     * @return the token
     * @throws UsageException the name is taken, or was used in the terminal, or there are too many
     */
    synchronized String join(String trainee) {
        Set<String> taken = new TreeSet<>(String.CASE_INSENSITIVE_ORDER);
        taken.addAll(Workshop.trainees(directory));
        taken.addAll(state.trainees().keySet());
        if (List.of().equals(state.trainees().get(trainee))) {
            taken.remove(trainee);
        }
        if (taken.contains(trainee)) {
            throw new UsageException("the name " + trainee
                    + " is taken: choose another one, or, if it is yours, ask the " + "trainer to let you join again");
        }
        if (taken.size() >= MAX_TRAINEES) {
            throw new UsageException("the class is full: " + MAX_TRAINEES + " have joined");
        }
        return admit(trainee);
    }

    /**
     * Lets a trainee in, from one more browser.
     *
     * @return the token
     */
    synchronized String admit(String trainee) {
        String token = Token.make();
        List<String> hashes = new ArrayList<>(state.trainees().getOrDefault(trainee, List.of()));
        hashes.add(hash(token));
        keep(trainee, hashes.subList(Math.max(0, hashes.size() - MAX_BROWSERS), hashes.size()));
        return token;
    }

    /** Finds who has a token; empty if nobody has. */
    synchronized Optional<String> traineeOf(String token) {
        String hash = hash(token);
        return state.trainees().entrySet().stream()
                .filter(entry -> entry.getValue().contains(hash))
                .map(Map.Entry::getKey)
                .findFirst();
    }

    private static String hash(String token) {
        return Seal.sha256(token.getBytes(StandardCharsets.UTF_8));
    }

    /** Lets a trainee join again, from another browser. The tokens that were given before are worth nothing any more. */
    synchronized void release(String trainee) {
        keep(trainee, List.of());
    }

    private void keep(String trainee, List<String> hashes) {
        Map<String, List<String>> trainees = new TreeMap<>(state.trainees());
        trainees.put(trainee, hashes);
        keep(new State(state.code(), state.trainer(), state.unit(), state.revealed(), trainees));
    }

    /** Returns who joined or took part in the terminal, in the order of their names. */
    synchronized List<String> trainees() {
        Set<String> all = new TreeSet<>(state.trainees().keySet());
        all.addAll(Workshop.trainees(directory));
        return new ArrayList<>(all);
    }

    /** Returns the unit that all are asked to work on; empty if there is none yet. */
    synchronized Optional<String> unit() {
        return Optional.ofNullable(state.unit());
    }

    /** Asks all to work on a unit. */
    synchronized void call(String unit) {
        keep(new State(state.code(), state.trainer(), unit, state.revealed(), state.trainees()));
    }

    /** Returns whether all may see the solutions of a unit. From then on, it is no longer answered. */
    synchronized boolean isRevealed(String unit) {
        return state.revealed().contains(unit);
    }

    /** Shows all the solutions of a unit, or hides them again from who has not answered. */
    synchronized void reveal(String unit, boolean isShown) {
        Set<String> revealed = new TreeSet<>(state.revealed());
        if (isShown) {
            revealed.add(unit);
        } else {
            revealed.remove(unit);
        }
        keep(new State(state.code(), state.trainer(), state.unit(), revealed, state.trainees()));
    }

    private void keep(State next) {
        PrivateFile.replace(directory.resolve(NAME), next);
        state = next;
    }
}
