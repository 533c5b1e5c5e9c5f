package org.naklab.lab.scenarios;

import java.util.Collection;
import java.util.List;
import java.util.stream.Stream;
import org.naklab.lab.core.UsageException;
import org.naklab.lab.process.Role;
import org.naklab.messaging.MessagingContext;

/** The threads of a run's processes that can be bound to a CPU, known before any process is started. */
public final class PinnableThreads {
    private PinnableThreads() {}

    /**
     * Checks the names of threads.
     *
     * @throws UsageException if the processes of the deployment have no thread of that name; lists those that they have
     */
    public static void check(Collection<String> threads, Deployment deployment) {
        List<String> known = of(deployment);
        for (String thread : threads) {
            if (!known.contains(thread)) {
                throw new UsageException("no thread " + thread + " to bind; there are: " + String.join(", ", known));
            }
        }
    }

    static List<String> of(Deployment deployment) {
        return Stream.concat(
                        Stream.of(MessagingContext.threadName(
                                deployment.exchange().name())),
                        deployment.subscribers().stream()
                                .flatMap(spec -> spec.role() == Role.SERVICE
                                        ? Stream.of(
                                                MessagingContext.threadName(spec.name()),
                                                spec.name() + "-journal",
                                                spec.name() + "-business",
                                                spec.name() + "-derived")
                                        : Stream.of(MessagingContext.threadName(spec.name()))))
                .toList();
    }
}
