package org.naklab.lab.cases;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.ProviderNotFoundException;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import org.jspecify.annotations.Nullable;
import org.naklab.lab.core.InputException;
import org.naklab.lab.core.Json;
import org.naklab.lab.core.timeline.DetectException;
import org.naklab.lab.core.timeline.TimelineReader;

/**
 * Opens a case: its directory, the directory of the run or of the recorded watch that it belongs to, or a zip archive of any of them, such as a bundle. Close
 * it when it is read.
 */
public final class CaseReader implements AutoCloseable {
    /** Name of the directory of a case in the directory of its run. */
    public static final String DIRECTORY = "case";

    static final String EVENTS = "timeline.jsonl.gz";
    static final String READINGS = "readings.csv.gz";

    /** An archive that somebody else made must not fill the memory: a case of hours has less. */
    private static final long MAX_BYTES = 2L << 30;

    private final Path directory;
    private final String name;
    private final @Nullable FileSystem archive;

    private CaseReader(Path directory, String name, @Nullable FileSystem archive) {
        this.directory = directory;
        this.name = name;
        this.archive = archive;
    }

    /**
     * Opens a case.
     *
     * @param path of a directory or an archive
     * @throws InputException there is no case
     */
    public static CaseReader open(Path path) {
        String name = path.toString();
        if (Files.isDirectory(path)) {
            return find(path)
                    .map(directory -> new CaseReader(directory, name, null))
                    .orElseThrow(() -> new InputException("no case in " + path + ": it has neither " + CaseDocument.NAME
                            + " nor " + DIRECTORY + "/" + CaseDocument.NAME));
        }
        if (!Files.exists(path)) {
            throw new InputException("there is no " + path);
        }
        return openArchive(path, name);
    }

    private static CaseReader openArchive(Path path, String name) {
        FileSystem archive;
        try {
            archive = FileSystems.newFileSystem(path, Map.of());
        } catch (IOException | ProviderNotFoundException e) {
            throw new InputException(path + " is neither a directory nor a zip archive of a case", e);
        }
        Optional<Path> directory = find(archive.getPath("/"));
        if (directory.isEmpty()) {
            close(archive);
            throw new InputException("no case in " + path + ": it has no " + CaseDocument.NAME);
        }
        return new CaseReader(directory.get(), name, archive);
    }

    private static Optional<Path> find(Path top) {
        return Stream.of(top, top.resolve(DIRECTORY))
                .filter(directory -> Files.isRegularFile(directory.resolve(CaseDocument.NAME)))
                .findFirst();
    }

    /** Returns the directory with the files of the case. */
    public Path directory() {
        return directory;
    }

    /**
     * Reads the evidence.
     *
     * @throws InputException the case is damaged, or of a later version
     */
    public Case read() {
        CaseDocument document = document();
        return new Case(
                document,
                content(EVENTS, in -> TimelineReader.read(in, name + " " + EVENTS)),
                content(READINGS, ReadingTable::read));
    }

    /** Reads the truth; empty if the case has none with it. */
    public Optional<Truth> truth() {
        return Files.exists(directory.resolve(Truth.NAME))
                ? Optional.of(value(Truth.NAME, Truth.class))
                : Optional.empty();
    }

    private CaseDocument document() {
        int format = value(CaseDocument.NAME, JsonNode.class).path("format").asInt();
        if (format > CaseDocument.FORMAT) {
            throw new InputException(name + " has format " + format + ", and this version reads cases up to format "
                    + CaseDocument.FORMAT + ": use the version that wrote it or a later one");
        }
        return value(CaseDocument.NAME, CaseDocument.class);
    }

    private <T> T value(String file, Class<T> type) {
        try (InputStream in = Files.newInputStream(directory.resolve(file))) {
            return Json.value(Json.parse(in.readNBytes((int) Math.min(MAX_BYTES, Integer.MAX_VALUE - 8))), type);
        } catch (IOException | UncheckedIOException e) {
            throw damaged(file, e);
        }
    }

    /** Takes what a reader gives. */
    private interface Content<T> {
        T read(BufferedReader in) throws IOException;
    }

    private <T> T content(String file, Content<T> content) {
        try (InputStream raw = Files.newInputStream(directory.resolve(file));
                InputStream in = new BoundedInput(new GZIPInputStream(raw), MAX_BYTES);
                BufferedReader reader = new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8))) {
            return content.read(reader);
        } catch (IOException | DetectException e) {
            throw damaged(file, e);
        }
    }

    private InputException damaged(String file, Exception e) {
        String reason = e instanceof NoSuchFileException ? "is missing" : "cannot be read: " + oneLine(e);
        return new InputException("the case " + name + " is damaged: " + file + " " + reason, e);
    }

    private static String oneLine(Exception e) {
        return String.valueOf(e.getMessage()).lines().findFirst().orElse("");
    }

    @Override
    public void close() {
        if (archive != null) {
            close(archive);
        }
    }

    private static void close(FileSystem archive) {
        try {
            archive.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
