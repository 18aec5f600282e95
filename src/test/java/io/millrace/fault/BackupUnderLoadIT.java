package io.millrace.fault;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.app.cli.command.ExitStatus;
import io.millrace.base.core.Json;
import io.millrace.support.CommandRun;
import io.millrace.support.DataDirectory;
import io.millrace.support.PublishedFlow;
import io.millrace.support.ServerProcess;
import io.millrace.support.Slow;
import io.millrace.support.Waiting;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A backup taken during webhook load contains every run that was acknowledged before it, each complete. */
@Slow(Slow.Reason.FAULT)
final class BackupUnderLoadIT {
    private static final Duration START = Duration.ofMinutes(2);
    private static final int RUNS_MIN = 50;

    @TempDir
    Path files;

    @Test
    void backupUnderLoadHasEveryRunThatWasAnsweredBefore() throws IOException, InterruptedException {
        var file = files.resolve("a.backup").toString();
        var answered = new AtomicInteger();
        int before;
        int after;
        PublishedFlow flow;
        try (var source = DataDirectory.prepared();
                var target = DataDirectory.create()) {
            try (var server = ServerProcess.ofClasses(source.path(), Map.of())) {
                // given a server under continuous webhook load
                flow = PublishedFlow.create(server.api(START), demoFlow());
                var isOver = new AtomicBoolean();
                var caller = Thread.ofVirtual().start(() -> call(flow, answered, isOver));
                Waiting.until("some runs have ended", START, () -> answered.get() >= RUNS_MIN);

                // when a backup is taken
                before = answered.get();
                var made = CommandRun.of(settings(source), "backup", "--to", file);
                isOver.set(true);
                caller.join();
                after = answered.get();
                assertThat(made.status()).as(made.err()).isEqualTo(ExitStatus.OK);
                server.kill();
            }
            var restored = CommandRun.of(settings(target), "restore", "--from", file);
            assertThat(restored.status()).as(restored.err()).isEqualTo(ExitStatus.OK);

            // then a server restored from it has all of them in their day's partition, and accepts further webhooks
            try (var server = ServerProcess.ofClasses(target.path(), Map.of())) {
                var same = flow.asked(server.api(START));
                var runs = Integer.parseInt(target.ask("select count(*) from ended_run"));
                assertThat(runs).isBetween(before, after);
                assertThat(target.ask("select count(*) from ended_run_other")).isEqualTo("0");
                assertThat(target.ask("select count(*) from ended_run where status <> 'SUCCEEDED'"))
                        .isEqualTo("0");
                var run = same.runs().getFirst();
                assertThat(same.api()
                                .get("/v1/flow-runs/" + run.path("id").asText())
                                .text("/steps/step_1/output/total"))
                        .isEqualTo("58.5");
                assertThat(call(same)).isEqualTo(200);
            }
        }
    }

    private static void call(PublishedFlow flow, AtomicInteger answered, AtomicBoolean isOver) {
        while (!isOver.get()) {
            if (call(flow) == 200) {
                answered.incrementAndGet();
            }
        }
    }

    private static int call(PublishedFlow flow) {
        var order = Json.object().put("customer", "Ada").put("quantity", 3).put("price", 19.5);
        return flow.api().post("/v1/webhooks/" + flow.flowId() + "/sync", order).status();
    }

    private static Map<String, String> settings(DataDirectory directory) {
        return Map.of("AP_DATA_DIR", directory.path().toString());
    }

    private static JsonNode demoFlow() throws IOException {
        try (var stream = PublishedFlow.class.getResourceAsStream("/demo-flow.json")) {
            return Json.parse(stream.readAllBytes());
        }
    }
}
