import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;

public class Receiver {
    private static final Object BOOK = new Object();
    private static long count;

    public static void main(String[] args) throws Exception {
        DatagramSocket in = new DatagramSocket(40_123, InetAddress.getLoopbackAddress());
        in.setReceiveBufferSize(65_536);
        start("feed", () -> {
            in.receive(new DatagramPacket(new byte[1_500], 1_500));
            synchronized (BOOK) {
                count++;
            }
        });
        start("reporter", () -> {
            Thread.sleep(3_000);
            synchronized (BOOK) {
                Thread.sleep(250);
            }
        });
        DatagramSocket out = new DatagramSocket();
        start("exchange", () -> {
            out.send(new DatagramPacket(new byte[400], 400, in.getLocalSocketAddress()));
            Thread.sleep(0, 500_000);
        });
    }

    private interface Step {
        void take() throws Exception;
    }

    private static void start(String name, Step step) {
        new Thread(() -> {
            try {
                while (true) {
                    step.take();
                }
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
        }, name).start();
    }
}
