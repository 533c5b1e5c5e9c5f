package org.naklab.exchange.synthetic;

import java.util.Arrays;
import org.naklab.messaging.feed.EventType;

/**
 * Tells what tends to happen next, in 1,024ths. A thin book gains more orders than it loses, a thick one loses more than it gains,
 * so books hover about their bound.
 */
final class ActionMix {
    private static final EventType[] WHEN_THIN = table(573, 276, 82, 42);
    private static final EventType[] WHEN_THICK = table(410, 430, 92, 42);

    private ActionMix() {}

    static EventType pick(boolean isThin, int tenBits) {
        return (isThin ? WHEN_THIN : WHEN_THICK)[tenBits];
    }

    /** The rest are hidden trades. */
    private static EventType[] table(int adds, int deletes, int executions, int partialCancels) {
        EventType[] table = new EventType[1 << 10];
        int end = 0;
        end = fill(table, end, adds, EventType.ADD);
        end = fill(table, end, deletes, EventType.DELETE);
        end = fill(table, end, executions, EventType.EXECUTE);
        end = fill(table, end, partialCancels, EventType.CANCEL_PART);
        fill(table, end, table.length - end, EventType.HIDDEN_TRADE);
        return table;
    }

    private static int fill(EventType[] table, int begin, int count, EventType type) {
        Arrays.fill(table, begin, begin + count, type);
        return begin + count;
    }
}
