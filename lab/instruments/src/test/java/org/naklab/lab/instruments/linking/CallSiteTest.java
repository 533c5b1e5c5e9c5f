package org.naklab.lab.instruments.linking;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.naklab.lab.instruments.kernel.symbols.StackFrame;
import org.naklab.lab.instruments.linux.MemoryMapping;

@Timeout(value = 60, unit = TimeUnit.SECONDS)
@EnabledIfSystemProperty(named = "os.arch", matches = "amd64")
final class CallSiteTest {
    @TempDir
    Path directory;

    @ParameterizedTest
    @ValueSource(
            strings = {
                "-fplt -Wl,-z,lazy",
                "-fplt -Wl,-z,lazy -s",
                "-fplt -Wl,-z,lazy -fcf-protection=full -Wl,-z,ibtplt",
                "-fplt -Wl,-z,now"
            })
    void shouldNameEachCallThroughTheLinkageTable(String flags) throws Exception {
        assertThat(calls(flags.split(" ")))
                .filteredOn(CallSite::isThroughPlt)
                .extracting(CallSite::symbol)
                .contains("write", "read", "sched_yield");
    }

    @Test
    void shouldTellCallsThatBypassTheTable() throws Exception {
        assertThat(calls("-fno-plt"))
                .filteredOn(call -> call.symbol().equals("sched_yield"))
                .isNotEmpty()
                .noneMatch(CallSite::isThroughPlt);
    }

    @Test
    void shouldBeASentence() {
        assertThat(new CallSite("sched_yield", true, 0x1234).in("libnaklab_yield.so"))
                .isEqualTo("call of sched_yield through the PLT in libnaklab_yield.so+0x1234");
    }

    /** The stack of a bind: the dynamic linker, and the function that called through the linkage table. */
    @ParameterizedTest
    @ValueSource(strings = {"", "-s"})
    void shouldNameTheCallInTheStackOfABind(String strip) throws Exception {
        Path program = YielderProgram.compile(directory, "yielder", ("-fplt -Wl,-z,lazy " + strip).split(" "));
        try (YielderProgram running = YielderProgram.start(program, Map.of());
                ElfImage image = ElfImage.open(program)) {
            long base = MemoryMapping.of(Path.of("/proc", Long.toString(running.pid()))).stream()
                    .filter(mapping -> mapping.path().equals(program.toString()) && mapping.offset() == 0)
                    .findFirst()
                    .orElseThrow()
                    .begin();
            long returnAddress = image.segments().stream()
                    .filter(ElfImage.Segment::isExecutable)
                    .flatMapToLong(
                            segment -> LongStream.range(segment.address(), segment.address() + segment.fileBytes()))
                    .filter(at -> isCallOfYield(image, at))
                    .findFirst()
                    .orElseThrow();
            StackFrame linker = new StackFrame(1, "_dl_fixup", 2, "/lib64/ld-linux-x86-64.so.2");
            StackFrame main = new StackFrame(base + returnAddress, "", 0, program.toString());
            StackFrame libc = new StackFrame(2, "__libc_start_main", 2, "/lib64/libc.so.6");

            List<StackFrame> named = BindCallSite.addTo(running.pid(), List.of(linker, main, libc));
            assertThat(named)
                    .extracting(StackFrame::symbol)
                    .containsExactly(
                            "_dl_fixup",
                            "call of sched_yield through the PLT in yielder+0x" + Long.toHexString(returnAddress - 5),
                            "",
                            "__libc_start_main");
            StackFrame audit = new StackFrame(3, "la_symbind64", 2, "/tmp/libaudit.so");
            assertThat(BindCallSite.addTo(running.pid(), List.of(audit, linker, main)))
                    .hasSize(4)
                    .element(2)
                    .extracting(StackFrame::symbol)
                    .asString()
                    .startsWith("call of sched_yield");
            assertThat(BindCallSite.addTo(running.pid(), List.of(main, libc))).containsExactly(main, libc);
            assertThat(BindCallSite.addTo(running.pid(), List.of(linker, linker)))
                    .containsExactly(linker, linker);
        }
    }

    private static boolean isCallOfYield(ElfImage image, long at) {
        try {
            return CallSite.before(image, at)
                    .filter(call -> call.symbol().equals("sched_yield"))
                    .isPresent();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns the calls of all places of the code: a stack has such that are behind a call. */
    private List<CallSite> calls(String... flags) throws Exception {
        List<CallSite> calls = new ArrayList<>();
        try (ElfImage image = ElfImage.open(YielderProgram.compile(directory, "yielder", flags))) {
            for (ElfImage.Segment segment : image.segments()) {
                if (segment.isExecutable()) {
                    for (long at = segment.address(); at < segment.address() + segment.fileBytes(); at++) {
                        Optional<CallSite> call = CallSite.before(image, at);
                        if (call.isPresent()) {
                            assertThat(CallSite.isAfterCall(image, at)).isTrue();
                            calls.add(call.get());
                        }
                    }
                }
            }
        }
        return calls;
    }
}
