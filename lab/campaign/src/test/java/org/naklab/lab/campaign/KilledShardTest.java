package org.naklab.lab.campaign;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.naklab.lab.runs.history.HistoryUrl;
import org.naklab.testing.database.PostgresServer;

/** Two shards in processes, one of them killed in the middle and resumed, come to the rows of one campaign without shards. */
@Timeout(value = 180, unit = TimeUnit.SECONDS)
final class KilledShardTest {
    private static final long SEEDS = 40;
    private static final long STEP_NS = TimeUnit.MILLISECONDS.toNanos(20);
    private static final int ROWS_BEFORE_THE_KILL = 5;

    @Test
    void shouldEqualOneCampaignWithoutShardsOnPostgres() throws Exception {
        Optional<Path> programs = PostgresServer.programs();
        assumeTrue(programs.isPresent(), "PostgreSQL is not installed (Debian: apt-get install postgresql)");
        PostgresServer server = PostgresServer.start(programs.orElseThrow());
        try {
            shouldEqual(server.urlOfNew("shards"));
        } finally {
            server.stop();
        }
    }

    @Test
    void shouldEqualOneCampaignWithoutShardsOnSqlite(@TempDir Path runs) throws Exception {
        shouldEqual(HistoryUrl.inRuns(runs).jdbc());
    }

    private static void shouldEqual(String url) throws IOException, InterruptedException {
        CampaignStore store = new CampaignStore(HistoryUrl.of(url));
        CampaignPlan plan = CampaignFixture.plan(SEEDS);
        Campaign sharded = store.begin("sharded", plan, null, CampaignFixture.NOW);
        Process first = start(url, "1/2", 0);
        Process second = start(url, "2/2", 30);
        awaitRows(store, second);
        second.destroyForcibly().waitFor();
        assertThat(first.waitFor()).isZero();
        assertThat(store.trials("sharded"))
                .as("the second shard was killed before its end")
                .hasSizeLessThan(Math.toIntExact(sharded.trials()));

        assertThat(start(url, "2/2", 0).waitFor()).isZero();

        Campaign whole = store.begin("whole", plan, null, CampaignFixture.NOW);
        // Seeds of the first campaign that failed are played first, and the rows are the same whatever the order.
        CampaignFixture.run(store, whole, Shard.WHOLE, false);
        assertThat(CampaignFixture.essences(store, "sharded"))
                .hasSize(Math.toIntExact(sharded.trials()))
                .isEqualTo(CampaignFixture.essences(store, "whole"));
        assertThat(CampaignReport.of(store, sharded).failures())
                .isEqualTo(CampaignReport.of(store, whole).failures());
    }

    /** Even seeds are those of the second shard. */
    private static void awaitRows(CampaignStore store, Process shard) {
        while (store.trials("sharded").stream()
                        .filter(row -> row.seed() % 2 == 0)
                        .count()
                < ROWS_BEFORE_THE_KILL) {
            assertThat(shard.isAlive()).isTrue();
            LockSupport.parkNanos(STEP_NS);
        }
    }

    private static Process start(String url, String shard, long pauseMs) throws IOException {
        return new ProcessBuilder(List.of(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        ShardProcess.class.getName(),
                        url,
                        "sharded",
                        shard,
                        String.valueOf(pauseMs)))
                .inheritIO()
                .start();
    }
}
