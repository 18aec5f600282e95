package io.millrace.piece.feed;

import static io.millrace.support.FlowScript.json;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.base.core.Json;
import io.millrace.piece.npm.PackageUploads;
import io.millrace.support.ApiClient;
import io.millrace.support.ServerSettings;
import io.millrace.support.TestServer;
import io.millrace.support.Waiting;
import io.millrace.support.outside.NpmRegistry;
import io.millrace.support.piece.PiecePackage;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServerRequest;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The index of published pieces: the bundled one, and newer ones from an address with the same format. */
class PieceFeedIT {
    private static final String SLACK = "@activepieces/piece-slack";
    private static final String PROBE = "@activepieces/piece-probe";
    private static final String LISTED_PROBE = """
            {'name':'@activepieces/piece-probe','version':'0.1.0','displayName':'Probe','description':'Says what it received',
             'logoUrl':'https://pictures.example/probe.png','authors':[],'categories':['CORE'],
             'actions':1,'triggers':0,'projectUsage':3,
             'suggestedActions':[{'name':'echo','displayName':'Echo','description':'Repeats'}]}""";

    private static final Vertx VERTX = Vertx.vertx();
    private static final List<String> ASKED = new CopyOnWriteArrayList<>();
    private static final AtomicReference<Listed> LISTED = new AtomicReference<>(new Listed(500, "none", "{}"));

    private static NpmRegistry registry;
    private static TestServer server;
    private static TestServer.SignedIn admin;

    /** Response of the simulated peer server. */
    private record Listed(int status, String etag, String body) {}

    @BeforeAll
    static void start() {
        var standIn = Waiting.await(
                VERTX.createHttpServer().requestHandler(PieceFeedIT::answer).listen(0, "127.0.0.1"));
        registry = NpmRegistry.start();
        registry.publish(PiecePackage.probe(PROBE, "0.1.0"));
        server = ServerSettings.localCalls()
                .with("AP_PIECES_SYNC_MODE", "OFFICIAL_AUTO")
                .with("AP_PIECES_SYNC_URL", "http://127.0.0.1:" + standIn.actualPort() + "/api/v1/pieces")
                .with("AP_PIECES_SYNC_MAX_MB", "1")
                .with("AP_NPM_REGISTRY_URL", registry.url())
                .startInRealTime();
        admin = server.signUp("ada@example.com", "Ada");
    }

    @AfterAll
    static void stop() {
        server.close();
        registry.close();
        Waiting.await(VERTX.close());
    }

    private static void answer(HttpServerRequest request) {
        var listed = LISTED.get();
        var known = request.getHeader("If-None-Match");
        ASKED.add(request.uri() + " " + known);
        if (listed.etag().equals(known)) {
            request.response().setStatusCode(304).end();
        } else {
            request.response()
                    .setStatusCode(listed.status())
                    .putHeader("ETag", listed.etag())
                    .end(listed.body());
        }
    }

    private static ApiClient.Answer sync(int status, String etag, String body) {
        LISTED.set(new Listed(status, etag, body));
        return admin.api().post("/v1/pieces/sync", Json.object());
    }

    private static void syncProbe(String etag) {
        var other = LISTED_PROBE.replace("piece-probe", "piece-" + etag).replace("Probe", etag);
        var synced =
                sync(200, etag, json("[" + LISTED_PROBE + "," + other + "]").toString());
        assertThat(synced.status()).as(synced.toString()).isEqualTo(204);
    }

    private static List<String> names(String query) {
        return admin.api().get("/v1/pieces?" + query).body().findValuesAsText("name");
    }

    private static JsonNode listed(String name, String query) {
        return admin.api()
                .get("/v1/pieces?" + query)
                .body()
                .valueStream()
                .filter(piece -> piece.path("name").asText().equals(name))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void offersThePiecesOfAnAddress_andSendsItsRelease() {
        // When
        syncProbe("offered");

        // Then
        var name = "@activepieces/piece-offered";
        var offered = listed(name, "searchQuery=repeats&suggestionType=ACTION");
        assertThat(offered.at("/suggestedActions/0/name").asText()).isEqualTo("echo");
        assertThat(offered.path("installed").asBoolean(true)).isFalse();
        assertThat(names("categories=CORE")).contains(name);
        assertThat(names("categories=PAYMENT_PROCESSING")).doesNotContain(name);
        assertThat(names("searchQuery=repeats")).doesNotContain(name);
        assertThat(names("")).doesNotContain(SLACK);
        assertThat(ASKED)
                .anyMatch(asked -> asked.startsWith("/api/v1/pieces?includeTags=true") && asked.contains("release="));
    }

    @Test
    void asksOnlyForWhatHasChanged() {
        // Given
        syncProbe("tagged");

        // When
        var again = sync(200, "tagged", "nobody reads this");

        // Then
        assertThat(again.status()).isEqualTo(204);
        assertThat(ASKED.getLast()).endsWith(" tagged");
        assertThat(names("")).contains("@activepieces/piece-tagged");
    }

    @Test
    void keepsWhatItHas_whenTheAddressFails() {
        // Given
        syncProbe("kept");

        // When
        var broken = sync(500, "a", "{}");
        var noList = sync(200, "b", "{\"pieces\":[]}");
        var foreign = sync(200, "c", "[{\"name\":\"@else/piece-x\",\"version\":\"1.0.0\"}]");
        var tooLarge = sync(200, "d", "[\"" + "x".repeat(1 << 20) + "\"]");

        // Then
        for (var refused : List.of(broken, noList, foreign, tooLarge)) {
            assertThat(refused.status()).as(refused.toString()).isEqualTo(400);
            assertThat(refused.text("/code")).isEqualTo("ENGINE_OPERATION_FAILURE");
        }
        assertThat(names("")).contains("@activepieces/piece-kept").doesNotContain("@else/piece-x");
    }

    @Test
    void installsAPieceThatAUserOpens() {
        PackageUploads.assumeNode();
        // Given
        syncProbe("opened");
        assertThat(server.anonymous().get("/v1/pieces/" + PROBE).status()).isEqualTo(404);

        // When
        var opened = admin.api().get("/v1/pieces/" + PROBE);

        // Then
        assertThat(opened.status()).isEqualTo(200);
        assertThat(opened.body().at("/actions/echo/props")).isNotEmpty();
        assertThat(opened.body().path("installed").asBoolean()).isTrue();
        assertThat(listed(PROBE, "").path("installed").asBoolean()).isTrue();
    }
}
