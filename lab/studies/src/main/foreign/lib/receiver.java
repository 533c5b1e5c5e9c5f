import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.net.DatagramPacket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.util.ArrayList;
import java.util.List;

/** Receives in the thread "recv"; the thread "actor" takes words. Times are CLOCK_MONOTONIC, ns, as System.nanoTime() has it on Linux. */
public class Receiver {
    private static final long GAP_NS = 20_000_000;

    /* ON_WORD_AND_ON_DATAGRAM */

    static synchronized void printSpan(String name, long beganNs, long endedNs) {
        System.out.println(name + " " + beganNs + " " + endedNs);
    }

    private static void act() throws Exception {
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in));
        for (String word = in.readLine(); word != null; word = in.readLine()) {
            onWord(word);
        }
    }

    private static void receive(DatagramChannel in) throws Exception {
        long lastNs = System.nanoTime();
        ByteBuffer buffer = ByteBuffer.allocate(2048);
        DatagramPacket datagram = new DatagramPacket(buffer.array(), 2048);
        while (true) {
            while (in.receive(buffer.clear()) == null) {
                Thread.onSpinWait();
            }
            datagram.setLength(buffer.position());
            long nowNs = System.nanoTime();
            if (nowNs - lastNs >= GAP_NS) {
                printSpan("gap", lastNs, nowNs);
            }
            lastNs = nowNs;
            onDatagram(datagram);
        }
    }

    private interface Task {
        void run() throws Exception;
    }

    private static void start(String name, Task task) {
        new Thread(() -> {
            try {
                task.run();
            } catch (Exception e) {
                e.printStackTrace();
                System.exit(1);
            }
        }, name).start();
    }

    public static void main(String[] arguments) throws Exception {
        DatagramChannel in = DatagramChannel.open();
        in.setOption(StandardSocketOptions.SO_RCVBUF, 65_536);
        in.bind(new InetSocketAddress(InetAddress.getByName("127.0.0.1"), 0));
        in.configureBlocking(!Boolean.getBoolean("receiver.spins"));
        System.out.println("port " + ((InetSocketAddress) in.getLocalAddress()).getPort());
        start("recv", () -> receive(in));
        start("actor", Receiver::act);
    }
}
