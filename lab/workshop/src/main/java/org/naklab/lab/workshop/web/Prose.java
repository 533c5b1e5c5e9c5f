package org.naklab.lab.workshop.web;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/** Makes HTML of the texts of units, which are Markdown: paragraphs, lists, indented code, emphasis, and addresses. */
final class Prose {
    private static final Pattern ITEM = Pattern.compile("(?:\\d+\\.|-) (.*)");
    private static final Pattern CODE = Pattern.compile("`([^`]+)`");
    private static final Pattern STRONG = Pattern.compile("\\*\\*([^*]+)\\*\\*");
    private static final Pattern EMPHASIS = Pattern.compile("(?<!\\w)\\*([^\\s*][^*]*)\\*(?!\\w)");
    private static final Pattern ADDRESS = Pattern.compile("(https?://[\\w./~:%#?=+-]*[\\w/#])");
    private static final String INDENT = "    ";

    private Prose() {}

    static String html(String markdown) {
        StringBuilder html = new StringBuilder();
        List<String> block = new ArrayList<>();
        for (String line : (markdown + "\n\n").split("\n", -1)) {
            boolean isOtherKind =
                    !block.isEmpty() && line.startsWith(INDENT) != block.get(0).startsWith(INDENT);
            boolean isBoundary = line.isBlank() || isOtherKind;
            if (isBoundary && !block.isEmpty()) {
                html.append(block(block));
                block.clear();
            }
            if (!line.isBlank()) {
                block.add(line);
            }
        }
        return html.toString();
    }

    private static String block(List<String> lines) {
        if (lines.get(0).startsWith(INDENT)) {
            return "<pre>"
                    + escaped(String.join(
                            "\n",
                            lines.stream()
                                    .map(line -> line.substring(INDENT.length()))
                                    .toList())) + "</pre>\n";
        }
        if (!ITEM.matcher(lines.get(0)).matches()) {
            return "<p>" + inline(String.join(" ", lines)) + "</p>\n";
        }
        String list = Character.isDigit(lines.get(0).charAt(0)) ? "ol" : "ul";
        StringBuilder items = new StringBuilder("<" + list + ">\n");
        StringBuilder item = new StringBuilder();
        for (String line : lines) {
            var matcher = ITEM.matcher(line);
            if (matcher.matches() && !item.isEmpty()) {
                items.append("<li>").append(inline(item.toString())).append("</li>\n");
                item.setLength(0);
            }
            item.append(item.isEmpty() ? "" : " ").append(matcher.matches() ? matcher.group(1) : line.strip());
        }
        return items.append("<li>").append(inline(item.toString())) + "</li>\n</" + list + ">\n";
    }

    private static String inline(String text) {
        String html = CODE.matcher(escaped(text)).replaceAll("<code>$1</code>");
        html = STRONG.matcher(html).replaceAll("<strong>$1</strong>");
        html = EMPHASIS.matcher(html).replaceAll("<em>$1</em>");
        return ADDRESS.matcher(html).replaceAll("<a href=\"$1\" rel=\"noreferrer\">$1</a>");
    }

    private static String escaped(String text) {
        return text.replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("\"", "&quot;");
    }
}
