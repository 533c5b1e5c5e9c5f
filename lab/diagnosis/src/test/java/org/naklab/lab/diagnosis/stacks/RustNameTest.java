package org.naklab.lab.diagnosis.stacks;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Timeout(60)
final class RustNameTest {
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            _RNvNtNtCsjrHSEGnQ3l9_3std6thread9functions5sleep     | std::thread::functions::sleep
            _RINvNtCs1234_7example3rpc4callNtB4_5QueryE            | example::rpc::call
            _RNCNvCs4fqI2P2rA04_7example4main0B3_                  | example::main
            _ZN3std6thread5sleep17h0123456789abcdefE              | std::thread::sleep
            std::thread::sleep::h0123456789abcdef                 | std::thread::sleep
            example::main::_$u7b$$u7b$closure$u7d$$u7d$::h0123456789abcdef | example::main
            _ZN20SafepointSynchronize5blockEP10JavaThread         | _ZN20SafepointSynchronize5blockEP10JavaThread
            on_datagram                                           | on_datagram
            _RINvMNtCsgEmfK2I1SDS_4core3stre18trim_start_matchesReECsgY6Mt91CT9J_14rustc_demangle | str::trim_start_matches
            _RINvMs4_NtCsgY6Mt91CT9J_14rustc_demangle2v0NtB6_7Printer13print_backrefNCNvB2_10print_paths_0EB8_ | rustc_demangle::v0::Printer::print_backref
            _RNvXs_Cs1_7exampleNtB4_4BookNtB4_4Feed4take           | <example::Book as example::Feed>::take
            _RNvXs_Cs1_7exampleTAhj4_RNtB4_4BookENtB4_4Feed4take  | <([u8], &example::Book) as example::Feed>::take
            _RNvNtNtCsjrHSEGnQ3l9_3std6thread9funct                | std::thread...
            _RINvNtCs1234_7example3rpc4callNtB4_5Que              | example::rpc::call...
            _RNvB_                                                | _RNvB_
            _R                                                    | _R
            _RNv                                                  | _RNv
            _RNvC9999x                                            | _RNvC9999x
            """)
    void shouldReadThePathOfAFunction(String name, String expected) {
        assertThat(UserStack.caller(List.of(name))).isEqualTo("in " + expected);
    }
}
