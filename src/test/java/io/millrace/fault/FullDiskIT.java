package io.millrace.fault;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.millrace.base.core.Json;
import io.millrace.support.ApiClient;
import io.millrace.support.DataDirectory;
import io.millrace.support.FlowScript;
import io.millrace.support.PublishedFlow;
import io.millrace.support.ServerProcess;
import io.millrace.support.Slow;
import io.millrace.support.Waiting;
import java.io.IOException;
import java.nio.file.Files;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** An embedded database whose disk is full: a small separate file system, which only root may mount. */
@Slow(Slow.Reason.FAULT)
final class FullDiskIT {
    private static final Duration START_DEADLINE = Duration.ofMinutes(2);

    /** Size for the programs of PostgreSQL, an empty database and its log. */
    private static final String DISK = "400M";

    private static final int EXIT_BAD_SETTING = 78;

    private static final int CALLS_BEFORE = 20;
    private static final String PADDING = "x".repeat(20_000);

    private final Set<Integer> accepted = new TreeSet<>();
    private int next;

    @Test
    void refuses_andResumesWithoutRestart_whenThereIsSpaceAgain() throws IOException {
        assumeTrue(LoopDisk.isPossible(), "mounting a disk needs root and a loop device");
        try (var directory = DataDirectory.create();
                var disk = mounted(directory);
                var server = start(disk)) {
            // given a server that has accepted an event
            var flow = PublishedFlow.create(
                    server.api(START_DEADLINE),
                    FlowScript.webhook().importOperation("Kept").path("request"));
            while (next < CALLS_BEFORE) {
                assertThat(call(flow).status()).isEqualTo(200);
            }

            // when its disk is full
            var filler = disk.fill();
            var last = new AtomicReference<ApiClient.Answer>();
            Waiting.until("a webhook is refused", () -> {
                last.set(call(flow));
                return last.get().status() == 503;
            });

            // then callers get a 503 and the health check reports it; the database may have space for one more call
            assertThat(last.get().headers().firstValue("Retry-After")).isPresent();
            Waiting.until(
                    "the health check reports it",
                    () -> call(flow).status() == 503
                            && flow.api().get("/v1/health").status() == 503);

            // when there is space again
            Files.delete(filler);

            // then the same process continues, with everything that it accepted before and meanwhile
            Waiting.until("a webhook is accepted", () -> call(flow).status() == 200);
            Waiting.until(
                    "the health check reports it",
                    () -> flow.api().get("/v1/health").status() == 200);
            new Ledger(flow).assertKept(accepted);
        }
    }

    @Test
    void waitsWithALogLine_whenItIsStartedOnAFullDisk() throws IOException {
        assumeTrue(LoopDisk.isPossible(), "mounting a disk needs root and a loop device");
        try (var directory = DataDirectory.create();
                var disk = mounted(directory)) {
            // given a stopped server that has accepted an event, and a full disk
            PublishedFlow flow;
            try (var first = start(disk)) {
                flow = PublishedFlow.create(
                        first.api(START_DEADLINE),
                        FlowScript.webhook().importOperation("Kept").path("request"));
                assertThat(call(flow).status()).isEqualTo(200);
            }
            var filler = disk.fill();

            // when it is started again
            try (var second = again(disk, "600")) {
                // then it waits and logs the reason
                Waiting.until(
                        "it says so", START_DEADLINE, () -> second.output().contains("waiting for free disk space"));
                assertThat(second.isAlive()).isTrue();

                // when there is space again
                Files.delete(filler);

                // then the start continues without intervention
                var there = flow.at(second.api(START_DEADLINE));
                assertThat(call(there).status()).isEqualTo(200);
                new Ledger(there).assertKept(accepted);
            }
        }
    }

    @Test
    void endsWithItsStatus_whenTheDiskStaysFull() throws IOException {
        assumeTrue(LoopDisk.isPossible(), "mounting a disk needs root and a loop device");
        try (var directory = DataDirectory.create();
                var disk = mounted(directory)) {
            Files.createDirectory(disk.path().resolve("data"));
            disk.fill();

            try (var server = again(disk, "1")) {
                assertThat(server.exitStatus(START_DEADLINE))
                        .as(server.output())
                        .isEqualTo(EXIT_BAD_SETTING);
                assertThat(server.output()).contains("No space left on device").contains("data");
            }
        }
    }

    private static ServerProcess again(LoopDisk disk, String patienceSeconds) {
        return ServerProcess.ofClasses(
                disk.path().resolve("data"),
                Map.of("AP_LOG_LEVEL", "warn", "AP_POSTGRES_START_PATIENCE_SECONDS", patienceSeconds));
    }

    private static LoopDisk mounted(DataDirectory directory) {
        return LoopDisk.create(directory.path(), DISK);
    }

    private static ServerProcess start(LoopDisk disk) throws IOException {
        var data = Files.createDirectory(disk.path().resolve("data"));
        DataDirectory.prepare(data);
        return ServerProcess.ofClasses(data, Map.of("AP_LOG_LEVEL", "warn"));
    }

    private ApiClient.Answer call(PublishedFlow flow) {
        var number = next++;
        var body = Json.object().put("sequence", number).put("padding", PADDING);
        var answer = flow.api().post("/v1/webhooks/" + flow.flowId(), body);
        if (answer.status() == 200) {
            accepted.add(number);
        }
        return answer;
    }
}
