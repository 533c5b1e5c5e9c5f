import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
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

    private static void receive(DatagramSocket in) throws Exception {
        long lastNs = System.nanoTime();
        DatagramPacket datagram = new DatagramPacket(new byte[2048], 2048);
        while (true) {
            in.receive(datagram);
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
        DatagramSocket in = new DatagramSocket(0, InetAddress.getByName("127.0.0.1"));
        in.setReceiveBufferSize(65_536);
        System.out.println("port " + in.getLocalPort());
        start("recv", () -> receive(in));
        start("actor", Receiver::act);
    }
}
