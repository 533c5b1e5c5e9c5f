package org.naklab.lab.instruments.sockets;

import java.nio.ByteOrder;
import java.util.HexFormat;
import java.util.List;

/** A multicast group that someone has joined on an interface. */
final class GroupOnInterface {
    private final int interfaceIndex;
    private final byte[] address;

    private GroupOnInterface(int interfaceIndex, byte[] address) {
        this.interfaceIndex = interfaceIndex;
        this.address = address;
    }

    int interfaceIndex() {
        return interfaceIndex;
    }

    boolean ipv6() {
        return address.length == 16;
    }

    /** Returns the address in network byte order. */
    byte[] address() {
        return address.clone();
    }

    String group() {
        return SocketOptions.numeric(address);
    }

    /**
     * Reads {@code /proc/net/igmp}: a line of each interface, then an indented one of each group on it, whose address is the
     * word as this machine has it in memory.
     */
    static void parseIgmp(List<String> lines, List<GroupOnInterface> found) {
        int interfaceIndex = 0;
        for (String line : lines.subList(Math.min(1, lines.size()), lines.size())) {
            String[] words = line.strip().split("\\s+", -1);
            if (!line.startsWith("\t")) {
                interfaceIndex = Integer.parseInt(words[0]);
            } else {
                byte[] address = HexFormat.of().parseHex(words[0]);
                if (ByteOrder.nativeOrder() == ByteOrder.LITTLE_ENDIAN) {
                    reverse(address);
                }
                found.add(new GroupOnInterface(interfaceIndex, address));
            }
        }
    }

    /** Reads {@code /proc/net/igmp6}: index, interface and group on each line. */
    static void parseIgmp6(List<String> lines, List<GroupOnInterface> found) {
        for (String line : lines) {
            String[] words = line.strip().split("\\s+", -1);
            found.add(new GroupOnInterface(
                    Integer.parseInt(words[0]), HexFormat.of().parseHex(words[2])));
        }
    }

    private static void reverse(byte[] bytes) {
        for (int i = 0; i < bytes.length / 2; i++) {
            byte swapped = bytes[i];
            bytes[i] = bytes[bytes.length - 1 - i];
            bytes[bytes.length - 1 - i] = swapped;
        }
    }
}
