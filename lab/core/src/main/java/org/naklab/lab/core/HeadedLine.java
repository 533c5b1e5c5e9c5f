package org.naklab.lab.core;

/**
 * A line for people that begins with the word that it is about.
 *
 * @param head that word
 * @param text what is said of it
 */
public record HeadedLine(String head, String text) {}
