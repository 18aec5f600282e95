package io.millrace.sandbox.node;

import com.sun.net.httpserver.HttpServer;
import io.millrace.base.core.Json;
import io.millrace.sandbox.node.call.NodeResult;
import io.millrace.sandbox.node.call.NodeSettings;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.Executors;

/**
 * Duration of a fetch in a piece, whose connections the server makes (decision 0363), compared with the same fetch in
 * plain Node.js. Prints p50 and p99 in milliseconds, alternating between both in each round.
 */
final class FetchCost {
    private static final String HOST = "127.0.0.3";
    private static final int ROUNDS = 3;
    private static final int FETCHES = 1_000;
    private static final String CODE = """
            const times = [];
            for (let n = 0; n < COUNT; n++) {
              const start = performance.now();
              const answer = await fetch(props.url, { headers: props.headers });
              await answer.arrayBuffer();
              times.push(performance.now() - start);
            }
            times.sort((a, b) => a - b);
            return [0.5, 0.99].map((part) => times[Math.floor(times.length * part)].toFixed(2)).join(' and ');
            """.replace("COUNT", Integer.toString(FETCHES));

    private FetchCost() {}

    /** Compares both ways. */
    public static void main(String[] words) throws IOException, InterruptedException {
        var http = HttpServer.create(new InetSocketAddress(HOST, 0), 200);
        http.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        http.createContext("/", exchange -> {
            exchange.sendResponseHeaders(200, 2);
            exchange.getResponseBody().write("ok".getBytes(StandardCharsets.UTF_8));
            exchange.close();
        });
        http.start();
        var network = new NodeSettings.Network(List.of("127.0.0.0/8"), List.of(HOST + "/32"), List.of());
        try (var bench = new NodeBench(network)) {
            var url = "http://" + HOST + ":" + http.getAddress().getPort() + "/";
            for (var round = 1; round <= ROUNDS; round++) {
                for (var headers : List.of("{}", "{\"connection\":\"close\"}")) {
                    System.out.printf(
                            "round %d, headers %s: plain %s ms, piece %s ms%n",
                            round, headers, plain(url, headers), inPiece(bench, url, headers));
                }
            }
        } finally {
            http.stop(0);
        }
    }

    private static String plain(String url, String headers) throws IOException, InterruptedException {
        var script = "const props = { url: '" + url + "', headers: " + headers + " };(async () => {" + CODE
                + "})().then((text) => console.log(text));";
        var process = new ProcessBuilder("node", "-e", script)
                .redirectErrorStream(true)
                .start();
        var said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        process.waitFor();
        return said.strip();
    }

    private static String inPiece(NodeBench bench, String url, String headers) {
        var props = Json.object().put("code", CODE).put("url", url);
        props.set("headers", Json.trusted(headers));
        var result = NodeBench.await(bench.start("evaluate", props, 120_000));
        return result instanceof NodeResult.Returned(var value, var _, var _) ? value.asText() : result.toString();
    }
}
