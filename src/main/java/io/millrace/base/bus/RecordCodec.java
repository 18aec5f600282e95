package io.millrace.base.bus;

import io.vertx.core.buffer.Buffer;
import io.vertx.core.eventbus.MessageCodec;

/** Passes an immutable message by reference. It never crosses a node: use-case messages are local only. */
final class RecordCodec implements MessageCodec<Object, Object> {
    static final String NAME = "record";

    @Override
    public void encodeToWire(Buffer buffer, Object message) {
        throw new IllegalStateException(message.getClass() + " does not leave its node");
    }

    @Override
    public Object decodeFromWire(int position, Buffer buffer) {
        throw new IllegalStateException("a local message does not come from another node");
    }

    @Override
    public Object transform(Object message) {
        return message;
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public byte systemCodecID() {
        return -1;
    }
}
