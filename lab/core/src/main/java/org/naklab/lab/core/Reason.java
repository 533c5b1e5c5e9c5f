package org.naklab.lab.core;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.FileSystemLoopException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Says why something failed, in words for people: without the name of a Java class, which is all that some exceptions of files say. */
public final class Reason {
    /** {@code error=2, No such file or directory}, since JDK 23 {@code error: 2 (No such file or directory)}. */
    private static final Pattern OF_START = Pattern.compile("error(?:=|: )\\d+(?:, (.+)| \\((.+)\\))\\s*$");

    private Reason() {}

    /** Returns why a file could not be used, with its name if the exception has one; the message of any other exception. */
    public static String of(Throwable failure) {
        String message = failure.getMessage();
        if (failure instanceof FileSystemException ofFile && ofFile.getReason() == null) {
            String file = ofFile.getFile() == null ? "" : ofFile.getFile() + ": ";
            return file + words(ofFile);
        }
        if (message == null || message.isBlank()) {
            return failure instanceof IOException ? "it cannot be read or written" : "no reason was given";
        }
        Throwable cause = failure.getCause();
        return cause == null ? message : withoutClassNames(message, cause);
    }

    /** Returns why a program could not be started, without what Java says before the system's own words. */
    public static String ofStart(IOException failure) {
        Matcher words = OF_START.matcher(String.valueOf(failure.getMessage()));
        return words.find() ? words.group(words.group(1) == null ? 2 : 1) : of(failure);
    }

    /** Returns a message in which the reason stands in place of each exception that it quotes. */
    public static String withoutClassNames(String message, Throwable quoted) {
        String text = message.replace(quoted.toString(), of(quoted));
        Throwable cause = quoted.getCause();
        return cause == null ? text : withoutClassNames(text, cause);
    }

    private static String words(FileSystemException failure) {
        if (failure instanceof NoSuchFileException) {
            return "no such file or directory";
        }
        if (failure instanceof AccessDeniedException) {
            return "permission denied";
        }
        if (failure instanceof FileAlreadyExistsException) {
            return "it exists already";
        }
        if (failure instanceof NotDirectoryException) {
            return "it is not a directory";
        }
        return failure instanceof FileSystemLoopException ? "its links lead back to it" : "it cannot be used";
    }
}
