package org.naklab.lab.process;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.naklab.lab.core.LabException;

/**
 * The installation of this program, with which it starts further processes: the same JVM, class path and flags.
 *
 * @param root of the project or distribution
 * @param jvmOptions the one list of JVM flags
 * @param classPath as in {@code java.class.path}
 * @param archive the class-data archive of that class path, which shortens the start of a JVM; null: none. A JVM ignores an archive of another
 *     class path or of another JVM
 */
public record Installation(
        Path root,
        Path java,
        Path jvmOptions,
        String classPath,
        @Nullable Path archive) {
    private static final String ARCHIVE = "naklab.archive";

    /**
     * Returns that of this JVM; uses {@code naklab.root}, {@code naklab.jvmOptions} and {@code naklab.archive}, which the launcher sets.
     * The tests set {@code naklab.classPath}, so that child processes use what was packaged.
     */
    public static Installation current() {
        Path root =
                Path.of(System.getProperty("naklab.root", ".")).toAbsolutePath().normalize();
        String options = System.getProperty("naklab.jvmOptions");
        String archive = System.getProperty(ARCHIVE);
        return new Installation(
                root,
                Path.of(System.getProperty("java.home"), "bin", "java"),
                options == null ? root.resolve("lab/src/main/dist/jvm.options") : Path.of(options),
                System.getProperty("naklab.classPath", System.getProperty("java.class.path")),
                archive == null ? null : Path.of(archive));
    }

    /** Returns the directory in which runs are kept unless another is named: an installed lab is not the user's to write into. */
    public Path runs() {
        if (Files.exists(root.resolve("pom.xml"))) {
            return root.resolve("runs");
        }
        String data = System.getenv("XDG_DATA_HOME");
        Path directory = data == null || data.isEmpty()
                ? Path.of(System.getProperty("user.home"), ".local", "share")
                : Path.of(data);
        return directory.resolve("naklab").resolve("runs");
    }

    /** Returns the same with another JVM. */
    public Installation with(Path otherJava) {
        return new Installation(root, otherJava, jvmOptions, classPath, archive);
    }

    /** Returns the same with the class path of this JVM, which in tests contains the tests. */
    public Installation withOwnClassPath() {
        return new Installation(root, java, jvmOptions, System.getProperty("java.class.path"), null);
    }

    /** Returns the installation in the lab's image. */
    static Installation ofImage() {
        Path root = Path.of(ContainerSpec.ROOT);
        return new Installation(root, Path.of(ContainerSpec.JAVA), root.resolve("jvm.options"), root + "/lib/*", null);
    }

    /** Returns the command that runs {@code mainClass} with the shared flags, then the given ones. */
    public List<String> command(List<String> jvmArguments, Class<?> mainClass, List<String> arguments) {
        if (!Files.isReadable(jvmOptions)) {
            throw new LabException("the JVM's flags " + jvmOptions + " cannot be read; is naklab.root right?");
        }
        return commandUnchecked(jvmArguments, mainClass.getName(), arguments);
    }

    /** Returns the command for files of another machine, which are not checked here. */
    List<String> commandUnchecked(List<String> jvmArguments, String mainClass, List<String> arguments) {
        List<String> command = new ArrayList<>();
        command.add(java.toString());
        command.add("@" + jvmOptions);
        command.add("-Dnaklab.root=" + root);
        command.add("-Dnaklab.jvmOptions=" + jvmOptions);
        if (archive != null) {
            command.add("-D" + ARCHIVE + "=" + archive);
            command.add("-XX:SharedArchiveFile=" + archive);
            command.add("-Xlog:cds=off");
        }
        command.addAll(jvmArguments);
        command.addAll(List.of("-cp", classPath, mainClass));
        command.addAll(arguments);
        return command;
    }
}
