package io.millrace.sandbox.node.network;

import com.fasterxml.jackson.databind.JsonNode;
import io.netty.bootstrap.Bootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelOption;
import io.netty.channel.ConnectTimeoutException;
import io.netty.channel.epoll.EpollDomainSocketChannel;
import io.netty.channel.epoll.EpollSocketChannel;
import io.netty.channel.socket.SocketProtocolFamily;
import java.io.IOException;
import java.net.ConnectException;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NoRouteToHostException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/** Connects for one process and passes the sockets to it. Runs on the event loop of the gateway. */
final class SocketBroker {
    /** Connections of a process that are being made or have not arrived there yet; its script asks for 32 at a time. */
    static final int PENDING_MAX = 64;

    /** Descriptors that a process may have open when it asks for one more connection. */
    static final int DESCRIPTORS_MAX = 2_048;

    private static final int CONNECT_MS_MAX = 60_000;
    private static final int ADDRESS_LENGTH_MAX = 64;

    private static final int EACCES = -13;
    private static final int EMFILE = -24;
    private static final int ENETUNREACH = -101;
    private static final int ECONNABORTED = -103;
    private static final int ETIMEDOUT = -110;
    private static final int ECONNREFUSED = -111;
    private static final int EHOSTUNREACH = -113;
    private static final int ECANCELED = -125;

    private final EpollDomainSocketChannel channel;
    private final ConnectionGateway.Admission admission;
    private final ChannelAnswers answers;
    private final Consumer<String> violated;
    private final Map<Long, Channel> connecting = new HashMap<>();
    private final Deque<Long> passed = new ArrayDeque<>();
    /** Connections that may be asked for until the descriptors of the process are counted again. */
    private int room;

    SocketBroker(
            EpollDomainSocketChannel channel,
            ConnectionGateway.Admission admission,
            ChannelAnswers answers,
            Consumer<String> violated) {
        this.channel = channel;
        this.admission = admission;
        this.answers = answers;
        this.violated = violated;
    }

    /** Checks an address and connects to exactly that address. */
    void connect(long id, JsonNode message) {
        if (connecting.size() + passed.size() >= PENDING_MAX) {
            violated.accept("more than " + PENDING_MAX + " connection requests at a time");
            return;
        }
        if (connecting.containsKey(id)) {
            violated.accept("a duplicate id");
            return;
        }
        var target = target(message);
        if (target == null || !admission.rules().allows(target)) {
            refuse(id, EACCES);
        } else if (!hasRoom()) {
            refuse(id, EMFILE);
        } else {
            connect(id, target);
        }
    }

    /** The address as the server reads it; null when it is none. */
    private static InetSocketAddress target(JsonNode message) {
        var address = message.path("address");
        var port = message.path("port");
        if (!address.isTextual()
                || address.asText().length() > ADDRESS_LENGTH_MAX
                || !port.isIntegralNumber()
                || !port.canConvertToInt()
                || port.asInt() < 1
                || port.asInt() > 0xFFFF) {
            return null;
        }
        try {
            var literal = InetAddress.ofLiteral(address.asText());
            // The JDK reads 0177 as 177, other readers as 127: Node.js writes neither.
            var isCanonical = address.asText().indexOf(':') >= 0
                    || literal.getHostAddress().equals(address.asText());
            return isCanonical ? new InetSocketAddress(literal, port.asInt()) : null;
        } catch (IllegalArgumentException malformed) {
            return null;
        }
    }

    /** Counts the open descriptors of the process when it could have reached its bound since the last count. */
    private boolean hasRoom() {
        if (room == 0) {
            try (var open = Files.newDirectoryStream(
                    Path.of("/proc", Integer.toString(channel.peerCredentials().pid()), "fd"))) {
                room = DESCRIPTORS_MAX;
                for (var _ : open) {
                    room = Math.max(0, room - 1);
                }
            } catch (IOException unknown) {
                // The process has ended, or its descriptors are hidden: its own limit of descriptors remains.
                room = PENDING_MAX;
            }
        }
        return room > 0 && room-- > 0;
    }

    private void connect(long id, InetSocketAddress target) {
        var fence = admission.fence();
        var attempt = new Bootstrap()
                .group(channel.eventLoop())
                .channelFactory(() -> socketFor(target))
                .option(ChannelOption.AUTO_READ, false)
                // The default of a socket that the process would create: its code sets the option if needed.
                .option(ChannelOption.TCP_NODELAY, false)
                .option(ChannelOption.CONNECT_TIMEOUT_MILLIS, CONNECT_MS_MAX)
                .handler(new ChannelInboundHandlerAdapter())
                .connect(target);
        connecting.put(id, attempt.channel());
        attempt.addListener(ended -> {
            // An attempt that was abandoned needs no answer.
            if (connecting.remove(id, attempt.channel())) {
                if (ended.isSuccess() && !fence.isHeld()) {
                    // This server was stopped while it connected, and another node may have taken over the run.
                    refuse(id, ECONNABORTED);
                } else if (ended.isSuccess()) {
                    passed.add(id);
                    answers.pass(id, admission.endMicros(), (EpollSocketChannel) attempt.channel());
                } else {
                    refuse(id, codeOf(ended.cause()));
                }
            }
            var _ = attempt.channel().close();
        });
    }

    /** A socket of one address family: on a dual-stack one, the process would see its IPv4 addresses as IPv6 addresses. */
    private static Channel socketFor(InetSocketAddress target) {
        return new EpollSocketChannel(
                target.getAddress() instanceof Inet4Address ? SocketProtocolFamily.INET : SocketProtocolFamily.INET6);
    }

    private static int codeOf(Throwable failure) {
        var message = String.valueOf(failure.getMessage());
        return switch (failure) {
            case ConnectTimeoutException _ -> ETIMEDOUT;
            case NoRouteToHostException _ -> message.contains("etwork") ? ENETUNREACH : EHOSTUNREACH;
            case ConnectException _ when message.contains("etwork is unreachable") -> ENETUNREACH;
            case ConnectException _ when message.contains("o route to host") -> EHOSTUNREACH;
            case ConnectException _ when message.contains("timed out") -> ETIMEDOUT;
            case ConnectException _ -> ECONNREFUSED;
            default -> ECONNABORTED;
        };
    }

    private void refuse(long id, int code) {
        answers.send(ChannelAnswers.of("refused", id).put("code", code));
    }

    /**
     * Answers a process that is about to send on a connection that it has kept beyond the lease it knows of. The end is read
     * first: a server that is stopped in between grants too little.
     */
    void permit(long id) {
        var endMicros = admission.endMicros();
        var isHeld = admission.fence().isHeld();
        answers.send(ChannelAnswers.of("held", id).put("held", isHeld).put("until", isHeld ? endMicros : 0));
    }

    /** Cancels an attempt; the process ignores a late answer. */
    void abort(long id) {
        var attempt = connecting.remove(id);
        if (attempt != null) {
            var _ = attempt.close();
            refuse(id, ECANCELED);
        }
    }

    /** The process has taken the socket that was passed first. */
    void arrived() {
        if (passed.poll() == null) {
            violated.accept("an acknowledgement without data");
        }
    }

    /** The process had no descriptor left for it. */
    void lost() {
        var id = passed.poll();
        if (id == null) {
            violated.accept("an acknowledgement without data");
        } else {
            refuse(id, EMFILE);
        }
    }

    /** Ends pending connection attempts. Their listeners change the map. */
    void close() {
        var attempts = List.copyOf(connecting.values());
        connecting.clear();
        for (var attempt : attempts) {
            var _ = attempt.close();
        }
    }
}
