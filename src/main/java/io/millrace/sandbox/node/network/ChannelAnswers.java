package io.millrace.sandbox.node.network;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.core.Json;
import io.netty.channel.epoll.EpollDomainSocketChannel;
import io.netty.channel.epoll.EpollSocketChannel;
import java.util.Arrays;
import java.util.OptionalInt;
import java.util.function.Consumer;

/**
 * Writes the server's answers into the channel of a process, in the message format of Node.js. A process that does not read them is
 * killed: answers are not queued here.
 */
final class ChannelAnswers {
    /** Prefix of messages that Node.js does not give to listeners of packages, and this server's name. */
    private static final String MARK = "NODE_MILLRACE";

    private static final byte[] END = {'\n'};

    private final EpollDomainSocketChannel channel;
    private final Consumer<String> violated;

    ChannelAnswers(EpollDomainSocketChannel channel, Consumer<String> violated) {
        this.channel = channel;
        this.violated = violated;
    }

    static ObjectNode of(String kind, long id) {
        return Json.object().put("cmd", MARK).put("t", kind).put("id", id);
    }

    void send(ObjectNode answer) {
        write(answer, OptionalInt.empty());
    }

    /** Passes a connected socket, which stays open here, and the end of the lease. */
    void pass(long id, long endMicros, EpollSocketChannel socket) {
        var handle = Json.object().put("cmd", "NODE_HANDLE").put("type", "net.Native");
        handle.set("msg", of("connected", id).put("until", endMicros));
        write(handle, OptionalInt.of(socket.fd().intValue()));
    }

    private void write(ObjectNode message, OptionalInt passed) {
        if (!channel.isOpen()) {
            return;
        }
        var text = Json.bytes(message);
        var line = Arrays.copyOf(text, text.length + END.length);
        System.arraycopy(END, 0, line, text.length, END.length);
        switch (SocketPassing.send(channel.fd().intValue(), line, passed)) {
            case SENT -> {}
            case UNREAD -> violated.accept("requests without reading the responses");
            case CLOSED -> {
                var _ = channel.close();
            }
        }
    }
}
