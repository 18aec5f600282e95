package io.millrace.integration.live;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.base.core.Json;
import io.millrace.support.ChannelClient;
import io.millrace.support.FlowScript;
import io.millrace.support.LiveFlow;
import io.millrace.support.RawHttp;
import io.millrace.support.TestServer;
import io.millrace.support.TestServer.SignedIn;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Limits of unauthenticated sockets, without effect on those of editors. */
final class LiveSocketsIT {
    private static final String HANDSHAKE = """
            GET /api/socket.io/?EIO=4&transport=websocket HTTP/1.1
            Host: localhost
            Connection: Upgrade
            Upgrade: websocket
            Sec-WebSocket-Version: 13
            Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==

            """;

    @Test
    void aThousandStrangers_takeNoPlaceFromEditors() {
        try (var server = TestServer.start(Map.of())) {
            SignedIn ada = server.signUp("ada@example.com", "Ada").inTeam("Mill");
            var flow = LiveFlow.draft(ada, FlowScript.webhook().map("step_1", "{'v':1}"));
            var version = ada.api().get("/v1/flows/" + flow.id()).text("/version/id");
            var strangers = new ArrayList<RawHttp>();
            try (var before = ChannelClient.of(server, ada)) {
                // when many sockets connect without authenticating
                for (var stranger = 0; stranger < 1_000; stranger++) {
                    strangers.add(stranger(server.port()));
                }

                // then an editor can connect, existing editors stay connected, and the first unauthenticated sockets
                // are closed
                try (var after = ChannelClient.of(server, ada)) {
                    for (var editor : List.of(before, after)) {
                        var run = editor.ask(1, "TEST_FLOW_RUN", Json.object().put("flowVersionId", version));
                        assertThat(run.path("environment").asText()).isEqualTo("TESTING");
                    }
                }
                assertThat(strangers.getFirst().isEnded()).isTrue();
            } finally {
                strangers.forEach(RawHttp::close);
            }
        }
    }

    @Test
    void keepsSoManyStrangers_andNoMore() {
        try (var server = TestServer.start(Map.of("AP_LIVE_UNKNOWN_MAX", "2", "AP_EVENT_LOOPS", "1"))) {
            try (var first = stranger(server.port());
                    var second = ChannelClient.open(server.port());
                    var third = ChannelClient.open(server.port())) {
                assertThat(first.isEnded()).isTrue();
                second.await("0");
                third.await("0");
                assertThat(second.isClosed()).isFalse();
                assertThat(third.isClosed()).isFalse();
            }
        }
    }

    private static RawHttp stranger(int port) {
        var http = RawHttp.connect(port).send(HANDSHAKE);
        assertThat(http.answer(false).status()).isEqualTo(101);
        return http;
    }
}
