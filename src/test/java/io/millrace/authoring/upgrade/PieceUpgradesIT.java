package io.millrace.authoring.upgrade;

import static io.millrace.support.FlowScript.json;
import static io.millrace.support.FlowScript.webhook;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.access.PlatformRole;
import io.millrace.base.core.Ids;
import io.millrace.base.core.Json;
import io.millrace.piece.npm.PackageUploads;
import io.millrace.support.ApiClient.Answer;
import io.millrace.support.LiveFlow;
import io.millrace.support.ServerSettings;
import io.millrace.support.TestServer;
import io.millrace.support.outside.NpmRegistry;
import io.millrace.support.piece.PiecePackage;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Upgrades of pieces: requests of users, comparisons of versions, upgrades of drafts. */
class PieceUpgradesIT {
    private static final String PROBE = "@acme/piece-probe";

    private static NpmRegistry registry;
    private static TestServer server;
    private static TestServer.SignedIn admin;
    private static TestServer.SignedIn member;

    @BeforeAll
    static void start() {
        PackageUploads.assumeNode();
        registry = NpmRegistry.start();
        registry.publish(PiecePackage.probe(PROBE, "1.0.0"));
        registry.publish(next("2.0.0"));
        registry.publish(next("3.0.0"));
        server = ServerSettings.openSignUp()
                .with("AP_NPM_REGISTRY_URL", registry.url())
                .startInRealTime();
        admin = server.signUp("ada@example.com", "Ada");
        member = server.signUp("mel@example.com", "Mel", PlatformRole.MEMBER);
        install("1.0.0");
        install("2.0.0");
    }

    /** The same piece without whoami, with another type of count, with marks that may be given, and with a color and a size that must be given. */
    private static PiecePackage next(String version) {
        var probe = PiecePackage.probe(PROBE, version);
        var source = new String(probe.entries().get("package/src/index.js"), StandardCharsets.UTF_8);
        var changed = source.replace("action('whoami'", "action('whois'")
                .replace("count: { type: 'NUMBER'", "count: { type: 'SHORT_TEXT'")
                .replace(
                        "type: 'STATIC_DROPDOWN', displayName: 'Colour', required: false",
                        "type: 'STATIC_DROPDOWN', displayName: 'Colour', required: true")
                .replace(
                        "what: { type: 'JSON', displayName: 'What'",
                        "marks: { type: 'ARRAY', displayName: 'Marks', required: false }, that: { type: 'JSON', displayName: 'That'");
        return probe.with("package/src/index.js", changed);
    }

    private static void install(String version) {
        var request = Json.object()
                .put("packageType", "REGISTRY")
                .put("scope", "PLATFORM")
                .put("pieceName", PROBE)
                .put("pieceVersion", version);
        var installed = admin.api().post("/v1/pieces", request);
        assertThat(installed.status()).as(installed.toString()).isEqualTo(201);
    }

    @AfterAll
    static void stop() {
        if (server != null) {
            server.close();
            registry.close();
        }
    }

    private static Answer upgrade(TestServer.SignedIn by, boolean dryRun, String... flowIds) {
        var request = Json.object()
                .put("projectId", admin.projectId())
                .put("from", "1.0.0")
                .put("to", "2.0.0")
                .put("dryRun", dryRun);
        var ids = request.putArray("flowIds");
        for (var id : flowIds) {
            ids.add(id);
        }
        return by.api().post("/v1/pieces/" + PROBE + "/upgrade", request);
    }

    private static JsonNode step(LiveFlow flow) {
        return admin.api().get("/v1/flows/" + flow.id()).body().at("/version/trigger/nextAction");
    }

    private static LiveFlow draft(String action, String input) {
        return LiveFlow.draft(admin, webhook().piece("step_1", PROBE, "1.0.0", action, json(input)));
    }

    private static JsonNode changeOf(JsonNode parts, String name) {
        return parts.valueStream()
                .filter(part -> part.path("name").asText().equals(name))
                .findFirst()
                .orElseThrow()
                .path("change");
    }

    @Test
    void reportsTheChangesBetweenTwoVersions() {
        var changes = member.api().get("/v1/pieces/" + PROBE + "/changes?from=1.0.0&to=2.0.0");
        var missing = member.api().get("/v1/pieces/" + PROBE + "/changes?from=1.0.0&to=9.0.0");

        assertThat(changes.status()).isEqualTo(200);
        var actions = changes.body().path("actions");
        assertThat(changeOf(actions, "whoami").asText()).isEqualTo("REMOVED");
        assertThat(changeOf(actions, "whois").asText()).isEqualTo("ADDED");
        var echo = actions.valueStream()
                .filter(part -> part.path("name").asText().equals("echo"))
                .findFirst()
                .orElseThrow()
                .path("properties");
        assertThat(changeOf(echo, "what").asText()).isEqualTo("REMOVED");
        assertThat(changeOf(echo, "that").asText()).isEqualTo("ADDED");
        assertThat(changeOf(echo, "colour").asText()).isEqualTo("NOW_REQUIRED");
        assertThat(changeOf(echo, "count").asText()).isEqualTo("OTHER_TYPE");
        assertThat(missing.status()).isEqualTo(404);
    }

    @Test
    void editsTheDrafts_onlyWithoutADryRun() {
        // Given
        var flow = draft("echo", "{'what':1,'count':2}");

        // When
        var planned = upgrade(admin, true, flow.id());
        var before = step(flow);
        var done = upgrade(admin, false, flow.id());

        // Then
        assertThat(planned.body().at("/flows/0/applied").asBoolean()).isFalse();
        assertThat(before.at("/settings/pieceVersion").asText()).isEqualTo("1.0.0");
        assertThat(done.body().at("/flows/0/applied").asBoolean()).isTrue();
        assertThat(done.body().at("/flows/0/steps/0/hints").findValuesAsText("reason"))
                .containsExactlyInAnyOrder("UNUSED", "MISSING", "OTHER_TYPE");
        assertThat(step(flow).at("/settings/pieceVersion").asText()).isEqualTo("2.0.0");
        assertThat(step(flow).path("valid").asBoolean(true)).isFalse();
    }

    @Test
    void runsTheVersionThatIsPublished_andTheNewOneOnceItsAuthorGaveWhatItWants() {
        // Given
        var connected = PackageUploads.connect(admin, PROBE, "right", "probe");
        var old = webhook()
                .piece(
                        "step_1",
                        PROBE,
                        "1.0.0",
                        "echo",
                        json("{'auth':'{{connections.probe}}','what':{'n':1},'count':2}"));
        var flow = LiveFlow.publish(admin, old);
        upgrade(admin, false, flow.id());

        // When
        var before = flow.run(json("{}"));
        var edit = (ObjectNode) json("{'type':'UPDATE_ACTION'}");
        edit.set("request", step(flow).deepCopy());
        edit.withObject("/request").put("valid", true);
        edit.withObject("/request/settings/input")
                .setAll((ObjectNode) json("{'that':{'n':1},'colour':'r','count':'two'}"));
        var edited = flow.operate(edit);
        flow.publish();
        var after = flow.run(json("{}"));

        // Then
        assertThat(connected.status()).as(connected.toString()).isEqualTo(201);
        assertThat(edited.status()).as(edited.toString()).isEqualTo(200);
        assertThat(before.at("/steps/step_1/output/what/n").asInt())
                .as(before.toString())
                .isEqualTo(1);
        assertThat(before.at("/steps/step_1/output/count").isNumber()).isTrue();
        assertThat(after.at("/steps/step_1/output/marks")).as("a new list").isEqualTo(json("[]"));
        assertThat(after.at("/steps/step_1/output/that/n").asInt())
                .as(after.toString())
                .isEqualTo(1);
        assertThat(after.at("/steps/step_1/output/colour").asText()).isEqualTo("r");
        assertThat(after.at("/steps/step_1/output/count").asText()).isEqualTo("two");
    }

    @Test
    void leavesAFlowUnchanged_whenAnActionWasRemoved() {
        var flow = draft("whoami", "{}");

        var done = upgrade(admin, false, flow.id());

        assertThat(done.body().at("/flows/0/applied").asBoolean(true)).isFalse();
        assertThat(done.body().at("/flows/0/steps/0/possible").asBoolean(true)).isFalse();
        assertThat(step(flow).at("/settings/pieceVersion").asText()).isEqualTo("1.0.0");
    }

    @Test
    void refusesFlowsOfOtherProjectsAndOtherPeople() {
        var flow = LiveFlow.draft(member, webhook());

        assertThat(upgrade(admin, false, flow.id()).status()).isEqualTo(404);
        assertThat(upgrade(admin, false, Ids.next()).status()).isEqualTo(404);
        assertThat(upgrade(member, false, draft("echo", "{}").id()).status()).isEqualTo(403);
    }

    /** Requests never install a package merely by naming it. */
    @Test
    void listsWhatAnAdministratorCouldInstall_onlyWhenAsked() {
        var slack = "@activepieces/piece-slack";

        assertThat(member.api().get("/v1/pieces").body().findValuesAsText("name"))
                .contains(PROBE)
                .doesNotContain(slack);
        assertThat(member.api().get("/v1/pieces?includeInstallable=true").body().findValuesAsText("name"))
                .contains(PROBE, slack);
    }

    private static Answer ask(String version) {
        return member.api()
                .post(
                        "/v1/piece-requests",
                        Json.object()
                                .put("pieceName", PROBE)
                                .put("pieceVersion", version)
                                .put("reason", "for customers"));
    }

    private static Answer decide(TestServer.SignedIn by, String id, String status) {
        return by.api()
                .post(
                        "/v1/piece-requests/" + id,
                        Json.object().put("status", status).put("note", "so be it"));
    }

    @Test
    void installsAPieceThatAnAdministratorApproves() {
        // Given
        var request = ask("3.0.0");
        assertThat(request.status()).as(request.toString()).isEqualTo(201);
        assertThat(ask("3.0.0").text("/id")).isEqualTo(request.text("/id"));
        assertThat(decide(member, request.text("/id"), "APPROVED").status()).isEqualTo(403);

        // When
        var listed = admin.api().get("/v1/piece-requests?status=PENDING").body().path("data");
        var approved = decide(admin, request.text("/id"), "APPROVED");

        // Then
        assertThat(listed.findValuesAsText("id")).contains(request.text("/id"));
        assertThat(approved.text("/status")).isEqualTo("APPROVED");
        assertThat(approved.text("/note")).isEqualTo("so be it");
        assertThat(member.api().get("/v1/pieces/" + PROBE + "?version=3.0.0").status())
                .isEqualTo(200);
        assertThat(decide(admin, request.text("/id"), "DECLINED").status()).isEqualTo(409);
        assertThat(ask("3.0.0").status()).isEqualTo(409);
    }

    @Test
    void keepsARequestOpen_whenItsPieceCannotBeHad() {
        var request = ask("7.0.0");

        var failed = decide(admin, request.text("/id"), "APPROVED");

        assertThat(failed.text("/code")).isEqualTo("ENGINE_OPERATION_FAILURE");
        assertThat(member.api()
                        .get("/v1/piece-requests?status=PENDING")
                        .body()
                        .path("data")
                        .findValuesAsText("id"))
                .contains(request.text("/id"));
        assertThat(decide(admin, request.text("/id"), "DECLINED").text("/status"))
                .isEqualTo("DECLINED");
    }

    @Test
    void showsPeopleTheirOwnRequests_andLetsThemTakeThemBack() {
        var own = ask("8.0.0");
        var stranger = server.signUp("sue@example.com", "Sue", PlatformRole.MEMBER);

        var path = "/v1/piece-requests/" + own.text("/id");
        assertThat(stranger.api().get("/v1/piece-requests").body().path("data")).isEmpty();
        assertThat(stranger.api().delete(path).status()).isEqualTo(404);
        assertThat(member.api().delete(path).status()).isEqualTo(204);
        assertThat(member.api().delete(path).status()).isEqualTo(404);
    }

    @Test
    void boundsTheOpenRequestsOfAPerson() {
        var eager = server.signUp("eve@example.com", "Eve", PlatformRole.MEMBER);
        var last = 0;
        for (var index = 0; index <= 20; index++) {
            var request = Json.object().put("pieceName", "@acme/piece-" + index).put("pieceVersion", "1.0.0");
            last = eager.api().post("/v1/piece-requests", request).status();
        }

        assertThat(last).isEqualTo(409);
        assertThat(eager.api().get("/v1/piece-requests?limit=100").body().path("data"))
                .hasSize(20);
    }
}
