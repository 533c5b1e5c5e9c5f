package org.naklab.lab.instruments.aeron;

import io.aeron.AeronCounters;
import io.aeron.CncFileDescriptor;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.agrona.concurrent.status.CountersReader;
import org.jspecify.annotations.Nullable;
import org.naklab.lab.core.timeline.DetectException;
import org.naklab.lab.instruments.linux.NamespacePid;

/**
 * A media driver and its clients as one unit: the processes that have mapped the command-and-control file of its directory, in whatever container. The process that the
 * file names is the driver, the others are clients. It follows a driver that starts anew in the same directory.
 *
 * <p>{@link #members} is called by one thread; the other methods may be called by any.
 */
public final class AeronUnit implements AutoCloseable {
    /** A client maps its log buffers a little later than the driver allocates the counters. */
    private static final int LOOKS_AFTER_CHANGE = 20;

    private final Path directory;
    private @Nullable CncFile cnc;
    private Set<Long> knownClients = Set.of();
    private long knownFingerprint;
    private int looksLeft;
    private List<UnitMember> members = List.of();
    private volatile long cncInode;
    private volatile Map<Long, List<Long>> owners = Map.of();

    private AeronUnit(Path directory) {
        this.directory = directory;
    }

    /** Creates the unit of a directory, in which a driver may run later. */
    public static AeronUnit of(Path directory) {
        return new AeronUnit(directory);
    }

    /** Returns the driver's directory. */
    public Path directory() {
        return directory;
    }

    /**
     * Returns the processes that belong to the unit now, the driver first.
     *
     * @throws DetectException no driver runs in the directory, or it may not be looked at
     */
    public List<UnitMember> members() {
        return CncFile.parsed(directory, this::membersNow);
    }

    private List<UnitMember> membersNow() {
        CncFile file = open();
        CountersReader counters = file.counters();
        long fingerprint = StreamCounters.fingerprint(counters);
        if (fingerprint != knownFingerprint) {
            knownFingerprint = fingerprint;
            looksLeft = LOOKS_AFTER_CHANGE;
        }
        Set<Long> clients = clients(counters);
        boolean isComplete = !members.isEmpty()
                && clients.equals(knownClients)
                && members.stream().allMatch(AeronUnit::isAlive);
        if (isComplete && looksLeft == 0) {
            return members;
        }
        looksLeft = Math.max(0, looksLeft - 1);
        List<DriverMappings> mappings = isComplete
                ? mappingsOf(members.stream().map(UnitMember::pid).toList())
                : mappingsOf(
                        ProcessHandle.allProcesses().map(ProcessHandle::pid).toList());
        long driver = driverOf(file.pid(), mappings);
        members = mappings.stream()
                .map(mapping -> new UnitMember(this, mapping.pid(), mapping.pid() == driver))
                .sorted(Comparator.comparing(UnitMember::isDriver)
                        .reversed()
                        .thenComparing(member -> startOf(member.pid()))
                        .thenComparing(UnitMember::pid))
                .toList();
        knownClients = clients;
        owners = ClientOwners.resolve(ClientOwners.logBuffersByClient(counters), buffers(mappings));
        return members;
    }

    private Map<Long, Set<Long>> buffers(List<DriverMappings> mappings) {
        Map<Long, Set<Long>> buffers = new LinkedHashMap<>();
        for (UnitMember member : members) {
            mappings.stream()
                    .filter(mapping -> mapping.pid() == member.pid())
                    .forEach(mapping -> buffers.put(member.pid(), mapping.logBuffersOfClients(member.isDriver())));
        }
        return buffers;
    }

    /** Returns the processes that may contain a client, the likeliest first. */
    List<Long> processesOf(long clientId) {
        return owners.getOrDefault(clientId, List.of());
    }

    /** Returns the process that most likely contains a client; 0 if none is known. */
    long likeliestOf(long clientId) {
        List<Long> processes = processesOf(clientId);
        return processes.isEmpty() ? 0 : processes.get(0);
    }

    /** Returns the inode of the driver's command-and-control file, which is another one when the driver has started anew. */
    long cncInode() {
        return cncInode;
    }

    private CncFile open() {
        long inode = inodeOf(directory.resolve(CncFileDescriptor.CNC_FILE));
        CncFile file = cnc;
        if (file != null && inode == cncInode) {
            file.update();
            return file;
        }
        close();
        CncFile opened = CncFile.map(directory);
        cnc = opened;
        cncInode = inode;
        members = List.of();
        knownClients = Set.of();
        return opened;
    }

    private long inodeOf(Path file) {
        try {
            return ((Number) Files.getAttribute(file, "unix:ino")).longValue();
        } catch (IOException e) {
            throw new DetectException("no Aeron driver in " + directory, e);
        }
    }

    private List<DriverMappings> mappingsOf(List<Long> pids) {
        List<DriverMappings> mappings = new ArrayList<>();
        for (long pid : pids) {
            DriverMappings.of(pid, cncInode).ifPresent(mappings::add);
        }
        return mappings;
    }

    /** The file has the process id that the driver has in its own namespace. */
    private long driverOf(long pidInFile, List<DriverMappings> mappings) {
        return mappings.stream()
                .map(DriverMappings::pid)
                .filter(pid -> NamespacePid.of(pid).orElse(0) == pidInFile)
                .findFirst()
                .orElseThrow(() -> new DetectException(
                        ProcessHandle.of(pidInFile).isPresent() && DriverMappings.isHidden(pidInFile)
                                ? "process " + pidInFile + ", the Aeron driver in " + directory
                                        + ", may not be looked at: run as its user, or as root"
                                : "no Aeron driver in " + directory + ": that of process " + pidInFile + " has ended"));
    }

    private static boolean isAlive(UnitMember member) {
        return ProcessHandle.of(member.pid()).isPresent();
    }

    private static long startOf(long pid) {
        return ProcessHandle.of(pid)
                .flatMap(process -> process.info().startInstant())
                .map(start -> start.toEpochMilli())
                .orElse(Long.MAX_VALUE);
    }

    private static Set<Long> clients(CountersReader counters) {
        Set<Long> ids = new HashSet<>();
        counters.forEach((counterId, typeId, key, label) -> {
            if (typeId == AeronCounters.DRIVER_HEARTBEAT_TYPE_ID) {
                ids.add(counters.getCounterRegistrationId(counterId));
            }
        });
        return ids;
    }

    @Override
    public void close() {
        CncFile file = cnc;
        if (file != null) {
            file.close();
            cnc = null;
        }
    }
}
