package org.naklab.lab.core.series;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The name of a series of samples, as it is written in {@code samples.csv.gz}: {@code source.process.subject.quantity}. A series of the machine has no process,
 * and one that is of a whole process has no subject.
 *
 * @param process without a full stop; empty: the series is of the machine
 * @param subject what of the process: {@code address:port#inode}, {@code thread#id}, {@code streamN.sessionM}; empty: all of it
 * @param quantity what was read, with its unit at the end, such as {@code depthBytes}
 */
public record SeriesName(SeriesSource source, String process, String subject, String quantity)
        implements Comparable<SeriesName> {
    /** The numbers of a subject that differ from run to run: the port and the inode of a socket, the id of a thread, the session of a stream. */
    private static final Pattern SOCKET = Pattern.compile("(.*):(\\d{1,9})#(\\d{1,18})");

    private static final Pattern THREAD = Pattern.compile("(.*)#(\\d{1,18})");
    private static final Pattern STREAM = Pattern.compile("(.*)\\.session(-?\\d{1,18})(\\..*)?");

    /** Names a series of the machine. */
    public static SeriesName ofMachine(SeriesSource source, String quantity) {
        return new SeriesName(source, "", "", quantity);
    }

    /** Names a series of a whole process. */
    public static SeriesName ofProcess(SeriesSource source, String process, String quantity) {
        return new SeriesName(source, process, "", quantity);
    }

    /** Reads a name as it is written; one that this version does not write is of source {@link SeriesSource#OTHER}. */
    @JsonCreator
    public static SeriesName of(String text) {
        int first = text.indexOf('.');
        SeriesSource source = first < 0 ? SeriesSource.OTHER : SeriesSource.of(text.substring(0, first));
        if (source == SeriesSource.OTHER) {
            return ofMachine(source, text);
        }
        if (!source.isOfProcess()) {
            return ofMachine(source, text.substring(first + 1));
        }
        int process = text.indexOf('.', first + 1);
        if (process < 0) {
            return ofMachine(SeriesSource.OTHER, text);
        }
        int quantity = text.lastIndexOf('.');
        String subject = process == quantity ? "" : text.substring(process + 1, quantity);
        return new SeriesName(source, text.substring(first + 1, process), subject, text.substring(quantity + 1));
    }

    /** Names another quantity of the same subject. */
    public SeriesName sibling(String otherQuantity) {
        return new SeriesName(source, process, subject, otherQuantity);
    }

    /** Returns true if the series is of this source and quantity. */
    public boolean is(SeriesSource other, String otherQuantity) {
        return source == other && quantity.equals(otherQuantity);
    }

    /** Returns true if the series is of this source and process. */
    public boolean isOf(SeriesSource other, String otherProcess) {
        return source == other && process.equals(otherProcess);
    }

    /** Returns the name without the numbers that differ from run to run. */
    public String steady() {
        Matcher matcher = numbers();
        if (!matcher.matches()) {
            return toString();
        }
        String rest = source == SeriesSource.AERON && matcher.group(3) != null ? matcher.group(3) : "";
        return new SeriesName(source, process, matcher.group(1) + rest, quantity).toString();
    }

    /** Returns the port of a socket. */
    public Optional<Long> port() {
        return number(SeriesSource.SOCKET, 2);
    }

    /** Returns the inode of a socket. */
    public Optional<Long> inode() {
        return number(SeriesSource.SOCKET, 3);
    }

    /** Returns the id of a thread. */
    public Optional<Long> threadId() {
        return number(SeriesSource.THREAD, 2);
    }

    /** Returns the id of the session of a stream. */
    public Optional<Long> sessionId() {
        return number(SeriesSource.AERON, 2);
    }

    private Optional<Long> number(SeriesSource of, int group) {
        Matcher matcher = numbers();
        return source == of && matcher.matches() ? Optional.of(Long.valueOf(matcher.group(group))) : Optional.empty();
    }

    private Matcher numbers() {
        Pattern pattern =
                switch (source) {
                    case SOCKET -> SOCKET;
                    case AERON -> STREAM;
                    default -> THREAD;
                };
        return pattern.matcher(subject);
    }

    /** Returns the name as it is written. */
    @JsonValue
    @Override
    public String toString() {
        if (source == SeriesSource.OTHER) {
            return quantity;
        }
        StringBuilder text = new StringBuilder(source.word());
        if (source.isOfProcess()) {
            text.append('.').append(process);
            if (!subject.isEmpty()) {
                text.append('.').append(subject);
            }
        }
        return text.append('.').append(quantity).toString();
    }

    /** Orders by the written names. */
    @Override
    public int compareTo(SeriesName other) {
        return toString().compareTo(other.toString());
    }
}
