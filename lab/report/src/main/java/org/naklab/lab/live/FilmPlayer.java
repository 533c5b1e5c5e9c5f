package org.naklab.lab.live;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Plays a film to one viewer: where it is, how fast it goes, and what the viewer was told already. One thread.
 *
 * <p>A frame holds the columns of pixels since those that were sent last, so that a frame that is left out is contained in the next.
 */
final class FilmPlayer {
    /** Version of the messages. */
    static final int VERSION = 1;

    /** Kind of a binary message: columns of the strips. */
    static final int STRIPS = 1;

    static final int MAX_COLUMNS = 4_096;
    static final double LEAST_WINDOW_MS = 10;
    static final double MAX_WINDOW_MS = 600_000;
    static final double LEAST_SPEED = 0.001;
    static final double MAX_SPEED = 100;

    private static final double NS_PER_MS = 1e6;
    private static final int HEAD_BYTES = 32;
    private static final int STALL_BYTES = 6;
    private static final int MAX_STALLS = 16;

    private final Film film;
    private double atNs;
    private double speed = 1;
    private boolean isPlaying = true;
    private int columns = 600;
    private double windowNs = 60_000 * NS_PER_MS;
    private long sentColumn = -1;
    private int sentScenes;
    private boolean isReset = true;
    private boolean isVerdictAsked;

    FilmPlayer(Film film) {
        this.film = film;
    }

    /** Goes on by the time that has passed for the viewer. */
    void advance(long elapsedNs) {
        if (isPlaying) {
            double lengthNs = film.endNs() - film.beginNs();
            atNs = Math.min(lengthNs, atNs + elapsedNs * speed);
            isPlaying = atNs < lengthNs;
        }
    }

    /**
     * Does what a viewer asks for.
     *
     * @throws IllegalArgumentException a value is not in its range
     */
    void command(ViewerCommand command) {
        double lengthNs = film.endNs() - film.beginNs();
        if (command.seekMs() != null) {
            seek(between("seekMs", command.seekMs(), 0, lengthNs / NS_PER_MS) * NS_PER_MS);
        }
        if (command.speed() != null) {
            speed = between("speed", command.speed(), LEAST_SPEED, MAX_SPEED);
        }
        if (command.columns() != null) {
            columns = (int) between("columns", command.columns(), 1, MAX_COLUMNS);
            sentColumn = -1;
        }
        if (command.windowMs() != null) {
            windowNs = between("windowMs", command.windowMs(), LEAST_WINDOW_MS, MAX_WINDOW_MS) * NS_PER_MS;
            sentColumn = -1;
        }
        if (command.play() != null) {
            isPlaying = command.play();
            if (isPlaying && atNs >= lengthNs) {
                seek(0);
            }
        }
        isVerdictAsked |= Boolean.TRUE.equals(command.reveal());
    }

    private void seek(double toNs) {
        atNs = toNs;
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

    /** Returns the description of the film, the first message to a viewer. */
    Map<String, Object> hello() {
        Map<String, Object> hello = new LinkedHashMap<>();
        hello.put("version", VERSION);
        hello.put("title", film.title());
        hello.put("lengthMs", (film.endNs() - film.beginNs()) / NS_PER_MS);
        Long offset = film.epochOffsetNs();
        if (offset != null) {
            hello.put("epochMs", (film.beginNs() + offset) / NS_PER_MS);
        }
        hello.put("strips", film.strips().stream().map(FilmPlayer::description).toList());
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
                                        line.kind().name()))
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
        long first = Math.max(Math.max(0, nowColumn - columns + 1), sentColumn);
        int count = (int) (nowColumn - first + 1);
        List<Film.Stalled> stalled = stalledNow();
        ByteBuffer out = ByteBuffer.allocate(
                HEAD_BYTES + 1 + STALL_BYTES * stalled.size() + film.lines() * count * StripLine.COLUMN_BYTES);
        out.put((byte) VERSION)
                .put((byte) STRIPS)
                .put((byte) (isPlaying ? 1 : 0))
                .put((byte) film.lines())
                .putInt(left)
                .putDouble(atNs / NS_PER_MS)
                .putDouble(columnNs / NS_PER_MS)
                .putInt((int) first)
                .putShort((short) count)
                .putShort((short) columns);
        out.put((byte) stalled.size());
        for (Film.Stalled stall : stalled) {
            out.putShort((short) film.stalls().indexOf(stall))
                    .putFloat((float) ((film.beginNs() + atNs - stall.beginNs()) / NS_PER_MS));
        }
        for (Strip strip : film.strips()) {
            for (StripLine line : strip.lines()) {
                append(out, line, first, count, columnNs);
            }
        }
        sentColumn = nowColumn;
        return out.flip();
    }

    private void append(ByteBuffer out, StripLine line, long first, int count, double columnNs) {
        for (long column = first; column < first + count; column++) {
            long fromNs = film.beginNs() + (long) (column * columnNs);
            long untilNs = film.beginNs() + (long) Math.min(atNs, (column + 1) * columnNs);
            line.append(out, fromNs, untilNs);
        }
    }

    private List<Film.Stalled> stalledNow() {
        double nowNs = film.beginNs() + atNs;
        return film.stalls().stream()
                .filter(stall -> stall.beginNs() <= nowNs && nowNs < stall.endNs())
                .limit(MAX_STALLS)
                .toList();
    }

    /** Returns what the viewer must be told beside the strips; empty if there is nothing. */
    List<Map<String, Object>> messages() {
        List<Map<String, Object>> messages = new ArrayList<>();
        double nowNs = film.beginNs() + atNs;
        int due = sentScenes;
        while (due < film.scenes().size() && film.scenes().get(due).toldNs() <= nowNs) {
            due++;
        }
        if (isReset || due > sentScenes) {
            messages.add(Map.of(
                    "reset",
                    isReset,
                    "events",
                    film.scenes().subList(sentScenes, due).stream()
                            .map(this::event)
                            .toList(),
                    "stalls",
                    film.stalls().stream()
                            .filter(stall -> stall.beginNs() <= nowNs)
                            .map(stall -> stall(stall, nowNs))
                            .toList()));
            isReset = false;
            sentScenes = due;
        }
        if (isVerdictAsked) {
            isVerdictAsked = false;
            messages.add(Map.of("verdict", film.verdict()));
        }
        return messages;
    }

    private Map<String, Object> event(Film.Scene scene) {
        return Map.of(
                "atMs", (scene.beginNs() - film.beginNs()) / NS_PER_MS,
                "type", scene.type(),
                "process", scene.process(),
                "text", scene.text(),
                "figures", scene.figures());
    }

    /** The account of a stall is complete when it is over. */
    private Map<String, Object> stall(Film.Stalled stall, double nowNs) {
        boolean isOver = stall.endNs() <= nowNs;
        return Map.of(
                "process",
                stall.process(),
                "thread",
                stall.thread(),
                "atMs",
                (stall.beginNs() - film.beginNs()) / NS_PER_MS,
                "lengthMs",
                isOver ? (stall.endNs() - stall.beginNs()) / NS_PER_MS : -1,
                "parts",
                isOver ? stall.parts() : List.of());
    }
}
