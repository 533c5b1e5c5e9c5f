package org.naklab.faults.binding;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.naklab.faults.FaultException;
import org.naklab.files.NativeResource;
import org.naklab.files.PrivateDirectory;

/**
 * The two native libraries as files. They are built with the module and travel in its jar; {@link #open()} unpacks them into a
 * directory of this process, or takes them from where {@value #DIRECTORY_PROPERTY} says they lie.
 */
public final class NativeLibraries implements AutoCloseable {
    /** System property: a directory that holds the libraries, so that their path is the same in every run. */
    public static final String DIRECTORY_PROPERTY = "naklab.native.directory";

    static final String YIELD = "libnaklab_yield.so";
    static final String AUDIT = "libnaklab_audit.so";
    private static final String PREFIX = "naklab-native-";
    private static final String REASON = "unavailable.txt";

    private final Path directory;
    private final @Nullable PrivateDirectory own;

    private NativeLibraries(Path directory, @Nullable PrivateDirectory own) {
        this.directory = directory;
        this.own = own;
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
        PrivateDirectory own = newDirectory();
        unpackTo(own.path());
        return new NativeLibraries(own.path(), own);
    }

    /**
     * The libraries in a directory that the caller keeps, such as the build's {@code target/native}.
     *
     * @throws FaultException if they are not there: says why and what to install
     */
    public static NativeLibraries in(Path directory) {
        refuseWhenNotBuilt(reasonIn(directory));
        return new NativeLibraries(directory.toAbsolutePath(), null);
    }

    /** Returns why this build has no native libraries and what to install; empty when it has them. */
    public static Optional<String> unavailableReason() {
        if (resource(YIELD).exists() && resource(AUDIT).exists()) {
            return Optional.empty();
        }
        try {
            return Optional.of(NativeResource.whyNotBuilt(NativeLibraries.class));
        } catch (IOException e) {
            throw new FaultException("cannot read why there are no native libraries", e);
        }
    }

    /** Copies both libraries into an existing directory, for instance one that an image is built from. */
    public static void unpackTo(Path directory) {
        for (String name : List.of(YIELD, AUDIT)) {
            try {
                if (!resource(name).copyTo(directory.resolve(name))) {
                    throw new FaultException("the jar has no " + name);
                }
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
        if (own != null) {
            try {
                own.close();
            } catch (IOException e) {
                throw new FaultException("cannot delete the native libraries in " + directory, e);
            }
        }
    }

    private static PrivateDirectory newDirectory() {
        try {
            return PrivateDirectory.create(Path.of(System.getProperty("java.io.tmpdir")), PREFIX)
                    .deleteOnExit();
        } catch (IOException e) {
            throw new FaultException("cannot make a directory for the native libraries: " + e.getMessage(), e);
        }
    }

    private static NativeResource resource(String name) {
        return new NativeResource(NativeLibraries.class, name);
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
