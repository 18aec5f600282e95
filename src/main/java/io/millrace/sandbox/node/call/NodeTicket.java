package io.millrace.sandbox.node.call;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.nio.file.Path;
import java.util.function.Consumer;

public final class NodeTicket {
    private static final int PRINTED_CHARACTERS_MAX = 64 * 1024;

    private static final int GIVEN_BACK_MAX = 3;

    private final String id;
    private final NodeCall call;
    private final ReverseCalls reverse;
    private final Context caller;
    private final Promise<NodeResult> result = Promise.promise();
    private final StringBuilder output = new StringBuilder();
    private final StringBuilder errors = new StringBuilder();
    private boolean ended;
    private int givenBack;

    public NodeTicket(String id, NodeCall call, ReverseCalls reverse, Context caller) {
        this.id = id;
        this.call = call;
        this.reverse = reverse;
        this.caller = caller;
    }

    public String id() {
        return id;
    }

    public NodeCall call() {
        return call;
    }

    public Future<NodeResult> result() {
        return result.future();
    }

    public synchronized void print(boolean isError, String text) {
        var room = PRINTED_CHARACTERS_MAX - output.length() - errors.length();
        (isError ? errors : output).append(text, 0, Math.min(Math.max(0, room), text.length()));
    }

    public synchronized ConsoleOutput printed() {
        return new ConsoleOutput(output.toString(), errors.toString());
    }

    /** Ends the call on its caller's context; false if it has ended before. */
    public boolean end(NodeResult how) {
        synchronized (this) {
            if (ended) {
                return false;
            }
            ended = true;
        }
        caller.runOnContext(_ -> result.complete(how));
        return true;
    }

    public synchronized boolean hasEnded() {
        return ended;
    }

    /** True if another process may try the call; evaluated once for each process that gave it back. */
    public synchronized boolean mayBeHandedOverAgain() {
        givenBack++;
        return givenBack <= GIVEN_BACK_MAX;
    }

    /**
     * Passes a question to the caller.
     *
     * @param unanswered called instead of the answer if the question arrives after the end of the call
     */
    public void ask(
            String method, ObjectNode params, Path exchange, Consumer<Future<JsonNode>> answer, Runnable unanswered) {
        caller.runOnContext(_ -> {
            if (hasEnded()) {
                unanswered.run();
                return;
            }
            Future<JsonNode> asked;
            try {
                asked = reverse.ask(method, params, exchange);
            } catch (RuntimeException thrown) {
                asked = Future.failedFuture(thrown);
            }
            asked.onComplete(done -> answer.accept(
                    done.succeeded() ? Future.succeededFuture(done.result()) : Future.failedFuture(done.cause())));
        });
    }
}
