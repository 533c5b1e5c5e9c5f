package org.naklab.lab.diagnosis.stacks;

import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads the path of a function out of its mangled name, of both of Rust's schemes: {@code std::thread::functions::sleep} of
 * {@code _RNvNtNtCsjrHSEGnQ3l9_3std6thread9functions5sleep}. Arguments of types and the numbers of closures are left out. The grammar is that of RFC 2603. Whoever built
 * the program chose the names: one that takes too many steps is not read.
 */
final class RustName {
    private static final String PREFIX = "_R";
    private static final String SEPARATOR = "::";
    private static final String CUT = "...";
    private static final String CLOSURE = "::{{closure}}";

    /** A name of the older scheme, mangled like one of C++, and the same after it was read as one. */
    private static final Pattern LEGACY = Pattern.compile("_ZN(\\d.*)17h[0-9a-f]{16}E.*");

    private static final Pattern LEGACY_READ = Pattern.compile("(.+)::h[0-9a-f]{16}");
    private static final Pattern LENGTH = Pattern.compile("\\d{1,3}");

    private static final Pattern ESCAPE = Pattern.compile("\\$(SP|BP|RF|LT|GT|LP|RP|C|u[0-9a-f]{1,4})\\$");
    private static final Map<String, String> ESCAPED =
            Map.of("SP", "@", "BP", "*", "RF", "&", "LT", "<", "GT", ">", "LP", "(", "RP", ")", "C", ",");

    private static final Map<Character, String> BASIC = Map.ofEntries(
            Map.entry('a', "i8"),
            Map.entry('b', "bool"),
            Map.entry('c', "char"),
            Map.entry('d', "f64"),
            Map.entry('e', "str"),
            Map.entry('f', "f32"),
            Map.entry('h', "u8"),
            Map.entry('i', "isize"),
            Map.entry('j', "usize"),
            Map.entry('l', "i32"),
            Map.entry('m', "u32"),
            Map.entry('n', "i128"),
            Map.entry('o', "u128"),
            Map.entry('p', "_"),
            Map.entry('s', "i16"),
            Map.entry('t', "u16"),
            Map.entry('u', "()"),
            Map.entry('v', "..."),
            Map.entry('x', "i64"),
            Map.entry('y', "u64"),
            Map.entry('z', "!"));

    private static final int MAX_STEPS = 1_000;
    private static final int MAX_DEPTH = 100;
    private static final int BASE = 62;
    private static final char NONE = 0;

    private final String text;
    private final StringBuilder out = new StringBuilder();
    private int position = PREFIX.length();
    private int steps;
    private int depth;
    private boolean isWrong;

    private RustName(String text) {
        this.text = text;
    }

    /** Returns the path, or the name itself if it is none of Rust's, or if it has a part that is not understood. */
    static String readable(String name) {
        Matcher read = LEGACY_READ.matcher(name);
        if (read.matches()) {
            return unescaped(read.group(1));
        }
        Matcher legacy = LEGACY.matcher(name);
        if (legacy.matches()) {
            return ofParts(legacy.group(1), name);
        }
        if (!name.startsWith(PREFIX)) {
            return name;
        }
        RustName parsed = new RustName(name);
        parsed.readPath();
        boolean isRead = parsed.out.length() > 0 && (!parsed.isWrong || parsed.isCut());
        return isRead ? parsed.out + (parsed.isCut() ? CUT : "") : name;
    }

    /** @param parts each with its length before it */
    private static String ofParts(String parts, String otherwise) {
        StringBuilder path = new StringBuilder();
        int position = 0;
        while (position < parts.length()) {
            Matcher length = LENGTH.matcher(parts).region(position, parts.length());
            int end = length.lookingAt() ? length.end() + Integer.parseInt(length.group()) : Integer.MAX_VALUE;
            if (end > parts.length()) {
                return otherwise;
            }
            path.append(path.length() == 0 ? "" : SEPARATOR).append(parts, length.end(), end);
            position = end;
        }
        return unescaped(path.toString());
    }

    private static String unescaped(String path) {
        String plain = path.replaceAll("(^|::)_\\$", "$1\\$").replace("..", SEPARATOR);
        return ESCAPE.matcher(plain)
                .replaceAll(escape -> Matcher.quoteReplacement(
                        ESCAPED.containsKey(escape.group(1))
                                ? ESCAPED.getOrDefault(escape.group(1), "")
                                : Character.toString(
                                        Integer.parseInt(escape.group(1).substring(1), 16))))
                .replace(CLOSURE, "");
    }

    private void readPath() {
        if (++steps > MAX_STEPS || ++depth > MAX_DEPTH) {
            isWrong = true;
            return;
        }
        switch (next()) {
            case 'C' -> out.append(identifier());
            case 'N' -> {
                next();
                readPath();
                appendPart(identifier());
            }
            case 'I' -> {
                readPath();
                skipArguments();
            }
            case 'M' -> {
                skipImplementation();
                readType();
            }
            case 'X' -> {
                skipImplementation();
                readTypeOfTrait();
            }
            case 'Y' -> readTypeOfTrait();
            case 'B' -> readEarlier(this::readPath);
            default -> isWrong = true;
        }
        depth--;
    }

    /** A closure has no name. */
    private void appendPart(String name) {
        if (!name.isEmpty()) {
            out.append(SEPARATOR).append(name);
        }
    }

    private void readTypeOfTrait() {
        out.append('<');
        readType();
        out.append(" as ");
        readPath();
        out.append('>');
    }

    private void readType() {
        if (++steps > MAX_STEPS || ++depth > MAX_DEPTH) {
            isWrong = true;
            return;
        }
        char kind = peek();
        if (BASIC.containsKey(kind)) {
            out.append(BASIC.getOrDefault(next(), ""));
        } else if ("CNIMXY".indexOf(kind) >= 0) {
            readPath();
        } else {
            next();
            readComposed(kind);
        }
        depth--;
    }

    private void readComposed(char kind) {
        switch (kind) {
            case 'S' -> readBetween("[", "]");
            case 'A' -> {
                readBetween("[", "]");
                skip(this::readConstant);
            }
            case 'T' -> readTuple();
            case 'R' -> readReference("&");
            case 'Q' -> readReference("&mut ");
            case 'P' -> readBetween("*const ", "");
            case 'O' -> readBetween("*mut ", "");
            case 'F' -> {
                out.append("fn");
                skip(this::readSignature);
            }
            case 'D' -> readBounds();
            case 'B' -> readEarlier(this::readType);
            default -> isWrong = true;
        }
    }

    private void readBetween(String before, String after) {
        out.append(before);
        readType();
        out.append(after);
    }

    private void readReference(String before) {
        skipLifetime();
        readBetween(before, "");
    }

    private void readTuple() {
        out.append('(');
        for (String separator = ""; goesOn(); separator = ", ") {
            readBetween(separator, "");
        }
        out.append(')');
    }

    private void readSignature() {
        skipBinder();
        take('U');
        if (take('K') && !take('C')) {
            identifier();
        }
        while (goesOn()) {
            readType();
        }
        readType();
    }

    private void readBounds() {
        out.append("dyn ");
        skipBinder();
        for (String separator = ""; goesOn(); separator = " + ") {
            out.append(separator);
            readPath();
            while (take('p')) {
                identifier();
                skip(this::readType);
            }
        }
        skipLifetime();
    }

    private void readConstant() {
        if (take('p')) {
            return;
        }
        if (take('B')) {
            readEarlier(this::readConstant);
            return;
        }
        readType();
        take('n');
        while (Character.digit(peek(), 16) >= 0) {
            next();
        }
        isWrong |= next() != '_';
    }

    private void skipArguments() {
        while (goesOn()) {
            if (take('L')) {
                number();
            } else if (take('K')) {
                skip(this::readConstant);
            } else {
                skip(this::readType);
            }
        }
    }

    private void skipImplementation() {
        skipNumberAfter('s');
        skip(this::readPath);
    }

    private void skipLifetime() {
        skipNumberAfter('L');
    }

    private void skipBinder() {
        skipNumberAfter('G');
    }

    private void skipNumberAfter(char mark) {
        if (take(mark)) {
            number();
        }
    }

    private void skip(Runnable part) {
        int length = out.length();
        part.run();
        out.setLength(length);
    }

    /** What stands in the name already is not repeated. */
    private void readEarlier(Runnable part) {
        int begin = position - 1;
        long earlier = PREFIX.length() + number();
        if (isWrong || earlier < PREFIX.length() || earlier >= begin) {
            isWrong = true;
            return;
        }
        int end = position;
        position = (int) earlier;
        part.run();
        position = end;
    }

    private String identifier() {
        skipNumberAfter('s');
        take('u');
        Matcher length = LENGTH.matcher(text).region(Math.min(position, text.length()), text.length());
        if (!length.lookingAt()) {
            isWrong = true;
            return "";
        }
        // A name does not begin with a zero that is not all of its length.
        position = length.group().startsWith("0") ? position + 1 : length.end();
        int count = length.group().startsWith("0") ? 0 : Integer.parseInt(length.group());
        take('_');
        position += count;
        if (position > text.length()) {
            isWrong = true;
            return "";
        }
        return text.substring(position - count, position);
    }

    /** Reads a number in base 62, of which 0 has no digit. One that tells names apart may be too large for its type, and counts for nothing. */
    private long number() {
        if (take('_')) {
            return 0;
        }
        long value = 0;
        for (char digit = next(); digit != '_' && !isWrong; digit = next()) {
            value = value * BASE + digitOf(digit);
        }
        return value + 1;
    }

    private int digitOf(char digit) {
        if (digit >= '0' && digit <= '9') {
            return digit - '0';
        }
        if (digit >= 'a' && digit <= 'z') {
            return 10 + digit - 'a';
        }
        isWrong |= digit < 'A' || digit > 'Z';
        return 36 + digit - 'A';
    }

    /** Returns whether a list has one more element; its end is passed over. */
    private boolean goesOn() {
        return !isWrong && !take('E');
    }

    private boolean take(char expected) {
        boolean isThere = peek() == expected;
        position += isThere ? 1 : 0;
        return isThere;
    }

    /** The recorder keeps the beginning of a long name. */
    private boolean isCut() {
        return position > text.length();
    }

    private char peek() {
        return position < text.length() ? text.charAt(position) : NONE;
    }

    private char next() {
        char next = peek();
        position++;
        isWrong |= next == NONE;
        return next;
    }
}
