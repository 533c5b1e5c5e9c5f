package org.naklab.lab.watch.command.live;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A terminal as far as the lab uses one: what it shows after it was sent some text. A sequence that it does not know is an error, as is a line of the alternate screen
 * that does not fit.
 */
public final class VirtualTerminal {
    private static final Pattern SEQUENCE = Pattern.compile("\u001b\\[(\\??[0-9;]*)([A-Za-z])");

    private final List<StringBuilder> main = new ArrayList<>(List.of(new StringBuilder()));
    private char[][] alternate = new char[0][0];
    private int columns;
    private int rows;
    private int row;
    private int column;
    private boolean isAlternate;
    private boolean isWrapping = true;
    private boolean hasCursor = true;
    private boolean isColoured;

    public VirtualTerminal(int columns, int rows) {
        resize(columns, rows);
    }

    /** Changes the size; the alternate screen is not wrapped anew. */
    public void resize(int newColumns, int newRows) {
        columns = newColumns;
        rows = newRows;
        char[][] resized = new char[newRows][newColumns];
        for (int i = 0; i < newRows; i++) {
            Arrays.fill(resized[i], ' ');
            if (i < alternate.length) {
                System.arraycopy(alternate[i], 0, resized[i], 0, Math.min(newColumns, alternate[i].length));
            }
        }
        alternate = resized;
        row = Math.min(row, newRows - 1);
        column = Math.min(column, newColumns - 1);
    }

    /** Takes what a program has written. */
    public void print(String text) {
        Matcher sequence = SEQUENCE.matcher(text);
        for (int i = 0; i < text.length(); ) {
            if (text.charAt(i) == '\u001b') {
                if (!sequence.find(i) || sequence.start() != i) {
                    throw new IllegalStateException("unknown sequence at " + text.substring(i));
                }
                obey(sequence.group(1), sequence.group(2).charAt(0));
                i = sequence.end();
            } else {
                print(text.charAt(i++));
            }
        }
    }

    private void obey(String parameters, char command) {
        switch (parameters + command) {
            case "?1049h" -> enter();
            case "?1049l" -> isAlternate = false;
            case "?7h" -> isWrapping = true;
            case "?7l" -> isWrapping = false;
            case "?25h" -> hasCursor = true;
            case "?25l" -> hasCursor = false;
            case "H" -> {
                row = 0;
                column = 0;
            }
            case "K" -> Arrays.fill(alternate[row], column, columns, ' ');
            case "J" -> {
                Arrays.fill(alternate[row], column, columns, ' ');
                for (int i = row + 1; i < rows; i++) {
                    Arrays.fill(alternate[i], ' ');
                }
            }
            default -> {
                if (command != 'm') {
                    throw new IllegalStateException("unknown sequence " + parameters + command);
                }
                isColoured = true;
            }
        }
    }

    private void enter() {
        isAlternate = true;
        for (char[] line : alternate) {
            Arrays.fill(line, ' ');
        }
    }

    private void print(char c) {
        if (!isAlternate) {
            if (c == '\n') {
                main.add(new StringBuilder());
            } else if (c != '\r') {
                if (main.get(main.size() - 1).length() == columns && isWrapping) {
                    main.add(new StringBuilder());
                }
                main.get(main.size() - 1).append(c);
            }
        } else if (c == '\n') {
            if (row == rows - 1) {
                throw new IllegalStateException("the screen scrolls");
            }
            row++;
        } else if (c == '\r') {
            column = 0;
        } else {
            alternate[row][column] = c;
            column = Math.min(column + 1, columns - 1);
        }
    }

    /** Returns the rows of the alternate screen. */
    public List<String> screen() {
        return Arrays.stream(alternate)
                .map(line -> new String(line).stripTrailing())
                .toList();
    }

    /** Returns the lines beside the alternate screen. */
    public List<String> lines() {
        return main.stream().map(StringBuilder::toString).toList();
    }

    /** Returns whether the terminal is as it was before a program used the alternate screen. */
    public boolean isClean() {
        return !isAlternate && isWrapping && hasCursor;
    }

    /** Returns whether the alternate screen is shown. */
    public boolean isAlternate() {
        return isAlternate;
    }

    /** Returns whether there ever was a colour or a style. */
    public boolean isColoured() {
        return isColoured;
    }
}
