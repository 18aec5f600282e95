package io.millrace.sandbox.node.network;

import io.millrace.base.net.ActingLease;
import io.millrace.base.net.DomainQueries;
import io.millrace.base.net.Fence;
import io.millrace.base.net.HostGuard;
import io.millrace.sandbox.isolation.Isolation;
import io.millrace.sandbox.isolation.LaunchChannel;
import io.millrace.sandbox.node.call.NodeSettings;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollDomainSocketChannel;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollServerDomainSocketChannel;
import io.netty.channel.unix.DomainSocketAddress;
import io.netty.util.concurrent.DefaultThreadFactory;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Opens connections for processes that may not create sockets (decision 0363): listens on a Unix socket for their channels and
 * passes connected sockets to them. Starts with the first process.
 *
 * <p>Uses one event loop with the native transport even if the server uses another transport, because only the native one has
 * descriptors.
 */
public final class ConnectionGateway {
    private static final Logger LOG = LoggerFactory.getLogger(ConnectionGateway.class);
    private static final String SOCKET_NAME = "/channel";
    private static final long STOP_MS_MAX = 2_000;

    private final Path directory;
    private final boolean requiresFence;
    private final ActingLease lease;
    private final HostGuard names;
    private final DomainQueries queries;
    private final SecureRandom random = new SecureRandom();
    private final Map<String, Admission> awaited = new ConcurrentHashMap<>();
    private EventLoopGroup loop;
    private Path socket;
    private boolean closed;
    private boolean reported;

    /**
     * A gateway that has not started yet.
     *
     * @param directory of the socket; only this server may enter it
     * @param requiresFence true if processes may run only on hosts whose kernel refuses them connections
     * @param lease checked before a connection is passed, and before a request on a connection that a process has kept
     */
    public ConnectionGateway(Vertx vertx, Path directory, boolean requiresFence, ActingLease lease) {
        this.directory = directory.toAbsolutePath();
        this.requiresFence = requiresFence;
        this.lease = lease;
        this.names = HostGuard.unguarded(vertx);
        this.queries = new DomainQueries(vertx);
    }

    /**
     * Reason why processes with a network may not run on this host, for operators and authors of flows; empty if they
     * may. Blocks.
     */
    public Optional<String> refusal(Isolation isolation) {
        var inForce = isolation.inForce();
        return requiresFence && !inForce.confinesNetwork()
                ? Optional.of(
                        "Node.js is not run on this host because AP_NODE_REQUIRE_FENCE is true and the kernel does"
                                + " not prevent its processes from making connections: " + inForce.description())
                : Optional.empty();
    }

    /**
     * Prepares the channel of a process that is about to be started. Blocks.
     *
     * @param network addresses that the process may connect to
     * @param onViolation called with a reason when the process breaks the rules of the channel: the caller ends it
     * @return empty on a host without the native transport
     */
    public synchronized Optional<Admission> admit(NodeSettings.Network network, Consumer<String> onViolation)
            throws IOException {
        if (!Epoll.isAvailable()) {
            if (!reported) {
                reported = true;
                LOG.warn("pieces have no network: the native transport is missing", Epoll.unavailabilityCause());
            }
            return Optional.empty();
        }
        if (closed) {
            throw new IOException("the server is stopping");
        }
        if (socket == null) {
            socket = listen();
        }
        var token = new byte[LaunchChannel.TOKEN_LENGTH / 2];
        random.nextBytes(token);
        var admission = new Admission(
                new LaunchChannel(socket, HexFormat.of().formatHex(token)), new ConnectionRules(network), onViolation);
        awaited.put(admission.channel.token(), admission);
        return Optional.of(admission);
    }

    private Path listen() throws IOException {
        var path = Path.of(folder() + SOCKET_NAME);
        Files.deleteIfExists(path);
        loop = new MultiThreadIoEventLoopGroup(
                1, new DefaultThreadFactory("connection-gateway", true), EpollIoHandler.newFactory());
        var bound = new ServerBootstrap()
                .group(loop)
                .channel(EpollServerDomainSocketChannel.class)
                .childHandler(new ChannelInitializer<EpollDomainSocketChannel>() {
                    @Override
                    protected void initChannel(EpollDomainSocketChannel accepted) {
                        accepted.pipeline().addLast(new ProcessChannel(accepted, awaited::remove, names, queries));
                    }
                })
                .bind(new DomainSocketAddress(path.toString()))
                .awaitUninterruptibly();
        if (!bound.isSuccess()) {
            var _ = loop.shutdownGracefully();
            throw new IOException("the socket " + path + " for the network of pieces cannot be created", bound.cause());
        }
        return path;
    }

    /** The data directory; a temporary directory if that path is too long for a Unix socket. */
    private Path folder() throws IOException {
        if ((directory + SOCKET_NAME).getBytes(StandardCharsets.UTF_8).length <= LaunchChannel.PATH_BYTES_MAX) {
            Files.createDirectories(directory);
            Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwx------"));
            return directory;
        }
        // The same path for each data directory, so that launch programs do not accumulate.
        var folder = Path.of(System.getProperty("java.io.tmpdir"))
                .resolve("millrace-gateway-" + Integer.toHexString(directory.hashCode()));
        var mode = PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"));
        try {
            return Files.createDirectory(folder, mode);
        } catch (FileAlreadyExistsException kept) {
            return isOwn(folder) ? folder : Files.createTempDirectory("millrace-", mode);
        }
    }

    /** Checks that the folder is a real directory that only this server may enter: any user may write to the parent. */
    private static boolean isOwn(Path folder) throws IOException {
        var self = Files.getAttribute(Path.of("/proc/self"), "unix:uid");
        return Files.isDirectory(folder, LinkOption.NOFOLLOW_LINKS)
                && self.equals(Files.getAttribute(folder, "unix:uid", LinkOption.NOFOLLOW_LINKS))
                && PosixFilePermissions.toString(Files.getPosixFilePermissions(folder, LinkOption.NOFOLLOW_LINKS))
                        .equals("rwx------");
    }

    /** Closes all channels; no process is admitted from here on. Blocks. */
    public synchronized void close() throws IOException {
        closed = true;
        if (socket != null) {
            loop.shutdownGracefully(0, STOP_MS_MAX, TimeUnit.MILLISECONDS).awaitUninterruptibly(STOP_MS_MAX);
            Files.deleteIfExists(socket);
            socket = null;
        }
    }

    public final class Admission implements AutoCloseable {
        private final LaunchChannel channel;
        private final ConnectionRules rules;
        private final Consumer<String> onViolation;
        private volatile Fence call = Fence.OPEN;
        private Channel opened;
        private boolean ended;

        private Admission(LaunchChannel channel, ConnectionRules rules, Consumer<String> onViolation) {
            this.channel = channel;
            this.rules = rules;
            this.onViolation = onViolation;
        }

        public LaunchChannel channel() {
            return channel;
        }

        /** Variables that make the descriptor a channel of Node.js to its parent. */
        public Map<String, String> environment() {
            return Map.of("NODE_CHANNEL_FD", Integer.toString(LaunchChannel.DESCRIPTOR));
        }

        ConnectionRules rules() {
            return rules;
        }

        /** Sets the permission of the call that the process makes from now on, if it makes one call at a time. */
        public void serves(Fence fence) {
            call = fence;
        }

        Fence fence() {
            return lease.fences().get().and(call);
        }

        /** Reading of the clock of processes up to which they may send without asking. */
        long endMicros() {
            return TimeUnit.NANOSECONDS.toMicros(lease.endNanos().getAsLong());
        }

        void violated(String reason) {
            onViolation.accept(reason);
        }

        /** Sets the connection of the process; false if the process has ended in the meantime. */
        synchronized boolean opened(Channel connection) {
            opened = connection;
            return !ended;
        }

        /** Ends the channel with its pending connections. Sockets that were passed belong to the process. */
        @Override
        public void close() {
            awaited.remove(channel.token());
            synchronized (this) {
                ended = true;
                if (opened != null) {
                    var _ = opened.close();
                }
            }
        }
    }
}
