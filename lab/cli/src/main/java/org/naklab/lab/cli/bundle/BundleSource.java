package org.naklab.lab.cli.bundle;

import com.fasterxml.jackson.core.JsonProcessingException;
import java.io.BufferedReader;
import java.io.CharConversionException;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.io.Reader;
import java.nio.channels.Channels;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import java.util.zip.GZIPInputStream;
import java.util.zip.ZipException;
import org.naklab.lab.core.InputException;
import org.naklab.lab.core.RegularFile;

/**
 * A file of the directory that is bundled.
 *
 * @param path relative to the directory, with slashes
 * @param bytes its size
 */
record BundleSource(Path file, String path, long bytes, boolean isRegular) {
    /** What comes later in a line is left out: the work for a line has a bound. */
    static final int MAX_LINE = 1 << 16;

    /**
     * Finds all files below a directory, by their paths; follows no symbolic link.
     *
     * @throws InputException the directory cannot be read
     */
    static List<BundleSource> below(Path directory) {
        List<BundleSource> found = new ArrayList<>();
        try {
            Files.walkFileTree(directory, new SimpleFileVisitor<>() {
                @Override
                public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
                    String path = directory.relativize(file).toString();
                    found.add(new BundleSource(file, path, attributes.size(), attributes.isRegularFile()));
                    return FileVisitResult.CONTINUE;
                }
            });
        } catch (IOException e) {
            throw new InputException("cannot read " + directory + ": " + e.getMessage(), e);
        }
        found.sort(Comparator.comparing(BundleSource::path));
        return found;
    }

    boolean isCompressed() {
        return path.endsWith(".gz");
    }

    /** Returns the name of the file's owner. */
    String owner() throws IOException {
        return Files.getOwner(file, LinkOption.NOFOLLOW_LINKS).getName();
    }

    /** Opens what the file was when it was found; what has been written since would be no whole line. */
    InputStream open() throws IOException {
        return new BoundedInput(Channels.newInputStream(RegularFile.open(file)), bytes);
    }

    /**
     * Redacts as much of the text as was learnt; decompresses it if it is compressed.
     *
     * @return what is missing in the text, as in a file whose writer was killed; empty if nothing is
     */
    String redact(Redactor redactor, OutputStream out, Learnt learnt) throws IOException {
        String missing = read(redactor, out, learnt.isStructured(), learnt.maxBytes(), () -> false)
                .missing();
        return learnt.isLate() ? missing + ", as it takes long to decompress" : missing;
    }

    /**
     * Tells how a text is read.
     *
     * @param isStructured as JSON
     * @param maxBytes of the decompressed text; the rest is left out: nobody knows the names that it reveals
     * @param isLate whether the time for it was over
     */
    record Learnt(boolean isStructured, long maxBytes, boolean isLate) {}

    /** Tells what was read of a text: what is missing in it, how many bytes it has, and whether the time for it was over. */
    private record Text(String missing, long bytes, boolean isLate) {}

    private Text read(Redactor redactor, OutputStream out, boolean isStructured, long maxBytes, BooleanSupplier isOver)
            throws IOException {
        List<String> missing = new ArrayList<>();
        try (InputStream raw = open();
                InputStream in = isCompressed() ? new GZIPInputStream(raw) : raw;
                BoundedInput text = new BoundedInput(in, maxBytes, isOver)) {
            if (isStructured) {
                new JsonRedaction(redactor, 0).redact(text, out, !name().endsWith(".jsonl"));
            } else {
                long cut = lines(redactor, text, out);
                if (cut > 0) {
                    missing.add(cut + " lines of more than " + MAX_LINE + " characters were cut");
                }
            }
            if (text.isCut()) {
                missing.add("only the first " + maxBytes + " bytes of the text are here");
            }
            return new Text(String.join("; ", missing), text.bytes(), text.isLate());
        } catch (EOFException | ZipException e) {
            if (isStructured) {
                throw e;
            }
            return new Text("the compressed file is damaged; what could be read is here", maxBytes, false);
        }
    }

    /**
     * Learns what the text reveals.
     *
     * @param deadlines begins the time in which a compressed text must be read: a small file may hold much, or be slow
     * @return how it is to be read: as JSON if it is that from its begin to its end, and no more of it than now
     */
    Learnt learn(Redactor redactor, long maxBytes, Supplier<BooleanSupplier> deadlines) throws IOException {
        redactor.setLearning(true);
        Text text = null;
        try {
            if (name().endsWith(".json") || name().endsWith(".jsonl")) {
                text = learn(redactor, true, maxBytes, deadlines);
            }
        } catch (JsonProcessingException | CharConversionException | EOFException | ZipException itIsNone) {
            text = null;
        }
        boolean isStructured = text != null && !text.isLate();
        if (text == null || text.isLate()) {
            redactor.begin(path);
            text = learn(redactor, false, maxBytes, deadlines);
        }
        redactor.setLearning(false);
        return new Learnt(isStructured, text.isLate() ? text.bytes() : maxBytes, text.isLate());
    }

    private Text learn(Redactor redactor, boolean isStructured, long maxBytes, Supplier<BooleanSupplier> deadlines)
            throws IOException {
        BooleanSupplier isOver = isCompressed() ? deadlines.get() : () -> false;
        return read(redactor, OutputStream.nullOutputStream(), isStructured, maxBytes, isOver);
    }

    private String name() {
        return isCompressed() ? path.substring(0, path.length() - ".gz".length()) : path;
    }

    /** Redacts line by line, without holding more than the beginning of a line. */
    private static long lines(Redactor redactor, InputStream in, OutputStream out) throws IOException {
        Reader reader = new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8));
        StringBuilder line = new StringBuilder();
        long length = 0;
        long cut = 0;
        for (int c = reader.read(); c >= 0; c = reader.read()) {
            if (c == '\n') {
                cut += write(redactor, line, length, out);
                line.setLength(0);
                length = 0;
            } else if (length++ < MAX_LINE) {
                line.append((char) c);
            }
        }
        return length == 0 ? cut : cut + write(redactor, line, length, out);
    }

    private static int write(Redactor redactor, StringBuilder line, long length, OutputStream out) throws IOException {
        boolean isCut = length > MAX_LINE;
        String text =
                redactor.redact(line.toString()) + (isCut ? " (" + (length - MAX_LINE) + " characters were cut)" : "");
        out.write((text + '\n').getBytes(StandardCharsets.UTF_8));
        return isCut ? 1 : 0;
    }
}
