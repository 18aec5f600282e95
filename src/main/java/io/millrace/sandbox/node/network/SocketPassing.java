package io.millrace.sandbox.node.network;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.VarHandle;
import java.util.OptionalInt;

/**
 * Writes to the Unix socket of a process, and passes a connected socket along (unix(7), SCM_RIGHTS). The structures are those of
 * 64-bit Linux with the least significant byte first. Never blocks.
 */
final class SocketPassing {
    private static final int SOL_SOCKET = 1;
    private static final int SCM_RIGHTS = 1;
    private static final int MSG_DONTWAIT = 0x40;
    private static final int MSG_NOSIGNAL = 0x4000;
    private static final long WORD_BYTES = 8;

    /** Two words: address and length of the bytes to send. */
    private static final long VECTOR_BYTES = 2 * WORD_BYTES;

    /** A header of two words, and one descriptor with its padding. */
    private static final long CONTROL_BYTES = 3 * WORD_BYTES;

    /** The length that the header of a descriptor states leaves out the padding. */
    private static final long CONTROL_LENGTH = 2 * WORD_BYTES + Integer.BYTES;

    private static final long LEVEL_AT = WORD_BYTES;
    private static final long TYPE_AT = WORD_BYTES + Integer.BYTES;
    private static final long DESCRIPTOR_AT = 2 * WORD_BYTES;

    private static final long MESSAGE_BYTES = 7 * WORD_BYTES;
    private static final long VECTORS_AT = 2 * WORD_BYTES;
    private static final long VECTOR_COUNT_AT = 3 * WORD_BYTES;
    private static final long CONTROL_AT = 4 * WORD_BYTES;
    private static final long CONTROL_LENGTH_AT = 5 * WORD_BYTES;

    private static final int EAGAIN = 11;

    /** Result of sending bytes. */
    enum Outcome {
        SENT,
        /** The kernel did not take all of them, because the process does not read. */
        UNREAD,
        CLOSED
    }

    private SocketPassing() {}

    /** The C function {@code ssize_t sendmsg(int, const struct msghdr *, int)}; looked up at the first use. */
    private static final class Call {
        private static final StructLayout STATE = Linker.Option.captureStateLayout();
        private static final VarHandle ERROR = STATE.varHandle(MemoryLayout.PathElement.groupElement("errno"));
        private static final MethodHandle SENDMSG = handle();

        @SuppressWarnings("restricted") // The server is started with native access for calls like this one.
        private static MethodHandle handle() {
            var linker = Linker.nativeLinker();
            return linker.downcallHandle(
                    linker.defaultLookup().find("sendmsg").orElseThrow(),
                    FunctionDescriptor.of(
                            ValueLayout.JAVA_LONG, ValueLayout.JAVA_INT, ValueLayout.ADDRESS, ValueLayout.JAVA_INT),
                    Linker.Option.captureCallState("errno"));
        }

        private static Outcome make(MemorySegment state, int socket, MemorySegment message, long length) {
            try {
                var sent = (long) SENDMSG.invokeExact(state, socket, message, MSG_DONTWAIT | MSG_NOSIGNAL);
                if (sent == length) {
                    return Outcome.SENT;
                }
                return sent >= 0 || (int) ERROR.get(state, 0L) == EAGAIN ? Outcome.UNREAD : Outcome.CLOSED;
            } catch (Throwable failure) {
                throw new IllegalStateException("sendmsg cannot be called", failure);
            }
        }
    }

    /**
     * Writes bytes.
     *
     * @param socket descriptor of the process's Unix socket
     * @param passed descriptor of the socket to pass along, which stays open here
     */
    static Outcome send(int socket, byte[] bytes, OptionalInt passed) {
        try (var arena = Arena.ofConfined()) {
            var content = arena.allocateFrom(ValueLayout.JAVA_BYTE, bytes);
            var vector = words(arena, VECTOR_BYTES);
            vector.set(ValueLayout.ADDRESS, 0, content);
            vector.set(ValueLayout.JAVA_LONG, WORD_BYTES, bytes.length);
            var message = words(arena, MESSAGE_BYTES);
            message.set(ValueLayout.ADDRESS, VECTORS_AT, vector);
            message.set(ValueLayout.JAVA_LONG, VECTOR_COUNT_AT, 1);
            if (passed.isPresent()) {
                message.set(ValueLayout.ADDRESS, CONTROL_AT, control(arena, passed.getAsInt()));
                message.set(ValueLayout.JAVA_LONG, CONTROL_LENGTH_AT, CONTROL_BYTES);
            }
            return Call.make(arena.allocate(Call.STATE), socket, message, bytes.length);
        }
    }

    private static MemorySegment control(Arena arena, int passed) {
        var control = words(arena, CONTROL_BYTES);
        control.set(ValueLayout.JAVA_LONG, 0, CONTROL_LENGTH);
        control.set(ValueLayout.JAVA_INT, LEVEL_AT, SOL_SOCKET);
        control.set(ValueLayout.JAVA_INT, TYPE_AT, SCM_RIGHTS);
        control.set(ValueLayout.JAVA_INT, DESCRIPTOR_AT, passed);
        return control;
    }

    private static MemorySegment words(Arena arena, long bytes) {
        return arena.allocate(MemoryLayout.sequenceLayout(bytes / WORD_BYTES, ValueLayout.JAVA_LONG));
    }
}
