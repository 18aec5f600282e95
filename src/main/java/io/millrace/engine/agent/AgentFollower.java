package io.millrace.engine.agent;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.bus.Bus;
import io.millrace.base.cluster.Topics;
import io.millrace.base.core.Json;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Subscription to a run: reports each answer and each result once, in the order in which they are recorded, and the text of the
 * model while it is written. The rows are authoritative; notices of the actor only arrive earlier. Stays on the context on
 * which it was opened.
 */
final class AgentFollower {
    /** Places of calls in a number that names turn and call. */
    private static final long CALLS = 100_000;

    private final Bus bus;
    private final String runId;
    private final long deadlineMs;
    private final Listener listener;
    private final List<Bus.OpenEndpoint> news;
    private final Set<Long> told = new HashSet<>();
    private final long known;
    private int writingTurn;
    private String written = "";
    private boolean looking;
    private boolean lookAgain;
    private boolean closed;

    /** Receiver of the events (contract agents 6.3). */
    interface Listener {
        /** @param number number of a recorded event; 0 for an event that is not recorded yet */
        void chunks(long number, ArrayNode chunks);

        void finished();

        void failed(String message);

        void end();
    }

    private AgentFollower(Bus bus, String runId, long known, long deadlineMs, Listener listener) {
        this.bus = bus;
        this.runId = runId;
        this.known = known;
        this.deadlineMs = deadlineMs;
        this.listener = listener;
        this.news = List.of(
                bus.on(
                        AgentPartialText.addressOf(runId),
                        (AgentPartialText written) -> write(written.turn(), written.text())),
                bus.on(AgentRunRows.Recorded.class, told -> {
                    if (told.id().equals(runId)) {
                        look();
                    }
                }),
                Topics.watch(bus, AgentRunRows.topicOf(runId)));
    }

    /** @param known number of the last event that the listener received before; 0 for none */
    static AgentFollower open(Bus bus, String runId, long known, long deadlineMs, Listener listener) {
        var follower = new AgentFollower(bus, runId, known, deadlineMs, listener);
        follower.look();
        return follower;
    }

    void close() {
        if (!closed) {
            closed = true;
            news.forEach(Bus.OpenEndpoint::close);
        }
    }

    private void write(int turn, String text) {
        if (turn != writingTurn) {
            writingTurn = turn;
            written = "";
        }
        written += text;
        listener.chunks(0, Json.array().add(delta(turn, text)));
    }

    void look() {
        if (looking) {
            lookAgain = true;
            return;
        }
        looking = true;
        bus.ask(new AgentRunRows.Trace(runId), deadlineMs)
                .onSuccess(this::tell)
                .onFailure(_ -> end())
                .onComplete(_ -> {
                    looking = false;
                    if (lookAgain && !closed) {
                        lookAgain = false;
                        look();
                    }
                });
    }

    private void tell(AgentRunRows.AgentRunTrace traced) {
        for (var entry : traced.entries()) {
            var number = entry.turn() * CALLS + entry.call() + 2;
            if (!closed && !isKnown(number, entry) && told.add(number)) {
                listener.chunks(number, chunksOf(entry));
            }
        }
        if (!closed && traced.run().result() != null) {
            var failure = traced.run().result().path("failure");
            if (failure.isMissingNode()) {
                listener.finished();
            } else {
                listener.failed(failure.asText());
            }
            end();
        }
    }

    /** Calls of one turn end in any order, so those of the last known turn are reported again. */
    private boolean isKnown(long number, AgentRun.Entry entry) {
        return number <= known && (entry.turn() < known / CALLS || entry.call() == AgentRun.Entry.ANSWER);
    }

    private ArrayNode chunksOf(AgentRun.Entry entry) {
        var chunks = Json.array();
        var content = entry.content();
        if (entry.call() != AgentRun.Entry.ANSWER) {
            var failed = content.at("/output/failed").asBoolean(false);
            var chunk = chunks.addObject()
                    .put("type", failed ? "tool-output-error" : "tool-output-available")
                    .put("toolCallId", content.path("toolCallId").asText());
            if (failed) {
                chunk.put("errorText", content.at("/output/error").asText());
            } else {
                chunk.set("output", content.path("output"));
            }
            return chunks;
        }
        var text = rest(entry.turn(), content.path(AgentEntries.TEXT).asText(""));
        if (!text.isEmpty()) {
            chunks.add(delta(entry.turn(), text));
        }
        chunks.addObject().put("type", "text-end").put("id", "turn-" + entry.turn());
        AgentEntries.callsOf(content)
                .forEach(call -> chunks.addObject()
                        .put("type", "tool-input-available")
                        .put("toolCallId", call.id())
                        .put("toolName", call.name())
                        .set("input", call.arguments()));
        return chunks;
    }

    /** Returns the part of the text that was not reported while the model wrote it. */
    private String rest(int turn, String text) {
        return turn == writingTurn && text.startsWith(written) ? text.substring(written.length()) : text;
    }

    private static ObjectNode delta(int turn, String text) {
        return Json.object().put("type", "text-delta").put("id", "turn-" + turn).put("delta", text);
    }

    private void end() {
        if (!closed) {
            close();
            listener.end();
        }
    }
}
