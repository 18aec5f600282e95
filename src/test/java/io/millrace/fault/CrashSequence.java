package io.millrace.fault;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.base.core.Json;
import io.millrace.support.ApiClient;
import io.millrace.support.DataDirectory;
import io.millrace.support.FlowScript;
import io.millrace.support.PublishedFlow;
import io.millrace.support.ServerProcess;
import io.millrace.support.Waiting;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;

/**
 * Consecutive server processes on one data directory that end at points of {@link Faults}: each process continues with
 * the data of its predecessor, with webhooks, pauses, a schedule and a poll in progress.
 */
final class CrashSequence {
    private static final Duration DEADLINE = Duration.ofMinutes(2);

    /** Exit status of a process that {@link Faults} has ended. */
    private static final int HALTED = 137;

    private static final int EVENTS_AT_ONCE = 10;

    private static final Map<String, String> SETTINGS = Map.of(
            "AP_LOG_LEVEL", "warn",
            "AP_SSRF_ALLOW_LIST", "127.0.0.1",
            "AP_TRIGGER_DEFAULT_POLL_INTERVAL", "1",
            "AP_SCHEDULE_MISFIRE_POLICY", "all",
            "AP_SCHEDULE_MISFIRE_MAX", "1000");

    private final String begin = Instant.now().toString();
    private final AtomicInteger next = new AtomicInteger();
    private final Set<Integer> accepted = new ConcurrentSkipListSet<>();
    private final Set<Integer> entries = new TreeSet<>();
    private final Map<EventKind, PublishedFlow> flows = new EnumMap<>(EventKind.class);
    private PublishedFlow scheduled;
    private PublishedFlow polled;

    /** Ends a process at each point, and expects that its successor completes every accepted event exactly once. */
    void losesAndDoublesNothing(List<String> points) {
        try (var sink = Sink.start();
                var directory = DataDirectory.prepared()) {
            // given flows of every kind, and a feed whose only entry is already known
            sink.addEntry(next.getAndIncrement());
            try (var server = start(directory, sink, List.of())) {
                publish(server.api(DEADLINE), sink);
            }

            // when the process ends at each point
            for (var point : points) {
                try (var server = start(directory, sink, List.of(Faults.option(point)))) {
                    drive(server, sink);
                    assertThat(server.exitStatus(DEADLINE))
                            .as(point + "\n" + server.output())
                            .isEqualTo(HALTED);
                }
            }

            // then its successor completes every accepted event exactly once
            try (var server = start(directory, sink, List.of())) {
                var api = server.api(DEADLINE);
                assertEndedOnce(api, sink);
                assertFiredOnce(api, directory);
                assertTakenOnce(api);
            }
        }
    }

    private ServerProcess start(DataDirectory directory, Sink sink, List<String> options) {
        return ServerProcess.ofClasses(
                HastyServer.class.getName(), options, List.of(begin, sink.feedUrl()), directory.path(), SETTINGS);
    }

    private void publish(ApiClient api, Sink sink) {
        var called = publish(api, EventKind.called(sink)).externalId();
        for (var kind : EventKind.QUICK) {
            flows.put(kind, publish(api, kind.script(sink, called)));
        }
        var done = "{'done':true}";
        scheduled = publish(api, FlowScript.cron("* * * * *", "UTC").map("step_1", done));
        polled = publish(
                api,
                FlowScript.trigger(OutsideFeed.NAME, OutsideFeed.VERSION, OutsideFeed.TRIGGER, "{}")
                        .map("step_1", done));
    }

    private static PublishedFlow publish(ApiClient api, FlowScript script) {
        return PublishedFlow.create(api, script.importOperation("Mill").path("request"));
    }

    /** Sends events until the server ends, which may be before it listens. */
    private void drive(ServerProcess server, Sink sink) {
        var entry = next.getAndIncrement();
        entries.add(entry);
        sink.addEntry(entry);
        Waiting.until("the server listens or has ended", () -> server.isListening() || !server.isAlive());
        if (!server.isListening()) {
            return;
        }
        var api = server.api(DEADLINE);
        Waiting.until("the server ends at its point", () -> {
            var calls =
                    Stream.generate(next::getAndIncrement).limit(EVENTS_AT_ONCE).toList();
            calls.parallelStream().forEach(number -> call(api, number));
            return !server.isAlive();
        });
    }

    private void call(ApiClient api, int number) {
        var kind = EventKind.of(number);
        var path = "/v1/webhooks/" + flows.get(kind).flowId() + kind.variant();
        try {
            var body = Json.object().put("sequence", number);
            var answer = EventKind.isKeyed(number)
                    ? api.postText(path, Json.text(body), "Idempotency-Key", "event-" + number)
                    : api.post(path, body);
            if (answer.status() == 200) {
                accepted.add(number);
            }
        } catch (UncheckedIOException ended) {
            // The server has ended: this event was not accepted.
            assertThat(ended).isNotNull();
        }
    }

    private void assertEndedOnce(ApiClient api, Sink sink) {
        var statuses = new HashMap<Integer, List<String>>();
        var faults = new TreeMap<Integer, String>();
        for (var flow : flows.values()) {
            var ledger = new Ledger(flow.at(api));
            Waiting.until("every run has ended", ledger::hasNoLiveRun);
            statuses.putAll(ledger.statuses());
            faults.putAll(ledger.faults());
        }
        var reckoning = Reckoning.of(accepted, statuses, sink.calls(), 0);
        assertThat(reckoning.isClean()).as(reckoning.text() + "\n" + faults).isTrue();
        assertThat(reckoning.accepted()).isPositive();
    }

    /** Every minute from the first to the last has fired and has started one run. */
    private void assertFiredOnce(ApiClient api, DataDirectory directory) {
        var flow = scheduled.at(api);
        var where = " from trigger_fire where flow_id = '" + flow.flowId() + "'";
        disable(flow);
        var fires = Integer.parseInt(directory.ask("select count(*)" + where));
        var minutes = directory.ask("select 1 + extract(epoch from max(due) - min(due))::integer / 60" + where);
        assertThat(fires).as("times that fired, of %s minutes", minutes).isEqualTo(Integer.parseInt(minutes));
        var ledger = new Ledger(flow);
        Waiting.until("every run has ended", ledger::hasNoLiveRun);
        assertThat(ledger.count()).as("runs of %s times", fires).isEqualTo(fires);
    }

    private static void disable(PublishedFlow flow) {
        var off = Json.object().put("type", "CHANGE_STATUS");
        off.putObject("request").put("status", "DISABLED");
        assertThat(flow.api().post("/v1/flows/" + flow.flowId(), off).status()).isEqualTo(200);
    }

    /** Every entry of the feed has started one run. */
    private void assertTakenOnce(ApiClient api) {
        var ledger = new Ledger(polled.at(api));
        Waiting.until(
                "every entry has its run",
                () -> ledger.hasNoLiveRun() && ledger.statuses().size() == entries.size());
        assertThat(ledger.statuses()).allSatisfy((_, runs) -> assertThat(runs).containsExactly("SUCCEEDED"));
        assertThat(ledger.statuses().keySet()).isEqualTo(entries);
    }
}
