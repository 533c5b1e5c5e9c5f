package org.naklab.lab.core;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.GroupPrincipal;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.CodeSource;
import java.util.ArrayDeque;
import java.util.Collections;
import java.util.Deque;
import java.util.HashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/**
 * Writes files into directories, so that nobody else chooses what is overwritten. Each name of a path, up to the root, must belong to this user, to root, or to
 * whoever owns the program, and only they may rename what is in a directory; so no name can be exchanged between the check and its use. A new file is created
 * exclusively, which follows no link; a file is replaced by renaming a complete one into its place, and only if it is a regular file.
 */
public final class OutputFile {
    private static final int ROOT = 0;
    private static final int MAX_LINKS = 40;
    private static final int TYPE = 0170000;
    private static final int LINK = 0120000;
    private static final int DIRECTORY = 0040000;
    private static final int REGULAR = 0100000;
    private static final int STICKY = 01000;
    private static final int GROUP_WRITES = 020;
    private static final int OTHERS_WRITE = 02;

    private static final Set<Integer> TRUSTED = trusted(System.getenv());

    private OutputFile() {}

    /**
     * Makes a directory, with those above it, if it is missing.
     *
     * @return its real path
     * @throws IOException it cannot be made, or other users could change what is in it; the message says what to do
     */
    public static Path directory(Path directory) throws IOException {
        return walk(directory, true);
    }

    /**
     * Creates a file.
     *
     * @throws IOException there is one already, it cannot be written, or other users could exchange it
     */
    public static OutputStream create(Path file) throws IOException {
        try {
            return Files.newOutputStream(
                    walk(parentOf(file), false).resolve(nameOf(file)),
                    StandardOpenOption.CREATE_NEW,
                    StandardOpenOption.WRITE);
        } catch (FileAlreadyExistsException e) {
            FileAlreadyExistsException told =
                    new FileAlreadyExistsException(file.toString(), null, "is there already; name another file");
            told.initCause(e);
            throw told;
        }
    }

    /** Writes what a file is to hold. */
    public interface Content {
        void writeTo(OutputStream out) throws IOException;
    }

    /**
     * Writes a text as {@link #replace(Path, Content)} does.
     *
     * @throws IOException as it does
     */
    public static void replace(Path file, String text) throws IOException {
        replace(file, out -> out.write(text.getBytes(StandardCharsets.UTF_8)));
    }

    /**
     * Writes a file as a whole or not at all: half of one would be taken for damage.
     *
     * @throws IOException there is a link, a directory or a device of that name, it cannot be written, or other users could exchange it; what the file was before it
     *     is still
     */
    public static void replace(Path file, Content content) throws IOException {
        Path target = replaceable(file);
        Path directory = parentOf(target);
        Path fresh = Files.createTempFile(directory, "." + nameOf(file), ".new", asUsual(target));
        try {
            try (OutputStream out = new BufferedOutputStream(Files.newOutputStream(fresh))) {
                content.writeTo(out);
            }
            Files.move(fresh, target, StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException e) {
            discard(fresh, e);
            throw e;
        }
    }

    /**
     * Checks that a file can be replaced, or created, for a command that knows what to write only when it ends. Leaves nothing.
     *
     * @throws IOException as {@link #replace(Path, Content)} does
     */
    public static void check(Path file) throws IOException {
        Path target = replaceable(file);
        Files.delete(Files.createTempFile(parentOf(target), "." + nameOf(file), ".new"));
    }

    /**
     * Checks as {@link #check} does a file that a user named as an output of a command.
     *
     * @throws InputException it cannot be written
     */
    public static void requireWritable(Path file) {
        require(file, OutputFile::check);
    }

    /**
     * Makes the directory of a file that a user named as an output of a command, if it is missing, and checks the file.
     *
     * @throws InputException it cannot be written
     */
    public static void requireWritableInNewDirectory(Path file) {
        require(file, each -> {
            makeDirectoryOf(each);
            check(each);
        });
    }

    /**
     * Makes the directory of a file, with those above it, if it is missing.
     *
     * @throws IOException as {@link #directory} does
     */
    public static void makeDirectoryOf(Path file) throws IOException {
        directory(parentOf(file));
    }

    private interface Requirement {
        void of(Path file) throws IOException;
    }

    private static void require(Path file, Requirement requirement) {
        try {
            requirement.of(file);
        } catch (IOException e) {
            throw new InputException("cannot write " + file + ": " + Reason.of(e), e);
        }
    }

    /** Returns the real path of a file that may be there. */
    private static Path replaceable(Path file) throws IOException {
        Path target = walk(parentOf(file), false).resolve(nameOf(file));
        if (Files.exists(target, LinkOption.NOFOLLOW_LINKS) && (mode(target) & TYPE) != REGULAR) {
            throw new IOException(file + " is a link, a directory or a device: name another file");
        }
        return target;
    }

    private static void discard(Path fresh, IOException reason) {
        try {
            Files.deleteIfExists(fresh);
        } catch (IOException e) {
            reason.addSuppressed(e);
        }
    }

    /** A temporary file has 0600 unless told otherwise; the process's mask applies to this. */
    private static FileAttribute<?> asUsual(Path target) throws IOException {
        return PosixFilePermissions.asFileAttribute(
                Files.exists(target, LinkOption.NOFOLLOW_LINKS)
                        ? Files.getPosixFilePermissions(target, LinkOption.NOFOLLOW_LINKS)
                        : PosixFilePermissions.fromString("rw-rw-rw-"));
    }

    /** Resolves every link by itself, and proves each name before the next is looked up in it. */
    private static Path walk(Path path, boolean isMade) throws IOException {
        Path absolute = path.toAbsolutePath();
        Path at = Objects.requireNonNull(absolute.getRoot());
        Deque<Path> names = new ArrayDeque<>();
        absolute.forEach(names::addLast);
        require(at, at, path);
        for (int links = 0; !names.isEmpty(); ) {
            String name = names.removeFirst().toString();
            if (name.isEmpty() || name.equals(".")) {
                continue;
            }
            if (name.equals("..")) {
                at = Objects.requireNonNullElse(at.getParent(), at);
                continue;
            }
            Path next = at.resolve(name);
            if (isMade && Files.notExists(next, LinkOption.NOFOLLOW_LINKS)) {
                Files.createDirectory(next);
            }
            if ((mode(next) & TYPE) != LINK) {
                require(next, at, path);
                at = next;
                continue;
            }
            requireOwner(next, path);
            if (++links > MAX_LINKS) {
                throw new IOException(path + " leads through too many links");
            }
            Path target = Files.readSymbolicLink(next);
            at = target.isAbsolute() ? Objects.requireNonNull(target.getRoot()) : at;
            Deque<Path> rest = names;
            names = new ArrayDeque<>();
            target.forEach(names::addLast);
            names.addAll(rest);
        }
        return at;
    }

    private static void require(Path directory, Path parent, Path asked) throws IOException {
        if ((mode(directory) & TYPE) != DIRECTORY) {
            throw new IOException(directory + " is no directory");
        }
        requireOwner(directory, asked);
        int mode = mode(directory);
        boolean othersRename = (mode & STICKY) == 0
                && ((mode & OTHERS_WRITE) != 0 || ((mode & GROUP_WRITES) != 0 && !isOwnGroup(directory)));
        if (othersRename) {
            throw new IOException("other users can write to " + directory + ": chmod go-w " + directory
                    + (directory.equals(parent) ? "" : ", or name another directory than " + asked));
        }
    }

    private static void requireOwner(Path file, Path asked) throws IOException {
        if (!TRUSTED.contains((Integer) Files.getAttribute(file, "unix:uid", LinkOption.NOFOLLOW_LINKS))) {
            throw new IOException(file + " belongs to user "
                    + Files.getOwner(file, LinkOption.NOFOLLOW_LINKS).getName()
                    + ", who could exchange what is written there: name another directory than " + asked);
        }
    }

    /** A user whose group has the user's own name is alone in it, as distributions make them. */
    private static boolean isOwnGroup(Path directory) throws IOException {
        GroupPrincipal group = (GroupPrincipal) Files.getAttribute(directory, "posix:group", LinkOption.NOFOLLOW_LINKS);
        return group.getName()
                .equals(Files.getOwner(directory, LinkOption.NOFOLLOW_LINKS).getName());
    }

    private static int mode(Path file) throws IOException {
        return (Integer) Files.getAttribute(file, "unix:mode", LinkOption.NOFOLLOW_LINKS);
    }

    private static Path parentOf(Path file) throws IOException {
        Path parent = file.toAbsolutePath().getParent();
        if (parent == null) {
            throw new NoSuchFileException(file.toString(), null, "is no name of a file");
        }
        return parent;
    }

    private static String nameOf(Path file) {
        return String.valueOf(file.getFileName());
    }

    /** Whoever owns the program decides what it does anyway, and whoever called sudo has root's rights. */
    private static Set<Integer> trusted(Map<String, String> environment) {
        Set<Integer> users = new HashSet<>(Set.of(ROOT));
        try {
            int self = effectiveUser();
            users.add(self);
            String caller = environment.get("SUDO_UID");
            if (self == ROOT && caller != null && caller.matches("\\d{1,9}")) {
                users.add(Integer.valueOf(caller));
            }
            CodeSource source = OutputFile.class.getProtectionDomain().getCodeSource();
            if (source != null) {
                users.add((Integer)
                        Files.getAttribute(Path.of(source.getLocation().toURI()), "unix:uid"));
            }
        } catch (IOException | URISyntaxException e) {
            throw new LabException("cannot tell which user this is: " + e, e);
        }
        return Collections.unmodifiableSet(users);
    }

    /** The real user is before the effective one. */
    private static int effectiveUser() throws IOException {
        String[] users = KernelFields.read(KernelFields.OWN_STATUS).text("Uid").split("\\s+", -1);
        if (users.length < 2) {
            throw new IOException(KernelFields.OWN_STATUS + " has no user");
        }
        return Integer.parseInt(users[1]);
    }
}
