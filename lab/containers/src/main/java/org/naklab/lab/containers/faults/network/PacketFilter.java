package org.naklab.lab.containers.faults.network;

import java.util.ArrayList;
import java.util.List;
import org.naklab.lab.containers.relay.RelayMark;

/**
 * A classic BPF program, as {@code tc} takes it: {@code code jt jf k} for each instruction. The kernel draws the random number.
 *
 * <pre>
 *   ld  [6]          source address, its first four bytes
 *   jeq MARK, no     has been relayed
 *   ldb [23]         protocol
 *   jne UDP, no
 *   ld  random
 *   jge share·2³², no
 *   ret -1
 *   no: ret 0
 * </pre>
 *
 * @param protocol which frames it is asked about
 */
record PacketFilter(String protocol, List<String> instructions) {
    private static final String YES = "6 0 0 4294967295";
    private static final String NO = "6 0 0 0";
    private static final int UDP = 17;
    /** {@code SKF_AD_OFF + SKF_AD_RANDOM}. */
    private static final long RANDOM = 0xfffff038L;

    PacketFilter {
        instructions = List.copyOf(instructions);
    }

    static PacketFilter everything() {
        return new PacketFilter("all", List.of(YES));
    }

    /** @param share part, 0 to 1, of the UDP datagrams that no relay has given back */
    static PacketFilter datagrams(double share) {
        if (share == 0) {
            return new PacketFilter("ip", List.of(NO));
        }
        boolean isAll = share == 1;
        int toEnd = isAll ? 3 : 5;
        List<String> program = new ArrayList<>(List.of(
                "32 0 0 6", "21 " + toEnd + " 0 " + RelayMark.VALUE, "48 0 0 23", "21 0 " + (toEnd - 2) + " " + UDP));
        if (!isAll) {
            program.add("32 0 0 " + RANDOM);
            program.add("53 1 0 " + (long) (share * (1L << Integer.SIZE)));
        }
        program.addAll(List.of(YES, NO));
        return new PacketFilter("ip", program);
    }

    String bytecode() {
        return instructions.size() + "," + String.join(",", instructions);
    }
}
