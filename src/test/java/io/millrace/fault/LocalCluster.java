package io.millrace.fault;

import io.millrace.support.ClusterWays;
import io.millrace.support.DataDirectory;
import io.millrace.support.ServerProcess;
import io.millrace.support.Waiting;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.net.NetClient;
import io.vertx.core.net.NetSocket;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Several nodes on this machine with one PostgreSQL and a load balancer that assigns connections in turn. Runs until it
 * is ended. {@code scripts/cluster} starts it.
 */
final class LocalCluster implements AutoCloseable {
    private static final Duration START_DEADLINE = Duration.ofMinutes(2);
    private static final int CONNECTIONS_PER_NODE = 20;
    private static final String LOOPBACK = "127.0.0.1";

    private final Vertx vertx = Vertx.vertx();
    private final NetClient client = vertx.createNetClient();
    private final List<ServerProcess> nodes = new ArrayList<>();
    private final List<Integer> ports = new ArrayList<>();
    private final AtomicInteger turn = new AtomicInteger();
    private final Optional<ClusterWays> ways;
    private final ToolDatabase database;

    /** @param byEngine true if nodes are connected by Hazelcast */
    private LocalCluster(Path directory, int count, boolean byEngine) {
        ways = byEngine ? Optional.of(new ClusterWays(count)) : Optional.empty();
        database = ToolDatabase.start(directory.resolve("database"), CONNECTIONS_PER_NODE * count);
    }

    /** Arguments: program, number of nodes, port of the load balancer, and {@code engine} for Hazelcast. */
    public static void main(String[] arguments) throws InterruptedException, IOException {
        var program = Path.of(arguments[0]);
        var count = Integer.parseInt(arguments[1]);
        var ended = new CountDownLatch(1);
        var main = Thread.currentThread();
        var byEngine = arguments.length > 3 && arguments[3].equals("engine");
        try (var directory = DataDirectory.create();
                var cluster = new LocalCluster(directory.path(), count, byEngine)) {
            Runtime.getRuntime().addShutdownHook(new Thread(() -> end(ended, main), "stop"));
            cluster.start(program, count, directory.path());
            var port = cluster.balance(Integer.parseInt(arguments[2]));
            System.out.println("The cluster is listening on http://" + LOOPBACK + ":" + port + ", its nodes on "
                    + cluster.description());
            ended.await();
        }
    }

    /** Delays the end of the process until all processes and files are removed. */
    private static void end(CountDownLatch ended, Thread main) {
        ended.countDown();
        try {
            main.join(START_DEADLINE.toMillis());
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** Prints port and process id of each node, for manual requests or kills. */
    private String description() {
        return IntStream.range(0, nodes.size())
                .mapToObj(number -> ports.get(number) + " (process "
                        + nodes.get(number).processes().getFirst().pid() + ")")
                .collect(Collectors.joining(", "));
    }

    private void start(Path program, int count, Path directory) throws IOException {
        for (var number = 0; number < count; number++) {
            var settings = new HashMap<>(Map.of(
                    "AP_POSTGRES_URL", database.url(),
                    "AP_ENCRYPTION_KEY", "0123456789abcdef0123456789abcdef",
                    "AP_JWT_SECRET", "a secret of nodes that are tried out",
                    "AP_SSRF_ALLOW_LIST", LOOPBACK,
                    "AP_LOG_LEVEL", "warn"));
            ways.ifPresent(known -> settings.putAll(known.settings(nodes.size())));
            var own = directory.resolve("node-" + number);
            Files.createDirectories(own);
            var node = ServerProcess.start(List.of(program.toString()), own, settings);
            nodes.add(node);
            ports.add(node.port(START_DEADLINE));
        }
    }

    private int balance(int port) {
        var server = vertx.createNetServer().connectHandler(socket -> {
            socket.pause();
            connect(ports.size()).onSuccess(node -> join(socket, node)).onFailure(_ -> socket.close());
        });
        return Waiting.await(server.listen(port, LOOPBACK)).actualPort();
    }

    /** The next node that accepts the connection. */
    private Future<NetSocket> connect(int attempts) {
        var port = ports.get(Math.floorMod(turn.getAndIncrement(), ports.size()));
        return client.connect(port, LOOPBACK)
                .recover(failure -> attempts > 1 ? connect(attempts - 1) : Future.failedFuture(failure));
    }

    private static void join(NetSocket caller, NetSocket node) {
        caller.pipeTo(node);
        node.pipeTo(caller);
    }

    @Override
    public void close() {
        nodes.forEach(ServerProcess::terminate);
        nodes.forEach(node -> node.exitStatus(START_DEADLINE));
        ways.ifPresent(ClusterWays::close);
        database.close();
        var _ = vertx.close();
    }
}
