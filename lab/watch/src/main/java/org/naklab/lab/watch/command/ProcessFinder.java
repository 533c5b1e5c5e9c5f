package org.naklab.lab.watch.command;

import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.naklab.lab.core.process.ProcPaths;

/**
 * Finds processes by their name or command line that have a UDP socket. Neither this program is found, nor those that started it, whose command line contains the
 * pattern.
 */
final class ProcessFinder implements TargetFinder {
    private static final Pattern SOCKET = Pattern.compile("socket:\\[(\\d+)\\]");
    private static final Pattern BLANKS = Pattern.compile("\\s+");
    private static final int INODE_COLUMN = 9;
    private static final String THIS_PROGRAM = "org.naklab.lab.cli.Naklab";

    private final Pattern name;
    private final Path proc;
    private final Set<Long> excluded = new HashSet<>();

    ProcessFinder(Pattern name) {
        this(name, ProcPaths.ROOT);
    }

    ProcessFinder(Pattern name, Path proc) {
        this.name = name;
        this.proc = proc;
        Optional<ProcessHandle> process = Optional.of(ProcessHandle.current());
        while (process.isPresent()) {
            excluded.add(process.orElseThrow().pid());
            process = process.orElseThrow().parent();
        }
    }

    /** Returns the processes that match now, by their ids. */
    @Override
    public List<WatchTarget> find() throws IOException {
        try (Stream<Path> entries = Files.list(proc)) {
            return entries.map(entry -> entry.getFileName().toString())
                    .filter(entry -> entry.chars().allMatch(Character::isDigit))
                    .map(Long::valueOf)
                    .filter(pid -> !excluded.contains(pid))
                    .filter(this::isNamed)
                    .filter(this::hasUdpSocket)
                    .sorted()
                    .map(WatchTarget::of)
                    .toList();
        }
    }

    private boolean isNamed(long pid) {
        String command = read(pid, "cmdline").replace('\0', ' ').strip();
        return !command.contains(THIS_PROGRAM)
                && (name.matcher(command).find()
                        || name.matcher(read(pid, "comm").strip()).find());
    }

    private boolean hasUdpSocket(long pid) {
        Set<String> udp = new HashSet<>();
        Stream.of("net/udp", "net/udp6")
                .flatMap(table -> read(pid, table).lines().skip(1))
                .map(line -> BLANKS.split(line.strip()))
                .filter(columns -> columns.length > INODE_COLUMN)
                .forEach(columns -> udp.add(columns[INODE_COLUMN]));
        return !udp.isEmpty() && sockets(pid).stream().anyMatch(udp::contains);
    }

    private Set<String> sockets(long pid) {
        Set<String> inodes = new HashSet<>();
        try (DirectoryStream<Path> descriptors =
                Files.newDirectoryStream(proc.resolve(String.valueOf(pid)).resolve("fd"))) {
            for (Path descriptor : descriptors) {
                Matcher socket =
                        SOCKET.matcher(Files.readSymbolicLink(descriptor).toString());
                if (socket.matches()) {
                    inodes.add(socket.group(1));
                }
            }
        } catch (IOException | DirectoryIteratorException goneOrNotPermitted) {
            return inodes;
        }
        return inodes;
    }

    /** Returns the content; empty if the process has ended or may not be looked at. */
    private String read(long pid, String file) {
        try {
            return Files.readString(proc.resolve(String.valueOf(pid)).resolve(file));
        } catch (IOException goneOrNotPermitted) {
            return "";
        }
    }
}
