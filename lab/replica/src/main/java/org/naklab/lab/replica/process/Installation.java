package org.naklab.lab.replica.process;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.naklab.lab.core.LabException;

/**
 * Where this program lives, so that it can start itself again as another process: with the same JVM, class path and flags.
 *
 * @param root of the project or distribution
 * @param jvmOptions the one list of JVM flags
 * @param classPath as in {@code java.class.path}
 */
public record Installation(Path root, Path java, Path jvmOptions, String classPath) {
    /** The JVM's own; honours {@code naklab.root} and {@code naklab.jvmOptions}, which the launcher sets. */
    public static Installation current() {
        Path root =
                Path.of(System.getProperty("naklab.root", ".")).toAbsolutePath().normalize();
        String options = System.getProperty("naklab.jvmOptions");
        return new Installation(
                root,
                Path.of(System.getProperty("java.home"), "bin", "java"),
                options == null ? root.resolve("lab/src/main/dist/jvm.options") : Path.of(options),
                System.getProperty("java.class.path"));
    }

    /** The one in the lab's image. */
    static Installation ofImage() {
        Path root = Path.of(ContainerSpec.ROOT);
        return new Installation(root, Path.of(ContainerSpec.JAVA), root.resolve("jvm.options"), root + "/lib/*");
    }

    /** The command that runs {@code mainClass} with the shared flags, then the given ones. */
    public List<String> command(List<String> jvmArguments, Class<?> mainClass, List<String> arguments) {
        if (!Files.isReadable(jvmOptions)) {
            throw new LabException("the JVM's flags " + jvmOptions + " cannot be read; is naklab.root right?");
        }
        return commandUnchecked(jvmArguments, mainClass, arguments);
    }

    /** The same for another machine's files. */
    List<String> commandUnchecked(List<String> jvmArguments, Class<?> mainClass, List<String> arguments) {
        List<String> command = new ArrayList<>();
        command.add(java.toString());
        command.add("@" + jvmOptions);
        command.add("-Dnaklab.root=" + root);
        command.add("-Dnaklab.jvmOptions=" + jvmOptions);
        command.addAll(jvmArguments);
        command.addAll(List.of("-cp", classPath, mainClass.getName()));
        command.addAll(arguments);
        return command;
    }
}
