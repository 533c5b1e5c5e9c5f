package org.naklab.lab.bundle;

import java.io.BufferedReader;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
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
    /** Receives the lines of a text. */
    interface LineConsumer {
        void accept(String line) throws IOException;
    }

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

    InputStream open() throws IOException {
        return Channels.newInputStream(RegularFile.open(file));
    }

    /**
     * Reads the text line by line; decompresses it if it is compressed.
     *
     * @return what is missing in the text, as in a file whose writer was killed; empty if nothing is
     */
    String read(LineConsumer consumer) throws IOException {
        try (InputStream raw = open();
                InputStream in = isCompressed() ? new GZIPInputStream(raw) : raw;
                BufferedReader reader = new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8))) {
            for (String line = reader.readLine(); line != null; line = reader.readLine()) {
                consumer.accept(line);
            }
            return "";
        } catch (EOFException | ZipException e) {
            return "the compressed file is damaged; what could be read is here";
        }
    }
}
