package io.millrace.sandbox.code.worker;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Optional;

/** One message between the server and a worker: a type and a body. */
public final class WorkerFrame {
    /** Longest accepted frame: a longer one means that the peer is faulty or hostile. */
    public static final int BYTES_MAX = 512 << 20;

    public enum Type {
        /** Server to worker: a {@link WorkerRequest}. */
        RUN('C'),
        /** Server to worker: request to return the calls that have not begun. */
        WITHDRAW('W'),
        /** Worker to server: number of calls at the end of the batch that it will not begin, 32 bits. */
        WITHDRAWN('Z'),
        /** Worker to server: ready for the first call. */
        READY('R'),
        /** The call has begun: if the worker ends from here on, the call is the cause. */
        BEGUN('B'),
        /** One console line: level, newline, text. */
        LOG('L'),
        /** The call begins again: its lines so far are discarded. */
        AGAIN('A'),
        /** The call returned: JSON text of the value. */
        RETURNED('V'),
        /** The call returned undefined, or a value without JSON. */
        RETURNED_NOTHING('N'),
        /** The call threw: JSON text with those of name, message and raw that exist. */
        THREW('E'),
        TIMED_OUT('T'),
        MEMORY_EXCEEDED('M');

        private final int wire;

        Type(int wire) {
            this.wire = wire;
        }

        public boolean ends() {
            return switch (this) {
                case RETURNED, RETURNED_NOTHING, THREW, TIMED_OUT, MEMORY_EXCEEDED -> true;
                case RUN, WITHDRAW, WITHDRAWN, READY, BEGUN, LOG, AGAIN -> false;
            };
        }

        private static Type at(int wire) throws IOException {
            return Arrays.stream(values())
                    .filter(type -> type.wire == wire)
                    .findFirst()
                    .orElseThrow(() -> new IOException("expected a frame type, but found " + wire));
        }
    }

    private final Type type;
    private final byte[] body;

    public WorkerFrame(Type type, byte[] body) {
        this.type = type;
        this.body = body;
    }

    public static WorkerFrame of(Type type) {
        return new WorkerFrame(type, new byte[0]);
    }

    public static WorkerFrame of(Type type, String text) {
        return new WorkerFrame(type, text.getBytes(StandardCharsets.UTF_8));
    }

    public static WorkerFrame of(Type type, int number) {
        return new WorkerFrame(
                type, ByteBuffer.allocate(Integer.BYTES).putInt(number).array());
    }

    public Type type() {
        return type;
    }

    /** The internal array, not a copy: a frame has one reader. */
    public byte[] body() {
        return body;
    }

    public int number() {
        return ByteBuffer.wrap(body).getInt();
    }

    public String text() {
        return new String(body, StandardCharsets.UTF_8);
    }

    public void writeTo(DataOutputStream out) throws IOException {
        writeLaterTo(out);
        out.flush();
    }

    /** Writes the frame without a flush; it is sent with the next one. */
    public void writeLaterTo(DataOutputStream out) throws IOException {
        out.writeByte(type.wire);
        out.writeInt(body.length);
        out.write(body);
    }

    /** Reads one frame; empty at the orderly end of the stream. */
    public static Optional<WorkerFrame> readFrom(DataInputStream in, int bytesMax) throws IOException {
        int wire = in.read();
        if (wire < 0) {
            return Optional.empty();
        }
        Type type = Type.at(wire);
        int length = in.readInt();
        if (length < 0 || length > bytesMax) {
            throw new IOException("expected a frame of at most " + bytesMax + " bytes, but found " + length);
        }
        byte[] body = in.readNBytes(length);
        if (body.length < length) {
            throw new EOFException("the stream ended inside a frame");
        }
        return Optional.of(new WorkerFrame(type, body));
    }
}
