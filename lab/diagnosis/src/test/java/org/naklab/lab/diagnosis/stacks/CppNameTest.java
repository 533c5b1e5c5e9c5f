package org.naklab.lab.diagnosis.stacks;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Timeout(60)
final class CppNameTest {
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            Receiver::onDatagram(int, char const*)                    | Receiver::onDatagram
            Receiver::depth() const                                   | Receiver::depth
            void feed::Book<int>::apply<char>(char) [clone .cold]     | feed::Book<int>::apply<char>
            std::enable_if<true, void>::type apply<void (*)(int)>(int) | apply<void (*)(int)>
            (anonymous namespace)::decode(char*)                      | (anonymous namespace)::decode
            main::{lambda(int)#1}::operator()(int) const              | main::{lambda(int)#1}::operator()
            Price::operator bool() const                              | Price::operator bool
            operator new(unsigned long)                               | operator new
            net.(*conn).Read                                          | net.(*conn).Read
            on_datagram                                               | on_datagram
            """)
    void shouldLeaveOutParametersAndResult(String name, String expected) {
        assertThat(UserStack.caller(List.of(name))).isEqualTo("in " + expected);
    }

    /** Innermost first. The program's own function is what its author can change. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            clock_nanosleep; std::this_thread::sleep_for<long>(long); Receiver::onDatagram(int); main | Receiver::onDatagram
            nanosleep; _RNvNtNtCsjrHSEGnQ3l9_3std6thread9functions5sleep; _RNvCs1_7example4main       | example::main
            syscall; core::ops::function::FnOnce::call_once::h0123456789abcdef                        | core::ops::function::FnOnce::call_once
            runtime.futex; runtime.notesleep; main.handle                                             | main.handle
            """)
    void shouldNameTheInnermostFunctionOfTheProgramItself(String stack, String expected) {
        assertThat(UserStack.caller(Arrays.asList(stack.split("; ", -1)))).isEqualTo("in " + expected);
    }
}
