package io.millrace.sandbox.node.process;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.core.Json;
import io.millrace.sandbox.node.call.NodeTicket;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;

final class NodeCalls {
    /** Limit of questions whose answers the process has not read yet: an unread answer takes memory of this server. */
    static final int QUESTIONS_MAX = 2_000;

    /** Limit of bytes of the questions that have no answer yet: four frames of the largest size. */
    static final long QUESTION_BYTES_MAX = 4L * FrameReader.FRAME_BYTES_MAX;

    /** Longest id and method of a question in characters. An answer that is not read holds the id. */
    static final int NAME_LENGTH_MAX = 100;

    private final Map<String, CallEntry> calls = new ConcurrentHashMap<>();
    private final AtomicInteger questions = new AtomicInteger();
    private final AtomicLong questionBytes = new AtomicLong();
    private boolean over;

    private static final class CallEntry {
        private final NodeTicket ticket;
        private final long sinceNanos = System.nanoTime();
        private volatile boolean begun;

        CallEntry(NodeTicket ticket) {
            this.ticket = ticket;
        }
    }

    /** False if the process has ended. */
    synchronized boolean add(NodeTicket ticket) {
        if (!over) {
            calls.put(ticket.id(), new CallEntry(ticket));
        }
        return !over;
    }

    void begun(String id) {
        var handed = calls.get(id);
        if (handed != null) {
            handed.begun = true;
        }
    }

    /** True if a call was handed over at least that long ago and the process has not begun it. */
    boolean isStuck(long durationMs) {
        var nowNanos = System.nanoTime();
        return calls.values().stream()
                .anyMatch(handed -> !handed.begun && nowNanos - handed.sinceNanos >= durationMs * 1_000_000);
    }

    Optional<NodeTicket> atWork() {
        return calls.values().stream()
                .filter(handed -> handed.begun)
                .map(handed -> handed.ticket)
                .findFirst();
    }

    Optional<NodeTicket> remove(String id) {
        return Optional.ofNullable(calls.remove(id)).map(handed -> handed.ticket);
    }

    void print(String id, boolean isError, String text) {
        var handed = calls.get(id);
        if (handed != null) {
            handed.ticket.print(isError, text);
        }
    }

    /**
     * Passes a question to the caller of its call; drops a question of a call that has ended.
     *
     * @param bytes size of the frame
     * @param answer receives the frame with the answer
     * @return violated limit; empty if the question is passed or dropped
     */
    Optional<String> ask(JsonNode frame, int bytes, Path exchange, Consumer<ObjectNode> answer) {
        var handed = calls.get(frame.path("call").asText());
        if (handed == null) {
            return Optional.empty();
        }
        if (frame.path("id").asText().length() > NAME_LENGTH_MAX
                || frame.path("method").asText().length() > NAME_LENGTH_MAX) {
            return Optional.of("a request with an id or a method of more than " + NAME_LENGTH_MAX + " characters");
        }
        if (questions.incrementAndGet() > QUESTIONS_MAX) {
            return Optional.of("more than " + QUESTIONS_MAX + " concurrent requests");
        }
        if (questionBytes.addAndGet(bytes) > QUESTION_BYTES_MAX) {
            return Optional.of("concurrent requests of more than " + (QUESTION_BYTES_MAX >> 20) + " MB");
        }
        var params = frame.path("params") instanceof ObjectNode object ? object : Json.object();
        var answered =
                Json.object().put("t", "ctxResult").put("id", frame.path("id").asText());
        handed.ticket.ask(
                frame.path("method").asText(),
                params,
                exchange,
                asked -> {
                    questionBytes.addAndGet(-bytes);
                    if (asked.succeeded()) {
                        answered.set("value", asked.result());
                    } else {
                        answered.set("error", HostFrame.errorOf(asked.cause()));
                    }
                    answer.accept(answered);
                },
                () -> {
                    questionBytes.addAndGet(-bytes);
                    taken();
                });
        return Optional.empty();
    }

    /** Records that the process has read an answer, or gets none. */
    void taken() {
        questions.decrementAndGet();
    }

    /**
     * Marks the process as ended: it takes no further call.
     *
     * @param atWork receives the calls that the process had begun
     * @return calls that it had not begun
     */
    List<NodeTicket> end(Consumer<NodeTicket> atWork) {
        synchronized (this) {
            over = true;
        }
        var unbegun = calls.values().stream()
                .filter(handed -> !handed.begun)
                .map(handed -> handed.ticket)
                .toList();
        calls.values().stream()
                .filter(handed -> handed.begun)
                .map(handed -> handed.ticket)
                .forEach(atWork);
        calls.clear();
        return unbegun;
    }
}
