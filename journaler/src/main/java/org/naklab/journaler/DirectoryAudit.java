package org.naklab.journaler;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Accounts for every file of a journal's directory: each was read to its end, is Chronicle's metadata, or is named here. */
final class DirectoryAudit {
    private static final int PIECE_BYTES = 1 << 20;
    /** Names the type of the store that {@code metadata.cq4t} begins with. */
    private static final String METADATA_TYPE = "STStore";

    private static final int METADATA_SEARCH_BYTES = 64;
    /** What Chronicle writes behind the header that ends a file: the name EOF, without a value. */
    private static final int END_MARK = 0xC345_4F46;

    private final List<String> findings = new ArrayList<>();
    private final Map<Path, EntryReader.FileEnd> readFiles;
    private final EntryReader.FileEnd last;

    private DirectoryAudit(List<EntryReader.FileEnd> readFiles) {
        this.readFiles = readFiles.stream().collect(Collectors.toMap(EntryReader.FileEnd::file, Function.identity()));
        last = readFiles.get(readFiles.size() - 1);
    }

    /**
     * Looks at every file.
     *
     * @param reader has read all that it can
     * @return a sentence for each file, or content of one, that is not accounted for; empty when all are
     * @throws JournalException when a file cannot be read
     */
    static List<String> findings(EntryReader reader) {
        DirectoryAudit audit = new DirectoryAudit(reader.readFiles());
        List<Path> files = JournalDirectory.list(reader.directory());
        files.forEach(audit::file);
        if (audit.last.step() == CycleFile.Step.END_OF_FILE) {
            audit.findings.add(
                    name(audit.last.file()) + " ends with a mark that a later file follows, and there is none");
        }
        if (files.stream().noneMatch(DirectoryAudit::isMetadata)) {
            audit.findings.add(JournalDirectory.METADATA + " is missing");
        }
        return List.copyOf(audit.findings);
    }

    private void file(Path file) {
        EntryReader.FileEnd end = readFiles.get(file);
        if (end != null) {
            readFile(end);
        } else if (!isMetadata(file) && !JournalDirectory.isCycleFileName(file)) {
            findings.add(name(file) + " is no file of a journal");
        } else if (!JournalDirectory.isRegularFile(file)) {
            findings.add(name(file) + " is not a regular file");
        } else if (!isMetadata(file)) {
            unreadFile(file);
        } else if (!isChronicleMetadata(file)) {
            findings.add(name(file) + " is not what Chronicle Queue writes");
        }
    }

    private void unreadFile(Path file) {
        String why = last.position() == 0 ? " is empty" : " does not end with a mark that a later file follows";
        findings.add(name(file) + " was not read: " + name(last.file()) + why);
    }

    /** Behind the mark of the end, or the empty header where more may come, there are only zeros. */
    private void readFile(EntryReader.FileEnd end) {
        if (end.step() == CycleFile.Step.BEGUN) {
            return;
        }
        try (FileChannel channel = open(end.file())) {
            long from = end.position() + CycleFile.HEADER_BYTES;
            boolean isMarked = end.step() == CycleFile.Step.END_OF_FILE && intAt(channel, from) == END_MARK;
            long position = firstNonZero(channel, isMarked ? from + Integer.BYTES : from);
            if (position >= 0 && !hasGrown(channel, end)) {
                findings.add(name(end.file()) + " holds more after its last record, from offset " + position);
            }
        } catch (IOException e) {
            throw new JournalException("cannot read " + end.file() + ": " + JournalDirectory.reason(e), e);
        }
    }

    /** Returns whether the writer is alive and has begun a record since the file was read. */
    private static boolean hasGrown(FileChannel channel, EntryReader.FileEnd end) throws IOException {
        return end.step() == CycleFile.Step.NOTHING_YET && intAt(channel, end.position()) != 0;
    }

    private static int intAt(FileChannel channel, long position) throws IOException {
        ByteBuffer bytes = ByteBuffer.allocate(Integer.BYTES);
        channel.read(bytes, position);
        return bytes.getInt(0);
    }

    private static long firstNonZero(FileChannel channel, long from) throws IOException {
        ByteBuffer piece = ByteBuffer.allocate(PIECE_BYTES);
        long position = from;
        while (channel.read(piece.clear(), position) > 0) {
            piece.flip();
            for (int i = 0; i < piece.limit(); i++) {
                if (piece.get(i) != 0) {
                    return position + i;
                }
            }
            position += piece.limit();
        }
        return -1;
    }

    private static boolean isChronicleMetadata(Path file) {
        try (FileChannel channel = open(file)) {
            ByteBuffer start = ByteBuffer.allocate(METADATA_SEARCH_BYTES);
            channel.read(start, 0);
            return new String(start.array(), StandardCharsets.ISO_8859_1).contains(METADATA_TYPE);
        } catch (IOException e) {
            throw new JournalException("cannot read " + file + ": " + JournalDirectory.reason(e), e);
        }
    }

    private static FileChannel open(Path file) throws IOException {
        return FileChannel.open(file, StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS);
    }

    private static boolean isMetadata(Path file) {
        return name(file).equals(JournalDirectory.METADATA);
    }

    private static String name(Path file) {
        return String.valueOf(file.getFileName());
    }
}
