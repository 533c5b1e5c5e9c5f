package org.naklab.lab.workshop;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import org.naklab.lab.cases.CaseReader;
import org.naklab.lab.diagnosis.Cause;

/** Searches every byte of the files of a trainee's case, decompressed, for what would give its cause away. */
public final class SealScan {
    /** Names of the injector, of its threads and libraries, and of the other programs that made the cases. */
    private static final List<String> TRACES =
            List.of("naklab", "inject", "injector", "foreign-", "fault-", "org.naklab", "faults", "audit", "scenario");

    /** A kind of fault with the name of what it does to everybody. */
    private static final Set<String> GENERAL = Set.of("stall");

    private final Set<String> words;

    private SealScan(Set<String> words) {
        this.words = Set.copyOf(words);
    }

    /** Looks for the causes, and for the scenarios and kinds of faults of all cases of a corpus. */
    public static SealScan of(Path corpus) {
        Set<String> words = new TreeSet<>(TRACES);
        Arrays.stream(Cause.values()).map(Cause::label).forEach(words::add);
        try (Stream<Path> cases = Files.list(corpus)) {
            for (Path directory : cases.filter(Files::isDirectory).toList()) {
                words.add(String.valueOf(directory.getFileName()));
                try (CaseReader reader = CaseReader.open(directory)) {
                    reader.truth().ifPresent(truth -> {
                        words.add(truth.run().scenario());
                        words.addAll(truth.faults().keySet());
                    });
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        words.removeAll(GENERAL);
        words.remove("");
        return new SealScan(words);
    }

    /** Returns what was found in a directory, each with its file; empty if nothing gives the cause away. */
    public List<String> findings(Path directory) {
        List<String> findings = new ArrayList<>();
        try (Stream<Path> files = Files.walk(directory)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                find(String.valueOf(file.getFileName()), String.valueOf(file.getFileName()), findings);
                find(text(file), String.valueOf(file.getFileName()), findings);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return findings;
    }

    private void find(String text, String file, List<String> findings) {
        for (String word : words) {
            int at = text.indexOf(word);
            while (at >= 0) {
                if (isWord(text, at, at + word.length())) {
                    findings.add(file + ": '" + word + "' in '"
                            + text.substring(Math.max(0, at - 20), Math.min(text.length(), at + word.length() + 20))
                                    .replace('\n', ' ')
                            + "'");
                }
                at = text.indexOf(word, at + 1);
            }
        }
    }

    /** A name may stand inside another one in camel case: {@code baselinePerSecond} has it, {@code default} has no {@code fault}. */
    private static boolean isWord(String text, int begin, int end) {
        boolean beginsOne = begin == 0 || !isLetter(text.charAt(begin - 1));
        return beginsOne && (end == text.length() || text.charAt(end) < 'a' || text.charAt(end) > 'z');
    }

    private static boolean isLetter(char each) {
        return (each >= 'a' && each <= 'z') || (each >= 'A' && each <= 'Z');
    }

    /** One byte is one letter, so that nothing is skipped. */
    private static String text(Path file) throws IOException {
        byte[] bytes = Files.readAllBytes(file);
        boolean isCompressed = bytes.length > 1 && bytes[0] == (byte) 0x1f && bytes[1] == (byte) 0x8b;
        if (isCompressed) {
            try (InputStream in = new GZIPInputStream(Files.newInputStream(file))) {
                return new String(in.readAllBytes(), StandardCharsets.ISO_8859_1);
            }
        }
        return new String(bytes, StandardCharsets.ISO_8859_1);
    }
}
