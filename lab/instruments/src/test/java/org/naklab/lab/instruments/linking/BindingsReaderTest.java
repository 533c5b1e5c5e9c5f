package org.naklab.lab.instruments.linking;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.naklab.lab.core.InputException;
import org.naklab.testing.host.PageCache;

@Timeout(value = 120, unit = TimeUnit.SECONDS)
final class BindingsReaderTest {
    private static final int PROGRAM_HEADER = 56;
    private static final int PT_DYNAMIC = 2;

    @TempDir
    Path directory;

    /** Each way of linking has another linkage table, or other addresses. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "-fplt -Wl,-z,lazy -pie -fPIE",
                "-fplt -Wl,-z,lazy -no-pie -fno-pie",
                "-fplt -Wl,-z,lazy -fcf-protection=full -Wl,-z,ibtplt",
                "-fplt -Wl,-z,lazy -Wl,-z,norelro",
                "-fplt -Wl,-z,lazy -Wl,-z,noseparate-code -s"
            })
    void shouldSeeThatTheFirstYieldChangesOneSlot(String flags) throws Exception {
        Path program = YielderProgram.compile(directory, "yielder", flags.split(" "));
        try (YielderProgram running = YielderProgram.start(program, Map.of())) {
            Bindings before = BindingsReader.ofProcess(running.pid());
            running.yieldOnce();
            Bindings after = BindingsReader.ofProcess(running.pid());

            assertThat(unbound(before, program)).containsExactly("sched_yield");
            assertThat(unbound(after, program)).isEmpty();
            assertThat(after.unbound()).isEqualTo(before.unbound() - 1);
            assertThat(library(before, program).symbols().get(0))
                    .satisfies(symbol -> assertThat(symbol.definedIn()).startsWith("libc.so"))
                    .satisfies(symbol -> assertThat(symbol.pagesRead()).isGreaterThan(2))
                    .satisfies(symbol -> assertThat(symbol.pagesOnDisk()).isNotNull());
            assertThat(before.remedies())
                    .extracting(Bindings.Remedy::name)
                    .containsExactly("LD_BIND_NOW", "z-now", "touch", "lock");
        }
    }

    @Test
    void shouldFindNothingUnboundWhenItWasBoundAtLoad() throws Exception {
        Path lazy = YielderProgram.compile(directory, "lazy", "-fplt", "-Wl,-z,lazy");
        Path now = YielderProgram.compile(directory, "now", "-fplt", "-Wl,-z,now");
        try (YielderProgram byEnvironment = YielderProgram.start(lazy, Map.of("LD_BIND_NOW", "1"));
                YielderProgram byFlag = YielderProgram.start(now, Map.of())) {
            Bindings environment = BindingsReader.ofProcess(byEnvironment.pid());
            assertThat(environment.unbound()).isZero();
            assertThat(environment.bindNow()).isTrue();
            assertThat(environment.remedies()).isEmpty();
            assertThat(library(environment, lazy).binding().slots()).isEqualTo(3);

            Bindings flag = BindingsReader.ofProcess(byFlag.pid());
            assertThat(library(flag, now).binding().unbound()).isZero();
            assertThat(library(flag, now).binding().relro()).isEqualTo(Relro.FULL);
            assertThat(flag.bindNow()).isFalse();
        }
    }

    /** The threads of a process that waits in read have the code of its main function on their stacks. */
    @Test
    void shouldNameTheThreadThatMayPay() throws Exception {
        Path program = YielderProgram.compile(directory, "payer", "-fplt", "-Wl,-z,lazy");
        try (YielderProgram running = YielderProgram.start(program, Map.of())) {
            assertThat(library(BindingsReader.ofProcess(running.pid()), program).threads())
                    .containsExactly("payer (" + running.pid() + ")");
        }
    }

    /** The kernel drops the pages of the symbol tables but for those that the dynamic linker has touched, and those of the same folio. */
    @Test
    void shouldTellWhatABindWouldReadFromDiskAndLeaveItThere() throws Exception {
        Path program = YielderProgram.compileFar(directory, "far");
        Path library = directory.resolve("libfar.so");
        try (YielderProgram running = YielderProgram.start(program, Map.of())) {
            PageCache.evict(library);
            Bindings.Symbol first = onlyUnbound(running, program);
            assertThat(first.definedIn()).isEqualTo("libfar.so");
            assertThat(first.pagesOnDisk()).isPositive();
            assertThat(first.onDisk())
                    .isNotNull()
                    .allSatisfy(place -> assertThat(place.file()).isEqualTo("libfar.so"))
                    .extracting(Bindings.Place::section)
                    .isNotEmpty()
                    .isSubsetOf(".gnu.hash", ".dynsym", ".dynstr", ".gnu.version");
            assertThat(onlyUnbound(running, program)).isEqualTo(first);

            running.yieldOnce();
            assertThat(library(BindingsReader.ofProcess(running.pid()), program)
                            .binding()
                            .unbound())
                    .isZero();
        }
    }

    private static Bindings.Symbol onlyUnbound(YielderProgram running, Path program) {
        Bindings.Library library = library(BindingsReader.ofProcess(running.pid()), program);
        assertThat(library.symbols()).hasSize(1);
        return library.symbols().get(0);
    }

    @Test
    void shouldSayWhatAFileSays() throws Exception {
        Path lazy = YielderProgram.compile(directory, "lazy", "-fplt", "-Wl,-z,lazy", "-Wl,-z,relro");
        Path now = YielderProgram.compile(directory, "now", "-fplt", "-Wl,-z,now", "-Wl,-z,relro");
        Path bare = YielderProgram.compile(directory, "bare", "-fplt", "-Wl,-z,lazy", "-Wl,-z,norelro");
        Path alone = YielderProgram.compile(directory, "alone", "-static");
        Path movable = YielderProgram.compile(directory, "movable", "-static-pie");

        assertThat(only(lazy).symbols())
                .extracting(Bindings.Symbol::symbol)
                .containsExactlyInAnyOrder("write", "read", "sched_yield");
        assertThat(only(lazy).binding().relro()).isEqualTo(Relro.PARTIAL);
        assertThat(only(now).binding().relro()).isEqualTo(Relro.FULL);
        assertThat(only(now).binding().bindNow()).isTrue();
        assertThat(only(now).binding().unbound()).isZero();
        assertThat(only(bare).binding().relro()).isEqualTo(Relro.NONE);
        assertThat(List.of(only(alone), only(movable))).allSatisfy(file -> {
            assertThat(file.kind()).isEqualTo("static");
            assertThat(file.binding().slots()).isZero();
        });
    }

    /** What a tool has cut off is what the dynamic linker does not need. */
    @Test
    void shouldNeedNoSectionHeaders() throws Exception {
        Path program = YielderProgram.compile(directory, "whole", "-fplt", "-Wl,-z,lazy", "-s");
        byte[] bytes = Files.readAllBytes(program);
        ByteBuffer header = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
        header.putLong(0x28, 0).putShort(0x3c, (short) 0).putShort(0x3e, (short) 0);
        Path cut = Files.write(directory.resolve("cut"), bytes);

        assertThat(only(cut).symbols()).isEqualTo(only(program).symbols());
    }

    @Test
    void shouldRefuseWhatIsNoLibrary() throws IOException {
        Path text = Files.writeString(directory.resolve("text"), "no library");
        Path cut = Files.write(directory.resolve("cut"), new byte[] {0x7f, 'E', 'L', 'F', 2, 1, 1});

        assertThatThrownBy(() -> BindingsReader.ofFile(text)).isInstanceOf(InputException.class);
        assertThatThrownBy(() -> BindingsReader.ofFile(cut)).isInstanceOf(InputException.class);
        assertThatThrownBy(() -> BindingsReader.ofFile(directory.resolve("nowhere")))
                .isInstanceOf(InputException.class)
                .hasMessageContaining("nowhere");
        assertThatThrownBy(() -> BindingsReader.ofProcess(4_194_305L))
                .isInstanceOf(InputException.class)
                .hasMessageContaining("no process has the id 4194305");
    }

    /** Each cut of a file is read or refused, and nothing else. */
    @Test
    void shouldRefuseDamageByName() throws Exception {
        Path program = YielderProgram.compile(directory, "whole", "-fplt", "-Wl,-z,lazy", "-s");
        byte[] bytes = Files.readAllBytes(program);
        Path damaged = directory.resolve("damaged");
        for (int at = 16; at < 1_024; at++) {
            byte[] changed = bytes.clone();
            changed[at] ^= (byte) 0xff;
            Files.write(damaged, changed);
            try {
                assertThat(BindingsReader.ofFile(damaged).libraries()).hasSize(1);
            } catch (InputException refused) {
                assertThat(refused).hasMessageStartingWith("cannot read " + damaged);
            }
        }
    }

    /** Each field of the headers and of the dynamic section is a place, a length or a number that somebody else has chosen. */
    @ParameterizedTest
    @ValueSource(longs = {0, -1, Integer.MAX_VALUE, Integer.MIN_VALUE, Long.MAX_VALUE, Long.MIN_VALUE})
    void shouldReadOrRefuseAnyFieldOfAHeader(long value) throws Exception {
        byte[] whole = Files.readAllBytes(YielderProgram.compile(directory, "whole", "-fplt", "-Wl,-z,lazy", "-s"));
        ByteBuffer header = ByteBuffer.wrap(whole).order(ByteOrder.LITTLE_ENDIAN);
        List<Integer> words = new ArrayList<>(List.of(0x20));
        int tableAt = (int) header.getLong(0x20);
        for (int at = tableAt; at < tableAt + header.getShort(0x38) * PROGRAM_HEADER; at += PROGRAM_HEADER) {
            words.addAll(List.of(at + 8, at + 16, at + 32, at + 40));
            if (header.getInt(at) == PT_DYNAMIC) {
                int dynamicAt = (int) header.getLong(at + 8);
                for (int entry = dynamicAt; header.getLong(entry) != 0; entry += 16) {
                    words.add(entry + 8);
                }
            }
        }
        for (int at : words) {
            assertReadOrRefused(at, copy(whole).putLong(at, value));
        }
        for (int at : List.of(0x10, 0x12, 0x36, 0x38)) {
            assertReadOrRefused(at, copy(whole).putShort(at, (short) value));
        }
    }

    private static byte[] bytes(ByteBuffer file) {
        byte[] bytes = new byte[file.capacity()];
        file.get(0, bytes);
        return bytes;
    }

    private static ByteBuffer copy(byte[] file) {
        return ByteBuffer.wrap(file.clone()).order(ByteOrder.LITTLE_ENDIAN);
    }

    private void assertReadOrRefused(int field, ByteBuffer file) throws IOException {
        Path damaged = Files.write(directory.resolve("damaged"), bytes(file));
        assertThatCode(() -> {
                    try {
                        assertThat(BindingsReader.ofFile(damaged).libraries()).hasSize(1);
                        LinkageTable.isUsedBy(damaged);
                    } catch (InputException refused) {
                        assertThat(refused).hasMessageStartingWith("cannot read " + damaged);
                    }
                })
                .as("field 0x%x", field)
                .doesNotThrowAnyException();
    }

    /** A file of holes has any length, and costs its owner nothing. */
    @Test
    void shouldAllocateNothingForADynamicSectionOfTwoGigabytes() throws Exception {
        Path program = YielderProgram.compile(directory, "whole", "-fplt", "-Wl,-z,lazy", "-s");
        ByteBuffer file = copy(Files.readAllBytes(program));
        int at = (int) file.getLong(0x20);
        while (file.getInt(at) != PT_DYNAMIC) {
            at += PROGRAM_HEADER;
        }
        file.putLong(at + 32, Integer.MAX_VALUE);
        Path large = Files.write(directory.resolve("large"), bytes(file));
        try (FileChannel holes = FileChannel.open(large, StandardOpenOption.WRITE)) {
            holes.write(ByteBuffer.allocate(1), 3L << 30);
        }

        assertThatThrownBy(() -> BindingsReader.ofFile(large))
                .isInstanceOf(InputException.class)
                .hasMessageContaining("its dynamic section is damaged");
    }

    private static Bindings.Library only(Path file) {
        return BindingsReader.ofFile(file).libraries().get(0);
    }

    private static Bindings.Library library(Bindings bindings, Path file) {
        return bindings.libraries().stream()
                .filter(library -> library.file().equals(file.toString()))
                .findFirst()
                .orElseThrow();
    }

    private static List<String> unbound(Bindings bindings, Path file) {
        return library(bindings, file).symbols().stream()
                .map(Bindings.Symbol::symbol)
                .toList();
    }
}
