package org.naklab.lab.workshop.seal;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import org.naklab.lab.cases.CaseReader;
import org.naklab.lab.diagnosis.Cause;

/**
 * Searches every byte of the files of a trainee's case, decompressed, for what would give its cause away: in small and large letters, and with hyphens,
 * underscores or blanks between the words.
 */
public final class SealScan {
    /** Names of the injector, of its threads and libraries, and of the other programs that made the cases. */
    private static final List<String> TRACES =
            List.of("naklab", "inject", "injector", "foreign-", "fault-", "org.naklab", "faults", "audit", "scenario");

    /** A kind of fault with the name of what it does to everybody, and the parameter of a run without a fault. */
    private static final Set<String> GENERAL = Set.of("stall", "none", "");

    /** Names in the C library and in the JVM that happen to be a cause's: they stand in stacks of programs that have no fault, too. */
    private static final List<String> FRAMES = List.of("lll_lock_wait", "VM_Operation");

    private static final int CONTEXT = 20;

    /** By their first letter. */
    private final Map<Character, List<String>> words;

    private SealScan(Set<String> words) {
        this.words =
                words.stream().map(SealScan::plain).distinct().collect(Collectors.groupingBy(word -> word.charAt(0)));
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
        return new SealScan(words);
    }

    /** Returns what was found in a directory, each with its file; empty if nothing gives the cause away. */
    public List<String> findings(Path directory) {
        List<String> findings = new ArrayList<>();
        try (Stream<Path> files = Files.walk(directory)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                String name = String.valueOf(file.getFileName());
                find(name, name, findings);
                find(text(file), name, findings);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return findings;
    }

    private void find(String text, String file, List<String> findings) {
        String plain = plain(text);
        for (int at = 0; at < plain.length(); at++) {
            if (at > 0 && isLetter(text.charAt(at - 1))) {
                continue;
            }
            for (String word : words.getOrDefault(plain.charAt(at), List.of())) {
                if (plain.startsWith(word, at) && ends(text, at + word.length(), word) && !isFrame(text, at, word)) {
                    findings.add(file + ": '" + word + "' in '"
                            + text.substring(
                                            Math.max(0, at - CONTEXT),
                                            Math.min(text.length(), at + word.length() + CONTEXT))
                                    .replace('\n', ' ')
                            + "'");
                }
            }
        }
    }

    /** A name may stand inside another one in camel case: {@code baselinePerSecond} has it, {@code default} has no {@code fault}. */
    private static boolean ends(String text, int end, String word) {
        if (word.endsWith("-")) {
            return text.charAt(end - 1) == '-';
        }
        if (end == text.length()) {
            return true;
        }
        char next = text.charAt(end);
        boolean isInCapitals = Character.isUpperCase(text.charAt(end - 1));
        return !(next >= 'a' && next <= 'z') && !(isInCapitals && next >= 'A' && next <= 'Z');
    }

    private static boolean isFrame(String text, int at, String word) {
        int end = at + word.length();
        return FRAMES.stream().anyMatch(frame -> end >= frame.length() && text.startsWith(frame, end - frame.length()));
    }

    private static boolean isLetter(char each) {
        return (each >= 'a' && each <= 'z') || (each >= 'A' && each <= 'Z');
    }

    private static String plain(String text) {
        return text.toLowerCase(Locale.ROOT).replace('_', '-').replace(' ', '-');
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
