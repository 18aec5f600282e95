package io.millrace.integration.mcp;

import static io.millrace.support.Waiting.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.millrace.base.core.Json;
import io.millrace.base.net.OutboundHttp;
import io.millrace.engine.agent.outside.ExternalProtocol;
import io.millrace.engine.agent.outside.ExternalServer;
import io.millrace.hostile.HostileKind;
import io.millrace.support.Waiting;
import io.millrace.support.outside.HostileOutside;
import io.millrace.support.outside.HostilePeer;
import io.millrace.support.outside.ToolServer;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Malicious remote MCP servers: memory exhaustion, SSRF and impersonation of this server. */
@HostileKind("MCP server")
final class HostileMcpServerTest {
    private static final String SECRET = "opens-the-tools";

    @AutoClose
    private final HostileOutside outside = HostileOutside.open();

    private final HostilePeer peer = outside.peer();
    private final OutboundHttp http = outside.http();

    private List<String> tools(String url) {
        var server = new ExternalServer(http, ExternalProtocol.HTTP, url, Map.of("Authorization", "Bearer " + SECRET));
        return await(server.tools());
    }

    private String refusal(String url) {
        var failure = catchThrowable(() -> tools(url));
        assertThat(failure).isInstanceOf(ExternalServer.Unusable.class);
        assertThat(failure.getMessage())
                .doesNotContain(SECRET)
                .doesNotContainPattern("\\p{Cntrl}")
                .hasSizeLessThan(400);
        return failure.getMessage();
    }

    @Test
    void readsNoMoreThanToolsAreLong() {
        for (var status : new int[] {200, 400, 500}) {
            peer.sayWithoutEnd(status);
            assertThat(refusal(peer.url())).contains("larger than the limit");
            Waiting.until("the connection is given up", peer.isGivenUp::get);
        }
    }

    @Test
    void listsTheToolsOfAllPages_butNoPagesWithoutEnd() {
        try (var notes = ToolServer.start()) {
            assertThat(tools(notes.url())).containsExactly("note");
        }
        peer.say(200, "application/json", "{'result':{'tools':[],'nextCursor':'again'}}");
        assertThat(refusal(peer.url())).isEqualTo("The tool list of the server has too many pages");
        assertThat(peer.asked).hasSizeLessThan(110);
    }

    @ParameterizedTest
    @ValueSource(ints = {301, 302, 303, 307, 308})
    void isLedToNoNeighbour(int status) {
        for (var location : peer.forbidden()) {
            peer.redirect(status, location);
            refusal(peer.url());
        }
        peer.redirect(status, peer.url());
        assertThat(refusal(peer.url())).contains("redirect");
        assertThat(peer.asked).hasSizeLessThan(20);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "[]",
                "null",
                "{}",
                "7",
                "<html>",
                "{'result':[]}",
                "{'error':{'message':'x\\r\\n2026 ERROR forged'}}",
                "{'error':{'message':{}}}",
                "{'result':{'protocolVersion':'2025\\r\\nX-Admin: 1'}}",
                "{'result':{'protocolVersion':'\\u0000'}}"
            })
    void refusesAnswersThatAreNone(String body) {
        for (var type : List.of("application/json", "text/html", "text/event-stream")) {
            peer.say(200, type, body);
            refusal(peer.url());
            peer.say(200, type, "data:" + body + "\n\n");
            refusal(peer.url());
        }
    }

    @Test
    void repeatsAnErrorOnOneLine_andNotWhole() {
        var error = Json.object();
        error.putObject("error").put("message", "forged\r\n\u202e\u001b[31m" + "y".repeat(1_000_000));
        peer.say(200, "application/json", Json.text(error));
        assertThat(refusal(peer.url())).startsWith("The server answered with an error: forged [31my");
    }

    @Test
    void refusesAnswersInEachOtherWithoutEnd() {
        peer.say(200, "application/json", "{'result':" + "[".repeat(5_000) + "]".repeat(5_000) + "}");
        refusal(peer.url());
    }
}
