package org.naklab.lab.instruments.sockets;

import java.nio.ByteOrder;
import java.util.List;
import org.agrona.concurrent.UnsafeBuffer;
import org.naklab.lab.core.timeline.DetectException;
import org.naklab.lab.instruments.linux.Libc;
import org.naklab.lab.instruments.linux.NativeMemory;

/**
 * A netlink request for all UDP sockets of one family, or those on certain local ports, with their memory figures.
 *
 * <pre>
 *  0 length:32  4 type:16 = SOCK_DIAG_BY_FAMILY  6 flags:16  8 sequence:32  12 port:32                    nlmsghdr
 * 16 family:8  17 protocol:8  18 extensions:8  19 pad  20 states:32  24 socket id, zeros: any [48]        inet_diag_req_v2
 * 72 length:16  74 type:16 = INET_DIAG_REQ_BYTECODE  76 program                                           attribute
 * </pre>
 *
 * The program has, for each port, "source port equal? go on, else skip the jump" and "jump behind the end", which is what
 * accepts; the last port needs no jump, and skipping past the end rejects.
 *
 * <pre>
 * code:8 = S_EQ  yes:8 = 8  no:16 = 12    code:8  yes:8  port:16      code:8 = JMP  yes:8 = 4  no:16 = bytes to the end
 * </pre>
 */
final class SocketDiagRequest {
    /** The program's length must fit the attribute and the jumps. */
    static final int MAX_PORTS = 1_000;

    static final int SOCK_DIAG_BY_FAMILY = 20;
    static final int INET_DIAG_SKMEMINFO = 7;
    private static final int NLM_F_REQUEST_DUMP = 0x301;
    private static final int INET_DIAG_REQ_BYTECODE = 1;
    private static final int BC_JMP = 1;
    private static final int BC_S_EQ = 11;
    private static final int PROGRAM_OFFSET = 76;
    private static final int EQUAL_LENGTH = 8;
    private static final int JUMP_LENGTH = 4;
    private static final int ANY_STATE = -1;

    private final NativeMemory memory;
    private final int length;

    /** @param ports local ports wanted; none: all */
    SocketDiagRequest(int family, List<Integer> ports) {
        if (ports.size() > MAX_PORTS) {
            throw new DetectException("too many ports for one request: " + ports.size());
        }
        int programLength = ports.isEmpty() ? 0 : ports.size() * (EQUAL_LENGTH + JUMP_LENGTH) - JUMP_LENGTH;
        length = ports.isEmpty() ? PROGRAM_OFFSET - 4 : PROGRAM_OFFSET + programLength;
        memory = new NativeMemory(length);
        UnsafeBuffer buffer = memory.view();
        buffer.putInt(0, length);
        buffer.putShort(4, (short) SOCK_DIAG_BY_FAMILY);
        buffer.putShort(6, (short) NLM_F_REQUEST_DUMP);
        buffer.putByte(16, (byte) family);
        buffer.putByte(17, (byte) Libc.IPPROTO_UDP);
        buffer.putByte(18, (byte) (1 << (INET_DIAG_SKMEMINFO - 1)));
        buffer.putInt(20, ANY_STATE);
        if (!ports.isEmpty()) {
            buffer.putShort(72, (short) (programLength + 4));
            buffer.putShort(74, (short) INET_DIAG_REQ_BYTECODE);
            writeProgram(buffer, ports, length);
        }
    }

    long address() {
        return memory.address();
    }

    int length() {
        return length;
    }

    private static void writeProgram(UnsafeBuffer buffer, List<Integer> ports, int end) {
        int offset = PROGRAM_OFFSET;
        for (int port : ports) {
            writeOperation(buffer, offset, BC_S_EQ, EQUAL_LENGTH, EQUAL_LENGTH + JUMP_LENGTH);
            buffer.putShort(offset + 6, (short) port, ByteOrder.nativeOrder());
            offset += EQUAL_LENGTH;
            if (offset < end) {
                writeOperation(buffer, offset, BC_JMP, JUMP_LENGTH, end - offset);
                offset += JUMP_LENGTH;
            }
        }
    }

    private static void writeOperation(UnsafeBuffer buffer, int offset, int code, int yes, int no) {
        buffer.putByte(offset, (byte) code);
        buffer.putByte(offset + 1, (byte) yes);
        buffer.putShort(offset + 2, (short) no);
    }
}
