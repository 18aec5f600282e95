package io.millrace.integration.mcp;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.base.core.Json;
import io.millrace.support.TestServer;
import io.millrace.support.Waiting;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** A client of one node, and a change at the other; both nodes have one public address. */
class McpOverNodesIT {
    private static final String ORIGIN = "https://mill.example";

    @AutoClose
    private static TestServer first = TestServer.startInRealTime(Map.of("AP_FRONTEND_URL", ORIGIN));

    private static TestServer.SignedIn owner = first.signUp("ada@example.com", "Ada");

    @AutoClose
    private static TestServer second = first.successor();

    @Test
    void notifiesListenersOfOneNode_ofToolsChangedAtTheOther() {
        // Given
        var guest = McpGuest.behind(ORIGIN, first, owner.api(), "/mcp", Optional.of(owner.projectId()));
        var received = listen(second, guest);

        // When
        var told = CompletableFuture.supplyAsync(
                () -> received.filter(line -> line.contains("list_changed")).findFirst());
        Waiting.until("the other node has reported a change", () -> {
            var changed = owner.api().post("/v1/mcp/" + owner.projectId(), Json.object());
            assertThat(changed.status()).isEqualTo(200);
            return told.isDone();
        });

        // Then
        assertThat(told.join().orElseThrow()).contains("notifications/tools/list_changed");
    }

    /** Lines of a stream that begins with the acknowledgement. */
    private static Stream<String> listen(TestServer node, McpGuest guest) {
        var params = Json.object();
        params.putObject("notifications").put("toolsListChanged", true);
        params.putObject("_meta")
                .put("io.modelcontextprotocol/protocolVersion", "2026-07-28")
                .putObject("io.modelcontextprotocol/clientCapabilities");
        var request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + node.port() + "/mcp"))
                .header("Authorization", "Bearer " + guest.accessToken())
                .header("Accept", "text/event-stream")
                .header("Content-Type", "application/json")
                .header("MCP-Protocol-Version", "2026-07-28")
                .header("Mcp-Method", "subscriptions/listen")
                .POST(HttpRequest.BodyPublishers.ofString(Json.text(McpClient.message("subscriptions/listen", params))))
                .build();
        var answer = HttpClient.newHttpClient()
                .sendAsync(request, HttpResponse.BodyHandlers.ofLines())
                .join();
        assertThat(answer.statusCode()).isEqualTo(200);
        return answer.body();
    }
}
