package io.millrace.base.bus;

import io.vertx.core.internal.ContextInternal;

/** A server or listener: its address on the event bus, which no other endpoint has, and its context. */
record Endpoint(String address, ContextInternal context) {
    /** Returns true if it lives on the calling thread, so that a message to it wakes no other thread. */
    boolean isHere() {
        return context.inThread();
    }
}
