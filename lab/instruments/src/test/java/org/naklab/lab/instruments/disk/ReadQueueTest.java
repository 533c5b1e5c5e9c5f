package org.naklab.lab.instruments.disk;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.naklab.lab.instruments.linux.CgroupPaths;

/** With files as the kernel of this machine wrote them while the service of a mystery ran in a group with slow reads. */
@Timeout(60)
final class ReadQueueTest {
    private static final long MS = 1_000_000L;
    private static final double READ_MS = 1.6;

    @TempDir
    private Path directory;

    private Path root;
    private Path group;
    private Path task;

    @BeforeEach
    void makeGroup() throws IOException {
        root = Files.createDirectory(directory.resolve("blkio"));
        group = Files.createDirectory(root.resolve("naklab-1"));
        Files.writeString(root.resolve("cgroup.procs"), "1\n");
        Files.writeString(group.resolve("cgroup.procs"), "4711\n");
        task = Files.createDirectories(directory.resolve("proc/4711/task/4712"));
        Files.createDirectories(directory.resolve("proc/4711/task/4711"));
        Files.writeString(directory.resolve("proc/4711/task/4711/stat"), stat("java", 'S'));
        Files.writeString(task.resolve("stat"), stat("odd) name (D", 'D'));
    }

    private static String stat(String name, char state) {
        return "4712 (" + name + ") " + state + " 1 4711 4711 0 -1 4194304 0 0 0 0\n";
    }

    private ReadQueue queue(CgroupPaths of) {
        return new ReadQueue(new Disk("254:0"), READ_MS, List.of(of), directory.resolve("proc"));
    }

    private void limit(String line) throws IOException {
        Files.writeString(group.resolve("blkio.throttle.read_iops_device"), line);
    }

    @Test
    void shouldHaveThePaceOfTheDiskWithoutALimit() throws IOException {
        limit("8:0 3\n");
        ReadQueue queue = queue(new CgroupPaths(group, 1));
        queue.look(0);
        assertThat(queue.pace()).isEqualTo(ReadPace.ofDisk(READ_MS));
        assertThat(queue.isLimited()).isFalse();
    }

    @Test
    void shouldCountThoseWhoWait() throws IOException {
        limit("254:0 14\n");
        ReadQueue queue = queue(new CgroupPaths(group, 1));
        queue.look(0);
        assertThat(queue.pace()).isEqualTo(new ReadPace(READ_MS, 14, 1));
        assertThat(queue.isLimited()).isTrue();
        Files.writeString(directory.resolve("proc/4711/task/4711/stat"), stat("java", 'D'));
        queue.look(100 * MS);
        assertThat(queue.pace()).isEqualTo(new ReadPace(READ_MS, 14, 1.5));
        queue.look(601 * MS);
        assertThat(queue.pace()).isEqualTo(new ReadPace(READ_MS, 14, 2));
    }

    @Test
    void shouldForgetAQueueThatIsGone() throws IOException {
        ReadQueue queue = queue(new CgroupPaths(group, 1));
        limit("254:0 14\n");
        queue.look(0);
        Files.writeString(task.resolve("stat"), stat("reader", 'S'));
        queue.look(100 * MS);
        assertThat(queue.pace()).isEqualTo(new ReadPace(READ_MS, 14, 0));
    }

    @Test
    void shouldFindTheStrictestLimitOfTheGroupsAbove() throws IOException {
        limit("254:0 14\n");
        Files.writeString(root.resolve("blkio.throttle.read_iops_device"), "254:0 9\n");
        ReadQueue queue = queue(new CgroupPaths(group, 1));
        queue.look(0);
        assertThat(queue.pace().readsPerSecond()).isEqualTo(9);
    }

    @Test
    void shouldReadTheSecondVersion() throws IOException {
        Files.writeString(group.resolve("io.max"), "254:0 rbps=max wbps=max riops=20 wiops=max\n");
        ReadQueue queue = queue(new CgroupPaths(group, 2));
        queue.look(0);
        assertThat(queue.pace()).isEqualTo(new ReadPace(READ_MS, 20, 1));
        Files.writeString(group.resolve("io.max"), "254:0 rbps=1048576 wbps=max riops=max wiops=max\n");
        queue.look(200 * MS);
        assertThat(queue.pace().isLimited()).isFalse();
    }
}
