package io.millrace.bench;

import io.millrace.bench.LoadGenerator.Target;
import io.millrace.support.ServerProcess;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Other workflow servers as {@code scripts/bench --peers} installs them, with a flow equivalent to the measured one: it
 * computes a total, checks whether it is large, and responds. They store nothing of a call.
 */
final class Peers {
    private static final Duration START_DEADLINE = Duration.ofMinutes(3);
    private static final Duration LOOK = Duration.ofMillis(200);
    private static final long COMMAND_MINUTES = 3;

    private static final String NODE_RED_FLOW = """
            [{"id":"tab","type":"tab","label":"Orders"},
             {"id":"in","type":"http in","z":"tab","url":"/order","method":"post","wires":[["total"]]},
             {"id":"total","type":"function","z":"tab","outputs":1,"wires":[["large"]],
              "func":"msg.payload.total = msg.payload.quantity * msg.payload.price; return msg;"},
             {"id":"large","type":"switch","z":"tab","property":"payload.total","propertyType":"msg","checkall":"false",
              "rules":[{"t":"gte","v":"100","vt":"num"},{"t":"else"}],"wires":[["review"],["accept"]]},
             {"id":"review","type":"change","z":"tab","wires":[["out"]],
              "rules":[{"t":"set","p":"payload.decision","pt":"msg","to":"review","tot":"str"}]},
             {"id":"accept","type":"change","z":"tab","wires":[["out"]],
              "rules":[{"t":"set","p":"payload.decision","pt":"msg","to":"accepted","tot":"str"}]},
             {"id":"out","type":"http response","z":"tab","statusCode":"200","wires":[]}]
            """;

    private static final String NODE_RED_SETTINGS = """
            module.exports = {flowFile: "flows.json", uiHost: "127.0.0.1", uiPort: process.env.PORT, httpAdminRoot: false,
              logging: {console: {level: "warn"}}};
            """;

    private static final String N8N_FLOW = """
            {"id": "benchOrders000001", "name": "Orders", "active": true, "settings": {"executionOrder": "v1"},
             "nodes": [
              {"id": "a", "name": "In", "type": "n8n-nodes-base.webhook", "typeVersion": 2, "position": [0, 0],
               "webhookId": "order", "parameters": {"httpMethod": "POST", "path": "order", "responseMode": "lastNode"}},
              {"id": "b", "name": "Total", "type": "n8n-nodes-base.code", "typeVersion": 2, "position": [200, 0],
               "parameters": {"jsCode":
                "const b = $input.first().json.body; return [{json: {customer: b.customer, total: b.quantity * b.price}}];"}},
              {"id": "c", "name": "Large", "type": "n8n-nodes-base.if", "typeVersion": 1, "position": [400, 0],
               "parameters": {"conditions": {"number":
                [{"value1": "={{ $json.total }}", "operation": "largerEqual", "value2": 100}]}}}],
             "connections": {"In": {"main": [[{"node": "Total", "type": "main", "index": 0}]]},
                             "Total": {"main": [[{"node": "Large", "type": "main", "index": 0}]]}}}
            """;

    private static final Map<String, String> N8N_SETTINGS = Map.of(
            "N8N_DIAGNOSTICS_ENABLED", "false",
            "N8N_VERSION_NOTIFICATIONS_ENABLED", "false",
            "N8N_TEMPLATES_ENABLED", "false",
            "N8N_LISTEN_ADDRESS", "127.0.0.1",
            "EXECUTIONS_DATA_SAVE_ON_SUCCESS", "none",
            "EXECUTIONS_DATA_SAVE_ON_ERROR", "none",
            "N8N_LOG_LEVEL", "warn");

    private final Path installed;
    private final Path directory;

    /**
     * Peers of a folder.
     *
     * @param installed folder with a subfolder for each peer
     * @param directory folder for their data
     */
    Peers(Path installed, Path directory) {
        this.installed = installed;
        this.directory = directory;
    }

    /** Starts Node-RED; empty if it is not installed. */
    Optional<Side> nodeRed() {
        var program = installed.resolve("node-red/node_modules/node-red/red.js");
        if (!Files.exists(program)) {
            return Optional.empty();
        }
        var data = write("node-red", Map.of("flows.json", NODE_RED_FLOW, "settings.js", NODE_RED_SETTINGS));
        var port = freePort();
        return Optional.of(side(
                "Node-RED",
                List.of("node", program.toString(), "--userDir", data.toString()),
                Map.of("PORT", Integer.toString(port)),
                port,
                "/order"));
    }

    /** Starts n8n; empty if it is not installed. */
    Optional<Side> n8n() {
        var program = installed.resolve("n8n/node_modules/n8n/bin/n8n");
        if (!Files.exists(program)) {
            return Optional.empty();
        }
        var data = write("n8n", Map.of("flow.json", N8N_FLOW));
        var port = freePort();
        var settings = new HashMap<>(N8N_SETTINGS);
        settings.put("N8N_USER_FOLDER", data.toString());
        settings.put("N8N_PORT", Integer.toString(port));
        command(settings, "node", program.toString(), "import:workflow", "--input=" + data.resolve("flow.json"));
        command(settings, "node", program.toString(), "update:workflow", "--all", "--active=true");
        return Optional.of(side("n8n", List.of("node", program.toString(), "start"), settings, port, "/webhook/order"));
    }

    private Side side(String name, List<String> command, Map<String, String> settings, int port, String path) {
        // Prefix of the line in which our servers report their address.
        var told = "echo 'is listening on http://localhost:%d'; exec \"$@\"".formatted(port);
        var words = new ArrayList<>(List.of("sh", "-c", told, name));
        words.addAll(command);
        var server = ServerProcess.start(words, directory, settings);
        var target = Target.post(port, path, Bench.ORDER);
        awaitAnswer(port, path, server);
        return new Side(name, server, target);
    }

    private static void awaitAnswer(int port, String path, ServerProcess server) {
        var request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString(Bench.ORDER))
                .build();
        var until = System.nanoTime() + START_DEADLINE.toNanos();
        try (var client = HttpClient.newHttpClient()) {
            while (System.nanoTime() < until) {
                try {
                    var answer = client.send(request, HttpResponse.BodyHandlers.ofString());
                    if (answer.statusCode() == 200 && answer.body().contains("58.5")) {
                        return;
                    }
                } catch (IOException notYet) {
                    // The peer is starting.
                }
                LockSupport.parkNanos(LOOK.toNanos());
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
        throw new IllegalStateException("expected an answer of the peer, found\n" + server.output());
    }

    private Path write(String name, Map<String, String> files) {
        try {
            var folder = Files.createDirectories(directory.resolve(name));
            for (var file : files.entrySet()) {
                Files.writeString(folder.resolve(file.getKey()), file.getValue());
            }
            return folder;
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    private static void command(Map<String, String> settings, String... words) {
        try {
            var builder = new ProcessBuilder(words).redirectErrorStream(true);
            builder.environment().putAll(settings);
            var process = builder.start();
            var said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            if (!process.waitFor(COMMAND_MINUTES, TimeUnit.MINUTES) || process.exitValue() != 0) {
                throw new IllegalStateException("expected " + String.join(" ", words) + " to succeed, found\n" + said);
            }
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(interrupted);
        }
    }

    private static int freePort() {
        try (var socket = new ServerSocket(0)) {
            return socket.getLocalPort();
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }
}
