package io.millrace.sandbox.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.base.core.Json;
import io.millrace.base.net.ActingLease;
import io.millrace.sandbox.node.call.NodeResult;
import io.millrace.sandbox.node.call.NodeSettings;
import io.millrace.support.Waiting;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpVersion;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A piece keeps an HTTP/2 session after this server has lost its lease: a further request on the session, and further
 * data of a request, are not sent. The lease's end that the process knows is always in the past, as after a stop.
 */
class KeptSessionTest {
    private static final String HOST = "127.0.0.3";
    private static final NodeSettings.Network NETWORK =
            new NodeSettings.Network(List.of("127.0.0.0/8"), List.of(HOST + "/32"), List.of());

    private final Vertx vertx = Vertx.vertx();
    private final List<String> arrived = new CopyOnWriteArrayList<>();
    private volatile boolean holdsLease = true;
    private volatile Runnable onFirst = () -> {};
    private HttpServer peer;
    private NodeBench bench;

    @BeforeEach
    void start() {
        peer = Waiting.await(
                vertx.createHttpServer().requestHandler(this::receive).listen(0, HOST));
        bench = new NodeBench(NETWORK, new ActingLease(() -> () -> holdsLease, () -> System.nanoTime() - 1));
    }

    /** Paths, and each part of a body, with the port of the connection. */
    private void receive(HttpServerRequest request) {
        var port = request.connection().remoteAddress().port();
        arrived.add(request.version() + " " + request.path() + " " + port);
        request.handler(part -> {
            arrived.add(part + " " + port);
            if (part.toString().equals("early")) {
                onFirst.run();
                request.response().setChunked(true).write("go on");
            }
        });
        request.endHandler(_ -> {
            if (request.path().equals("/first")) {
                onFirst.run();
            }
            request.response().end("ok");
        });
    }

    @AfterEach
    void stop() {
        bench.close();
        Waiting.await(vertx.close());
    }

    /** Kinds of requests; each sends its body and completes with the response. */
    enum Way {
        WITH_BODY("stream.write('a'); stream.end('b');"),
        WITHOUT_BODY("stream.end();"),
        BODY_AFTER_A_WHILE("setImmediate(() => setImmediate(() => stream.end('late')));");

        private final String code;

        Way(String code) {
            this.code = code;
        }
    }

    private static String sending(String body) {
        return """
                const session = require('node:http2').connect(props.url);
                const send = (path) => new Promise((resolve, reject) => {
                  const stream = session.request({ ':path': path, ':method': 'POST' });
                  stream.on('error', reject).on('end', resolve).resume();
                  %s
                });
                """.formatted(body);
    }

    private NodeResult evaluate(String code) {
        var guarded = "try {" + code
                + "} catch (error) { throw new Error(error.cause?.code ?? error.code ?? error.message); }";
        var url = "http://" + HOST + ":" + peer.actualPort();
        return bench.action("evaluate", Json.object().put("code", guarded).put("url", url), () -> true);
    }

    @ParameterizedTest
    @EnumSource(Way.class)
    void beginsNoRequest_afterTheLeaseHasEnded(Way way) {
        onFirst = () -> holdsLease = false;

        var result = evaluate(sending(way.code) + "await send('/first'); await send('/second'); return 'sent';");

        assertThat(result.toString()).contains("ECONNABORTED");
        assertThat(arrived).anyMatch(text -> text.contains("/first")).noneMatch(text -> text.contains("/second"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "stream.write('late')",
                "stream.end('late')",
                "stream.cork(); stream.write('la'); stream.write('te'); stream.uncork()"
            })
    void sendsNoFurtherData_afterTheLeaseHasEnded(String late) {
        onFirst = () -> holdsLease = false;

        var result = evaluate("""
                const stream = require('node:http2').connect(props.url).request({ ':path': '/parts', ':method': 'POST' });
                stream.write('early');
                await new Promise((resolve, reject) => stream.on('error', reject).once('data', resolve));
                const failed = new Promise((resolve, reject) => stream.on('error', reject).on('end', resolve).resume());
                %s;
                await failed;
                return 'sent';
                """.formatted(late));

        assertThat(result.toString()).contains("ECONNABORTED");
        assertThat(arrived).anyMatch(text -> text.startsWith("early ")).noneMatch(text -> text.contains("la"));
    }

    /** Positive control: the server permits the requests, and they use one session. */
    @ParameterizedTest
    @EnumSource(Way.class)
    void keepsItsSession_whileTheLeaseHolds(Way way) {
        var result = evaluate(sending(way.code) + "for (let n = 0; n < 12; n++) await send('/n' + n);"
                + " await Promise.all([1, 2, 3].map((n) => send('/m' + n)));"
                + " return session.listenerCount('connect') === 0 ? 'sent' : 'left listeners';");

        assertThat(result.toString()).contains("\"sent\"");
        var requests = arrived.stream()
                .filter(text -> text.startsWith(HttpVersion.HTTP_2.name()))
                .toList();
        assertThat(requests).hasSize(15);
        assertThat(requests.stream().map(text -> text.split(" ")[2]).distinct()).hasSize(1);
    }

    @Test
    void loadsHttp2OnlyForPiecesThatUseIt() {
        var code =
                "await (await fetch(props.url)).text(); return String(process.moduleLoadList.includes('NativeModule http2'))";

        assertThat(evaluate("return process.moduleLoadList.includes('NativeModule http2') ? 'loaded' : 'absent'")
                        .toString())
                .contains("absent");
        assertThat(evaluate(code)).isInstanceOf(NodeResult.Returned.class);
    }
}
