package org.naklab.lab.report.live;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.naklab.lab.core.Units;

/**
 * Plays a film, or what goes on now, to one viewer: where it is, how fast it goes, and what the viewer was told already. One thread.
 *
 * <p>A frame holds the columns of pixels since those that were sent last, so that a frame that is left out is contained in the next.
 */
final class FilmPlayer {
    /** Version of the messages. */
    static final int VERSION = 4;

    /** Kind of a binary message: columns of the strips. */
    static final int STRIPS = 1;

    static final int MAX_COLUMNS = 4_096;
    static final double LEAST_WINDOW_MS = 10;
    static final double MAX_WINDOW_MS = 600_000;
    static final double LEAST_SPEED = 0.001;
    static final double MAX_SPEED = 100;

    private static final int HEAD_BYTES = 52;
    private static final int STALL_BYTES = 6;
    private static final int MAX_STALLS = 16;
    private static final int PLAYS = 1;
    private static final int FOLLOWS = 2;

    private final Playable film;
    private final boolean isLive;
    /** Those that the viewer was told of. */
    private List<Strip> strips;

    private double atNs;
    private double speed = 1;
    private boolean isPlaying = true;
    /** Whether it stays at the present of what goes on. */
    private boolean isFollowing;

    private int columns = 600;
    private double windowNs = 60_000 * Units.NS_PER_MS;
    private long sentColumn = -1;
    private long sentScenes;
    private long seenChanges;
    private boolean isReset = true;
    private boolean isVerdictAsked;
    private boolean isVerdictTold;
    private boolean areAccountsTold;
    private List<Film.Stalled> openTold = List.of();
    private Map<String, Object> soFarTold = Map.of();
    private int instrument;
    private BookMoments.@Nullable Moment toldBooks;
    private boolean isInstrumentNew;
    private boolean isEndTold;
    private StallsTold stallsTold = new StallsTold(List.of(), 0, 0);

    /** Tells what the viewer knows of the stalls: how many have begun, and how many are over. */
    private record StallsTold(List<Film.Stalled> stalls, long begun, long over) {
        StallsTold {
            stalls = List.copyOf(stalls);
        }

        static StallsTold at(List<Film.Stalled> stalls, double nowNs) {
            return new StallsTold(
                    stalls,
                    stalls.stream().filter(stall -> stall.beginNs() <= nowNs).count(),
                    stalls.stream().filter(stall -> stall.endNs() <= nowNs).count());
        }
    }

    FilmPlayer(Playable film) {
        this.film = film;
        isLive = film.kind() != Playable.Kind.FILM;
        isFollowing = isLive;
        areAccountsTold = film.kind() == Playable.Kind.WATCH;
        strips = film.strips();
        seenChanges = film.changes();
        advance(0);
    }

    /** Goes on by the time that has passed for the viewer. */
    void advance(long elapsedNs) {
        double lengthNs = lengthNs();
        if (isFollowing) {
            atNs = lengthNs;
        } else if (isPlaying) {
            atNs = Math.min(lengthNs, atNs + elapsedNs * speed);
            boolean isAtEnd = atNs >= lengthNs;
            isFollowing = isLive && isAtEnd;
            isPlaying = isLive || !isAtEnd;
        }
    }

    private double lengthNs() {
        return film.endNs() - film.beginNs();
    }

    /**
     * Does what a viewer asks for.
     *
     * @throws IllegalArgumentException a value is not in its range
     */
    void command(ViewerCommand command) {
        if (command.seekMs() != null) {
            seek(between("seekMs", command.seekMs(), 0, lengthNs() / Units.NS_PER_MS) * Units.NS_PER_MS);
        }
        if (command.speed() != null) {
            speed = between("speed", command.speed(), LEAST_SPEED, MAX_SPEED);
        }
        if (command.columns() != null) {
            columns = (int) between("columns", command.columns(), 1, MAX_COLUMNS);
            sentColumn = -1;
        }
        if (command.windowMs() != null) {
            windowNs = between("windowMs", command.windowMs(), LEAST_WINDOW_MS, MAX_WINDOW_MS) * Units.NS_PER_MS;
            sentColumn = -1;
        }
        if (command.play() != null) {
            play(command.play());
        }
        if (Boolean.TRUE.equals(command.live()) && isLive) {
            seek(lengthNs());
            isPlaying = true;
            isFollowing = true;
        }
        if (command.instrument() != null) {
            instrument = command.instrument();
            isInstrumentNew = true;
        }
        isVerdictAsked |= Boolean.TRUE.equals(command.reveal());
    }

    private void play(boolean isWanted) {
        isPlaying = isWanted;
        isFollowing &= isWanted;
        if (isWanted && !isLive && atNs >= lengthNs()) {
            seek(0);
        }
    }

    private void seek(double toNs) {
        atNs = toNs;
        isFollowing = false;
        sentColumn = -1;
        sentScenes = 0;
        isReset = true;
    }

    private static double between(String name, double value, double least, double most) {
        if (value >= least && value <= most) {
            return value;
        }
        throw new IllegalArgumentException(name + " is a number from " + least + " to " + most);
    }

    /** Returns the description of what is shown, the first message to a viewer. */
    Map<String, Object> hello() {
        Map<String, Object> hello = new LinkedHashMap<>();
        hello.put("version", VERSION);
        hello.put("kind", film.kind().name().toLowerCase(Locale.ROOT));
        hello.put("title", film.title());
        hello.put("secrecy", film.secrecy().name().toLowerCase(Locale.ROOT));
        hello.put("lengthMs", lengthNs() / Units.NS_PER_MS);
        Long offset = film.epochOffsetNs();
        if (offset != null) {
            hello.put("epochMs", (film.beginNs() + offset) / Units.NS_PER_MS);
        }
        hello.put("strips", strips.stream().map(FilmPlayer::description).toList());
        return hello;
    }

    private static Map<String, Object> description(Strip strip) {
        return Map.of(
                "id", strip.id(),
                "title", strip.title(),
                "unit", strip.unit(),
                "what", strip.what(),
                "lines",
                        strip.lines().stream()
                                .map(line -> Map.of(
                                        "name",
                                        line.name(),
                                        "role",
                                        line.role(),
                                        "kind",
                                        line.kind().name(),
                                        "stage",
                                        line.stage()))
                                .toList());
    }

    /**
     * Returns the columns that the viewer has not seen, and the present one.
     *
     * @param left frames that were left out because the viewer was slow
     */
    ByteBuffer frame(int left) {
        double columnNs = windowNs / columns;
        long nowColumn = (long) Math.floor(atNs / columnNs);
        long unsent = firstUnsent(columnNs);
        long first = Math.max(Math.max(0, nowColumn - columns + 1), unsent);
        int count = isPlaying || unsent < nowColumn ? (int) Math.max(0, nowColumn - first + 1) : 0;
        List<Film.Stalled> stalls = film.stalls();
        List<Film.Stalled> stalled = stalledNow(stalls);
        int lines = strips.stream().mapToInt(strip -> strip.lines().size()).sum();
        ByteBuffer out = ByteBuffer.allocate(
                HEAD_BYTES + 1 + STALL_BYTES * stalled.size() + lines * count * StripLine.COLUMN_BYTES);
        out.put((byte) VERSION)
                .put((byte) STRIPS)
                .put((byte) ((isPlaying ? PLAYS : 0) | (isFollowing ? FOLLOWS : 0)))
                .put((byte) lines)
                .putInt(left)
                .putDouble(atNs / Units.NS_PER_MS)
                .putDouble(columnNs / Units.NS_PER_MS)
                .putDouble((double) first)
                .putDouble((film.earliestNs() - film.beginNs()) / Units.NS_PER_MS)
                .putDouble(lengthNs() / Units.NS_PER_MS)
                .putShort((short) count)
                .putShort((short) columns);
        out.put((byte) stalled.size());
        for (Film.Stalled stall : stalled) {
            out.putShort((short) stalls.indexOf(stall))
                    .putFloat((float) ((film.beginNs() + atNs - stall.beginNs()) / Units.NS_PER_MS));
        }
        for (Strip strip : strips) {
            for (StripLine line : strip.lines()) {
                append(out, line, first, count, columnNs);
            }
        }
        sentColumn = nowColumn;
        return out.flip();
    }

    /** What is known late changes columns that were sent already. */
    private long firstUnsent(double columnNs) {
        long changes = film.changes();
        long changedNs = film.changedNs(seenChanges);
        seenChanges = changes;
        if (changedNs == Long.MAX_VALUE || sentColumn < 0) {
            return sentColumn;
        }
        return Math.min(sentColumn, (long) Math.floor((changedNs - film.beginNs()) / columnNs));
    }

    private void append(ByteBuffer out, StripLine line, long first, int count, double columnNs) {
        for (long column = first; column < first + count; column++) {
            long fromNs = film.beginNs() + (long) (column * columnNs);
            long untilNs = film.beginNs() + (long) Math.min(atNs, (column + 1) * columnNs);
            line.append(out, fromNs, untilNs);
        }
    }

    private List<Film.Stalled> stalledNow(List<Film.Stalled> stalls) {
        double nowNs = film.beginNs() + atNs;
        return stalls.stream()
                .filter(stall -> stall.beginNs() <= nowNs && nowNs < stall.endNs())
                .limit(MAX_STALLS)
                .toList();
    }

    /** Returns what the viewer must be told before the next frame; empty if there is nothing. */
    List<Map<String, Object>> messages() {
        List<Map<String, Object>> messages = new ArrayList<>();
        List<Strip> now = film.strips();
        if (now != strips) {
            strips = now;
            sentColumn = -1;
            messages.add(hello());
        }
        addScenes(messages);
        addBooks(messages);
        String ending = film.ending();
        if (ending != null && !isEndTold) {
            isEndTold = true;
            messages.add(Map.of("end", ending));
        }
        Map<String, Object> verdict = film.verdict();
        if (!isVerdictTold && isVerdictDue() && !verdict.isEmpty()) {
            isVerdictTold = true;
            messages.add(Map.of("verdict", verdict));
        }
        addOpenAccounts(messages);
        addSoFar(messages);
        return messages;
    }

    /** What is known of the stalls that last, and all accounts when they may be told from now on. */
    private void addOpenAccounts(List<Map<String, Object>> messages) {
        if (!isAccountDue()) {
            return;
        }
        if (!areAccountsTold) {
            areAccountsTold = true;
            messages.add(scenes(List.of(), stallsTold));
        }
        List<Film.Stalled> open = film.openStalls();
        if (open != openTold) {
            openTold = open;
            messages.add(Map.of(
                    "accounts",
                    open.stream()
                            .filter(stall -> !stall.parts().isEmpty())
                            .map(stall -> Map.of(
                                    "process",
                                    stall.process(),
                                    "thread",
                                    stall.thread(),
                                    "atMs",
                                    (stall.beginNs() - film.beginNs()) / Units.NS_PER_MS,
                                    "parts",
                                    stall.parts()))
                            .toList()));
        }
    }

    /** What is known before the verdict; not to those who look at the past, where it is not known yet. */
    private void addSoFar(List<Map<String, Object>> messages) {
        if (isVerdictTold || !isFollowing || !isAccountDue()) {
            return;
        }
        Map<String, Object> now = film.soFar();
        if (now != soFarTold && !now.isEmpty()) {
            soFarTold = now;
            messages.add(Map.of("soFar", now));
        }
    }

    /** An account names the cause. Of a run that goes on it may be told before the verdict. */
    private boolean isAccountDue() {
        return switch (film.kind()) {
            case WATCH -> true;
            case RUN -> isVerdictTold || isVerdictDue();
            case FILM, IDLE -> isVerdictTold;
        };
    }

    private boolean isVerdictDue() {
        return switch (film.secrecy()) {
            case EACH -> isVerdictAsked;
            case SEALED -> false;
            case TOLD -> true;
        };
    }

    private void addBooks(List<Map<String, Object>> messages) {
        BookMoments.Moment books = film.books().at(film.beginNs() + (long) atNs);
        if (books != null && (isInstrumentNew || !BookMoments.isSame(books, toldBooks))) {
            messages.add(Map.of("books", BookMoments.message(books, instrument, film.beginNs())));
            isInstrumentNew = false;
        }
        toldBooks = books;
    }

    private void addScenes(List<Map<String, Object>> messages) {
        double nowNs = film.beginNs() + atNs;
        Playable.Told told = film.told(sentScenes, (long) nowNs);
        StallsTold stalls = StallsTold.at(film.stalls(), nowNs);
        boolean areStallsNew = isReset || !stalls.equals(stallsTold);
        if (areStallsNew || !told.scenes().isEmpty()) {
            messages.add(scenes(told.scenes(), areStallsNew ? stalls : null));
            isReset = false;
            stallsTold = stalls;
        }
        sentScenes = told.next();
    }

    /** @param stalls {@code null}: they are as the viewer knows them */
    private Map<String, Object> scenes(List<Film.Scene> due, @Nullable StallsTold stalls) {
        double nowNs = film.beginNs() + atNs;
        Map<String, Object> message = new LinkedHashMap<>();
        message.put("reset", isReset);
        message.put("events", due.stream().map(this::event).toList());
        if (stalls != null) {
            message.put(
                    "stalls",
                    stalls.stalls().stream()
                            .filter(stall -> stall.beginNs() <= nowNs)
                            .map(stall -> stall(stall, nowNs))
                            .toList());
        }
        return message;
    }

    private Map<String, Object> event(Film.Scene scene) {
        return Map.of(
                "atMs", (scene.beginNs() - film.beginNs()) / Units.NS_PER_MS,
                "type", scene.type(),
                "process", scene.process(),
                "text", scene.text(),
                "figures", scene.figures());
    }

    /** The account of a stall is complete when it is over, and names the cause. */
    private Map<String, Object> stall(Film.Stalled stall, double nowNs) {
        boolean isOver = stall.endNs() <= nowNs;
        return Map.of(
                "process",
                stall.process(),
                "thread",
                stall.thread(),
                "atMs",
                (stall.beginNs() - film.beginNs()) / Units.NS_PER_MS,
                "lengthMs",
                isOver ? (stall.endNs() - stall.beginNs()) / Units.NS_PER_MS : -1,
                "parts",
                isOver && isAccountDue() ? stall.parts() : List.of());
    }
}
