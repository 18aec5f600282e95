package io.millrace.sandbox.node.network;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.base.core.Json;
import io.millrace.base.net.ActingLease;
import io.millrace.base.net.AddressGuard;
import io.millrace.sandbox.isolation.Isolation;
import io.millrace.sandbox.isolation.LaunchChannel;
import io.millrace.sandbox.node.call.NodeSettings;
import io.millrace.support.Waiting;
import io.netty.channel.epoll.Epoll;
import io.vertx.core.Vertx;
import java.io.BufferedReader;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The server's end of a channel, with a client that implements its protocol. */
class ConnectionGatewayTest {
    private static final NodeSettings.Network CLOSED =
            new NodeSettings.Network(AddressGuard.refusedBlocks(), List.of(), List.of());

    @TempDir
    private Path directory;

    private final List<String> violations = new CopyOnWriteArrayList<>();
    private Vertx vertx;
    private ConnectionGateway gateway;

    @BeforeEach
    void start() {
        assumeTrue(Epoll.isAvailable(), "no native transport");
        vertx = Vertx.vertx();
        gateway = new ConnectionGateway(vertx, directory.resolve("gateway"), false, ActingLease.OPEN);
    }

    @AfterEach
    void stop() throws IOException {
        gateway.close();
        Waiting.await(vertx.close());
    }

    /** A sandboxed process and its channel. */
    private record Client(SocketChannel channel, BufferedReader answers) implements AutoCloseable {
        static Client open(LaunchChannel of) throws IOException {
            var channel = SocketChannel.open(UnixDomainSocketAddress.of(of.socket()));
            channel.write(ByteBuffer.wrap(of.token().getBytes(StandardCharsets.US_ASCII)));
            return new Client(channel, new BufferedReader(Channels.newReader(channel, StandardCharsets.UTF_8)));
        }

        JsonNode ask(String message) throws IOException {
            channel.write(ByteBuffer.wrap((message.replace('\'', '"') + "\n").getBytes(StandardCharsets.UTF_8)));
            return Json.parse(answers.readLine());
        }

        JsonNode connect(String address, int port) throws IOException {
            return ask("{'t':'connect','id':1,'address':'" + address + "','port':" + port + "}");
        }

        @Override
        public void close() throws IOException {
            channel.close();
        }
    }

    /** A server that was frozen while it connected for a process, for longer than its lease. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void passesAConnection_onlyInTheTermInWhichItWasRequested(boolean isHeld) throws IOException {
        var requested = new AtomicInteger();
        var fenced = new ConnectionGateway(vertx, directory.resolve("fenced"), false, ActingLease.of(() -> {
            requested.incrementAndGet();
            return () -> isHeld;
        }));
        var network = new NodeSettings.Network(List.of("127.0.0.0/8"), List.of("127.0.0.3/32"), List.of());
        try (var peer = new ServerSocket(0, 1, InetAddress.getByName("127.0.0.3"));
                var admission = fenced.admit(network, violations::add).orElseThrow();
                var client = Client.open(admission.channel())) {
            assertThat(requested).hasValue(0);

            var answer = client.connect("127.0.0.3", peer.getLocalPort());

            assertThat(requested).hasValue(1);
            assertThat(answer.toString()).contains(isHeld ? "connected" : "refused");
            if (!isHeld) {
                assertThat(answer.path("code").asInt()).isEqualTo(-103);
                try (var accepted = peer.accept()) {
                    assertThat(accepted.getInputStream().read()).isEqualTo(-1);
                }
            }
        } finally {
            fenced.close();
        }
        assertThat(violations).isEmpty();
    }

    /** A process that keeps a connection beyond the lease, and requests another one. */
    @ParameterizedTest
    @CsvSource({"true, true", "true, false", "false, true", "false, false"})
    void permitsAKeptConnection_whileTheLeaseAndTheCallHold(boolean holdsLease, boolean holdsCall) throws IOException {
        var fenced = new ConnectionGateway(
                vertx, directory.resolve("fenced"), false, new ActingLease(() -> () -> holdsLease, () -> 7_000_000L));
        try (var admission = fenced.admit(CLOSED, violations::add).orElseThrow();
                var client = Client.open(admission.channel())) {
            admission.serves(() -> holdsCall);

            var answer = client.ask("{'t':'held','id':1}");

            assertThat(answer.path("held").asBoolean()).isEqualTo(holdsLease && holdsCall);
            assertThat(answer.path("until").asLong()).isEqualTo(holdsLease && holdsCall ? 7_000 : 0);
        } finally {
            fenced.close();
        }
        assertThat(violations).isEmpty();
    }

    private ConnectionGateway.Admission admit(NodeSettings.Network network) throws IOException {
        return gateway.admit(network, violations::add).orElseThrow();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "127.0.0.1",
                "127.1",
                "127.255.255.255",
                "0.0.0.0",
                "0",
                "2130706433",
                "10.0.0.1",
                "172.16.0.1",
                "192.168.1.1",
                "169.254.169.254",
                "100.64.0.1",
                "168.63.129.16",
                "192.0.0.1",
                "198.18.0.1",
                "224.0.0.1",
                "255.255.255.255",
                "::1",
                "::",
                "0:0:0:0:0:0:0:1",
                "::ffff:127.0.0.1",
                "::ffff:7f00:1",
                "::127.0.0.1",
                "::ffff:0:127.0.0.1",
                "64:ff9b::7f00:1",
                "64:ff9b:1::a00:1",
                "2002:7f00:1::",
                "fe80::1",
                "fe80::1%lo",
                "::1%lo",
                "::1%1",
                "fc00::1",
                "fec0::1",
                "ff02::1",
                "2001:db8::1",
                "localhost",
                "example.com",
                "0x7f000001",
                "0177.0.0.1",
                "127.0.0.1.",
                "[::1]",
                " 127.0.0.1",
                "127.0.0.1 ",
                "",
                "127.0.0.1:80",
                "１２７.0.0.1",
                "1.1.1.1/32",
                "::1::",
                "1.2.3.4.5"
            })
    void refusesAddressesThatAreNotPublic(String address) throws IOException {
        try (var admission = admit(CLOSED);
                var client = Client.open(admission.channel())) {
            assertThat(client.connect(address, 80).path("code").asInt()).isEqualTo(-13);
        }
        assertThat(violations).isEmpty();
    }

    @Test
    void connectsToExemptAddresses_byNameOnceItHasBeenLookedUp_andAtTheirPortsOnly() throws IOException {
        try (var ours = new ServerSocket(0, 5, InetAddress.ofLiteral("127.0.0.1"));
                var other = new ServerSocket(0, 5, InetAddress.ofLiteral("127.0.0.1"));
                var admission = admit(new NodeSettings.Network(
                        AddressGuard.refusedBlocks(), List.of(), List.of("LocalHost:" + ours.getLocalPort())));
                var client = Client.open(admission.channel())) {
            var before = client.connect("127.0.0.1", ours.getLocalPort());
            var found = client.ask("{'t':'lookup','id':2,'host':'localhost'}");
            var after = client.connect("127.0.0.1", ours.getLocalPort());
            ours.accept().close();
            var beside = client.connect("127.0.0.1", other.getLocalPort());

            assertThat(before.path("code").asInt()).isEqualTo(-13);
            assertThat(found.path("addresses").findValuesAsText("address")).contains("127.0.0.1");
            assertThat(after.path("cmd").asText()).isEqualTo("NODE_HANDLE");
            assertThat(beside.path("code").asInt()).isEqualTo(-13);
        }
    }

    @Test
    void connectsToAnExemptAddress() throws IOException {
        try (var ours = new ServerSocket(0, 5, InetAddress.ofLiteral("127.0.0.1"));
                var admission = admit(new NodeSettings.Network(
                        AddressGuard.refusedBlocks(), List.of(), List.of("127.0.0.1:" + ours.getLocalPort())));
                var client = Client.open(admission.channel())) {
            assertThat(client.connect("127.0.0.1", ours.getLocalPort())
                            .at("/msg/t")
                            .asText())
                    .isEqualTo("connected");
        }
    }

    @Test
    void handsAddressesOfNamesOut_onlyWhenTheyMayBeReached() throws IOException {
        try (var admission = admit(CLOSED);
                var client = Client.open(admission.channel())) {
            assertThat(client.ask("{'t':'lookup','id':1,'host':'localhost'}")
                            .path("code")
                            .asText())
                    .isEqualTo("ESSRFBLOCKED");
            assertThat(client.ask("{'t':'lookup','id':2,'host':'0x7f.1'}")
                            .path("code")
                            .asText())
                    .isEqualTo("ESSRFBLOCKED");
            assertThat(client.ask("{'t':'lookup','id':3,'host':'1.1.1.1'}")
                            .at("/addresses/0/address")
                            .asText())
                    .isEqualTo("1.1.1.1");
            assertThat(client.ask("{'t':'lookup','id':4,'host':'not a name'}")
                            .path("code")
                            .asText())
                    .isEqualTo("ENOTFOUND");
            assertThat(client.ask("{'t':'records','id':5,'name':'x','type':'ANY'}")
                            .path("code")
                            .asText())
                    .isEqualTo("ENOTIMP");
        }
    }

    @Test
    void takesATokenOnce_andNoOther() throws IOException {
        var admission = admit(CLOSED);
        var unknown = new LaunchChannel(admission.channel().socket(), "f".repeat(LaunchChannel.TOKEN_LENGTH));
        try (var first = Client.open(admission.channel());
                var second = Client.open(admission.channel());
                var stranger = Client.open(unknown)) {
            assertThat(first.connect("10.0.0.1", 1).path("t").asText()).isEqualTo("refused");
            assertThat(second.answers().readLine()).isNull();
            assertThat(stranger.answers().readLine()).isNull();
        }
    }

    @Test
    void closesTheChannel_whenTheProcessHasEnded() throws IOException {
        var admission = admit(CLOSED);
        try (var client = Client.open(admission.channel())) {
            client.connect("10.0.0.1", 1);

            admission.close();

            assertThat(client.answers().readLine()).isNull();
        }
        var late = admit(CLOSED);
        late.close();
        try (var client = Client.open(late.channel())) {
            assertThat(client.answers().readLine()).isNull();
        }
    }

    /** The exit status alone reports the end of a process; a closed channel is not a violation. */
    @Test
    void findsNoViolation_whenAProcessEndsBeforeItReadsItsAnswers() throws IOException {
        for (var round = 0; round < 50; round++) {
            var admission = admit(CLOSED);
            try (var client = Client.open(admission.channel())) {
                for (var id = 1; id <= 20; id++) {
                    client.channel()
                            .write(ByteBuffer.wrap(("{\"t\":\"lookup\",\"id\":" + id + ",\"host\":\"localhost\"}\n")
                                    .getBytes(StandardCharsets.UTF_8)));
                }
            }
        }
        try (var admission = admit(CLOSED);
                var client = Client.open(admission.channel())) {
            client.ask("{'t':'lookup','id':1,'host':'localhost'}");
        }
        assertThat(violations).isEmpty();
    }

    @Test
    void allowsAsManyPendingSockets_asItsBound() throws IOException {
        try (var open = new ServerSocket(0, 200, InetAddress.getByName("127.0.0.3"));
                var admission = admit(
                        new NodeSettings.Network(AddressGuard.refusedBlocks(), List.of("127.0.0.3/32"), List.of()));
                var client = Client.open(admission.channel())) {
            // Without acknowledgements, every socket that was passed is still pending
            var answers = new ArrayList<String>();
            for (var number = 1; number <= SocketBroker.PENDING_MAX; number++) {
                answers.add(client.connect("127.0.0.3", open.getLocalPort())
                        .path("cmd")
                        .asText());
            }
            assertThat(answers).hasSize(SocketBroker.PENDING_MAX).containsOnly("NODE_HANDLE");
            assertThat(violations).isEmpty();

            client.channel()
                    .write(ByteBuffer.wrap(("{\"t\":\"connect\",\"id\":99,\"address\":\"127.0.0.3\",\"port\":"
                                    + open.getLocalPort() + "}\n")
                            .getBytes(StandardCharsets.UTF_8)));
            Waiting.until("the process is ended", () -> !violations.isEmpty());
            assertThat(violations.getFirst()).contains("more than " + SocketBroker.PENDING_MAX);
        }
    }

    @Test
    void hasAFolderThatOnlyThisServerEnters_alsoWhereTheDataIsTooDeepForASocket() throws IOException {
        // Given
        var deep = directory.resolve("a".repeat(LaunchChannel.PATH_BYTES_MAX));
        var elsewhere = new ConnectionGateway(vertx, deep, false, ActingLease.OPEN);
        var again = new ConnectionGateway(vertx, deep, false, ActingLease.OPEN);

        // When
        var near = admit(CLOSED).channel().socket();
        var far =
                elsewhere.admit(CLOSED, violations::add).orElseThrow().channel().socket();
        elsewhere.close();
        var same = again.admit(CLOSED, violations::add).orElseThrow().channel().socket();
        again.close();

        // Then
        assertThat(near).startsWith(directory);
        assertThat(far).doesNotExist().isEqualTo(same);
        for (var socket : List.of(near, far)) {
            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(socket.getParent())))
                    .isEqualTo("rwx------");
        }
        Files.delete(far.getParent());
    }

    @Test
    void admitsNoProcess_afterItWasClosed() throws IOException {
        admit(CLOSED);
        gateway.close();

        assertThatThrownBy(() -> admit(CLOSED)).hasMessageContaining("stopping");
    }

    @Test
    void refusesNode_whereAFenceIsRequiredThatTheKernelDoesNotGrant() {
        var nothing = new Isolation(Isolation.Settings.of(Path.of("/dev/null")));
        var fenced = new Isolation(Isolation.Settings.of(directory.resolve("isolation")));
        var strict = new ConnectionGateway(vertx, directory.resolve("strict"), true, ActingLease.OPEN);

        assertThat(strict.refusal(nothing).orElseThrow())
                .contains("AP_NODE_REQUIRE_FENCE")
                .contains("no isolation is in force");
        assertThat(gateway.refusal(nothing)).isEmpty();
        assumeTrue(fenced.inForce().confinesNetwork(), "no filter");
        assertThat(strict.refusal(fenced)).isEmpty();
    }
}
