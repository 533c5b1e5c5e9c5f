package org.naklab.lab.terminal.network;

import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.net.UnknownHostException;
import java.util.stream.Collectors;
import org.naklab.lab.core.InputException;
import org.naklab.lab.core.LabException;

/** Finds network interfaces by name or address. */
final class NetworkInterfaces {
    private NetworkInterfaces() {}

    /**
     * Returns the IPv4 address of an interface.
     *
     * @param nameOrAddress such as {@code eth0} or {@code 192.168.1.5}
     * @throws LabException when there is no such interface, it is down, or it has no IPv4 address
     */
    static String address(String nameOrAddress) {
        return up(nameOrAddress)
                .inetAddresses()
                .filter(Inet4Address.class::isInstance)
                .filter(address ->
                        !isLiteral(nameOrAddress) || address.getHostAddress().equals(nameOrAddress))
                .findFirst()
                .map(InetAddress::getHostAddress)
                .orElseThrow(() -> new InputException("interface " + nameOrAddress + " has no IPv4 address"));
    }

    private static NetworkInterface up(String nameOrAddress) {
        NetworkInterface found = find(nameOrAddress);
        try {
            if (!found.isUp()) {
                throw new InputException("interface " + nameOrAddress + " is down, or has no link");
            }
        } catch (SocketException e) {
            throw new LabException("cannot query interface " + nameOrAddress + ": " + e.getMessage(), e);
        }
        return found;
    }

    static boolean isLoopback(String nameOrAddress) {
        try {
            return find(nameOrAddress).isLoopback();
        } catch (SocketException e) {
            throw new LabException("cannot query interface " + nameOrAddress + ": " + e.getMessage(), e);
        }
    }

    private static NetworkInterface find(String nameOrAddress) {
        try {
            NetworkInterface found = isLiteral(nameOrAddress)
                    ? NetworkInterface.getByInetAddress(InetAddress.getByName(nameOrAddress))
                    : NetworkInterface.getByName(nameOrAddress);
            if (found != null) {
                return found;
            }
            String names = NetworkInterface.networkInterfaces()
                    .map(NetworkInterface::getName)
                    .sorted()
                    .collect(Collectors.joining(", "));
            throw new InputException("no network interface " + nameOrAddress + "; there are: " + names);
        } catch (SocketException | UnknownHostException e) {
            throw new LabException("cannot find network interface " + nameOrAddress + ": " + e.getMessage(), e);
        }
    }

    /** Returns whether the text consists of digits and dots, so that no name server is queried for it. */
    private static boolean isLiteral(String nameOrAddress) {
        return nameOrAddress.matches("[0-9.]+");
    }
}
