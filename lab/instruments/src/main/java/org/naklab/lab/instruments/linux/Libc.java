package org.naklab.lab.instruments.linux;

import com.sun.jna.Native;
import com.sun.jna.Platform;

/**
 * The C library's calls that Java has no word for, for all of the lab. Direct mapping: a call with primitives only neither allocates
 * nor converts; addresses and {@code size_t} are {@code long}. Calls with arrays copy them. 64-bit Linux.
 */
public final class Libc {
    static final int ESRCH = 3;
    static final int ENOENT = 2;
    public static final int EINTR = 4;
    public static final int EBADF = 9;

    public static final int EADDRINUSE = 98;

    public static final int O_RDONLY = 0;
    public static final int O_RDWR = 2;
    public static final int O_CLOEXEC = 0x80000;
    /** Opens a place without opening what is there. */
    static final int O_PATH = 0x200000;
    /** Follows no link in the last name; the number depends on the architecture. */
    static final int O_NOFOLLOW = Platform.isARM() ? 0x8000 : 0x20000;

    public static final int AF_UNIX = 1;
    public static final int AF_INET = 2;
    public static final int AF_INET6 = 10;
    public static final int AF_NETLINK = 16;
    public static final int SOCK_STREAM = 1;
    public static final int SOCK_DGRAM = 2;
    public static final int SOCK_NONBLOCK = 0x800;
    public static final int SOCK_CLOEXEC = 0x80000;
    public static final int IPPROTO_IP = 0;
    public static final int IPPROTO_UDP = 17;
    public static final int IPPROTO_IPV6 = 41;
    public static final int SOL_SOCKET = 1;
    public static final int SO_TYPE = 3;
    static final int SO_RCVBUF = 8;
    public static final int SO_PEERCRED = 17;
    public static final int SO_PROTOCOL = 38;
    public static final int SO_DOMAIN = 39;
    public static final int SO_MEMINFO = 55;
    public static final int SO_COOKIE = 57;
    public static final int MCAST_MSFILTER = 48;

    public static final int SIGUSR2 = 12;
    static final int SIGCONT = 18;
    static final int SIGSTOP = 19;

    static final int P_PID = 1;
    static final int WSTOPPED = 2;

    static final int CLONE_NEWNET = 0x40000000;

    /** Number of the system call on every architecture: calls since Linux 5.1 share one table. */
    public static final long SYS_PIDFD_OPEN = 434;

    public static final long SYS_PIDFD_GETFD = 438;

    static {
        Native.register(Libc.class, "c");
    }

    private Libc() {}

    public static native int open(String path, int flags);

    public static native int mkfifo(String path, int mode);

    public static native int close(int fd);

    /** Sets the lowest bit of each state whose page is in memory. */
    static native int mincore(long address, long length, byte[] states);

    public static native long read(int fd, long buffer, long count);

    public static native long write(int fd, long buffer, long count);

    public static native int ioctl(int fd, long request, long argument);

    public static native long pread(int fd, long buffer, long count, long offset);

    public static native int socket(int domain, int type, int protocol);

    public static native int bind(int fd, byte[] address, int length);

    public static native int listen(int fd, int backlog);

    public static native int connect(int fd, byte[] address, int length);

    public static native long send(int fd, long buffer, long length, int flags);

    public static native long recv(int fd, long buffer, long length, int flags);

    public static native int getsockopt(int fd, int level, int name, long value, long length);

    public static native int getsockopt(int fd, int level, int name, int[] value, int[] length);

    public static native int getsockname(int fd, long address, long length);

    static native int poll(long fds, long count, int timeoutMs);

    static native int clock_nanosleep(int clock, int flags, long deadline, long remaining);

    static native int sched_setscheduler(int tid, int policy, long parameter);

    /** @param info address for what became of the process; 0: nowhere */
    static native int waitid(int idType, int id, long info, int options);

    public static native int kill(int pid, int signal);

    static native int setns(int fd, int type);

    public static native int prctl(int option, long second, long third, long fourth, long fifth);

    public static native long syscall(long number, long first, long second, long third);

    public static native long syscall(long number, long first, long second, long third, long fourth, long fifth);

    public static native long syscall(
            long number, long first, long second, long third, long fourth, long fifth, long sixth);

    public static native String strerror(int errno);

    /** Returns the message of the last call's errno on this thread. */
    public static String lastError() {
        return strerror(Native.getLastError());
    }
}
