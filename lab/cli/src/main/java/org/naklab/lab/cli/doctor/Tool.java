package org.naklab.lab.cli.doctor;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** Runs another program for what it says about itself, for a bounded time. */
record Tool(boolean present, int exitCode, String firstLine) {
    private static final long TIMEOUT_S = 10;

    static Tool run(String... command) {
        try {
            Process process = new ProcessBuilder(command)
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .redirectInput(ProcessBuilder.Redirect.from(new File("/dev/null")))
                    .start();
            CompletableFuture<Void> killer = CompletableFuture.runAsync(
                    process::destroyForcibly, CompletableFuture.delayedExecutor(TIMEOUT_S, TimeUnit.SECONDS));
            String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            int code = process.waitFor();
            killer.cancel(false);
            return new Tool(true, code, output.lines().findFirst().orElse(""));
        } catch (IOException e) {
            return new Tool(false, -1, "not found");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return new Tool(false, -1, "interrupted");
        }
    }

    boolean works() {
        return present && exitCode == 0;
    }
}
