package io.millrace.piece.npm;

import static io.millrace.support.FlowScript.webhook;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.core.Json;
import io.millrace.hostile.HostileKind;
import io.millrace.support.ApiClient.Answer;
import io.millrace.support.LiveFlow;
import io.millrace.support.ServerSettings;
import io.millrace.support.Slow;
import io.millrace.support.TestServer;
import io.millrace.support.outside.NpmRegistry;
import io.millrace.support.piece.PiecePackage;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Registry whose tags ({@code dist-tags}) name other versions than it serves: the newest version of a piece is an exact
 * one, or none.
 */
@HostileKind("package registry")
@Slow(Slow.Reason.HOSTILE)
class RegistryTagsIT {
    private static NpmRegistry registry;
    private static TestServer server;
    private static TestServer.SignedIn admin;

    @BeforeAll
    static void start() {
        PackageUploads.assumeNode();
        registry = NpmRegistry.start();
        server = ServerSettings.openSignUp()
                .with("AP_NPM_REGISTRY_URL", registry.url())
                .startInRealTime();
        admin = server.signUp("ada@example.com", "Ada");
    }

    @AfterAll
    static void stop() {
        if (server != null) {
            server.close();
            registry.close();
        }
    }

    private static void published(String name, String version) {
        var answer = "module.exports = '" + version + "'";
        registry.publish(PiecePackage.probe(name, version).with("package/src/version.js", answer));
    }

    private static void change(String name, Consumer<ObjectNode> change) {
        registry.answer(name, request -> {
            var document = registry.document(name);
            change.accept(document);
            request.response().putHeader("Content-Type", "application/json").end(Json.text(document));
        });
    }

    private static Answer install(String name, String version) {
        return admin.api()
                .post(
                        "/v1/pieces",
                        Json.object()
                                .put("packageType", "REGISTRY")
                                .put("scope", "PLATFORM")
                                .put("pieceName", name)
                                .put("pieceVersion", version));
    }

    /** Positive control, with a tag for the lower of two versions: the registry decides, and the version is exact. */
    @ParameterizedTest
    @ValueSource(strings = {"1.0.0", "1.1.0"})
    void installsTheVersionOfTheTag(String tagged) {
        var name = "@acme/piece-tag" + tagged.replace(".", "");
        published(name, "1.0.0");
        published(name, "1.1.0");
        change(name, document -> document.withObject("/dist-tags").put("latest", tagged));

        var installed = install(name, "latest");

        assertThat(installed.status()).as(installed.toString()).isEqualTo(201);
        assertThat(installed.body().path("version").asText()).isEqualTo(tagged);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "absent version  | {\"latest\":\"9.9.9\"}",
                "no tags         | ABSENT",
                "tags of null    | null",
                "empty tags      | {}",
                "list            | [\"1.0.0\"]",
                "text            | \"1.0.0\"",
                "tag of null     | {\"latest\":null}",
                "number          | {\"latest\":1}",
                "object          | {\"latest\":{\"version\":\"1.0.0\"}}",
                "climbing        | {\"latest\":\"../../../../../etc/passwd\"}",
                "file            | {\"latest\":\"file:///etc/passwd\"}",
                "alias           | {\"latest\":\"npm:@acme/piece-other@1.0.0\"}",
                "empty text      | {\"latest\":\"\"}",
                "option          | {\"latest\":\"--registry=http://127.0.0.2/\"}"
            })
    void installsAnExactVersionThatIsServed_orNone(String kind, String tags) throws Exception {
        var name = "@acme/piece-" + kind.replace(" ", "");
        published(name, "1.0.0");
        var told = tags.equals("ABSENT") ? null : Json.parse(tags);
        change(name, document -> {
            document.remove("dist-tags");
            if (told != null) {
                document.set("dist-tags", told);
            }
        });

        var answer = install(name, "latest");

        assertThat(answer.status()).as(answer.toString()).isIn(201, 400);
        assertThat(answer.toString())
                .doesNotContain(server.dataDirectory().toString(), "root:x:0", "Exception", "TypeError", "    at ");
        if (answer.status() == 201) {
            assertThat(answer.body().path("version").asText()).isEqualTo("1.0.0");
        }
        assertThat(registry.asked()).doesNotContain("@acme/piece-other");
        // The exact version can be installed whatever the tags are; it is rejected only as a duplicate.
        assertThat(install(name, "1.0.0").status()).isEqualTo(answer.status() == 201 ? 409 : 201);
    }

    /** A tag that moves to a lower version, or to none, changes no version that a flow uses. */
    @Test
    void leavesPublishedFlows_whenATagMoves() {
        published("@acme/piece-moving", "1.1.0");
        assertThat(install("@acme/piece-moving", "latest").status()).isEqualTo(201);
        var input = Json.object().put("code", "return require('./version.js')");
        var flow = LiveFlow.publish(admin, webhook().piece("step_1", "@acme/piece-moving", "1.1.0", "evaluate", input));
        published("@acme/piece-moving", "1.0.0");

        for (var tagged : new String[] {"1.0.0", "9.9.9"}) {
            change(
                    "@acme/piece-moving",
                    document -> document.withObject("/dist-tags").put("latest", tagged));
            var installed = install("@acme/piece-moving", "latest");
            assertThat(installed.status()).as(installed.toString()).isEqualTo(tagged.equals("1.0.0") ? 201 : 400);
            assertThat(flow.run(Json.object()).toString()).contains("\"1.1.0\"");
        }
    }
}
