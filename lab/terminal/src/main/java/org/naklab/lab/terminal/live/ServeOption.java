package org.naklab.lab.terminal.live;

import java.util.Map;
import java.util.Stack;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.naklab.lab.report.live.LiveFeed;
import org.naklab.lab.terminal.MetricsAddress;
import picocli.CommandLine.IParameterPreprocessor;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;

/** The option {@code --serve} of a watch and of a run, and what it starts. */
public final class ServeOption {
    private static final String DEFAULT_PORT = "8082";
    private static final String LOOPBACK = "127.0.0.1";

    @Option(
            names = "--serve",
            arity = "0..1",
            paramLabel = "[HOST:]PORT",
            fallbackValue = DEFAULT_PORT,
            preprocessor = OnlyAttached.class,
            converter = AddressConverter.class,
            description = "Show it in browsers while it goes on, by default at http://127.0.0.1:" + DEFAULT_PORT
                    + "/; port 0: any free port, which is printed. At another HOST the address has a token. Write the "
                    + "port with an equals sign, as in --serve=9000.")
    private @Nullable MetricsAddress address;

    /**
     * Starts to serve, if the option was given.
     *
     * @param errors is told what kept a request from its answer
     */
    public LiveView start(LiveFeed feed, Consumer<Throwable> errors) {
        MetricsAddress given = address;
        return given == null ? LiveView.NONE : LiveView.launch(given.host(), given.port(), feed, errors);
    }

    /** Leaves the word after the option to the command, whose parameter it is. */
    static final class OnlyAttached implements IParameterPreprocessor {
        @Override
        public boolean preprocess(Stack<String> words, CommandSpec command, ArgSpec option, Map<String, Object> info) {
            Object separator = info.get("separator");
            if (separator == null || separator.toString().isBlank()) {
                words.push(DEFAULT_PORT);
            }
            return false;
        }
    }

    /** Converts a port, or {@code HOST:PORT}. */
    static final class AddressConverter implements ITypeConverter<MetricsAddress> {
        @Override
        public MetricsAddress convert(String text) {
            return new MetricsAddress.Converter().convert(text.matches("\\d+") ? LOOPBACK + ":" + text : text);
        }
    }
}
