package org.naklab.lab.tools.linking;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.naklab.files.NativeResource;
import org.naklab.lab.core.UnavailableException;

/** Unpacks the programs and libraries of this package, which are built with the module and travel in its jar. */
final class NativeProgram {
    private NativeProgram() {}

    /** Returns whether this build has it. */
    static boolean exists(String name) {
        return resource(name).exists();
    }

    private static NativeResource resource(String name) {
        return new NativeResource(NativeProgram.class, name);
    }

    /**
     * Unpacks a program, over an older one of its name.
     *
     * @param files a directory from which programs may be executed
     * @param missing says why a build has none, and what to do
     * @throws UnavailableException the build has none, or it cannot be written
     */
    static Path unpack(String name, Path files, String missing) {
        Path file = files.resolve(name);
        try {
            if (!resource(name).copyTo(file)) {
                throw new UnavailableException(missing);
            }
            Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
            return file;
        } catch (IOException e) {
            throw new UnavailableException("cannot unpack " + name + " into " + files + ": " + e.getMessage(), e);
        }
    }
}
