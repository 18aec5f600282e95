package io.millrace.base.http.socket;

import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * A socket over long polling: the client fetches and sends texts by requests, which may arrive on any event loop; one request
 * waits for the next text. Texts sent before the end can be fetched for a while after it. The client may upgrade to a web
 * socket once.
 */
public final class PolledSocket extends TextSocket {
    private static final long LAST_WORDS_MS = 10_000;

    /** Interval at which a pending poll is released while the client is upgrading to another transport. */
    private static final long HURRY_MS = 100;

    private final Vertx vertx;
    private final Context home;
    private final List<String> unread = new ArrayList<>();
    private long unreadLength;

    /** Done when all texts brought so far have been processed. */
    private Future<Void> processed = Future.succeededFuture();

    /** The pending poll; null when there is none. */
    private Promise<List<String>> reader;

    private Runnable whenFinished = () -> {};
    private Optional<Long> hurry = Optional.empty();

    private Optional<Carrier> carrier = Optional.empty();

    /** A socket, on the event loop where it is at home. */
    private record Carrier(TextSocket socket, Context home) {
        void with(Consumer<TextSocket> action) {
            home.runOnContext(_ -> action.accept(socket));
        }
    }

    public PolledSocket(Vertx vertx, Client client) {
        super(vertx, client);
        this.vertx = vertx;
        this.home = vertx.getOrCreateContext();
    }

    /** Runs an action once there is nothing left to fetch and the socket accepts no more texts. */
    public void whenFinished(Runnable action) {
        whenFinished = action;
    }

    /** Delivers texts of the client; done when they have been processed. Callable on any event loop, and completes there. */
    public Future<Void> bring(List<byte[]> texts) {
        var bringer = vertx.getOrCreateContext();
        var brought = Promise.<Void>promise();
        home.runOnContext(_ -> {
            texts.forEach(this::enqueue);
            processed.onComplete(_ -> bringer.runOnContext(_ -> brought.complete()));
        });
        return brought.future();
    }

    /** A text that cannot be processed ends the socket, and does not delay others. */
    private void enqueue(byte[] text) {
        processed = processed.compose(_ -> process(text)).recover(_ -> {
            close();
            return Future.succeededFuture();
        });
    }

    private Future<Void> process(byte[] text) {
        if (!isClosed() && isLong(text)) {
            return receive(text, () -> {});
        }
        if (!isClosed()) {
            receive(text);
        }
        return Future.succeededFuture();
    }

    /**
     * Fetches the pending texts, or waits for the next one; empty when the socket ends first. A second concurrent poll ends
     * the socket. Callable on any event loop, and completes there.
     */
    public Future<List<String>> fetch() {
        var asker = vertx.getOrCreateContext();
        var fetched = Promise.<List<String>>promise();
        var answer = Promise.<List<String>>promise();
        answer.future().onSuccess(texts -> asker.runOnContext(_ -> fetched.complete(texts)));
        home.runOnContext(_ -> await(answer));
        return fetched.future();
    }

    /** The client of a poll has disconnected without waiting for the answer. Callable on any event loop. */
    public void abandon(Future<List<String>> fetched) {
        if (!fetched.isComplete()) {
            home.runOnContext(_ -> close());
        }
    }

    /**
     * Releases the pending poll at intervals: a pending request keeps the client from upgrading to another transport.
     * Callable on any event loop.
     *
     * @param nothing text that answers a poll without data
     */
    public void hurry(String nothing) {
        home.runOnContext(_ -> {
            if (hurry.isEmpty() && !isClosed()) {
                releasePoll(nothing);
                hurry = Optional.of(vertx.setPeriodic(HURRY_MS, _ -> releasePoll(nothing)));
                whenClosed(this::stopHurrying);
            }
        });
    }

    private void releasePoll(String nothing) {
        if (reader != null) {
            unread.add(nothing);
            flush();
        }
    }

    /** Cancels the upgrade. Callable on any event loop. */
    public void calmDown() {
        home.runOnContext(_ -> stopHurrying());
    }

    private void stopHurrying() {
        hurry.ifPresent(vertx::cancelTimer);
        hurry = Optional.empty();
    }

    /**
     * Upgrades to another socket; each of both ends with the other. Texts that were not fetched are sent first. Called on the
     * event loop of the other one.
     *
     * @param nothing text that answers a poll without data
     */
    public void goOver(TextSocket socket, String nothing) {
        var next = new Carrier(socket, vertx.getOrCreateContext());
        home.runOnContext(_ -> {
            if (carrier.isPresent()) {
                next.with(TextSocket::close);
                return;
            }
            releasePoll(nothing);
            stopHurrying();
            unread.forEach(text -> next.with(other -> other.send(text)));
            unread.clear();
            if (isClosed()) {
                next.with(TextSocket::close);
            } else {
                takeOver(next);
            }
            whenFinished.run();
        });
    }

    private void takeOver(Carrier next) {
        carrier = Optional.of(next);
        leavePlace();
        next.with(other -> other.whenClosed(() -> home.runOnContext(_ -> close())));
        if (isKnown()) {
            next.with(TextSocket::known);
        }
    }

    @Override
    public void known() {
        super.known();
        carrier.ifPresent(other -> other.with(TextSocket::known));
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
        if (carrier.isPresent()) {
            carrier.get().with(other -> other.send(text));
            return true;
        }
        if (unreadLength > UNREAD_MAX) {
            return false;
        }
        unread.add(text);
        unreadLength += text.length();
        if (reader != null) {
            flush();
        }
        return true;
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
        carrier.ifPresent(other -> other.with(TextSocket::close));
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
