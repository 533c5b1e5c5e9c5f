package org.naklab.files;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;

/** A process of its own that makes a private directory, or joins one, and lives until it is killed. */
final class Holder implements AutoCloseable {
    private static final String JOIN = "join";

    private final Process process;
    private final Path directory;

    private Holder(Process process, Path directory) {
        this.process = process;
        this.directory = directory;
    }

    public static void main(String[] arguments) throws IOException {
        Path path = Path.of(arguments[1]);
        if (arguments[0].equals(JOIN)) {
            PrivateDirectory.join(path);
            System.out.println(path);
        } else {
            System.out.println(PrivateDirectory.create(path, "naklab-").path());
        }
        int said = System.in.read();
        PrivateDirectory.leave();
        Runtime.getRuntime().halt(said);
    }

    static Holder start(Path root) throws IOException {
        return start("create", root);
    }

    static Holder join(Path directory) throws IOException {
        return start(JOIN, directory);
    }

    private static Holder start(String what, Path path) throws IOException {
        List<String> command = List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xshare:auto",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                Holder.class.getName(),
                what,
                path.toString());
        Process process = new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        BufferedReader reader = process.inputReader(StandardCharsets.UTF_8);
        String line = reader.readLine();
        if (line == null) {
            throw new IOException("the holder of " + path + " has ended");
        }
        return new Holder(process, Path.of(line));
    }

    Path directory() {
        return directory;
    }

    /** Ends in order. */
    void leave() throws IOException {
        process.getOutputStream().close();
        process.onExit().join();
    }

    /** By SIGKILL, so that it can clear up nothing. */
    void kill() {
        process.destroyForcibly().onExit().join();
    }

    @Override
    public void close() {
        kill();
    }
}
