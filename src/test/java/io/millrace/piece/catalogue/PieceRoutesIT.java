package io.millrace.piece.catalogue;

import static io.millrace.support.ModuleServer.json;
import static io.millrace.support.Waiting.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.base.access.Gate;
import io.millrace.base.access.PlatformRole;
import io.millrace.base.access.Principal;
import io.millrace.base.bus.Bus;
import io.millrace.base.bus.Nothing;
import io.millrace.base.core.ApiException;
import io.millrace.base.core.ErrorCode;
import io.millrace.base.core.Ids;
import io.millrace.base.net.AddressGuard;
import io.millrace.base.net.OutboundHttp;
import io.millrace.base.net.OutboundLimits;
import io.millrace.piece.builtin.Builtins;
import io.millrace.piece.builtin.http.HttpPiece;
import io.millrace.support.ModuleServer;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Built-in pieces, requested by an editor. */
class PieceRoutesIT {
    private static final String HTTP = "@activepieces/piece-http";
    private static final String PROJECT = Ids.next();

    private static Vertx vertx;
    private static ModuleServer server;

    @BeforeAll
    static void start() {
        vertx = Vertx.vertx();
        var bus = new Bus(vertx);
        var pieces = new ArrayList<>(Builtins.all(InstantSource.system(), new Random(1)));
        pieces.add(new HttpPiece(new OutboundHttp(vertx, AddressGuard.allowing(""), OutboundLimits.defaults())));
        server = ModuleServer.start(
                vertx,
                bus,
                List.of(new PieceService(new PieceCatalogue(pieces)), PieceRoutesIT::openGate),
                List.of(new PieceRoutes(bus)));
    }

    /** Identifies a user, an API key, and one project that both may access. */
    private static void openGate(Bus bus) {
        bus.serve(Gate.Identify.class, identify -> switch (identify.token()) {
            case "user" ->
                Future.succeededFuture(new Principal.SignedInUser(Ids.next(), Ids.next(), PlatformRole.MEMBER));
            case "key" -> Future.succeededFuture(new Principal.Service(Ids.next(), Ids.next(), Ids.next()));
            default -> Future.failedFuture(ApiException.of(ErrorCode.INVALID_BEARER_TOKEN));
        });
        bus.serve(Pieces.Translate.class, ask -> Future.succeededFuture(ask.descriptions()));
        bus.serve(
                Gate.Enter.class,
                enter -> enter.projectId().equals(PROJECT)
                        ? Future.succeededFuture(Nothing.DONE)
                        : Future.failedFuture(ApiException.of(ErrorCode.AUTHORIZATION, "not a member")));
    }

    @AfterAll
    static void stop() {
        server.close();
        await(vertx.close());
    }

    @Test
    void listsEveryPieceToAnybody() {
        var answer = server.get("/v1/pieces");

        assertThat(answer.statusCode()).isEqualTo(200);
        assertThat(json(answer).findValuesAsText("name")).contains(HTTP, "@activepieces/piece-webhook");
        assertThat(json(answer).get(0).path("actions").isNumber()).isTrue();
    }

    @Test
    void narrowsTheList() {
        var answer = server.get("/v1/pieces?searchQuery=http&categories=CORE&sortBy=NAME&orderBy=DESC"
                + "&suggestionType=ACTION&includeHidden=true&locale=en");

        assertThat(json(answer).findValuesAsText("name")).contains(HTTP);
        assertThat(json(answer).get(0).path("suggestedActions").isArray()).isTrue();
        assertThat(json(server.get("/v1/pieces?searchQuery=no-such-piece"))).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"sortBy=SIZE", "orderBy=UP", "categories=CORE&categories=NONE", "suggestionType=PIECE"})
    void refusesAnUnknownWord(String query) {
        var answer = server.get("/v1/pieces?" + query);

        assertThat(answer.statusCode()).isEqualTo(400);
        assertThat(json(answer).path("message").asText()).matches("querystring/" + query.split("=", 2)[0] + "(/1)? .*");
    }

    @Test
    void refusesToListByRelease() {
        var answer = server.get("/v1/pieces?release=0.80.0");

        assertThat(answer.statusCode()).isEqualTo(400);
        assertThat(json(answer).path("code").asText()).isEqualTo("PIECE_SYNC_NOT_SUPPORTED");
        assertThat(json(answer).path("params").path("release").asText()).isEqualTo("0.80.0");
    }

    @Test
    void listsCategories() {
        var answer = json(server.get("/v1/pieces/categories"));

        assertThat(answer).hasSize(17);
        assertThat(answer.get(0).asText()).isEqualTo("ARTIFICIAL_INTELLIGENCE");
    }

    @Test
    void listsNamesWithVersions() {
        var answer = json(server.get("/v1/pieces/registry?release=0.80.0&edition=ce"));

        assertThat(answer).hasSizeGreaterThan(7);
        assertThat(answer.get(0).fieldNames()).toIterable().containsExactly("name", "version");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "@activepieces/piece-http",
                "@activepieces%2Fpiece-http",
                "%40activepieces%2Fpiece-http",
                "%40activepieces/piece-http"
            })
    void findsAPiece_howeverItsNameIsWritten(String name) {
        var piece = json(server.get("/v1/pieces/" + name));
        var versions = json(server.get("/v1/pieces/" + name + "/versions"));

        assertThat(piece.path("name").asText()).isEqualTo(HTTP);
        assertThat(piece.path("actions").has("send_request")).isTrue();
        assertThat(versions.get(0).asText()).isEqualTo(piece.path("version").asText());
    }

    @Test
    void findsTheVersionThatIsMeant() {
        assertThat(versionOf("0.11.4")).isEqualTo("0.11.4");
        assertThat(versionOf("~0.11.4")).isEqualTo("0.11.19");
        assertThat(versionOf("%5E0.11.0")).isEqualTo("0.11.19");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "@activepieces/piece-nothing",
                "piece-http",
                "@activepieces/piece-http?version=9.0.0",
                "@activepieces/piece-http?version=99999999999.0.0",
                "@activepieces/piece-nothing/versions"
            })
    void answers404_toWhatIsUnknown(String path) {
        var answer = server.get("/v1/pieces/" + path);

        assertThat(answer.statusCode()).isEqualTo(404);
        assertThat(json(answer).path("code").asText()).isEqualTo("ENTITY_NOT_FOUND");
    }

    @Test
    void refusesAnInvalidVersion() {
        var answer = server.get("/v1/pieces/" + HTTP + "?version=latest");

        assertThat(answer.statusCode()).isEqualTo(400);
        assertThat(json(answer).path("message").asText()).startsWith("querystring/version Invalid string");
    }

    @Test
    void refusesATokenThatIsInvalid_evenWhereNoneIsNeeded() {
        assertThat(server.get("/v1/pieces", "Authorization", "Bearer nobody").statusCode())
                .isEqualTo(401);
    }

    @Test
    void listsTheOptionsOfAProperty() {
        var answer = server.post(
                "/v1/pieces/options",
                options(PROJECT, "send_request", "body", "{'body_type':'json'}"),
                "Authorization",
                "Bearer user");

        assertThat(answer.statusCode()).isEqualTo(200);
        assertThat(json(answer).path("type").asText()).isEqualTo("DYNAMIC");
        assertThat(json(answer).path("options").isEmpty()).isFalse();
    }

    @Test
    void answers404_toAnUnknownStepOrProperty() {
        for (var body : List.of(
                options(PROJECT, "no_such_action", "body", "{}"), options(PROJECT, "send_request", "nothing", "{}"))) {
            assertThat(server.post("/v1/pieces/options", body, "Authorization", "Bearer user")
                            .statusCode())
                    .isEqualTo(404);
        }
    }

    @Test
    void refusesOptionsToOtherCallers() {
        var body = options(PROJECT, "send_request", "body", "{}");
        var elsewhere = options(Ids.next(), "send_request", "body", "{}");

        assertThat(server.post("/v1/pieces/options", body).statusCode()).isEqualTo(403);
        assertThat(server.post("/v1/pieces/options", body, "Authorization", "Bearer key")
                        .statusCode())
                .isEqualTo(403);
        assertThat(server.post("/v1/pieces/options", elsewhere, "Authorization", "Bearer user")
                        .statusCode())
                .isEqualTo(403);
        assertThat(server.post("/v1/pieces/options", "{}").statusCode()).isEqualTo(400);
    }

    private static String versionOf(String wanted) {
        return json(server.get("/v1/pieces/" + HTTP + "?version=" + wanted))
                .path("version")
                .asText();
    }

    private static String options(String projectId, String action, String property, String input) {
        return "{'projectId':'%s','pieceName':'%s','pieceVersion':'0.11.4','actionOrTriggerName':'%s',"
                        .formatted(projectId, HTTP, action)
                + "'propertyName':'%s','flowId':'%s','flowVersionId':'%s','input':%s}"
                        .formatted(property, Ids.next(), Ids.next(), input);
    }
}
