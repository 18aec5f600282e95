package io.millrace.fault.database;

import static io.millrace.support.FlowScript.json;
import static io.millrace.support.FlowScript.webhook;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.base.core.Json;
import io.millrace.support.LiveFlow;
import io.millrace.support.Slow;
import io.millrace.support.TestServer.SignedIn;
import io.millrace.support.Waiting;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** Concurrent re-decisions of a project (AP_REDECISIONS_MAX), held by a lock of the runs that they read. */
@Slow(Slow.Reason.FAULT)
final class HistoryLimitIT {
    /** Default of AP_REDECISIONS_MAX. */
    private static final int REQUESTS_MAX = 1;

    private static final String BODY = "{\"version\":\"published\"}";

    /** Text of the statement that reads a batch. */
    private static final String READER = "from ended_run";

    private static final int BATCHES = 10;
    private static final int BATCH_RUNS = 500;

    @AutoClose
    private final ProxiedServer proxied = ProxiedServer.start();

    @AutoClose
    private final HttpClient client = HttpClient.newHttpClient();

    @Test
    void refusesOneTooMany_untilAnotherHasEnded() throws IOException {
        var owner = proxied.server().signUp("ada@example.com", "Ada");
        var flow = LiveFlow.publish(owner, webhook().map("step_1", "{'a':1}"));
        flow.run(json("{}"));
        var path = "/v1/flows/" + flow.id() + "/redecide";
        var body = Json.trusted(BODY);

        var begun = new ArrayList<HttpResponse<InputStream>>();
        try (var lock = TableLock.of(proxied.database(), "ended_run")) {
            for (var request = 0; request < REQUESTS_MAX; request++) {
                begun.add(begin(owner, path, BODY));
            }
            assertThat(begun).allMatch(response -> response.statusCode() == 200);
            lock.awaitWaiting("ended_run");

            var refused = owner.api().post(path, body);

            assertThat(refused.status()).isEqualTo(429);
            assertThat(refused.toString()).contains("AP_REDECISIONS_MAX");
        }
        for (var response : begun) {
            try (var events = response.body()) {
                assertThat(new String(events.readAllBytes(), UTF_8)).contains("event: result");
            }
        }
        Waiting.until("a place is free", () -> owner.api().post(path, body).status() == 200);
    }

    @Test
    void endsWithItsConnection_andLeavesNothingBehind() {
        // given a request that has decided its first batch, and waits for the next one
        var owner = proxied.server().signUp("ada@example.com", "Ada");
        var flow = LiveFlow.publish(owner, webhook().map("step_1", "{'a':1}"));
        flow.run(json("{}"));
        proxied.server().execute("""
                insert into ended_run select (jsonb_populate_record(e, jsonb_build_object('id', left(md5(e.id || n), 21)))).*
                from ended_run e, generate_series(2, $1) n
                """, BATCHES * BATCH_RUNS);
        var path = "/v1/flows/" + flow.id() + "/redecide";
        var sample = "{\"version\":\"published\",\"sample\":" + BATCHES * BATCH_RUNS + "}";
        var before = history();
        var lock = TableLock.of(proxied.database(), "ended_run");
        var begun = begin(owner, path, sample);
        var events = received(begun.body());
        while (!hasProgressOrWaits(events, lock)) {
            lock = withOneRead(lock);
        }
        lock.awaitWaiting(READER);
        assertThat(events.toString()).contains("\"runs\":" + BATCH_RUNS).doesNotContain("event: result");

        // when the client disconnects
        closed(begun);

        // then its permit is released long before all batches are read
        var reads = 1;
        while (!isFreeOrWaits(owner, path, lock)) {
            lock = withOneRead(lock);
            reads++;
        }
        lock.close();
        assertThat(reads).isLessThan(BATCHES);
        assertThat(history()).isEqualTo(before);
        Waiting.until("the last request has ended", () -> {
            var whole = owner.api().post(path, Json.trusted(sample));
            return whole.status() == 200 && whole.body().asText().contains("\"runs\":" + BATCHES * BATCH_RUNS + ",");
        });
    }

    /** Lets one waiting statement read, and locks the table again behind it. */
    private TableLock withOneRead(TableLock held) {
        var next = CompletableFuture.supplyAsync(() -> TableLock.of(proxied.database(), "ended_run"));
        held.awaitWaiting("lock table ended_run");
        held.close();
        return next.join();
    }

    /** Waits until another request gets the permit (true), or the previous one reads on (false). */
    private boolean isFreeOrWaits(SignedIn owner, String path, TableLock lock) {
        var free = new AtomicBoolean();
        Waiting.until("the request ends or reads on", () -> {
            var next = begin(owner, path, BODY);
            free.set(next.statusCode() == 200);
            closed(next);
            return free.get() || lock.isAwaited(READER);
        });
        return free.get();
    }

    private static void closed(HttpResponse<InputStream> response) {
        try {
            response.body().close();
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    /** Text of a stream as it arrives. */
    @SuppressWarnings("JdkObsolete") // another thread appends to it
    private static StringBuffer received(InputStream stream) {
        var text = new StringBuffer();
        Thread.ofVirtual().start(() -> {
            try (var reader = new InputStreamReader(stream, UTF_8)) {
                for (var next = reader.read(); next >= 0; next = reader.read()) {
                    text.append((char) next);
                }
            } catch (IOException closed) {
                text.append("(closed)");
            }
        });
        return text;
    }

    /**
     * Waits until a batch is decided (true), or a statement waits: a statement that is prepared first waits twice
     * (false).
     */
    private static boolean hasProgressOrWaits(StringBuffer events, TableLock lock) {
        Waiting.until("a batch is decided or read", () -> hasProgress(events) || lock.isAwaited(READER));
        return hasProgress(events);
    }

    private static boolean hasProgress(StringBuffer events) {
        return events.indexOf("event: progress") >= 0;
    }

    /** Digest of all runs. */
    private String history() {
        return proxied.server()
                .text(
                        "select md5(string_agg(e::text, '' order by e.id)) || (select count(*) from run) from ended_run e");
    }

    /** Completes with the head of the response, when the request has its permit. */
    private HttpResponse<InputStream> begin(SignedIn owner, String path, String body) {
        var request = HttpRequest.newBuilder(
                        URI.create("http://localhost:" + proxied.server().port() + "/api" + path))
                .header("Content-Type", "application/json")
                .header("Authorization", "Bearer " + owner.api().token())
                .POST(HttpRequest.BodyPublishers.ofString(body))
                .build();
        return client.sendAsync(request, HttpResponse.BodyHandlers.ofInputStream())
                .join();
    }
}
