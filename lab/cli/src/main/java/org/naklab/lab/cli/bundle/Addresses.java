package org.naklab.lab.cli.bundle;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Finds the IP addresses of a text that say who someone is: all but multicast, loopback, private, link-local and unspecified ones. A number of four
 * parts that is a version is taken for an address as well.
 */
final class Addresses {
    private static final String OCTET = "(?:25[0-5]|2[0-4]\\d|1\\d\\d|[1-9]?\\d)";

    /** Names of series put a process id and a dot before the address: the last four parts count. */
    private static final Pattern IPV4 = Pattern.compile(
            "(?<!\\d)(?<!\\d\\.)((?:\\d{1,10}\\.){0,8})(" + OCTET + "(?:\\." + OCTET + "){3})(?!\\d|\\.\\d)");

    private static final Pattern IPV6 =
            Pattern.compile("(?<![\\w:])[0-9A-Fa-f]{0,4}(?::[0-9A-Fa-f]{0,4}){2,7}(?![\\w:])");
    private static final int IPV6_COLONS = 7;
    private static final int CERTAIN_COLONS = 3;

    private Addresses() {}

    /** Replaces each address that is to be redacted. */
    static String replace(String text, UnaryOperator<String> placeholder) {
        String without4 = IPV4.matcher(text)
                .replaceAll(match -> Matcher.quoteReplacement(match.group(1)
                        + (identifies(match.group(2)) ? placeholder.apply(match.group(2)) : match.group(2))));
        return IPV6.matcher(without4)
                .replaceAll(match -> Matcher.quoteReplacement(
                        isIpv6(match.group()) && identifies(match.group())
                                ? placeholder.apply(match.group())
                                : match.group()));
    }

    /** Distinguishes an address from a time of day and from a qualified name in C++. */
    private static boolean isIpv6(String text) {
        long colons = text.chars().filter(c -> c == ':').count();
        boolean isShortened =
                text.contains("::") && (colons >= CERTAIN_COLONS || text.chars().anyMatch(Character::isDigit));
        return isShortened || colons == IPV6_COLONS;
    }

    /** Text that is no address after all is none to redact. Nothing is looked up: the text contains no name. */
    private static boolean identifies(String literal) {
        try {
            InetAddress address = InetAddress.getByName(literal);
            byte[] bytes = address.getAddress();
            boolean isUniqueLocal = bytes.length == 16 && (bytes[0] & 0xfe) == 0xfc;
            boolean isBroadcast = literal.equals("255.255.255.255");
            return !(address.isMulticastAddress()
                    || address.isLoopbackAddress()
                    || address.isSiteLocalAddress()
                    || address.isLinkLocalAddress()
                    || address.isAnyLocalAddress()
                    || isUniqueLocal
                    || isBroadcast);
        } catch (UnknownHostException itIsNoAddress) {
            return false;
        }
    }
}
