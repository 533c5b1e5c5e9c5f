package org.naklab.lab.diagnosis.stacks;

import java.util.regex.Pattern;

/** Shortens the plain name of a C++ function to its path: {@code feed::Book<int>::apply} of {@code void feed::Book<int>::apply<char>(char) const}. */
final class CppName {
    /** What may follow the parameters. */
    private static final Pattern AFTER = Pattern.compile("( const| volatile| noexcept| &{1,2}| \\[[^]]*\\])+$");

    private static final String OPERATOR = "operator";

    private CppName() {}

    /** Returns the name without its parameters and its result; the name itself if it has no parameters, as one of C or Go. */
    static String withoutParameters(String name) {
        String function = AFTER.matcher(name).replaceFirst("");
        int begin = function.endsWith(")") ? beginOfGroup(function, function.length() - 1) : -1;
        // "(anonymous namespace)" is a part of a path, and "operator()" a name.
        boolean isName = begin <= 0
                || function.substring(0, begin).endsWith(OPERATOR)
                || function.endsWith("(anonymous namespace)");
        return isName ? name : withoutResult(function.substring(0, begin));
    }

    /** The result stands before the first blank outside of all brackets; an operator may have blanks in its own name. */
    private static String withoutResult(String function) {
        int end = function.indexOf(OPERATOR);
        int begin = 0;
        int depth = 0;
        for (int i = 0; i < (end < 0 ? function.length() : end); i++) {
            char each = function.charAt(i);
            depth += "<({".indexOf(each) >= 0 ? 1 : ">)}".indexOf(each) >= 0 ? -1 : 0;
            begin = each == ' ' && depth == 0 ? i + 1 : begin;
        }
        return function.substring(begin);
    }

    /** Returns where the bracket opens that is closed at an index; -1: nowhere. */
    private static int beginOfGroup(String text, int end) {
        int depth = 0;
        for (int i = end; i >= 0; i--) {
            depth += text.charAt(i) == ')' ? 1 : text.charAt(i) == '(' ? -1 : 0;
            if (depth == 0) {
                return i;
            }
        }
        return -1;
    }
}
