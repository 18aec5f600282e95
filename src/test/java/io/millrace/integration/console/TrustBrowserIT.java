package io.millrace.integration.console;

import static io.millrace.support.FlowScript.json;
import static io.millrace.support.FlowScript.webhook;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.core.Json;
import io.millrace.piece.npm.PackageUploads;
import io.millrace.support.ChannelClient;
import io.millrace.support.LiveFlow;
import io.millrace.support.ServerSettings;
import io.millrace.support.Slow;
import io.millrace.support.TestServer;
import io.millrace.support.TestServer.SignedIn;
import io.millrace.support.Waiting;
import io.millrace.support.browser.Browser;
import io.millrace.support.browser.Keyboard;
import io.millrace.support.browser.NeedsBrowser;
import io.millrace.support.outside.NpmRegistry;
import io.millrace.support.piece.PiecePackage;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Expired sessions, flows edited by another user, last runs, templates, and pieces that are not installed. */
@Slow(Slow.Reason.BROWSER)
@NeedsBrowser
class TrustBrowserIT {
    private static final String PROBE = "@acme/piece-probe";
    private static final int BUSY_RUNS = 60;

    @AutoClose
    private static NpmRegistry registry = NpmRegistry.start();

    @AutoClose
    private static TestServer server = ServerSettings.openSignUp()
            .with("AP_NPM_REGISTRY_URL", registry.url())
            .startInRealTime();

    @AutoClose
    private static Browser browser = Browser.start();

    private static SignedIn ada = server.signUp("ada@acme-tools.example", "Ada");
    private static String url = "http://localhost:" + server.port();

    @BeforeAll
    static void publish() {
        registry.publish(PiecePackage.probe(PROBE, "1.0.0"));
    }

    @BeforeEach
    void start() {
        browser.signIn(url, ada.api());
        browser.awaitText("nav", "Runs");
    }

    private static boolean is(String expression) {
        return browser.run("return " + expression).asBoolean();
    }

    private static boolean isShown(String selector) {
        return browser.run("return document.querySelector(arguments[0]) !== null", selector)
                .asBoolean();
    }

    private static void opens(SignedIn owner, LiveFlow flow, String step) {
        browser.open(url + "/projects/" + owner.projectId() + "/flows/" + flow.id() + "?step=" + step);
        browser.awaitText(".step-panel", "Settings");
    }

    @Test
    void anEndedSessionIsRenewedOverThePage_andNothingTypedIsLost() {
        // given
        var flow = LiveFlow.draft(ada, webhook().code("step_1", "export const code = async (i) => i;", "{'said':''}"));
        opens(ada, flow, "step_1");
        browser.click("[data-field='Value of said']");
        browser.press("before and after");

        // when
        browser.forget();
        browser.run("document.dispatchEvent(new Event('visibilitychange'))");

        // then
        browser.awaitText("dialog.sign-in-over", "Your session has ended");
        // The browser writes a blank at the end of an editable text as a no-break space.
        assertThat(browser.run("return document.querySelector(arguments[0]).innerText", "[data-field='Value of said']")
                        .asText()
                        .replace('\u00a0', ' '))
                .isEqualTo("before and after");
        browser.inspect("session-over");

        // when
        if (isShown("#ask")) {
            browser.click("#ask [data-show=password]");
        }
        browser.type("#password [name=password]", "correct horse");
        browser.click("#password [type=submit]");

        // then
        Waiting.until("the page continues", () -> !isShown("dialog.sign-in-over"));
        Waiting.until(
                "what was typed is saved",
                () -> ada.api()
                        .get("/v1/flows/" + flow.id())
                        .body()
                        .at("/version/trigger/nextAction/settings/input/said")
                        .asText()
                        .equals("before and after"));
    }

    @Test
    void aFlowThatAnotherPersonEditsIsReadOnly_untilItIsTakenOver() {
        // given
        var team = ada.inTeam("Locked");
        var request = Json.object()
                .put("type", "PLATFORM")
                .put("email", "bob@acme-tools.example")
                .put("platformRole", "MEMBER");
        var token =
                ada.api().post("/v1/user-invitations", request).text("/link").replaceAll(".*token=([^&]+).*", "$1");
        server.anonymous().post("/v1/user-invitations/accept", Json.object().put("invitationToken", token));
        var bob = server.signUp("bob@acme-tools.example", "Bob");
        server.join(bob, team.projectId(), "Editor");
        var flow = LiveFlow.draft(
                team, webhook().code("step_1", "export const code = async (i) => i;", "{'said':'here'}"));
        try (var channel =
                ChannelClient.of(server, new SignedIn(bob.api(), bob.userId(), bob.platformId(), team.projectId()))) {
            channel.ask(1, "LOCK_RESOURCE", Json.object().put("resourceId", flow.id()));

            // when
            opens(team, flow, "step_1");

            // then
            browser.awaitText(".builder-bar", "Bob");
            Waiting.until("nothing can be published", () -> !isShown("[data-publish]") && !isShown("[data-test-flow]"));
            assertThat(is("document.querySelector('[data-field=\"Value of said\"]').isContentEditable"))
                    .isFalse();
            assertThat(is("document.querySelector('.panel-name input').readOnly"))
                    .isTrue();
            assertThat(isShown("[data-test-step]")).isFalse();
            browser.inspect("builder-read-only");

            // when Bob renames the step
            var code =
                    (ObjectNode) bob.api().get("/v1/flows/" + flow.id()).body().at("/version/trigger/nextAction");
            code.retain("name", "type", "settings", "valid");
            code.put("displayName", "Renamed by Bob");
            var update = Json.object().put("type", "UPDATE_ACTION");
            update.set("request", code);
            assertThat(bob.api().post("/v1/flows/" + flow.id(), update).status())
                    .isEqualTo(200);

            // then
            browser.awaitText("[data-step=step_1]", "Renamed by Bob");

            // when
            browser.click(".builder-bar .button");

            // then
            Waiting.until("the flow can be published", () -> isShown("[data-publish]"));
            assertThat(is("document.querySelector('[data-field=\"Value of said\"]').isContentEditable"))
                    .isTrue();
        }
    }

    @Test
    void lastRunsOfAQuietFlowAreShown_besideABusyOne() {
        // given
        var team = ada.inTeam("Busy");
        var quiet = LiveFlow.named(team, "Quiet", webhook().map("step_1", "{}").importOperation("Quiet"));
        quiet.run(json("{}"));
        var busy = LiveFlow.named(team, "Busy", webhook().map("step_1", "{}").importOperation("Busy"));
        for (var call = 0; call < BUSY_RUNS; call++) {
            busy.call(json("{}"));
        }
        Waiting.until(
                "all have run",
                () -> busy.runs().size() >= Math.min(BUSY_RUNS, busy.runs().size()));

        // when
        browser.open(url + "/projects/" + team.projectId() + "/flows");
        browser.awaitText("main", "Quiet");

        // then
        Waiting.until("both flows show their runs", () -> is("document.querySelectorAll('main .strip').length === 2"));
        assertThat(is("document.querySelector('main').innerText.includes('No runs yet')"))
                .isFalse();
        browser.shoot("flows-last-runs");
    }

    @Test
    void aTemplateIsCreatedAsADraft() {
        // given
        var team = ada.inTeam("Templates");
        browser.open(url + "/projects/" + team.projectId() + "/flows");
        browser.awaitText("main", "template");

        // when
        browser.run(
                "[...document.querySelectorAll('main button')].find((each) => each.innerText.includes('template')).click()");
        browser.awaitText("dialog", "created as a draft");
        browser.inspect("flows-template");
        browser.click("dialog .starter");

        // then
        browser.awaitText(".builder-head", "Draft");
        Waiting.until("it can be published", () -> isShown("[data-publish]"));
    }

    @Test
    void aTemplateOfThePlatformBecomesADraft_inTheFolderThatIsOpen() {
        // given
        var team = ada.inTeam("Templates of the platform");
        var source = LiveFlow.draft(team, webhook().map("step_1", "{'total':42}"));
        var template = Json.object()
                .put("type", "CUSTOM")
                .put("name", "Total of an order")
                .put("summary", "Adds up")
                .put("description", "Adds up the lines of an order")
                .put("author", "Ada");
        template.putArray("categories");
        template.putArray("tags");
        template.set(
                "flows",
                ada.api().get("/v1/flows/" + source.id() + "/template").body().path("flows"));
        var made = ada.api().post("/v1/templates", template);
        assertThat(made.status()).as(made.toString()).isEqualTo(200);
        var folder = ada.api()
                .post("/v1/folders", Json.object().put("displayName", "Orders").put("projectId", team.projectId()))
                .text("/id");
        browser.open(url + "/projects/" + team.projectId() + "/flows?folder=" + folder);
        browser.awaitText("main", "Orders");

        // when
        browser.click(".page-head .primary");
        browser.awaitText(".menu", "template");
        browser.run(
                "[...document.querySelectorAll('.menu [role=menuitem]')].find((each) => each.innerText.includes('template')).click()");
        browser.awaitText("dialog", "Total of an order");
        browser.inspect("flows-platform-template");
        browser.click("dialog [data-template='" + made.text("/id") + "']");

        // then
        browser.awaitText("[data-step=step_1]", "step_1");
        var copy = browser.address().replaceAll(".*/flows/([0-9A-Za-z]+).*", "$1");
        assertThat(copy).isNotEqualTo(source.id());
        var flow = ada.api().get("/v1/flows/" + copy);
        assertThat(flow.text("/folderId")).isEqualTo(folder);
        assertThat(flow.text("/status")).isEqualTo("DISABLED");
    }

    @Test
    void aPublishedPieceIsFound_andAnNpmPackageIsInstalledInPlace() {
        PackageUploads.assumeNode();
        // given
        var flow = LiveFlow.draft(ada, webhook());
        browser.open(url + "/projects/" + ada.projectId() + "/flows/" + flow.id());
        browser.click(".plus.last");

        // when
        browser.type(".picker input", "gmail");

        // then
        browser.awaitText("[data-entry='@activepieces/piece-gmail']", "Not installed");
        browser.shoot("picker-not-installed");
        browser.click("[data-entry='@activepieces/piece-gmail']");
        browser.awaitText("[data-install='@activepieces/piece-gmail']", "Install");

        // when the registry does not have it
        browser.click("[data-install] .button.primary");

        // then
        browser.awaitText("[data-install] .notice", "the registry has no package of this name and version");
        browser.awaitText("[data-install]", "Try again");
        browser.inspect("picker-install-failed");

        // when
        browser.type(".picker input", PROBE);
        browser.click("[data-npm='" + PROBE + "']");
        browser.awaitText("[data-install]", "latest version");
        browser.click("[data-install] .button.primary");

        // then
        Waiting.until("its actions are offered", () -> isShown("[data-entry=echo]"));
        browser.press(Keyboard.ENTER);
        Waiting.until("the step is there", () -> isShown("[data-step=step_1]"));
    }

    @Test
    void aServiceOfTheCatalogueIsFoundForAConnection() {
        browser.open(url + "/projects/" + ada.projectId() + "/connections");
        browser.awaitText("main", "onnection");
        browser.run("[...document.querySelectorAll('main button.primary')].at(-1).click()");
        browser.awaitText("dialog", "Choose an app");

        // when
        browser.type("dialog [type=search]", "gmail");

        // then
        browser.awaitText("dialog [data-piece='@activepieces/piece-gmail']", "Gmail");
        browser.inspect("connections-catalogue");
        browser.click("dialog [data-piece='@activepieces/piece-gmail']");
        browser.awaitText("dialog [data-install]", "Install");
    }

    @Test
    void anApprovalIsAnsweredInTheConsole_onItsRunAndInTheList() {
        // given
        var team = ada.inTeam("Approvals");
        var flow = LiveFlow.publish(team, webhook().approvalLinks("step_1").waitForApproval("step_2"));
        flow.call(json("{}"));
        Waiting.until("a run waits", () -> status(flow, 0).equals("PAUSED"));

        // when
        browser.open(url + "/projects/" + team.projectId() + "/approvals");
        browser.awaitText("[data-approval]", "The step_2");
        browser.inspect("approvals");
        browser.type("[data-approval] input", "Within the budget");
        browser.click("[data-approve]");

        // then
        browser.awaitText("main", "No approvals are waiting");
        var run = flow.ended(1);
        assertThat(run.at("/steps/step_2/output/approved").asBoolean()).isTrue();
        assertThat(run.at("/steps/step_2/output/comment").asText()).isEqualTo("Within the budget");
        assertThat(run.at("/steps/step_2/output/decidedBy").asText()).isEqualTo(ada.userId());

        // when
        flow.call(json("{}"));
        Waiting.until("another run waits", () -> status(flow, 0).equals("PAUSED"));
        var second = flow.runs().getFirst().path("id").asText();
        browser.open(url + "/projects/" + team.projectId() + "/runs/" + second);
        browser.awaitText("[data-approval]", "The step_2");
        browser.inspect("run-approval");
        browser.click("[data-decline]");

        // then
        var declined = flow.ended(2);
        assertThat(declined.at("/steps/step_2/output/approved").asBoolean()).isFalse();
        var again = team.api()
                .post("/v1/flow-runs/" + second + "/decision", Json.object().put("decision", "APPROVED"));
        assertThat(again.status()).isEqualTo(409);
    }

    @Test
    void aRequestForApprovalShowsDataFormAndDecisions_andIsDecidedInTheList() {
        // given
        var team = ada.inTeam("Requests");
        var flow = LiveFlow.publish(
                team,
                webhook()
                        .requestApproval(
                                "step_1",
                                "{'message':'Pay the invoice?','data':{'supplier':'Acme'},'deadlineHours':24,"
                                        + "'fields':[{'displayName':'Cost Center','type':'number','required':true}]}"));
        flow.call(json("{}"));
        Waiting.until("a run waits", () -> status(flow, 0).equals("PAUSED"));

        // when
        browser.open(url + "/projects/" + team.projectId() + "/approvals");
        browser.awaitText("[data-approval]", "Pay the invoice?");
        browser.awaitText("[data-approval]", "Acme");
        browser.awaitText("[data-approval]", "Decide by");
        browser.awaitText("[data-progress]", "0 of 1 approvals. Any member who can retry runs can decide.");
        browser.inspect("approvals-request");
        browser.click("[data-approve]");

        // then
        browser.awaitText("[data-approval] .notice", "Cost Center");

        // when
        browser.type("[data-approval] input[name=costCenter]", "42");
        browser.click("[data-approve]");

        // then
        browser.awaitText("main", "No approvals are waiting");
        var output = flow.ended(1).at("/steps/step_1/output");
        assertThat(output.path("approved").asBoolean()).isTrue();
        assertThat(output.at("/answers/costCenter").asInt()).isEqualTo(42);
        assertThat(output.path("decidedBy").asText()).isEqualTo("ada@acme-tools.example");
    }

    @Test
    void approvalsBeyondTheFirstPageAreShown_andTheMenuCountsThoseOfTheUser() {
        // given
        var team = ada.inTeam("Many approvals");
        var flow = LiveFlow.publish(team, webhook().waitForApproval("step_1"));
        for (var number = 0; number < 52; number++) {
            flow.call(json("{}"));
        }
        var others = LiveFlow.publish(
                team, webhook().requestApproval("step_1", "{'message':'Yours?','approvers':['bob@example.org']}"));
        others.call(json("{}"));
        Waiting.until(
                "all runs wait",
                () -> team.api()
                                .get("/v1/approvals/count?projectId=" + team.projectId())
                                .body()
                                .asInt()
                        == 52);
        Waiting.until("the request waits", () -> status(others, 0).equals("PAUSED"));

        // when
        browser.open(url + "/projects/" + team.projectId() + "/approvals");
        browser.awaitText("nav [data-pending]", "52 waiting for you");
        Waiting.until("the first page is shown", () -> shownApprovals() == 50);
        browser.awaitText("main", "Yours?");
        browser.click("main [data-more] button");

        // then
        Waiting.until("all are shown", () -> shownApprovals() == 53);

        // when
        browser.click("[data-approval]:last-child [data-approve]");

        // then
        browser.awaitText("nav [data-pending]", "51 waiting for you");
        Waiting.until("the pages stay", () -> shownApprovals() == 52);

        // when
        browser.click("[data-mine] input");

        // then
        Waiting.until("only those of the user are listed", () -> shownApprovals() == 50);
        browser.click("main [data-more] button");
        Waiting.until("all of the user are shown", () -> shownApprovals() == 51);
        assertThat(browser.run("return document.querySelector('main').innerText")
                        .asText())
                .doesNotContain("Yours?");
        browser.inspect("approvals-many");

        // when
        flow.call(json("{}"));

        // then
        browser.awaitText("nav [data-pending]", "52 waiting for you");
    }

    private static int shownApprovals() {
        return browser.run("return document.querySelectorAll('[data-approval]').length")
                .asInt();
    }

    private static String status(LiveFlow flow, int index) {
        var runs = flow.runs();
        return runs.size() > index ? runs.get(index).path("status").asText() : "";
    }
}
