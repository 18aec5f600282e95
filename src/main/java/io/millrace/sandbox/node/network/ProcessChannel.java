package io.millrace.sandbox.node.network;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.base.core.Json;
import io.millrace.base.net.DomainQueries;
import io.millrace.base.net.HostGuard;
import io.millrace.sandbox.isolation.LaunchChannel;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.epoll.EpollDomainSocketChannel;
import io.netty.handler.codec.ByteToMessageDecoder;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The server's end of the channel of one process: first the token, then one JSON message per line. All of it is untrusted input: a
 * message that is not of the protocol, too long, or beyond the rate of the host's own script ends the process.
 */
final class ProcessChannel extends ByteToMessageDecoder {
    private static final Logger LOG = LoggerFactory.getLogger(ProcessChannel.class);

    private static final int MESSAGE_BYTES_MAX = 4 * 1024;

    static final int MESSAGES_PER_SECOND_MAX = 20_000;

    private static final long SECOND_NANOS = 1_000_000_000;
    private static final long TOKEN_MS_MAX = 10_000;
    private static final byte NEWLINE = '\n';

    private final EpollDomainSocketChannel channel;
    private final Function<String, ConnectionGateway.Admission> admissions;
    private final HostGuard names;
    private final DomainQueries queries;
    private ConnectionGateway.Admission admission;
    private SocketBroker sockets;
    private NameDesk desk;
    private long secondBegan = System.nanoTime();
    private int messages;

    /** @param admissions removes and returns the admission of a token; null if the token is unknown */
    ProcessChannel(
            EpollDomainSocketChannel channel,
            Function<String, ConnectionGateway.Admission> admissions,
            HostGuard names,
            DomainQueries queries) {
        this.channel = channel;
        this.admissions = admissions;
        this.names = names;
        this.queries = queries;
    }

    @Override
    public void channelActive(ChannelHandlerContext context) {
        var _ = context.executor()
                .schedule(
                        () -> {
                            if (admission == null) {
                                var _ = context.close();
                            }
                        },
                        TOKEN_MS_MAX,
                        TimeUnit.MILLISECONDS);
    }

    @Override
    protected void decode(ChannelHandlerContext context, ByteBuf in, List<Object> out) {
        if (admission == null) {
            if (in.readableBytes() >= LaunchChannel.TOKEN_LENGTH) {
                admit(in.readCharSequence(LaunchChannel.TOKEN_LENGTH, StandardCharsets.US_ASCII)
                        .toString());
            }
            return;
        }
        var length = in.bytesBefore(NEWLINE);
        if (length > MESSAGE_BYTES_MAX || length < 0 && in.readableBytes() > MESSAGE_BYTES_MAX) {
            violated("a message of more than " + MESSAGE_BYTES_MAX + " bytes");
        } else if (length >= 0) {
            var line = new byte[length];
            in.readBytes(line).skipBytes(1);
            take(line);
        }
    }

    private void admit(String token) {
        admission = admissions.apply(token);
        if (admission == null || !admission.opened(channel)) {
            var _ = channel.close();
            return;
        }
        var answers = new ChannelAnswers(channel, this::violated);
        sockets = new SocketBroker(channel, admission, answers, this::violated);
        desk = new NameDesk(names, queries, admission.rules(), channel.eventLoop(), answers, this::violated);
    }

    private void take(byte[] line) {
        if (isFlooded()) {
            violated("more than " + MESSAGES_PER_SECOND_MAX + " messages in a second");
            return;
        }
        try {
            take(Json.mapper().readTree(line));
        } catch (JsonProcessingException malformed) {
            violated("a message that is not JSON");
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        }
    }

    private boolean isFlooded() {
        var now = System.nanoTime();
        if (now - secondBegan > SECOND_NANOS) {
            secondBegan = now;
            messages = 0;
        }
        return ++messages > MESSAGES_PER_SECOND_MAX;
    }

    private void take(JsonNode message) {
        if (message.path("cmd").isTextual()) {
            switch (message.path("cmd").asText()) {
                case "NODE_HANDLE_ACK" -> sockets.arrived();
                case "NODE_HANDLE_NACK" -> sockets.lost();
                default -> violated("a message of an unknown kind");
            }
            return;
        }
        var id = message.path("id");
        if (!id.isIntegralNumber() || !id.canConvertToLong() || id.asLong() <= 0) {
            violated("a message without an id");
            return;
        }
        switch (message.path("t").asText()) {
            case "connect" -> sockets.connect(id.asLong(), message);
            case "abort" -> sockets.abort(id.asLong());
            case "held" -> sockets.permit(id.asLong());
            case "lookup" -> desk.lookup(id.asLong(), message);
            case "records" -> desk.records(id.asLong(), message);
            default -> violated("a message of an unknown kind");
        }
    }

    private void violated(String found) {
        if (channel.isOpen()) {
            var _ = channel.close();
            if (admission != null) {
                admission.violated("the piece sent " + found + " over its network channel");
            }
        }
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
        if (sockets != null) {
            sockets.close();
        }
    }

    /** A connection is reset when the process has ended before it read all answers. */
    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        if (cause instanceof IOException) {
            var _ = context.close();
        } else {
            LOG.error("cannot respond to a message of a piece process", cause);
            violated("a message that needs no response");
        }
    }
}
