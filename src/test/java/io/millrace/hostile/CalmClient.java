package io.millrace.hostile;

import io.millrace.support.PublishedFlow;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;

/**
 * Well-behaved client with a separate connection: every second a synchronous webhook call, a health check, and a list.
 */
final class CalmClient implements AutoCloseable {
    private static final Duration DEADLINE = Duration.ofSeconds(60);
    private static final Duration PAUSE = Duration.ofSeconds(1);

    private final HttpClient http = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(DEADLINE)
            .build();
    private final AnswerCounts answers = new AnswerCounts();
    private final PublishedFlow flow;
    private final String base;
    private volatile boolean isLast;
    private Thread thread;

    CalmClient(PublishedFlow flow, int port) {
        this.flow = flow;
        this.base = "http://127.0.0.1:" + port + "/api";
    }

    void start() {
        thread = Thread.ofVirtual().start(this::work);
    }

    AnswerCounts answers() {
        return answers;
    }

    private void work() {
        while (!isLast) {
            isAnswered();
            try {
                Thread.sleep(PAUSE);
            } catch (InterruptedException ended) {
                return;
            }
        }
    }

    /** Makes one round; returns whether every request succeeded. */
    boolean isAnswered() {
        var called = ask(
                "webhook",
                request("/v1/webhooks/" + flow.flowId() + "/sync")
                        .header("Content-Type", "application/json")
                        .POST(HttpRequest.BodyPublishers.ofString("{\"n\":20}")));
        var healthy = ask("health", request("/v1/health"));
        var listed = ask("list", request("/v1/flows?limit=10&projectId=" + flow.projectId()));
        return called == 200 && healthy == 200 && listed == 200;
    }

    private HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(URI.create(base + path))
                .timeout(DEADLINE)
                .header("Authorization", "Bearer " + flow.api().token());
    }

    private int ask(String name, HttpRequest.Builder request) {
        var since = System.nanoTime();
        var status = AnswerCounts.NONE;
        try {
            status = http.send(request.build(), HttpResponse.BodyHandlers.discarding())
                    .statusCode();
        } catch (IOException none) {
            status = AnswerCounts.NONE;
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
        answers.add(name, status, since);
        return status;
    }

    /** Stops the rounds, and waits for the current one. */
    void rest() {
        isLast = true;
        try {
            thread.join();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close() {
        rest();
        http.close();
    }
}
