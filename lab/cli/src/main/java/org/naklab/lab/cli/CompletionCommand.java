package org.naklab.lab.cli;

import java.util.concurrent.Callable;
import org.naklab.lab.cli.terminal.ExitCode;
import org.naklab.lab.cli.terminal.Terminal;
import picocli.AutoComplete;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code naklab completion}. */
@Command(
        name = "completion",
        description = "Print a shell completion script.",
        mixinStandardHelpOptions = true,
        footer = {
            "",
            "Examples:",
            "  source <(naklab completion bash)",
            "  naklab completion bash > ~/.local/share/bash-completion/completions/naklab",
            "  autoload -U +X bashcompinit && bashcompinit && source <(naklab completion zsh)"
        })
final class CompletionCommand implements Callable<Integer> {
    /** One script serves both: zsh reads it through bashcompinit. */
    enum Shell {
        BASH,
        ZSH
    }

    private final Terminal terminal;

    @Spec
    private CommandSpec spec;

    @Parameters(paramLabel = "SHELL", description = "One of: ${COMPLETION-CANDIDATES}.")
    @SuppressWarnings("UnusedVariable") // checked by picocli; the script is the same
    private Shell shell;

    CompletionCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() {
        terminal.out().print(AutoComplete.bash("naklab", spec.root().commandLine()));
        terminal.out().flush();
        return ExitCode.OK;
    }
}
