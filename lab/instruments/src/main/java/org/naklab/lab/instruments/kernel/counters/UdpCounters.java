package org.naklab.lab.instruments.kernel.counters;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.naklab.lab.core.process.ProcPaths;

/**
 * Counts UDP datagrams and the places at which a network namespace loses them, from {@code /proc/PID/net/snmp}, {@code snmp6} and
 * {@code netstat}. IPv4 and IPv6 are added up.
 *
 * @param inDatagrams delivered to programs
 */
public record UdpCounters(long inDatagrams, Udp udp, Ip ip) {
    /**
     * Counts the datagrams that UDP did not pass on.
     *
     * @param noPorts no socket had the port
     * @param inErrors all errors; contains the next three
     * @param rcvbufErrors the socket was full
     * @param csumErrors the checksum was wrong
     * @param memErrors the limit of all UDP sockets' memory was reached (IPv4)
     */
    public record Udp(long noPorts, long inErrors, long rcvbufErrors, long csumErrors, long memErrors) {}

    /**
     * Counts the packets that IP did not pass on.
     *
     * @param reassemblyTimeouts fragments were missing
     * @param reassemblyFailures a datagram could not be put together, whatever the reason; contains the timeouts
     * @param ipDiscards IP had no memory for it
     * @param addressErrors the address was not one of this host
     * @param reversePathFiltered the source was not plausible for the interface (IPv4)
     * @param noRoutes no route (IPv4)
     */
    public record Ip(
            long reassemblyTimeouts,
            long reassemblyFailures,
            long ipDiscards,
            long addressErrors,
            long reversePathFiltered,
            long noRoutes) {}

    /**
     * Reads the counters of a process's network namespace.
     *
     * @throws org.naklab.lab.core.timeline.DetectException the process is gone
     */
    public static UdpCounters ofProcess(long pid) {
        return read(ProcPaths.of(pid, "net"));
    }

    static UdpCounters read(Path net) {
        Map<String, Long> values = new HashMap<>(CounterFiles.paired(net.resolve("snmp")));
        values.putAll(CounterFiles.paired(net.resolve("netstat")));
        Path six = net.resolve("snmp6"); // is not there without IPv6
        if (Files.isReadable(six)) {
            values.putAll(CounterFiles.keyed(six));
        }
        return of(values);
    }

    private static UdpCounters of(Map<String, Long> values) {
        return new UdpCounters(
                sum(values, "Udp.InDatagrams", "Udp6InDatagrams"),
                new UdpCounters.Udp(
                        sum(values, "Udp.NoPorts", "Udp6NoPorts"),
                        sum(values, "Udp.InErrors", "Udp6InErrors"),
                        sum(values, "Udp.RcvbufErrors", "Udp6RcvbufErrors"),
                        sum(values, "Udp.InCsumErrors", "Udp6InCsumErrors"),
                        sum(values, "Udp.MemErrors", "Udp6MemErrors")),
                new UdpCounters.Ip(
                        sum(values, "Ip.ReasmTimeout", "Ip6ReasmTimeout"),
                        sum(values, "Ip.ReasmFails", "Ip6ReasmFails"),
                        sum(values, "Ip.InDiscards", "Ip6InDiscards"),
                        sum(values, "Ip.InAddrErrors", "Ip6InAddrErrors"),
                        sum(values, "TcpExt.IPReversePathFilter"),
                        sum(values, "IpExt.InNoRoutes", "Ip6InNoRoutes")));
    }

    private static long sum(Map<String, Long> values, String... names) {
        long sum = 0;
        for (String name : names) {
            sum += values.getOrDefault(name, 0L);
        }
        return sum;
    }

    /** Returns the growth since an earlier reading. */
    public UdpCounters minus(UdpCounters earlier) {
        return new UdpCounters(
                inDatagrams - earlier.inDatagrams,
                new UdpCounters.Udp(
                        udp.noPorts() - earlier.udp.noPorts(),
                        udp.inErrors() - earlier.udp.inErrors(),
                        udp.rcvbufErrors() - earlier.udp.rcvbufErrors(),
                        udp.csumErrors() - earlier.udp.csumErrors(),
                        udp.memErrors() - earlier.udp.memErrors()),
                new UdpCounters.Ip(
                        ip.reassemblyTimeouts() - earlier.ip.reassemblyTimeouts(),
                        ip.reassemblyFailures() - earlier.ip.reassemblyFailures(),
                        ip.ipDiscards() - earlier.ip.ipDiscards(),
                        ip.addressErrors() - earlier.ip.addressErrors(),
                        ip.reversePathFiltered() - earlier.ip.reversePathFiltered(),
                        ip.noRoutes() - earlier.ip.noRoutes()));
    }
}
