package org.naklab.lab.report.live;

import io.netty.channel.ChannelHandler;
import java.io.IOException;
import java.io.InputStream;
import java.lang.ref.SoftReference;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import org.jspecify.annotations.Nullable;
import org.naklab.lab.core.InputException;
import org.naklab.lab.core.timeline.DetectException;
import org.naklab.lab.records.RunRecord;

/** Opens the runs of a server as films. The film that was opened last is kept, since many viewers look at the same one. Safe for several threads. */
public final class Films {
    /** Opens the files of the runs, and follows no link. */
    public interface Shelf {
        /** Opens a file of a run; {@code null}: there is none. */
        @Nullable
        FileChannel open(String scenario, String run, String name) throws IOException;
    }

    private final Shelf shelf;
    private String keptName = "";
    private long keptBytes;
    private SoftReference<Film> kept = new SoftReference<>(null);

    /** Plays the runs of a shelf. */
    public Films(Shelf shelf) {
        this.shelf = shelf;
    }

    /** Plays evidence to one viewer. */
    public static ChannelHandler socket(FilmEvidence evidence) {
        return new FilmSocket(FilmReader.of(evidence));
    }

    /**
     * Opens a run for one viewer.
     *
     * @return {@code null}: there is no such run that has ended
     * @throws IOException a file of it cannot be read
     */
    public @Nullable ChannelHandler socket(String scenario, String run) throws IOException {
        Film film = film(scenario, run);
        return film == null ? null : new FilmSocket(film);
    }

    private synchronized @Nullable Film film(String scenario, String run) throws IOException {
        String name = scenario + "/" + run;
        long bytes = 0;
        try (FileChannel record = shelf.open(scenario, run, RunRecord.NAME)) {
            if (record == null) {
                return null;
            }
            bytes = record.size();
        }
        Film film = kept.get();
        if (film == null || !keptName.equals(name) || keptBytes != bytes || run.equals("latest")) {
            try {
                film = FilmReader.read(name, file -> stream(scenario, run, file));
            } catch (InputException | DetectException e) {
                throw new IOException("no film of " + name + ": " + e.getMessage(), e);
            }
            kept = new SoftReference<>(film);
            keptName = name;
            keptBytes = bytes;
        }
        return film;
    }

    private @Nullable InputStream stream(String scenario, String run, String file) throws IOException {
        FileChannel channel = shelf.open(scenario, run, file);
        return channel == null ? null : Channels.newInputStream(channel);
    }
}
