package org.naklab.lab.cli;

import java.io.File;
import java.io.IOException;
import java.util.Enumeration;
import java.util.Set;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;

/**
 * Loads the classes that the processes of a run need, and ends. The build runs it with {@code -XX:ArchiveClassesAtExit}: the archive then serves the
 * command line and the processes of the replica.
 */
final class ClassArchive {
    /** Beginnings of the names of the jars whose classes a run loads. */
    private static final Set<String> LIBRARIES =
            Set.of("naklab-", "aeron-", "agrona-", "jackson-", "HdrHistogram-", "slf4j-", "disruptor-", "parity-");

    private static final String CLASS = ".class";

    private ClassArchive() {}

    public static void main(String[] arguments) throws IOException {
        for (String path : System.getProperty("java.class.path").split(File.pathSeparator, -1)) {
            String name = new File(path).getName();
            if (LIBRARIES.stream().anyMatch(name::startsWith)) {
                load(new File(path));
            }
        }
        Naklab.main(arguments);
    }

    private static void load(File path) throws IOException {
        ClassLoader loader = ClassArchive.class.getClassLoader();
        int loaded = 0;
        try (JarFile jar = new JarFile(path)) {
            for (Enumeration<JarEntry> entries = jar.entries(); entries.hasMoreElements(); ) {
                String name = entries.nextElement().getName();
                if (name.endsWith(CLASS) && !name.startsWith("META-INF/")) {
                    try {
                        Class.forName(
                                name.substring(0, name.length() - CLASS.length())
                                        .replace('/', '.'),
                                false,
                                loader);
                        loaded++;
                    } catch (ClassNotFoundException | LinkageError e) {
                        // Of an optional library.
                    }
                }
            }
        }
        if (loaded == 0) {
            throw new IOException("no classes in " + path);
        }
    }
}
