package org.naklab.lab.instruments.linking;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

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
