package org.naklab.lab.campaign;

import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.naklab.lab.core.UsageException;

/**
 * A part of a campaign: every N-th seed, so that all parts are alike.
 *
 * @param number from 1
 * @param count of all shards
 */
public record Shard(int number, int count) {
    /** The whole campaign. */
    public static final Shard WHOLE = new Shard(1, 1);

    /** The largest number of shards, which is that of a Kubernetes Job. */
    public static final int MAX_COUNT = 100_000;

    /** Variables that count from 0, each of an engine of jobs: Kubernetes, Slurm, Nomad. */
    private static final List<String> INDICES =
            List.of("JOB_COMPLETION_INDEX", "SLURM_ARRAY_TASK_ID", "NOMAD_ALLOC_INDEX");

    private static final Pattern TEXT = Pattern.compile("(\\d{1,6})/(\\d{1,6})");

    public Shard {
        if (count < 1 || count > MAX_COUNT || number < 1 || number > count) {
            throw new UsageException(
                    "a shard is I/N with I from 1 to N and N at most " + MAX_COUNT + ", not " + number + "/" + count);
        }
    }

    /**
     * Returns the shard that this process is to run.
     *
     * @param text {@code I/N}, or {@code N} where the engine of jobs tells the index in the environment; {@code null}: the whole campaign
     * @throws UsageException it is neither, or no engine tells the index
     */
    public static Shard of(@Nullable String text, Map<String, String> environment) {
        if (text == null) {
            return WHOLE;
        }
        Matcher both = TEXT.matcher(text);
        if (both.matches()) {
            return new Shard(Integer.parseInt(both.group(1)), Integer.parseInt(both.group(2)));
        }
        if (!text.matches("\\d{1,6}")) {
            throw new UsageException("'" + text + "' is no shard: write I/N, such as 2/8");
        }
        String variable = INDICES.stream()
                .filter(environment::containsKey)
                .findFirst()
                .orElseThrow(() -> new UsageException("--shard " + text + " needs the index of this shard in one of the"
                        + " variables " + String.join(", ", INDICES) + "; or write I/" + text));
        String index = environment.getOrDefault(variable, "");
        if (!index.matches("\\d{1,6}")) {
            throw new UsageException(variable + " is '" + index + "', not the index of a shard");
        }
        return new Shard(Integer.parseInt(index) + 1, Integer.parseInt(text));
    }

    /** Returns this shard's part of some work. */
    <T> List<T> of(List<T> all) {
        return IntStream.iterate(number - 1, i -> i < all.size(), i -> i + count)
                .mapToObj(all::get)
                .toList();
    }

    @Override
    public String toString() {
        return number + "/" + count;
    }
}
