package org.naklab.lab.cli;

import java.util.concurrent.Callable;
import org.naklab.lab.terminal.ExitCode;
import org.naklab.lab.terminal.Terminal;
import picocli.AutoComplete;
import picocli.CommandLine;
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
            "  autoload -U +X bashcompinit && bashcompinit && source <(naklab completion zsh)",
            "  naklab completion fish > ~/.config/fish/completions/naklab.fish"
        })
final class CompletionCommand implements Callable<Integer> {
    /** One script serves bash and zsh: zsh reads it through bashcompinit. */
    enum Shell {
        BASH,
        ZSH,
        FISH
    }

    private final Terminal terminal;

    @Spec
    private CommandSpec spec;

    @Parameters(paramLabel = "SHELL", description = "One of: ${COMPLETION-CANDIDATES}.")
    private Shell shell;

    CompletionCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() {
        CommandLine root = spec.root().commandLine();
        terminal.out().print(shell == Shell.FISH ? FishCompletion.of(root) : AutoComplete.bash("naklab", root));
        terminal.out().flush();
        return ExitCode.OK;
    }
}
