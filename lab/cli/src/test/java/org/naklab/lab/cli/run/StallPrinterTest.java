package org.naklab.lab.cli.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.naklab.lab.core.account.AccountEntry;
import org.naklab.lab.core.account.AccountKind;
import org.naklab.lab.core.account.StallAccount;
import org.naklab.lab.records.DiagnosedStalls;
import org.naklab.lab.records.Stall;
import org.naklab.lab.terminal.Terminal;

final class StallPrinterTest {
    private static final int COLUMNS = 80;
    private static final StallAccount ACCOUNT = new StallAccount(List.of(
            new AccountEntry(AccountKind.PAGE_FAULT, 150.1, "libc.so.6 .gnu.hash"),
            new AccountEntry(AccountKind.PREEMPTED, 5.4, "by java"),
            new AccountEntry(AccountKind.ON_CPU, 0.2, ""),
            new AccountEntry(AccountKind.UNEXPLAINED, 0.2, "")));

    @Test
    void shouldPrintTheAccountBelowTheStallAndBreakItBeforeATerm() {
        assertThat(printed(List.of(service(155.9, ACCOUNT))))
                .containsExactly(
                        "  stall    155.9 ms on mds-context, major faults 0, cause late-binding-delay",
                        "  account  155.9 ms = 150.1 page fault (libc.so.6 .gnu.hash)",
                        "           + 5.4 preempted (by java) + 0.2 other + 0.2 unexplained");
    }

    @Test
    void shouldBreakATermThatIsLongerThanALine() {
        StallAccount account = new StallAccount(List.of(new AccountEntry(
                AccountKind.LOCK,
                60.0,
                "woken by a thread whose name is long ".repeat(4).strip())));
        assertThat(printed(List.of(service(60.0, account))))
                .hasSizeGreaterThan(2)
                .allSatisfy(line -> assertThat(line.length()).isLessThanOrEqualTo(COLUMNS));
    }

    @Test
    void shouldPrintTheStallThatMattersAlthoughOthersAreLonger() {
        List<Stall> stalls = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            stalls.add(new Stall("gateway-1", i, 200 + i, "gateway-1-context", 0, "cpu-preemption", ACCOUNT));
        }
        stalls.add(service(155.9, ACCOUNT));
        List<String> lines = printed(stalls);
        assertThat(lines).filteredOn(line -> line.startsWith("  stall ")).hasSize(4);
        assertThat(lines.get(3)).contains("mds-context");
        assertThat(lines.get(4)).startsWith("  account  155.9 ms = ");
        assertThat(lines).filteredOn(line -> line.startsWith("  account ")).hasSize(1);
        assertThat(lines).last().isEqualTo("           and 2 more: see run.json");
    }

    @Test
    void shouldPrintTheAccountOfTheDiagnosedStallAlthoughAnotherOfTheServiceIsLonger() {
        Stall hiccup = new Stall("mds", 7, 165.1, "mds-context", 0, "cpu-preemption", StallAccount.NONE);
        List<String> lines = printed(List.of(hiccup, service(155.9, ACCOUNT)));
        assertThat(lines.get(0)).contains("165.1 ms", "cpu-preemption");
        assertThat(lines.get(1)).contains("155.9 ms", "late-binding-delay");
        assertThat(lines.get(2)).startsWith("  account  155.9 ms = ");
    }

    @Test
    void shouldPrintNoAccountWhereThereIsNone() {
        assertThat(printed(List.of(service(155.9, StallAccount.NONE)))).hasSize(1);
        assertThat(printed(List.of())).isEmpty();
    }

    private static Stall service(double durationMs, StallAccount account) {
        return new Stall("mds", 1, durationMs, "mds-context", 0, "late-binding-delay", account);
    }

    private static List<String> printed(List<Stall> stalls) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        PrintStream out = new PrintStream(bytes, true, StandardCharsets.UTF_8);
        new StallPrinter(Terminal.of(out, out), out, COLUMNS)
                .print(stalls, DiagnosedStalls.NONE.main("late-binding-delay", stalls), stall -> Optional.empty());
        return bytes.toString(StandardCharsets.UTF_8).lines().toList();
    }
}
