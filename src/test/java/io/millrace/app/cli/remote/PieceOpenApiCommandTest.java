package io.millrace.app.cli.remote;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import io.millrace.app.cli.command.ExitStatus;
import io.millrace.base.core.Json;
import io.millrace.support.CommandRun;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The command that creates pieces from OpenAPI documents: its requests, its output and its failures. */
final class PieceOpenApiCommandTest {
    private static final String REPORT = """
            {"name":"@openapi/piece-shop","version":"1.1.0","unchanged":false,"dryRun":false,"baseUrl":"https://shop.example.com",
             "groups":[{"tag":"pets","operations":[{"method":"GET","path":"/pets","actionName":"listPets","selected":true},
             {"method":"POST","path":"/pets","actionName":"addPet","selected":false}]}],
             "changes":{"actions":[{"name":"listPets","change":"ADDED"}]},"gaps":[{"place":"GET /x","message":"no name"}]}
            """;

    private final List<String> requests = new ArrayList<>();
    private HttpServer server;

    @TempDir
    private Path temporary;

    @BeforeEach
    void start() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/api/v1/pieces/openapi", exchange -> {
            requests.add(new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8));
            var body = REPORT.getBytes(StandardCharsets.UTF_8);
            exchange.getResponseHeaders().add("Content-Type", "application/json");
            exchange.sendResponseHeaders(201, body.length);
            exchange.getResponseBody().write(body);
            exchange.close();
        });
        server.start();
    }

    @AfterEach
    void stop() {
        server.stop(0);
    }

    private CommandRun run(String... more) {
        var words = new ArrayList<>(List.of("piece", "openapi"));
        words.addAll(List.of(more));
        words.addAll(
                List.of("--server", "http://127.0.0.1:" + server.getAddress().getPort()));
        return CommandRun.of(Map.of("MILLRACE_API_KEY", "sk-1"), words.toArray(String[]::new));
    }

    @Test
    void sendsAFile_andPrintsTheReport() throws IOException {
        var file = Files.writeString(temporary.resolve("shop.yaml"), "openapi: 3.0.0");

        var run = run(file.toString(), "--name", "shop", "--operations", "listPets, GET /x", "--dry-run");

        assertThat(run.status()).isEqualTo(ExitStatus.OK);
        assertThat(run.out())
                .contains(
                        "piece @openapi/piece-shop 1.1.0: installed",
                        "  listPets (GET /pets)",
                        "- addPet (POST /pets)",
                        "changed: listPets ADDED",
                        "! GET /x: no name");
        assertThat(Json.parse(requests.getFirst()))
                .isEqualTo(
                        Json.parse(
                                "{\"dryRun\":true,\"document\":\"openapi: 3.0.0\",\"name\":\"shop\",\"operations\":[\"listPets\",\"GET /x\"]}"));
    }

    @Test
    void sendsAnAddress_withPages() throws IOException {
        run(
                "https://shop.example.com/openapi.json",
                "--pagination",
                "CURSOR",
                "--page-parameter",
                "after",
                "--cursor-path",
                "/next",
                "--items-path",
                "/data",
                "--base-url",
                "https://{region}.example.com",
                "--server-variables",
                "region=eu, filter=a=b");

        assertThat(Json.parse(requests.getFirst()))
                .isEqualTo(
                        Json.parse(
                                "{\"dryRun\":false,\"url\":\"https://shop.example.com/openapi.json\",\"baseUrl\":\"https://{region}.example.com\","
                                        + "\"serverVariables\":{\"region\":\"eu\",\"filter\":\"a=b\"},"
                                        + "\"pagination\":{\"kind\":\"CURSOR\",\"parameter\":\"after\",\"itemsPath\":\"/data\",\"cursorPath\":\"/next\"}}"));
    }

    @Test
    void printsTheReportAsJson() throws IOException {
        var file = Files.writeString(temporary.resolve("shop.yaml"), "openapi: 3.0.0");

        assertThat(Json.parse(run(file.toString(), "--json").out())).isEqualTo(Json.parse(REPORT));
    }

    @Test
    void refusesWhatIsNoText_withoutARequest() throws IOException {
        var binary = Files.write(temporary.resolve("a.bin"), new byte[] {(byte) 0xC3, (byte) 0x28});

        assertThat(run(binary.toString()).err()).contains("expected a text in UTF-8");
        assertThat(run(temporary.resolve("missing.yaml").toString()).err()).contains("expected a file or a URL");
        assertThat(run(temporary.toString()).status()).isEqualTo(ExitStatus.DATA);
        assertThat(run("https://shop.example.com/a.json", "--server-variables", "region")
                        .err())
                .contains("--server-variables: expected name=value, found region");
        assertThat(requests).isEmpty();
    }
}
