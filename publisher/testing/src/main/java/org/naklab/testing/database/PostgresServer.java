package org.naklab.testing.database;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;

/** A PostgreSQL server of this test's own, from the programs that Debian installs. It dies with the process that started it. */
public final class PostgresServer {
    /** Of the only user, {@code naklab}; its letters must be escaped in a URL. */
    public static final String PASSWORD = "not & told";

    private static final String USER = "naklab";
    private static final long PATIENCE_NS = TimeUnit.SECONDS.toNanos(60);
    private static final long STEP_NS = TimeUnit.MILLISECONDS.toNanos(50);

    private final Path directory;
    private final int port;
    private final Process process;

    private PostgresServer(Path directory, int port, Process process) {
        this.directory = directory;
        this.port = port;
        this.process = process;
    }

    /** Returns where {@code initdb} and {@code postgres} are: on the path, or where Debian puts those of each version. */
    public static Optional<Path> programs() {
        Stream<Path> onPath = Stream.of(System.getenv("PATH").split(":", -1)).map(Path::of);
        return Stream.concat(debian(), onPath)
                .filter(directory -> Files.isExecutable(directory.resolve("initdb"))
                        && Files.isExecutable(directory.resolve("postgres")))
                .findFirst();
    }

    private static Stream<Path> debian() {
        Path versions = Path.of("/usr/lib/postgresql");
        if (!Files.isDirectory(versions)) {
            return Stream.of();
        }
        try (Stream<Path> each = Files.list(versions)) {
            return each.map(version -> version.resolve("bin")).toList().stream();
        } catch (IOException e) {
            throw new AssertionError("cannot list " + versions, e);
        }
    }

    /** Makes a database cluster in a directory of its own, and waits until the server answers. */
    public static PostgresServer start(Path programs) throws IOException, InterruptedException {
        // Not a directory of JUnit's: the server's user must be able to pass through what is above it.
        Path directory = Files.createTempDirectory("naklab-postgres");
        Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxr-xr-x"));
        Path password = Files.writeString(directory.resolve("password"), PASSWORD + "\n");
        if (isRoot()) {
            complete(directory, List.of("chown", "nobody", directory.toString(), password.toString()));
        }
        Path data = directory.resolve("data");
        complete(
                directory,
                asOrdinaryUser(
                        programs.resolve("initdb").toString(),
                        "--pgdata=" + data,
                        "--username=" + USER,
                        "--auth=scram-sha-256",
                        "--pwfile=" + password,
                        "--no-sync",
                        "--encoding=UTF8",
                        "--locale=C"));
        int port = freePort();
        Process process = new ProcessBuilder(asOrdinaryUser(
                        programs.resolve("postgres").toString(),
                        "-D",
                        data.toString(),
                        "-F",
                        "-h",
                        "127.0.0.1",
                        "-p",
                        String.valueOf(port),
                        "-k",
                        directory.toString()))
                .directory(directory.toFile())
                .redirectErrorStream(true)
                .redirectOutput(directory.resolve("log").toFile())
                .start();
        PostgresServer server = new PostgresServer(directory, port, process);
        server.awaitReady();
        return server;
    }

    /** As a user would give it. */
    public String url() {
        return "jdbc:postgresql://127.0.0.1:" + port + "/postgres?user=" + USER + "&password="
                + URLEncoder.encode(PASSWORD, StandardCharsets.UTF_8);
    }

    /** Returns the URL of a new database. */
    public String urlOfNew(String database) throws SQLException {
        try (Connection connection = DriverManager.getConnection(url());
                var statement = connection.createStatement()) {
            statement.execute("CREATE DATABASE " + database);
        }
        return url().replace("/postgres?", "/" + database + "?");
    }

    /** Kills the server and deletes its directory. */
    public void stop() throws IOException, InterruptedException {
        process.destroyForcibly().waitFor();
        try (Stream<Path> files = Files.walk(directory)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                // The server's own children may still be tidying up.
                Files.deleteIfExists(file);
            }
        }
    }

    private void awaitReady() throws IOException {
        long beginNs = System.nanoTime();
        while (!isReady()) {
            if (!process.isAlive() || System.nanoTime() - beginNs > PATIENCE_NS) {
                throw new AssertionError("PostgreSQL did not start:\n" + Files.readString(directory.resolve("log")));
            }
            LockSupport.parkNanos(STEP_NS);
        }
    }

    private boolean isReady() {
        try (Connection connection = DriverManager.getConnection(url())) {
            return connection.isValid(1);
        } catch (SQLException e) {
            return false;
        }
    }

    private static void complete(Path directory, List<String> command) throws IOException, InterruptedException {
        Path log = directory.resolve("log");
        Process process = new ProcessBuilder(command)
                .directory(directory.toFile())
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()))
                .start();
        if (process.waitFor() != 0) {
            throw new AssertionError(command + " failed:\n" + Files.readString(log));
        }
    }

    /** PostgreSQL refuses to be root. */
    private static List<String> asOrdinaryUser(String... command) {
        List<String> all = new ArrayList<>(List.of("setpriv", "--pdeathsig=KILL"));
        if (isRoot()) {
            all.addAll(List.of("--reuid=nobody", "--regid=nogroup", "--clear-groups"));
        }
        all.addAll(List.of(command));
        return all;
    }

    private static boolean isRoot() {
        return System.getProperty("user.name").equals("root");
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }
}
