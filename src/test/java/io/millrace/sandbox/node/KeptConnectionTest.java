package io.millrace.sandbox.node;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import io.millrace.base.core.Json;
import io.millrace.base.net.ActingLease;
import io.millrace.sandbox.node.call.NodeResult;
import io.millrace.sandbox.node.call.NodeSettings;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A piece sends its second request on the connection of the first one, after this server has lost its lease or the
 * call: the request is not sent. The lease's end that the process knows is always in the past, as after a stop.
 */
class KeptConnectionTest {
    private static final String HOST = "127.0.0.3";
    private static final NodeSettings.Network NETWORK =
            new NodeSettings.Network(List.of("127.0.0.0/8"), List.of(HOST + "/32"), List.of());

    private final List<String> arrived = new CopyOnWriteArrayList<>();
    private volatile boolean holdsLease = true;
    private volatile boolean holdsCall = true;
    private volatile Runnable onFirst = () -> {};
    private HttpServer peer;
    private NodeBench bench;

    @BeforeEach
    void start() throws IOException {
        peer = HttpServer.create(new InetSocketAddress(HOST, 0), 50);
        peer.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        peer.createContext("/", exchange -> {
            exchange.getRequestBody().readAllBytes();
            arrived.add(exchange.getRequestURI().getPath() + " "
                    + exchange.getRemoteAddress().getPort());
            if (exchange.getRequestURI().getPath().equals("/first")) {
                onFirst.run();
            }
            exchange.sendResponseHeaders(200, 2);
            exchange.getResponseBody().write(new byte[] {'o', 'k'});
            exchange.close();
        });
        peer.start();
        bench = new NodeBench(NETWORK, new ActingLease(() -> () -> holdsLease, () -> System.nanoTime() - 1));
    }

    @AfterEach
    void stop() {
        peer.stop(0);
        bench.close();
    }

    /** Clients that reuse a connection; each calls {@code send(path)} twice. */
    enum Client {
        FETCH("const send = async (path) => (await fetch(url + path, { method: 'POST', body: 'b' })).text();"),
        FETCH_OF_A_STREAM("""
                const send = async (path) => (await fetch(url + path, {
                  method: 'POST', duplex: 'half', body: new Blob(['a', 'b']).stream() })).text();"""),
        AGENT("""
                const http = require('node:http');
                const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });
                const send = (path) => new Promise((resolve, reject) => {
                  const request = http.request(url + path, { method: 'POST', agent }, (answer) =>
                    answer.resume().on('end', () => resolve(answer.statusCode)));
                  request.on('error', reject);
                  request.write('a');
                  request.end('b');
                });"""),
        SOCKET("""
                const { hostname, port } = new URL(url);
                const socket = require('node:net').connect(Number(port), hostname);
                const send = (path) => new Promise((resolve, reject) => {
                  socket.once('error', reject).once('data', () => resolve('ok'));
                  socket.cork();
                  socket.write('POST ' + path + ' HTTP/1.1\\r\\nHost: h\\r\\n');
                  socket.write(Buffer.from('Content-Length: 0\\r\\n\\r\\n'));
                  socket.uncork();
                });""");

        private final String code;

        Client(String code) {
            this.code = code;
        }
    }

    private NodeResult sendTwice(Client client) {
        var code = "const url = props.url;\n" + client.code
                + "\ntry { await send('/first'); await new Promise(setImmediate); await send('/second'); return 'sent'; }"
                + " catch (error) { throw new Error(error.cause?.code ?? error.code); }";
        var url = "http://" + HOST + ":" + peer.getAddress().getPort();
        return bench.action("evaluate", Json.object().put("code", code).put("url", url), () -> holdsCall);
    }

    @ParameterizedTest
    @EnumSource(Client.class)
    void sendsNothing_afterTheLeaseHasEnded(Client client) {
        onFirst = () -> holdsLease = false;

        var result = sendTwice(client);

        assertThat(result.toString()).contains("ECONNABORTED");
        assertThat(arrived).singleElement().asString().startsWith("/first ");
    }

    @ParameterizedTest
    @EnumSource(Client.class)
    void sendsNothing_afterAnotherNodeHasTakenTheCallOver(Client client) {
        onFirst = () -> holdsCall = false;

        var result = sendTwice(client);

        assertThat(result.toString()).contains("ECONNABORTED");
        assertThat(arrived).singleElement().asString().startsWith("/first ");
    }

    /** Positive control: the server permits the request, and it uses the connection of the first one. */
    @ParameterizedTest
    @EnumSource(Client.class)
    void sendsOverTheSameConnection_whileTheLeaseHolds(Client client) {
        var result = sendTwice(client);

        assertThat(result.toString()).contains("sent");
        assertThat(arrived).hasSize(2);
        assertThat(arrived.get(1)).isEqualTo(arrived.get(0).replace("/first", "/second"));
    }
}
