package org.naklab.faults.binding;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Optional;
import org.agrona.IoUtil;
import org.naklab.faults.FaultException;

/**
 * The two native libraries as files. They are built with the module and travel in its jar; {@link #open()} unpacks them into a
 * directory of this process, or takes them from where {@value #DIRECTORY_PROPERTY} says they lie.
 */
public final class NativeLibraries implements AutoCloseable {
    /** System property: a directory that holds the libraries, so that their path is the same in every run. */
    public static final String DIRECTORY_PROPERTY = "naklab.native.directory";

    static final String YIELD = "libnaklab_yield.so";
    static final String AUDIT = "libnaklab_audit.so";
    private static final String REASON = "unavailable.txt";

    private final Path directory;
    private final Thread cleaner;
    private final boolean temporary;

    private NativeLibraries(Path directory, boolean temporary) {
        this.directory = directory;
        this.temporary = temporary;
        cleaner = new Thread(this::deleteDirectory, "native-libraries-cleaner");
    }

    /**
     * The libraries of this build.
     *
     * @throws FaultException if they were not built here: says why and what to install
     */
    public static NativeLibraries open() {
        String stable = System.getProperty(DIRECTORY_PROPERTY);
        if (stable != null) {
            return in(Path.of(stable));
        }
        refuseWhenNotBuilt(unavailableReason());
        TemporaryDirectories.deleteOrphans();
        NativeLibraries libraries = new NativeLibraries(TemporaryDirectories.create(), true);
        Runtime.getRuntime().addShutdownHook(libraries.cleaner);
        unpackTo(libraries.directory);
        return libraries;
    }

    /**
     * The libraries in a directory that the caller keeps, such as the build's {@code target/native}.
     *
     * @throws FaultException if they are not there: says why and what to install
     */
    public static NativeLibraries in(Path directory) {
        refuseWhenNotBuilt(reasonIn(directory));
        return new NativeLibraries(directory.toAbsolutePath(), false);
    }

    /** Why this build has no native libraries and what to install; empty when it has them. */
    public static Optional<String> unavailableReason() {
        if (hasResource(YIELD) && hasResource(AUDIT)) {
            return Optional.empty();
        }
        try (InputStream reason = NativeLibraries.class.getResourceAsStream("native/" + REASON)) {
            return Optional.of(
                    reason == null
                            ? "the build did not try"
                            : new String(reason.readAllBytes(), StandardCharsets.UTF_8).strip());
        } catch (IOException e) {
            throw new FaultException("cannot read why there are no native libraries", e);
        }
    }

    /** Copies both libraries into an existing directory, for instance one that an image is built from. */
    public static void unpackTo(Path directory) {
        for (String name : List.of(YIELD, AUDIT)) {
            try (InputStream library = NativeLibraries.class.getResourceAsStream("native/" + name)) {
                if (library == null) {
                    throw new FaultException("the jar has no " + name);
                }
                Files.copy(library, directory.resolve(name), StandardCopyOption.REPLACE_EXISTING);
            } catch (IOException e) {
                throw new FaultException("cannot unpack " + name + " into " + directory, e);
            }
        }
    }

    /** The library that yields through its linkage table; for {@link LazyYield}. */
    public Path yieldLibrary() {
        return directory.resolve(YIELD);
    }

    /** The rtld-audit library; for {@link AuditedLaunch}. */
    public Path auditLibrary() {
        return directory.resolve(AUDIT);
    }

    /** Deletes what was unpacked. A library that is loaded stays usable. */
    @Override
    public void close() {
        if (temporary && Files.exists(directory)) {
            deleteDirectory();
            try {
                Runtime.getRuntime().removeShutdownHook(cleaner);
            } catch (IllegalStateException e) {
                // The JVM is going down and the hook runs already: what it would do is done.
                return;
            }
        }
    }

    private void deleteDirectory() {
        IoUtil.delete(directory.toFile(), true);
    }

    private static boolean hasResource(String name) {
        return NativeLibraries.class.getResource("native/" + name) != null;
    }

    private static Optional<String> reasonIn(Path directory) {
        if (Files.isReadable(directory.resolve(YIELD)) && Files.isReadable(directory.resolve(AUDIT))) {
            return Optional.empty();
        }
        Path reason = directory.resolve(REASON);
        try {
            return Optional.of(
                    Files.isReadable(reason)
                            ? Files.readString(reason).strip()
                            : directory + " holds no " + YIELD + " and " + AUDIT);
        } catch (IOException e) {
            throw new FaultException("cannot read " + reason, e);
        }
    }

    private static void refuseWhenNotBuilt(Optional<String> reason) {
        reason.ifPresent(text -> {
            throw new FaultException("true lazy binding needs the native libraries: " + text);
        });
    }
}
