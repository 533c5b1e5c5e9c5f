package org.naklab.lab.cli;

import java.lang.reflect.Constructor;
import org.naklab.lab.terminal.Terminal;
import picocli.CommandLine;
import picocli.CommandLine.IFactory;

/** Gives the terminal to each command that asks for it in its constructor. */
final class CommandFactory implements IFactory {
    private final Terminal terminal;

    CommandFactory(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public <K> K create(Class<K> type) throws Exception {
        for (Constructor<?> constructor : type.getDeclaredConstructors()) {
            if (constructor.getParameterCount() == 1 && constructor.getParameterTypes()[0] == Terminal.class) {
                constructor.setAccessible(true);
                return type.cast(constructor.newInstance(terminal));
            }
        }
        return CommandLine.defaultFactory().create(type);
    }
}
