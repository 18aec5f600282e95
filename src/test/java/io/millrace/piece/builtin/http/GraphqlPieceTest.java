package io.millrace.piece.builtin.http;

import static io.millrace.base.net.LocalServer.failure;
import static io.millrace.base.net.LocalServer.result;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.base.core.Json;
import io.millrace.base.net.AddressGuard;
import io.millrace.base.net.LocalServer;
import io.millrace.base.net.OutboundHttp;
import io.millrace.base.net.OutboundLimits;
import io.millrace.piece.Piece;
import io.millrace.piece.PieceFailure;
import io.millrace.support.piece.FakeStepContext;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.junit5.VertxExtension;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(VertxExtension.class)
class GraphqlPieceTest {
    private Vertx vertx;
    private Piece piece;

    @BeforeEach
    void open(Vertx running) {
        vertx = running;
        var limits = new OutboundLimits(60_000, 60_000, 1024 * 1024, 8, 100);
        piece = GraphqlPiece.create(new OutboundHttp(vertx, AddressGuard.allowing("127.0.0.1"), limits));
    }

    @Test
    void declaresItsInputs() {
        assertThat(piece.actions().get("send_request").spec().props().keySet())
                .containsExactly(
                        "method",
                        "url",
                        "queryParams",
                        "headers",
                        "query",
                        "variables",
                        "use_proxy",
                        "proxy_settings",
                        "timeout",
                        "failsafe");
    }

    @Test
    void sendsAQueryWithItsVariables() {
        var server = echo(200);

        var output = result(run(server, "'method':'POST','query':'{ a(id:$id) }','variables':{'id':7}"));
        var bare = result(run(server, "'query':'{ b }'"));

        assertThat(output.path("status").asInt()).isEqualTo(200);
        assertThat(output.at("/body/sent")).isEqualTo(json("{'query':'{ a(id:$id) }','variables':{'id':7}}"));
        assertThat(output.at("/body/key").asText()).isEqualTo("k");
        assertThat(bare.at("/body/sent")).isEqualTo(json("{'query':'{ b }'}"));
        assertThat(server.asked()).containsExactly("POST /graphql?x=1", "POST /graphql?x=1");
    }

    @Test
    void sendsTheQueryInTheAddress_whenTheRequestHasNoBody() {
        var server = echo(200);

        result(run(server, "'method':'GET','query':'{ a }','variables':{'id':7}"));

        assertThat(server.asked()).containsExactly("GET /graphql?x=1&query=%7B+a+%7D&variables=%7B%22id%22%3A7%7D");
    }

    @Test
    void failsOnAnError_unlessItMayNot() {
        var server = echo(400);

        var refused = failure(run(server, "'query':'{ a }'"));
        var continued = result(run(server, "'query':'{ a }','failsafe':true"));

        assertThat(refused).isInstanceOf(PieceFailure.class);
        assertThat(((PieceFailure) refused).details().path("status").asInt()).isEqualTo(400);
        assertThat(continued.at("/response/status").asInt()).isEqualTo(400);
        assertThat(continued.at("/request/body/query").asText()).isEqualTo("{ a }");
    }

    private Future<JsonNode> run(LocalServer server, String more) {
        var props =
                "{'url':'" + server.url("/graphql") + "','headers':{'x-key':'k'},'queryParams':{'x':1}," + more + "}";
        return piece.actions().get("send_request").run(FakeStepContext.with(props));
    }

    private LocalServer echo(int status) {
        return LocalServer.start(
                vertx,
                request -> request.body().onSuccess(body -> {
                    var seen = Json.object().put("key", request.getHeader("x-key"));
                    seen.set("sent", body.length() == 0 ? Json.object() : Json.trusted(body.toString()));
                    request.response()
                            .setStatusCode(status)
                            .putHeader("Content-Type", "application/json")
                            .end(Json.text(seen));
                }));
    }

    private static JsonNode json(String text) {
        return Json.trusted(text.replace('\'', '"'));
    }
}
