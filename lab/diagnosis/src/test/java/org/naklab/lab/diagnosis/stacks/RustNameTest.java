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
            _ZN20SafepointSynchronize5blockEP10JavaThread         | _ZN20SafepointSynchronize5blockEP10JavaThread
            on_datagram                                           | on_datagram
            _R                                                    | _R
            _RNv                                                  | _RNv
            _RNvC9999x                                            | _RNvC9999x
            """)
    void shouldReadThePathOfAFunction(String name, String expected) {
        assertThat(UserStack.caller(List.of(name))).isEqualTo("in " + expected);
    }
}
