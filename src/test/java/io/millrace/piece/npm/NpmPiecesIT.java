package io.millrace.piece.npm;

import static io.millrace.support.FlowScript.json;
import static io.millrace.support.FlowScript.trigger;
import static io.millrace.support.FlowScript.webhook;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.base.access.PlatformRole;
import io.millrace.base.core.Json;
import io.millrace.support.ApiClient.Answer;
import io.millrace.support.LiveFlow;
import io.millrace.support.ServerSettings;
import io.millrace.support.TestServer;
import io.millrace.support.outside.NpmRegistry;
import io.millrace.support.piece.PiecePackage;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Npm packages as pieces: installation, description, removal and ownership (contract pieces 13, 15). */
class NpmPiecesIT {
    private static final String PROBE = "@acme/piece-probe";
    private static final String OFFICIAL = "@activepieces/piece-probe";

    private static final int CHANGES = Integer.getInteger("millrace.changes", 3);

    private static NpmRegistry registry;
    private static TestServer server;
    private static TestServer.SignedIn admin;

    @BeforeAll
    static void start() {
        PackageUploads.assumeNode();
        registry = NpmRegistry.start();
        registry.publish(PiecePackage.probe(PROBE, "1.0.0"));
        registry.publish(PiecePackage.probe(PROBE, "2.0.0"));
        registry.publish(PiecePackage.probe(OFFICIAL, "0.1.0"));
        server = ServerSettings.openSignUp()
                .with("AP_NPM_REGISTRY_URL", registry.url())
                .with("AP_PIECES_SYNC_MODE", "OFFICIAL_AUTO")
                .startInRealTime();
        admin = server.signUp("ada@example.com", "Ada");
        var first = fromRegistry("1.0.0");
        assertThat(first.status()).as(first.toString()).isEqualTo(201);
    }

    @AfterAll
    static void stop() {
        if (server != null) {
            server.close();
            registry.close();
        }
    }

    private static Answer fromRegistry(String version) {
        return admin.api()
                .post(
                        "/v1/pieces",
                        Json.object()
                                .put("packageType", "REGISTRY")
                                .put("scope", "PLATFORM")
                                .put("pieceName", PROBE)
                                .put("pieceVersion", version));
    }

    private static Answer upload(PiecePackage piece) {
        return PackageUploads.upload(admin, piece);
    }

    @Test
    void describesAnInstalledPieceAsItDescribesItself() {
        var piece = admin.api().get("/v1/pieces/" + PROBE);

        assertThat(piece.status()).isEqualTo(200);
        assertThat(piece.text("/displayName")).isEqualTo("Probe");
        assertThat(piece.text("/pieceType")).isEqualTo("CUSTOM");
        assertThat(piece.text("/platformId")).isEqualTo(admin.platformId());
        assertThat(piece.body().at("/actions/echo/futureKey/kept").asBoolean()).isTrue();
        assertThat(piece.text("/triggers/hook/handshakeConfiguration/strategy")).isEqualTo("QUERY_PRESENT");
        assertThat(server.anonymous().get("/v1/pieces/" + PROBE).status()).isEqualTo(404);
    }

    @Test
    void offersPublishedPiecesThatAreNotHere() {
        var slack = "@activepieces/piece-slack";

        var found = admin.api().get("/v1/pieces?searchQuery=slack%20channel&suggestionType=ACTION_AND_TRIGGER");
        var opened = admin.api().get("/v1/pieces/" + slack + "?version=~0.17.0");

        assertThat(found.body().findValuesAsText("name")).contains(slack);
        assertThat(opened.body().path("installed").asBoolean(true)).isFalse();
        assertThat(opened.body().at("/actions/send_channel_message/props")).isNotEmpty();
        assertThat(admin.api().get("/v1/pieces/" + slack + "/versions").body()).hasSize(1);
        assertThat(admin.api().get("/v1/pieces/" + slack + "?version=99.0.0").status())
                .isEqualTo(404);
    }

    @Test
    void countsAsPopular_whatEnabledFlowsUse() {
        LiveFlow.publish(admin, webhook().piece("step_1", PROBE, "1.0.0", "echo", json("{}")));

        var ours = admin.api().get("/v1/pieces?sortBy=POPULARITY&orderBy=DESC").body();

        assertThat(ours.findValuesAsText("name").subList(0, 2)).contains(PROBE);
        assertThat(listed("").path("projectUsage").asInt()).isEqualTo(1);
        assertThat(server.anonymous().get("/v1/pieces?sortBy=POPULARITY").body().findValues("projectUsage"))
                .allMatch(count -> count.asInt() == 0);
    }

    @Test
    void speaksTheLanguageThatIsAskedFor() {
        var german = admin.api().get("/v1/pieces/" + PROBE + "?locale=de");
        var unknown = admin.api().get("/v1/pieces/" + PROBE + "?locale=xx");
        var listed = listed("searchQuery=echo&suggestionType=ACTION&locale=de");

        assertThat(german.text("/description")).isEqualTo("Sagt, was ihm gesagt wurde");
        assertThat(german.text("/actions/echo/displayName")).isEqualTo("Wiederholen");
        assertThat(german.text("/actions/echo/props/colour/options/options/0/label"))
                .isEqualTo("Rot");
        assertThat(unknown.text("/actions/echo/displayName")).isEqualTo("Echo");
        assertThat(listed.path("description").asText()).isEqualTo("Sagt, was ihm gesagt wurde");
        assertThat(listed.at("/suggestedActions/0/displayName").asText()).isEqualTo("Wiederholen");
    }

    private static JsonNode listed(String query) {
        return admin.api()
                .get("/v1/pieces?" + query)
                .body()
                .valueStream()
                .filter(piece -> piece.path("name").asText().equals(PROBE))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void listsThePlatformsTagsOfAPiece_whenTheyAreAskedFor() {
        // given
        var request = Json.object();
        request.putArray("piecesName").add(PROBE);
        request.putArray("tags").add("ours").add("a tag");
        assertThat(admin.api().post("/v1/tags/pieces", request).status()).isLessThan(300);

        // then
        assertThat(listed("includeTags=true").path("tags"))
                .extracting(JsonNode::asText)
                .containsExactly("a tag", "ours");
        assertThat(listed("includeTags=false").has("tags")).isFalse();
        assertThat(server.anonymous().get("/v1/pieces?includeTags=true").body())
                .allMatch(piece -> piece.path("tags").isEmpty());
    }

    @Test
    void keepsVersionsSideBySide_andRemovesOne() {
        var second = fromRegistry("2.0.0");

        assertThat(second.status()).as(second.toString()).isEqualTo(201);
        assertThat(admin.api().get("/v1/pieces/" + PROBE + "/versions").body())
                .extracting(JsonNode::asText)
                .containsSubsequence("2.0.0", "1.0.0");
        assertThat(admin.api().delete("/v1/pieces/" + second.text("/id")).status())
                .isEqualTo(204);
        assertThat(admin.api().get("/v1/pieces/" + PROBE + "?version=2.0.0").status())
                .isEqualTo(404);
        assertThat(admin.api().delete("/v1/pieces/" + second.text("/id")).status())
                .isEqualTo(404);
    }

    @Test
    void isCalledAsItsPackage_whateverItSaysOfItself() {
        var piece = PiecePackage.probe("@acme/piece-alias", "1.2.3");
        var index = new String(piece.entries().get("package/src/index.js"), StandardCharsets.UTF_8)
                .replace(
                        "actions: this._actions, triggers",
                        "name: 'alias', version: '9', id: 'x', actions: this._actions, triggers");

        var described = upload(piece.with("package/src/index.js", index));

        assertThat(described.text("/name")).isEqualTo("@acme/piece-alias");
        assertThat(described.text("/version")).isEqualTo("1.2.3");
        assertThat(described.text("/id")).hasSize(21);
        assertThat(admin.api().get("/v1/pieces?searchQuery=probe").body())
                .extracting(found -> found.path("name").asText())
                .contains("@acme/piece-alias")
                .doesNotContain("alias");
    }

    @Test
    void wasCreatedWithItsFirstVersion() {
        var first = upload(PiecePackage.probe("@acme/piece-grows", "0.0.1"));
        var second = upload(PiecePackage.probe("@acme/piece-grows", "0.0.2"));
        var ofAnother = PackageUploads.upload(server.foreigner(), PiecePackage.probe("@acme/piece-grows", "0.0.2"));

        assertThat(first.text("/updated")).isEqualTo(first.text("/created"));
        assertThat(second.text("/created")).isEqualTo(first.text("/created"));
        assertThat(second.text("/updated")).isGreaterThan(first.text("/updated"));
        assertThat(ofAnother.text("/created")).isEqualTo(ofAnother.text("/updated"));
    }

    @Test
    void knowsInTheNextRequestWhatAnotherNodeHasInstalledAndRemoved() {
        try (var other = server.successor()) {
            var there = admin.api().at(other);
            for (var change = 0; change < CHANGES; change++) {
                var piece = PiecePackage.probe("@acme/piece-gone-" + change, "0.0.1");
                var id = upload(piece).text("/id");
                assertThat(there.get("/v1/pieces/" + piece.name()).status()).isEqualTo(200);
                assertThat(admin.api().delete("/v1/pieces/" + id).status()).isEqualTo(204);
                assertThat(there.get("/v1/pieces/" + piece.name()).status()).isEqualTo(404);
            }
        }
    }

    @Test
    void takesAnUploadedArchive_once() {
        var piece = PiecePackage.probe("@acme/piece-upload", "0.0.1");

        assertThat(upload(piece).text("/packageType")).isEqualTo("ARCHIVE");
        assertThat(upload(piece).status()).isEqualTo(409);
    }

    /** A package of this name whose texts all name its owner. */
    private static void uploadTwin(TestServer.SignedIn owner, String name) {
        var index = new String(
                PiecePackage.probe(name, "1.0.0").entries().get("package/src/index.js"), StandardCharsets.UTF_8);
        var mine = index.replace("'chosen'", "'chosen by " + owner.platformId() + "'")
                .replace("[context.payload.body]", "[{ by: '" + owner.platformId() + "' }]")
                .replace("${list} one", "${list} of " + owner.platformId())
                .replace("auth === 'right'", "auth === 'right for " + owner.platformId() + "'");
        var twin = PiecePackage.probe(name, "1.0.0").with("package/src/index.js", mine);
        assertThat(PackageUploads.upload(owner, name, "1.0.0", twin.tgz()).status())
                .isEqualTo(201);
    }

    @ParameterizedTest
    @ValueSource(strings = {"@acme/piece-twin", "@activepieces/piece-twin"})
    void givesEachPlatformItsOwnPackage_underTheSameNameAndVersion(String name) {
        var bob = server.foreigner();
        uploadTwin(admin, name);
        uploadTwin(bob, name);

        for (var owner : List.of(admin, bob)) {
            // when
            var flow = LiveFlow.publish(
                    owner, trigger(name, "1.0.0", "hook", "{}").piece("step_1", name, "1.0.0", "choose", json("{}")));
            var run = flow.run(json("{}"));

            // then
            assertThat(run.at("/steps/trigger/output/by").asText()).isEqualTo(owner.platformId());
            assertThat(run.at("/steps/step_1/output").asText()).isEqualTo("chosen by " + owner.platformId());
            assertThat(PackageUploads.options(owner, name, "item", "{'list':'a'}", "x")
                            .text("/options/options/0/label"))
                    .isEqualTo("a of " + owner.platformId() + " x");
            assertThat(connect(owner, name, "right for " + owner.platformId()).status())
                    .isEqualTo(201);
            assertThat(connect(owner, name, "right").status()).isEqualTo(400);
        }
    }

    @Test
    void hidesAPackage_fromWhateverAnotherPlatformDoes() {
        // given
        var bob = server.foreigner();
        var step = LiveFlow.draft(bob, webhook());
        var update = "{'type':'ADD_ACTION','request':{'parentStep':'trigger','action':{'type':'PIECE','name':'step_1',"
                + "'displayName':'x','valid':true,'settings':{'pieceName':'" + PROBE
                + "','pieceVersion':'1.0.0','actionName':'echo','input':{},'propertySettings':{}}}}}";

        // when
        var validated = step.operate(json(update));
        var run = LiveFlow.publish(bob, webhook().piece("step_1", PROBE, "1.0.0", "echo", json("{}")))
                .run(json("{}"));
        var listening = LiveFlow.draft(bob, trigger(PROBE, "1.0.0", "hook", "{}"))
                .operate(json("{'type':'LOCK_AND_PUBLISH','request':{}}"));

        // then
        assertThat(validated.text("/params/entityType")).isEqualTo("piece_metadata");
        assertThat(run.at("/steps/step_1/errorMessage").asText()).contains("PieceNotFoundError");
        assertThat(listening.text("/code")).isEqualTo("TRIGGER_UPDATE_STATUS");
        assertThat(PackageUploads.options(bob, PROBE, "item", "{'list':'a'}", "x")
                        .status())
                .isEqualTo(404);
        assertThat(connect(bob, PROBE, "right").status()).isEqualTo(404);
        assertThat(bob.api().get("/v1/pieces/" + PROBE).status()).isEqualTo(404);
    }

    private static Answer connect(TestServer.SignedIn by, String pieceName, String key) {
        return PackageUploads.connect(by, pieceName, key, "key");
    }

    @Test
    void refusesWhatIsNoPiece() {
        var piece = PiecePackage.probe("@acme/piece-bad", "0.0.1");
        var noPiece = upload(piece.with("package/src/index.js", "exports.a = 1;"));
        var broken = upload(piece.with("package/src/index.js", "throw new Error('does not load');"));
        var otherName = PackageUploads.upload(admin, "@acme/piece-other", "0.0.1", piece.tgz());
        var escaping = upload(piece.with("package/../../evil.js", "1"));
        var noArchive = PackageUploads.upload(admin, "@acme/piece-bad", "0.0.1", new byte[] {1, 2, 3});
        var ownFolder = upload(piece.with("package/src/more.js", "require('node:path').join(__dirname, 'worker.js')"));

        assertThat(Stream.of(noPiece, broken, otherName, escaping, noArchive, ownFolder))
                .allMatch(
                        answer -> answer.status() == 400 && answer.text("/code").equals("ENGINE_OPERATION_FAILURE"));
        assertThat(noPiece.text("/params/message")).contains("no piece in package");
        assertThat(broken.text("/params/message")).contains("does not load");
        assertThat(ownFolder.text("/params/message")).contains("__dirname").contains("bundleForkedEntries");
        assertThat(admin.api().get("/v1/pieces/@acme/piece-bad").status()).isEqualTo(404);
    }

    @Test
    void takesCodeThatUsesItsFolder_whenTheManifestSaysSo() {
        var piece = PiecePackage.probe("@acme/piece-forks", "0.0.1")
                .with("package/src/more.js", "console.log(__dirname)")
                .with(
                        "package/package.json",
                        "{\"name\":\"@acme/piece-forks\",\"version\":\"0.0.1\",\"main\":\"src/index.js\","
                                + "\"bundleForkedEntries\":[\"src/more.js\"]}");

        assertThat(upload(piece).status()).isEqualTo(201);
    }

    @Test
    void installsTheNewestVersion_andNamesTheReasonInOneSentence() {
        // when
        var request = Json.object()
                .put("packageType", "REGISTRY")
                .put("scope", "PLATFORM")
                .put("pieceVersion", "latest");
        var newest = admin.api().post("/v1/pieces", request.deepCopy().put("pieceName", PROBE));
        var missing = admin.api().post("/v1/pieces", request.deepCopy().put("pieceName", "@acme/piece-missing"));
        var noName = admin.api().post("/v1/pieces", request.deepCopy().put("pieceName", "../piece"));

        // then the newest one is installed already, or is installed now
        assertThat(newest.status()).isIn(201, 409);
        assertThat(missing.text("/code")).isEqualTo("ENGINE_OPERATION_FAILURE");
        assertThat(missing.body().toString())
                .contains("the registry has no package of this name and version")
                .doesNotContain("npm error");
        assertThat(noName.status()).isEqualTo(400);
    }

    @Test
    void refusesRangesUnknownVersionsAndThoseWhoMayNot() {
        var member = server.signUp("mel@example.com", "Mel", PlatformRole.MEMBER);

        assertThat(fromRegistry("^1.0.0").status()).isEqualTo(400);
        assertThat(fromRegistry("9.9.9").text("/code")).isEqualTo("ENGINE_OPERATION_FAILURE");
        assertThat(fromRegistry("1.0.0").status()).isEqualTo(409);
        assertThat(member.api().post("/v1/pieces", Json.object()).status()).isEqualTo(400);
        assertThat(member.api().post("/v1/pieces/sync", Json.object()).status()).isEqualTo(403);
        assertThat(admin.api().post("/v1/pieces/sync", Json.object()).status()).isEqualTo(204);
    }

    @Test
    void installsAnOfficialPiece_whenAFlowPinsIt() {
        var script = webhook().piece("step_1", OFFICIAL, "0.1.0", "echo", json("{'count':1}"));

        var run = LiveFlow.publish(admin, script).run(json("{}"));

        assertThat(run.path("status").asText()).isEqualTo("SUCCEEDED");
        assertThat(server.anonymous().get("/v1/pieces/" + OFFICIAL).text("/pieceType"))
                .isEqualTo("OFFICIAL");
    }

    @Test
    void failsTheStep_whenThePieceCannotBeHad() {
        var script = webhook().piece("step_1", "@activepieces/piece-missing", "0.1.0", "echo", json("{}"));

        var run = LiveFlow.publish(admin, script).run(json("{}"));

        assertThat(run.path("status").asText()).isEqualTo("FAILED");
        assertThat(run.at("/steps/step_1/errorMessage").asText()).contains("PieceNotFoundError");
    }

    @Test
    void answersTheChoicesOfAProperty() {
        var item = options("item", "{'list':'a'}", "x");
        var fields = options("fields", "{'item':7}", null);
        var failing = options("item", "{}", null);

        assertThat(item.text("/type")).isEqualTo("DROPDOWN");
        assertThat(item.text("/options/options/0/label")).isEqualTo("a one x");
        assertThat(fields.text("/options/f7/type")).isEqualTo("SHORT_TEXT");
        assertThat(failing.body().at("/options/disabled").asBoolean()).isTrue();
        assertThat(failing.text("/options/placeholder"))
                .isEqualTo("The choices could not be loaded: no list; check the connection, or refresh.");
        assertThat(options("nothing", "{}", null).status()).isEqualTo(404);
    }

    @Test
    void refusesChoices_toARoleThatCannotWriteFlows() {
        // Given
        var team = admin.inTeam("Choices");
        var viewer = member("vera", team.projectId(), "Viewer");
        var editor = member("ed", team.projectId(), "Editor");

        // When
        var refused = PackageUploads.options(viewer, PROBE, "item", "{'list':'a'}", "x");
        var answered = PackageUploads.options(editor, PROBE, "item", "{'list':'a'}", "x");

        // Then
        assertThat(refused.status()).as(refused.toString()).isEqualTo(403);
        assertThat(refused.text("/code")).isEqualTo("PERMISSION_DENIED");
        assertThat(answered.text("/options/options/0/label")).isEqualTo("a one x");
    }

    private static TestServer.SignedIn member(String name, String projectId, String roleName) {
        var user = server.signUp(name + "@example.com", name, PlatformRole.MEMBER);
        server.join(user, projectId, roleName);
        return new TestServer.SignedIn(user.api(), user.userId(), user.platformId(), projectId);
    }

    @Test
    void passesAConnectionToChoices_onlyWholeAndAsTheAuth() {
        // Given
        assertThat(PackageUploads.connect(admin, PROBE, "right", "chosen").status())
                .isEqualTo(201);
        admin.api()
                .post(
                        "/v1/variables",
                        Json.object()
                                .put("projectId", admin.projectId())
                                .put("name", "REGION")
                                .put("value", "north"));

        // When
        var whole = options("account", "{'auth':'{{connections.chosen}}'}", null);
        var none = options("account", "{}", null);
        var literal = options("account", "{'auth':{'type':'SECRET_TEXT','secret_text':'typed'}}", null);
        var variable = options("item", "{'list':'{{variables.REGION}}'}", "x");
        var refused = Stream.of(
                        "{'auth':{'props':{'url':'https://{{connections.chosen.secret_text}}'}}}",
                        "{'auth':'{{connections.chosen.secret_text}}'}",
                        "{'auth':'{{variables.REGION}} {{connections.chosen}}'}",
                        "{'auth':'{{variables.REGION}}'}",
                        "{'auth':'ap-formula-v1::{{{connections.chosen}}}::ap-formula-v1'}",
                        "{'auth':['{{connections.chosen}}']}")
                .map(input -> options("account", input, null))
                .toList();
        var elsewhere = Stream.of(
                        "{'list':'a{{connections.chosen.secret_text}}'}",
                        "{'list':'a{{connections.chosen}}'}",
                        "{'list':['a','{{connections.chosen.secret_text}}']}")
                .map(input -> options("item", input, "x"))
                .toList();

        // Then
        assertThat(whole.text("/options/options/0/label")).contains("right");
        assertThat(none.text("/options/options/0/label")).isEqualTo("null");
        assertThat(literal.text("/options/options/0/label")).contains("typed");
        assertThat(variable.text("/options/options/0/label")).isEqualTo("north one x");
        assertThat(refused).allSatisfy(answer -> {
            assertThat(answer.status()).isEqualTo(200);
            assertThat(answer.body().at("/options/disabled").asBoolean()).isTrue();
            assertThat(answer.text("/options/placeholder")).contains("expected one connection as auth");
            assertThat(answer.body().toString()).doesNotContain("right", "north");
        });
        assertThat(elsewhere).allSatisfy(answer -> {
            assertThat(answer.text("/options/options/0/label")).startsWith("a");
            assertThat(answer.body().toString()).doesNotContain("right");
        });
    }

    private static Answer options(String property, String input, String search) {
        return PackageUploads.options(admin, PROBE, property, input, search);
    }
}
