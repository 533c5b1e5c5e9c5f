package org.naklab.lab.diagnosis.stacks;

/**
 * Reads the path of a function out of its mangled name, of both of Rust's schemes: {@code std::thread::functions::sleep} of
 * {@code _RNvNtNtCsjrHSEGnQ3l9_3std6thread9functions5sleep}. Arguments of types are left out.
 */
final class RustName {
    private static final String PREFIX = "_R";
    private static final String LEGACY = "_ZN(\\d.*)17h[0-9a-f]{16}E.*";

    private final String text;
    private final StringBuilder path = new StringBuilder();
    private int position = PREFIX.length();

    private RustName(String text) {
        this.text = text;
    }

    /** Returns the path, or the name itself if it is none of Rust's, or if it has a part that is not understood. */
    static String readable(String name) {
        if (name.matches(LEGACY)) {
            return new RustName(PREFIX + name.replaceFirst(LEGACY, "$1")).identifiers(name);
        }
        if (!name.startsWith(PREFIX)) {
            return name;
        }
        RustName parsed = new RustName(name);
        return parsed.isPath() && parsed.path.length() > 0 ? parsed.path.toString() : name;
    }

    private String identifiers(String otherwise) {
        while (position < text.length()) {
            if (!isIdentifier()) {
                return otherwise;
            }
        }
        return path.toString();
    }

    /** A crate, what is nested in a path, an implementation for a type, or a path with arguments. */
    private boolean isPath() {
        if (position >= text.length()) {
            return false;
        }
        char kind = text.charAt(position++);
        return switch (kind) {
            case 'C' -> isIdentifier();
            case 'N' -> position++ < text.length() && isPath() && isIdentifier();
            case 'I' -> isPath();
            default -> false;
        };
    }

    private boolean isIdentifier() {
        if (position < text.length() && text.charAt(position) == 's') {
            position = text.indexOf('_', position) + 1;
        }
        int begin = position;
        while (position < text.length() && Character.isDigit(text.charAt(position))) {
            position++;
        }
        if (begin == position || position - begin > 4) {
            return false;
        }
        int length = Integer.parseInt(text.substring(begin, position));
        position += position < text.length() && text.charAt(position) == '_' ? 1 : 0;
        if (position + length > text.length()) {
            return false;
        }
        String name = text.substring(position, position + length);
        position += length;
        path.append(path.length() == 0 || name.isEmpty() ? "" : "::").append(name);
        return true;
    }
}
