package org.naklab.lab.tools.command;

import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** The payload of a datagram: what UDP over IPv4 can carry. */
final class DatagramBytes implements ITypeConverter<Integer> {
    private static final int MOST = 65_507;

    @Override
    public Integer convert(String text) {
        try {
            int bytes = Integer.parseInt(text);
            if (bytes >= 1 && bytes <= MOST) {
                return bytes;
            }
        } catch (NumberFormatException e) {
            throw new TypeConversionException("'" + text + "' is not a whole number");
        }
        throw new TypeConversionException("must be from 1 to " + MOST + ", not " + text);
    }
}
