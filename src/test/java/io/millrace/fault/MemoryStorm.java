package io.millrace.fault;

import io.millrace.support.FlowScript;
import io.millrace.support.PublishedFlow;
import io.millrace.support.RawHttp;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.random.RandomGenerator;

/**
 * Large bodies from many concurrent connections: half of them numbered webhooks, half API calls, unauthenticated and by
 * an owner. Each gets its response or an appropriate refusal.
 */
final class MemoryStorm implements Harm {
    private static final int FIRST_NUMBER = 1_000_000;
    private static final int BODIES = 64;

    /** Size of a body of several texts, just below the length of one text that JSON parsers accept. */
    private static final byte[] PADDING = padding(20, 999_000);

    private static final Duration DEADLINE = Duration.ofSeconds(90);
    private static final String NO_ANSWER = "no answer";

    /** A caller of the API may also get the status for a missing credential or a too large body. */
    private static final Set<Integer> REFUSALS = Set.of(413, 429, 503);

    private static final Set<Integer> API_REFUSALS = Set.of(400, 401, 413, 429, 503);

    private final PublishedFlow flow;
    private final Defects defects;
    private final AtomicInteger next = new AtomicInteger(FIRST_NUMBER);
    private final Set<Integer> accepted = new ConcurrentSkipListSet<>();
    private final Map<String, Integer> answers = new ConcurrentHashMap<>();

    /** @param flow published flow of {@link #script} */
    MemoryStorm(PublishedFlow flow, Defects defects) {
        this.flow = flow;
        this.defects = defects;
    }

    static FlowScript script(Sink sink) {
        return FlowScript.webhook().http("step_1", "POST", sink.url(EventKind.FIRST, EventKind.NUMBER));
    }

    @Override
    public String title() {
        return "memory storm";
    }

    @Override
    public void strike(ServerNode node, RandomGenerator random) throws InterruptedException {
        var base = node.base();
        if (base.isEmpty()) {
            return;
        }
        var port = base.get().getPort();
        var callers = new ArrayList<Thread>();
        for (var body = 0; body < BODIES; body++) {
            var number = body;
            callers.add(Thread.ofVirtual().start(() -> call(port, number)));
        }
        for (var caller : callers) {
            caller.join();
        }
    }

    private void call(int port, int body) {
        switch (body % 4) {
            case 0, 2 -> callWebhook(port, next.getAndIncrement());
            case 1 -> note("sign-in", send(port, "/api/v1/authentication/sign-in", "", "{\"email\":[\""), API_REFUSALS);
            default -> {
                var owner = "Authorization: Bearer " + flow.api().token() + "\r\n";
                var rename = "{\"type\":\"CHANGE_NAME\",\"request\":{\"displayName\":\"Heavy\"},\"padding\":[\"";
                note("flow", send(port, "/api/v1/flows/" + flow.flowId(), owner, rename), API_REFUSALS);
            }
        }
    }

    private void callWebhook(int port, int number) {
        var answer =
                send(port, "/api/v1/webhooks/" + flow.flowId(), "", "{\"sequence\":" + number + ",\"padding\":[\"");
        note("webhook", answer, REFUSALS);
        if (answer.equals("200")) {
            accepted.add(number);
        }
    }

    private void note(String route, String answer, Set<Integer> refusals) {
        answers.merge(route + " " + answer, 1, Integer::sum);
        var isExpected =
                !answer.equals(NO_ANSWER) && (answer.startsWith("2") || refusals.contains(Integer.parseInt(answer)));
        if (!isExpected) {
            defects.add("a large body at " + route + " met " + answer);
        }
    }

    private static String send(int port, String path, String headers, String begin) {
        var head = begin.getBytes(StandardCharsets.UTF_8);
        var tail = "\"]}".getBytes(StandardCharsets.UTF_8);
        try (var connection = RawHttp.connect(port, DEADLINE)) {
            connection.send(("POST " + path + " HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n"
                            + headers + "Content-Length: " + (head.length + PADDING.length + tail.length)
                            + "\r\n\r\n")
                    .getBytes(StandardCharsets.UTF_8));
            connection.sendWhatIsTaken(head).sendWhatIsTaken(PADDING).sendWhatIsTaken(tail);
            return Integer.toString(connection.answer(false).status());
        } catch (UncheckedIOException none) {
            return NO_ANSWER;
        }
    }

    private static byte[] padding(int texts, int length) {
        var text = "x".repeat(length);
        return String.join("\",\"", Collections.nCopies(texts, text)).getBytes(StandardCharsets.US_ASCII);
    }

    PublishedFlow flow() {
        return flow;
    }

    /** Numbers of the webhooks that were answered with a 2xx. */
    Set<Integer> accepted() {
        return accepted;
    }

    /** Counts of responses. */
    Map<String, Integer> answers() {
        return new TreeMap<>(answers);
    }
}
