package io.millrace.base.bus;

import io.vertx.core.internal.ContextInternal;

/** Who serves or listens, under an address of the event bus that nobody else has, and on which context. */
record Endpoint(String address, ContextInternal context) {
    /** Whether it lives on the calling thread, so that a message to it wakes nobody. */
    boolean isHere() {
        return context.inThread();
    }
}
