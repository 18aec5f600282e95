package io.millrace.integration.activity;

import io.millrace.base.core.Json;
import io.millrace.base.http.socket.EventStream;
import io.vertx.core.buffer.Buffer;

/** One open stream of a project. Confined to its event loop. */
final class ProjectListener {
    /** Unread bytes beyond which a listener is slow: several batches of events. */
    static final int UNREAD_BYTES_MAX = 256 * 1024;

    /** Pauses of a listener that catches up, until it has read what was sent. */
    private static final int PAUSES_MAX = 600;

    enum End {
        SLOW_LISTENER("slowListener"),
        /** The server could not read events; the client may reconnect. */
        UNAVAILABLE("unavailable");

        private final String text;

        End(String text) {
            this.text = text;
        }
    }

    private final String projectId;
    private final boolean withSteps;
    private final EventStream stream;
    private EventPosition position;
    private boolean isLive;
    private boolean isFresh;
    private int pauses;

    /** @param withSteps whether the steps of a run precede the event of its pause or end */
    ProjectListener(String projectId, boolean withSteps, EventStream stream) {
        this.projectId = projectId;
        this.withSteps = withSteps;
        this.stream = stream;
        stream.limitUnread(UNREAD_BYTES_MAX);
    }

    String projectId() {
        return projectId;
    }

    EventPosition position() {
        return position;
    }

    /** Returns whether the listener has received everything up to the position of its hub. */
    boolean isLive() {
        return isLive;
    }

    boolean isClosed() {
        return stream.isClosed();
    }

    /** Sets the position after which events follow; a listener that does not continue is notified when events are complete. */
    void begin(ProjectEvents.Beginning beginning) {
        position = beginning.from();
        isFresh = !beginning.continues();
    }

    /**
     * Sends an event unless the listener has passed it. Returns false if the listener has to read what was sent before: a
     * listener with steps then reads on for itself, because the steps of a few runs may be as much; another one is ended.
     */
    boolean send(EventPosition at, Buffer frame) {
        if (!at.isAfter(position) || stream.isClosed()) {
            return true;
        }
        if (stream.isBehind()) {
            isLive = false;
            if (!withSteps) {
                end(End.SLOW_LISTENER);
            }
            return false;
        }
        position = at;
        stream.send(frame);
        return true;
    }

    /** Returns whether a listener that catches up has to read before more is sent; ends it after too many such pauses. */
    boolean pauses() {
        if (!stream.isBehind()) {
            pauses = 0;
            return false;
        }
        if (++pauses > PAUSES_MAX) {
            end(End.SLOW_LISTENER);
        }
        return true;
    }

    void reached(EventPosition upTo) {
        if (upTo.isAfter(position)) {
            position = upTo;
            if (isFresh) {
                isFresh = false;
                stream.send(EventStream.frame("ready", position.text(), Json.object()));
            }
        }
    }

    /** Events follow from the hub; false while the registration itself has not been passed. */
    boolean goLive() {
        isLive = !isFresh;
        return isLive;
    }

    /** Tells the client its position, so that it continues there although no event occurred. */
    void mark() {
        if (isLive && !stream.isBehind()) {
            stream.mark(position.text());
        }
    }

    void end(End reason) {
        stream.end("closed", Json.object().put("reason", reason.text));
    }
}
