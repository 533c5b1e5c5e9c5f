package org.naklab.lab.report.web;

import io.netty.util.NetUtil;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The names by which a browser may call this server. A foreign name that resolves to this machine is how another site's script reads what
 * is here (DNS rebinding); no script can take that way by an address.
 */
public final class HostNames {
    private static final Pattern WITH_PORT = Pattern.compile("(\\[[^\\]]*]|[^:\\[\\]]*)(:\\d{0,5})?");
    private static final Pattern LOOPBACK = Pattern.compile("127(\\.\\d{1,3}){3}|\\[::1]|localhost");

    private static final Path NAME_OF_MACHINE = Path.of("/proc/sys/kernel/hostname");

    private final Set<String> names;
    private final boolean takesAddresses;

    /**
     * Knows the names of loopback, the address that is listened on, and more.
     *
     * @param bound the address or name that is listened on
     * @param more names, such as those of a proxy
     */
    public HostNames(String bound, Collection<String> more) {
        names = Stream.concat(Stream.of(bound.indexOf(':') < 0 ? bound : "[" + bound + "]"), more.stream())
                .map(HostNames::canonical)
                .collect(Collectors.toUnmodifiableSet());
        takesAddresses = !LOOPBACK.matcher(canonical(bound)).matches();
    }

    /** Returns the name of this machine, by which those call it who mean it; empty if it cannot be read. */
    public static List<String> ofMachine() {
        try {
            return List.of(Files.readString(NAME_OF_MACHINE).strip());
        } catch (IOException e) {
            return List.of();
        }
    }

    /** @param header {@code Host}, with or without a port; {@code null}: the request has none, or several */
    boolean allow(@Nullable String header) {
        if (header == null) {
            return false;
        }
        Matcher host = WITH_PORT.matcher(header);
        if (!host.matches()) {
            return false;
        }
        String name = canonical(host.group(1));
        return LOOPBACK.matcher(name).matches() || names.contains(name) || (takesAddresses && isAddress(name));
    }

    private static boolean isAddress(String name) {
        return NetUtil.isValidIpV4Address(name)
                || (name.startsWith("[") && NetUtil.isValidIpV6Address(name.substring(1, name.length() - 1)));
    }

    private static String canonical(String name) {
        String lower = name.toLowerCase(Locale.ROOT);
        return lower.endsWith(".") ? lower.substring(0, lower.length() - 1) : lower;
    }
}
