package org.naklab.files;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SecureDirectoryStream;
import java.nio.file.attribute.GroupPrincipal;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.UserPrincipal;
import java.nio.file.attribute.UserPrincipalLookupService;
import java.util.Map;
import java.util.Optional;

/**
 * Gives files that root has made to another user. Only what belongs to root changes its owner, and only in directories that belong to root: nobody else
 * can have put anything there. Symbolic links are neither followed nor given away.
 */
public final class FileOwner {
    private static final String ROOT = "root";

    private final UserPrincipal user;
    private final GroupPrincipal group;

    private FileOwner(UserPrincipal user, GroupPrincipal group) {
        this.user = user;
        this.group = group;
    }

    /**
     * Returns the user who started this process with sudo; empty if nobody did.
     *
     * @param environment of the process: {@code SUDO_UID} and {@code SUDO_GID}
     * @throws IOException the system knows no such user or group
     */
    public static Optional<FileOwner> ofSudo(Map<String, String> environment) throws IOException {
        String uid = environment.get("SUDO_UID");
        String gid = environment.get("SUDO_GID");
        if (uid == null || gid == null || uid.equals("0") || !ROOT.equals(System.getProperty("user.name"))) {
            return Optional.empty();
        }
        UserPrincipalLookupService principals = FileSystems.getDefault().getUserPrincipalLookupService();
        return Optional.of(
                new FileOwner(principals.lookupPrincipalByName(uid), principals.lookupPrincipalByGroupName(gid)));
    }

    /**
     * Gives a directory away, with everything in it.
     *
     * @throws IOException something could not be given away, or the file system opens nothing relative to a directory
     */
    public void takeTree(Path directory) throws IOException {
        take(directory, true);
    }

    /** Gives a directory away, and the files that are immediately in it; see {@link #takeTree}. */
    public void takeDirectory(Path directory) throws IOException {
        take(directory, false);
    }

    private void take(Path directory, boolean isTree) throws IOException {
        Path absolute = directory.toAbsolutePath();
        Path parent = absolute.getParent();
        Path name = absolute.getFileName();
        if (parent == null || name == null) {
            throw new IOException("will not give " + directory + " away");
        }
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(parent)) {
            if (!(entries instanceof SecureDirectoryStream<Path> secure)) {
                throw new IOException("the file system of " + directory + " opens nothing relative to a directory");
            }
            if (attributes(secure, name).isDirectory()) {
                takeOpened(secure, name, isTree);
            }
        }
    }

    /** The directory itself is last: until then, only root can change what is in it. */
    private void takeOpened(SecureDirectoryStream<Path> parent, Path name, boolean isTree) throws IOException {
        try (SecureDirectoryStream<Path> directory = parent.newDirectoryStream(name, LinkOption.NOFOLLOW_LINKS)) {
            PosixFileAttributeView itself = directory.getFileAttributeView(PosixFileAttributeView.class);
            if (!isRoots(itself.readAttributes())) {
                return;
            }
            for (Path entry : FileTrees.names(directory)) {
                takeEntry(directory, entry, isTree);
            }
            give(itself);
        }
    }

    private void takeEntry(SecureDirectoryStream<Path> directory, Path entry, boolean isTree) throws IOException {
        try {
            PosixFileAttributes attributes = attributes(directory, entry);
            if (attributes.isDirectory() && isTree) {
                takeOpened(directory, entry, true);
            } else if (attributes.isRegularFile() && isRoots(attributes)) {
                give(directory.getFileAttributeView(entry, PosixFileAttributeView.class, LinkOption.NOFOLLOW_LINKS));
            }
        } catch (NoSuchFileException e) {
            // Whoever made it has deleted it.
            return;
        }
    }

    private void give(PosixFileAttributeView view) throws IOException {
        view.setGroup(group);
        view.setOwner(user);
    }

    private static PosixFileAttributes attributes(SecureDirectoryStream<Path> directory, Path name) throws IOException {
        return directory
                .getFileAttributeView(name, PosixFileAttributeView.class, LinkOption.NOFOLLOW_LINKS)
                .readAttributes();
    }

    private static boolean isRoots(PosixFileAttributes attributes) {
        return attributes.owner().getName().equals(ROOT);
    }
}
