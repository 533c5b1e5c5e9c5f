package org.naklab.lab.cases;

import java.io.BufferedWriter;
import java.io.IOException;
import java.io.OutputStreamWriter;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.List;
import java.util.zip.GZIPOutputStream;
import org.naklab.lab.core.Json;
import org.naklab.lab.core.OutputFile;
import org.naklab.lab.core.timeline.TimelineWriter;

/** Writes the directory of a case. */
public final class CaseWriter {
    private CaseWriter() {}

    /** Writes something as text. */
    private interface Content {
        void writeTo(Writer out) throws IOException;
    }

    /**
     * Writes a case, and replaces what an earlier judgement of the same window wrote.
     *
     * @param directory is made; its parent must exist
     * @throws UncheckedIOException something cannot be written
     */
    public static void write(Path directory, Case evidence) {
        try {
            OutputFile.directory(directory);
            compressed(directory.resolve(CaseReader.EVENTS), out -> {
                try (TimelineWriter events = new TimelineWriter(out, Long.MAX_VALUE)) {
                    evidence.events().forEach(events::onEvent);
                }
            });
            compressed(directory.resolve(CaseReader.READINGS), out -> ReadingTable.write(out, evidence.readings()));
        } catch (IOException e) {
            throw new UncheckedIOException("the case cannot be written: " + e, e);
        }
        // Last: a directory with it is whole.
        Json.write(directory.resolve(CaseDocument.NAME), evidence.document());
    }

    /**
     * Writes the truth into the directory of a case.
     *
     * @throws UncheckedIOException it cannot be written
     */
    public static void write(Path directory, Truth truth) {
        Json.write(directory.resolve(Truth.NAME), truth);
    }

    /**
     * Adds files that a run or a watch wrote beside its case, such as samples and recordings, without copying their contents where the file system
     * allows that.
     *
     * @param directory of the case
     * @param files those that do not exist are left out
     * @throws UncheckedIOException a file cannot be added
     */
    public static void add(Path directory, List<Path> files) {
        for (Path file : files) {
            if (Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) {
                Path target = directory.resolve(file.getFileName());
                try {
                    link(target, file);
                } catch (IOException e) {
                    throw new UncheckedIOException("the case cannot be completed: " + e, e);
                }
            }
        }
    }

    private static void link(Path target, Path file) throws IOException {
        Files.deleteIfExists(target);
        try {
            Files.createLink(target, file);
        } catch (UnsupportedOperationException noLinksHere) {
            Files.copy(file, target);
        }
    }

    private static void compressed(Path file, Content content) throws IOException {
        OutputFile.replace(file, raw -> {
            try (Writer out =
                    new BufferedWriter(new OutputStreamWriter(new GZIPOutputStream(raw), StandardCharsets.UTF_8))) {
                content.writeTo(out);
            }
        });
    }
}
