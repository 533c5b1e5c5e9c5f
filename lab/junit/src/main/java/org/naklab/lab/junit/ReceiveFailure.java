package org.naklab.lab.junit;

import java.util.Optional;
import org.naklab.lab.core.Format;
import org.naklab.lab.watch.WatchFindings;

/** Lists the failures of reception that can make a test fail. */
public enum ReceiveFailure {
    /** A UDP socket of the process dropped datagrams. */
    DROPS {
        @Override
        Optional<String> in(WatchFindings findings, ReceiveTolerance tolerance) {
            return count(tolerance.drops(findings), "datagram dropped", "datagrams dropped");
        }
    },

    /** A media driver that the process has mapped sent NAKs. */
    NAKS {
        @Override
        Optional<String> in(WatchFindings findings, ReceiveTolerance tolerance) {
            return count(findings.feed().naks(), "NAK sent", "NAKs sent");
        }
    },

    /** Nobody read a UDP socket that held datagrams for more than 20 ms, or for more than {@link WatchReceive#stallOver()}. */
    STALL_OVER_20MS {
        @Override
        Optional<String> in(WatchFindings findings, ReceiveTolerance tolerance) {
            String over = ' ' + tolerance.stallWords();
            return count(tolerance.stalls(findings), "stall" + over, "stalls" + over);
        }
    };

    /** Returns how often the failure occurred, as words; empty if it did not. */
    abstract Optional<String> in(WatchFindings findings, ReceiveTolerance tolerance);

    private static Optional<String> count(long count, String one, String many) {
        return count <= 0 ? Optional.empty() : Optional.of(Format.count(count) + ' ' + (count == 1 ? one : many));
    }
}
