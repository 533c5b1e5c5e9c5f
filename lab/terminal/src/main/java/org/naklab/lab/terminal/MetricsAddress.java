package org.naklab.lab.terminal;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.naklab.lab.core.UsageException;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/**
 * Names the address on which metrics are served.
 *
 * @param host name or numeric address of an interface of this machine
 * @param port 0 lets the kernel choose
 */
public record MetricsAddress(String host, int port) {
    private static final Pattern FORM = Pattern.compile("(?:\\[([0-9A-Fa-f:.%\\w]+)]|([^:\\s\\[\\]]+)):(\\d{1,5})");
    private static final int LAST_PORT = 65_535;

    /** Converts {@code HOST:PORT}; an IPv6 address stands in brackets. */
    public static final class Converter implements ITypeConverter<MetricsAddress> {
        @Override
        public MetricsAddress convert(String text) {
            Matcher matcher = FORM.matcher(text);
            if (!matcher.matches()) {
                throw new TypeConversionException("'" + text + "' is not HOST:PORT, such as 127.0.0.1:9464");
            }
            int port = Integer.parseInt(matcher.group(3));
            if (port > LAST_PORT) {
                throw new TypeConversionException("the port must be from 0 to 65535, not " + port);
            }
            return new MetricsAddress(matcher.group(1) == null ? matcher.group(2) : matcher.group(1), port);
        }
    }

    /**
     * Returns the address of the host.
     *
     * @throws UsageException there is no such host
     */
    public InetAddress resolve() {
        try {
            return InetAddress.getByName(host);
        } catch (UnknownHostException e) {
            throw new UsageException("--metrics: no host is named '" + host + "'");
        }
    }

    /** Returns the address as it stands in a URL. */
    public String onPort(int bound) {
        return (host.contains(":") ? "[" + host + "]" : host) + ":" + bound;
    }
}
