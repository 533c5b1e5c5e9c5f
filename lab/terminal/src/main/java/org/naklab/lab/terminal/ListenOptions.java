package org.naklab.lab.terminal;

import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.net.UnknownHostException;
import java.util.List;
import org.naklab.lab.core.InputException;
import picocli.CommandLine.Option;

/** The options {@code --host} and {@code --name} of the commands that serve pages. */
public final class ListenOptions {
    @Option(
            names = "--host",
            paramLabel = "H",
            defaultValue = "127.0.0.1",
            description = "Address to listen on; 0.0.0.0 admits other machines (default: ${DEFAULT-VALUE}).")
    private String host;

    @Option(
            names = "--name",
            paramLabel = "N",
            description = "Additional host name that requests may use, such as a proxy's; may be repeated. Loopback "
                    + "names and --host are always accepted, and any address if --host is not loopback.")
    private List<String> names = List.of();

    /** Returns the address or the name of an address of this machine. */
    public String host() {
        return host;
    }

    /** Returns an address, as it stands in a URL, at which other machines find this one if they may connect. */
    public String reachable() {
        return reachable(host);
    }

    /**
     * Returns an address, as it stands in a URL, at which other machines find this one if they may connect.
     *
     * @param host that is listened on; if that is every address, one of this machine is returned
     * @throws InputException it is no address of this machine
     */
    public static String reachable(String host) {
        try {
            if (!address(host).isAnyLocalAddress()) {
                return host.indexOf(':') < 0 ? host : "[" + host + "]";
            }
            return NetworkInterface.networkInterfaces()
                    .flatMap(NetworkInterface::inetAddresses)
                    .filter(each -> each instanceof Inet4Address && !each.isLoopbackAddress())
                    .map(InetAddress::getHostAddress)
                    .findFirst()
                    .orElse("127.0.0.1");
        } catch (SocketException e) {
            throw new InputException("the addresses of this machine cannot be read: " + e.getMessage(), e);
        }
    }

    /**
     * Returns whether only this machine can connect.
     *
     * @throws InputException the host is no address of this machine
     */
    public boolean isLoopback() {
        return address(host).isLoopbackAddress();
    }

    private static InetAddress address(String host) {
        try {
            return InetAddress.getByName(host);
        } catch (UnknownHostException e) {
            throw new InputException("--host " + host + " is no address of this machine", e);
        }
    }

    /** Returns the additional names. */
    public List<String> names() {
        return names;
    }
}
