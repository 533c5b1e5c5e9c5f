package org.naklab.lab.tools.linking;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import org.naklab.lab.core.UnavailableException;

/** Unpacks the programs and libraries of this package, which are built with the module and travel in its jar. */
final class NativeProgram {
    private NativeProgram() {}

    /** Returns whether this build has it. */
    static boolean exists(String name) {
        return NativeProgram.class.getResource("native/" + name) != null;
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
        try (InputStream in = NativeProgram.class.getResourceAsStream("native/" + name)) {
            if (in == null) {
                throw new UnavailableException(missing);
            }
            Files.copy(in, file, StandardCopyOption.REPLACE_EXISTING);
            Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
            return file;
        } catch (IOException e) {
            throw new UnavailableException("cannot unpack " + name + " into " + files + ": " + e.getMessage(), e);
        }
    }
}
