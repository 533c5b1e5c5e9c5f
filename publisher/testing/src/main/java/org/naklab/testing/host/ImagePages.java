package org.naklab.testing.host;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** The pages of the image's files in this machine's memory. */
public final class ImagePages {
    /** What {@code docker image inspect} tells of the image's layers. */
    private static final String LAYERS =
            "{{index .GraphDriver.Data \"UpperDir\"}}:{{index .GraphDriver.Data \"LowerDir\"}}";

    /** The largest file that every JVM reads at its start. */
    private static final String MODULES = "opt/jre/lib/modules";

    private ImagePages() {}

    /**
     * Evicts all of them, as if the machine had not read the image yet; waits until no other test process uses the image, and keeps it alone until the
     * class of tests ends. Skips the test, with the reason, where the layers cannot be seen, and where the kernel keeps pages that somebody uses.
     */
    public static void evict() throws IOException {
        ImageLock.takeAlone();
        List<Path> layers = Stream.of(inspected().split(":", -1))
                .filter(layer -> layer.startsWith("/"))
                .map(Path::of)
                .filter(Files::isReadable)
                .toList();
        if (layers.isEmpty()) {
            ContainerEngine.skip("the image's pages cannot be evicted: its layers are not on this machine");
        }
        for (Path layer : layers) {
            evict(layer);
        }
    }

    private static String inspected() {
        ToolOutput inspected = ToolOutput.of("docker", "image", "inspect", "--format", LAYERS, ContainerEngine.image());
        if (!inspected.succeeded()) {
            throw new AssertionError(inspected.output());
        }
        return inspected.output().strip();
    }

    private static void evict(Path layer) throws IOException {
        List<Path> files;
        try (Stream<Path> tree = Files.walk(layer)) {
            files = tree.filter(path -> Files.isRegularFile(path, LinkOption.NOFOLLOW_LINKS))
                    .toList();
        }
        for (Path file : files) {
            PageCache.evict(file);
        }
        Path modules = layer.resolve(MODULES);
        if (Files.exists(modules) && PageCache.sampleInMemory(modules) > 0) {
            ContainerEngine.skip("the image's pages cannot be evicted: another process uses " + modules);
        }
    }
}
