package io.millrace.http;

import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * Texts that the other side fetches and brings by requests, which may come on any event loop: one request waits for what
 * is said next. What was said before the end can be fetched for a while after it.
 */
public final class PolledSocket extends TextSocket {
    private static final long LAST_WORDS_MS = 10_000;

    private final Vertx vertx;
    private final Context home;
    private final List<String> unread = new ArrayList<>();
    private long unreadLength;
    private Consumer<String> listener = _ -> {};

    /** Who waits for a text; null for nobody. */
    private Promise<List<String>> reader;

    private Runnable whenFinished = () -> {};

    PolledSocket(Vertx vertx, Client client) {
        super(vertx, client);
        this.vertx = vertx;
        this.home = vertx.getOrCreateContext();
    }

    @Override
    public void onText(Consumer<String> heard) {
        listener = heard;
    }

    /** Does something once there is nothing to fetch any more, and never will be. */
    public void whenFinished(Runnable action) {
        whenFinished = action;
    }

    /** Brings texts. May be called on any event loop. */
    public void bring(List<String> texts) {
        home.runOnContext(_ -> texts.forEach(text -> {
            if (!isClosed()) {
                listener.accept(text);
            }
        }));
    }

    /**
     * Fetches what has been said, or is said next; nothing when the end comes first. Whoever fetches while another still
     * waits ends the socket. May be called on any event loop, and completes there.
     */
    public Future<List<String>> fetch() {
        var asker = vertx.getOrCreateContext();
        var fetched = Promise.<List<String>>promise();
        var answer = Promise.<List<String>>promise();
        answer.future().onSuccess(texts -> asker.runOnContext(_ -> fetched.complete(texts)));
        home.runOnContext(_ -> await(answer));
        return fetched.future();
    }

    /** Whoever fetched has gone without waiting for the answer. May be called on any event loop. */
    public void abandon(Future<List<String>> fetched) {
        if (!fetched.isComplete()) {
            home.runOnContext(_ -> close());
        }
    }

    private void await(Promise<List<String>> answer) {
        if (reader != null) {
            close();
        }
        reader = answer;
        if (isClosed() || !unread.isEmpty()) {
            flush();
        }
    }

    @Override
    boolean carry(String text) {
        unread.add(text);
        unreadLength += text.length();
        if (reader != null) {
            flush();
        }
        return unreadLength <= UNREAD_MAX;
    }

    private void flush() {
        var texts = List.copyOf(unread);
        unread.clear();
        unreadLength = 0;
        var waiting = reader;
        reader = null;
        waiting.complete(texts);
        if (isClosed()) {
            whenFinished.run();
        }
    }

    @Override
    void end() {
        if (reader != null) {
            flush();
            whenFinished.run();
        } else if (unread.isEmpty()) {
            whenFinished.run();
        } else {
            vertx.setTimer(LAST_WORDS_MS, _ -> whenFinished.run());
        }
    }
}
