package org.naklab.lab.cases;

import java.io.IOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.CodeSource;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The commit of the lab's own repository, read from its files: no other program is started. */
final class LabCommit {
    private static final Pattern HASH = Pattern.compile("[0-9a-f]{40,64}");
    private static final String REFERENCE = "ref: ";
    /** A file that only the lab's repository has, in case the lab is a library in another one. */
    private static final Path OF_THE_LAB = Path.of("lab", "cli", "pom.xml");

    private LabCommit() {}

    /** Returns the commit that is checked out where the lab's classes are; empty if that is not the lab's repository. */
    static Optional<String> find() {
        CodeSource source = LabCommit.class.getProtectionDomain().getCodeSource();
        try {
            URI place = source == null || source.getLocation() == null
                    ? null
                    : source.getLocation().toURI();
            return place == null || !"file".equals(place.getScheme()) ? Optional.empty() : of(Path.of(place));
        } catch (URISyntaxException e) {
            throw new IllegalStateException("the lab's classes have no place", e);
        }
    }

    static Optional<String> of(Path place) {
        for (@Nullable Path directory = place; directory != null; directory = directory.getParent()) {
            Path git = directory.resolve(".git");
            if (Files.exists(git) && Files.exists(directory.resolve(OF_THE_LAB))) {
                try {
                    return checkedOut(git);
                } catch (IOException e) {
                    // Another user's repository, or one of a format that is not known: the commit is not known either.
                    return Optional.empty();
                }
            }
        }
        return Optional.empty();
    }

    /** In a second work tree, {@code .git} is a file that names the directory; branches are in the directory of the first. */
    private static Optional<String> checkedOut(Path git) throws IOException {
        Path own = Files.isDirectory(git)
                ? git
                : git.resolveSibling(text(git).replaceFirst("^gitdir: ", "")).normalize();
        Path common = Files.exists(own.resolve("commondir"))
                ? own.resolve(text(own.resolve("commondir"))).normalize()
                : own;
        String head = text(own.resolve("HEAD"));
        if (!head.startsWith(REFERENCE)) {
            return hash(head);
        }
        String branch = head.substring(REFERENCE.length());
        return Files.exists(common.resolve(branch)) ? hash(text(common.resolve(branch))) : packed(common, branch);
    }

    private static Optional<String> packed(Path common, String branch) throws IOException {
        return Files.readAllLines(common.resolve("packed-refs")).stream()
                .filter(line -> line.endsWith(' ' + branch))
                .findFirst()
                .flatMap(LabCommit::hash);
    }

    private static Optional<String> hash(String text) {
        Matcher found = HASH.matcher(text);
        return found.lookingAt() ? Optional.of(found.group()) : Optional.empty();
    }

    private static String text(Path file) throws IOException {
        return Files.readString(file).strip();
    }
}
