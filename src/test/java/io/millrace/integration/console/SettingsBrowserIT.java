package io.millrace.integration.console;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.core.Json;
import io.millrace.support.FlowScript;
import io.millrace.support.LiveFlow;
import io.millrace.support.Slow;
import io.millrace.support.TestServer;
import io.millrace.support.TestServer.SignedIn;
import io.millrace.support.Waiting;
import io.millrace.support.browser.Browser;
import io.millrace.support.browser.NeedsBrowser;
import io.millrace.support.outside.GitServer;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** A user configures a project, pushes it to git and releases it to another project after a preview of the changes. */
@Slow(Slow.Reason.BROWSER)
@NeedsBrowser
class SettingsBrowserIT {
    private static final String REPOSITORY = "console";

    @AutoClose
    private static GitServer git = GitServer.start();

    @AutoClose
    private static TestServer server = TestServer.startInRealTime(
            Map.of("AP_SSRF_ALLOW_LIST", "127.0.0.1", "AP_GIT_SSH_PORT", Integer.toString(git.port())), List.of());

    @AutoClose
    private static Browser browser = Browser.start();

    private static String url = "http://localhost:" + server.port();
    private static SignedIn ada = server.signUp("ada@acme-tools.example", "Ada");
    private static SignedIn development = ada.inTeam("Development");
    private static SignedIn production = ada.inTeam("Production");

    /** In order: each test continues with the data of the previous one. */
    @Test
    void setsUp_keepsInGit_releases_andRollsBack() {
        LiveFlow.named(development, "Answer orders", answering("Answer orders", "in development"));
        makesTable();
        browser.signIn(url, ada.api());
        browser.awaitText("nav", "Settings");
        namesAndLimits();
        choosesPieces();
        tellsOfFailures();
        connectsGit_andPushes();
        releases_seeingWhatChanges();
        rollsBack();
    }

    private static ObjectNode answering(String name, String text) {
        return FlowScript.webhook()
                .returnJson("step_1", "{'says':'" + text + "'}")
                .importOperation(name);
    }

    private static void makesTable() {
        var table = Json.object()
                .put("projectId", development.projectId())
                .put("name", "Orders")
                .put("externalId", "orders");
        table.putArray("fields")
                .addObject()
                .put("name", "Amount")
                .put("type", "NUMBER")
                .put("externalId", "amount");
        assertThat(ada.api().post("/v1/tables", table).status()).isEqualTo(201);
    }

    private static void namesAndLimits() {
        // given
        opens("");

        // when the limit is invalid
        browser.type("[name=maxConcurrentJobs]", "many");
        browser.click(".settings-form [type=submit]");
        browser.awaitText(".problem", "whole number");
        browser.type("[name=maxConcurrentJobs]", "7");
        browser.type("[name=displayName]", "Works");
        browser.type("[name=externalId]", "works-1");
        browser.click("[aria-label=Orange]");
        browser.click(".settings-form [type=submit]");

        // then
        browser.awaitText(".toasts", "Settings saved");
        browser.awaitText(".project-button", "Works");
        var saved = project();
        assertThat(saved.path("maxConcurrentJobs").asInt()).isEqualTo(7);
        assertThat(saved.path("externalId").asText()).isEqualTo("works-1");
        assertThat(saved.at("/icon/color").asText()).isEqualTo("ORANGE");
    }

    private static JsonNode project() {
        return ada.api().get("/v1/projects/" + development.projectId()).body();
    }

    private static void choosesPieces() {
        // given
        opens("?view=pieces");
        browser.click(".way:nth-of-type(2) input");
        browser.awaitText(".piece-checks", "HTTP");

        // when
        browser.click(".piece-checks .check:nth-child(2) input");
        browser.click(".settings-form [type=submit]");

        // then
        Waiting.until(
                "one piece is allowed",
                () -> project().at("/plan/pieces").size() == 1
                        && project().at("/plan/piecesFilterType").asText().equals("ALLOWED"));

        // when
        browser.click(".way:nth-of-type(1) input");
        browser.click(".settings-form [type=submit]");

        // then
        Waiting.until(
                "all pieces are allowed",
                () -> project().at("/plan/piecesFilterType").asText().equals("NONE"));
    }

    private static void tellsOfFailures() {
        // given
        opens("?view=alerts");

        // when
        adds("bob@acme-tools.example");
        browser.awaitText(".table", "bob@acme-tools.example");
        adds("bob@acme-tools.example");

        // then
        browser.awaitText("dialog .problem", "already a recipient");
        browser.press("\uE00C");

        // when
        browser.click("[aria-label='Remove bob@acme-tools.example']");

        // then
        browser.awaitText(".toasts", "removed");
        assertThat(ada.api()
                        .get("/v1/alerts?projectId=" + development.projectId())
                        .body()
                        .path("data"))
                .isEmpty();
    }

    private static void adds(String receiver) {
        browser.click(".settings-bar .primary");
        browser.type("dialog [name=receiver]", receiver);
        browser.click("dialog .primary");
    }

    private static void connectsGit_andPushes() {
        // given
        var repository = git.repository(REPOSITORY);
        opens("?view=git");
        browser.awaitText("main", "No repository connected");
        browser.click(".settings .primary");

        // when the server rejects the key
        browser.type("dialog [name=remoteUrl]", repository);
        browser.type("dialog [name=slug]", "works");
        types("dialog [name=sshPrivateKey]", GitServer.unknownKey());
        browser.click("dialog .primary");

        // then
        browser.awaitText("dialog [role=alert]", "rejected the SSH key");
        browser.inspect("settings-git-refused");

        // when
        types("dialog [name=sshPrivateKey]", git.knownKey());
        browser.click("dialog .primary");
        browser.awaitText(".facts", repository);
        browser.click(".settings-form .primary");
        browser.type("dialog [name=commitMessage]", "Keep the works");
        browser.click("dialog .primary");

        // then
        browser.awaitText(".toasts", "Pushed to the repository");
        assertThat(git.git(REPOSITORY, "log", "--format=%s", "main")).contains("Keep the works");
        assertThat(git.git(REPOSITORY, "ls-tree", "-r", "--name-only", "main"))
                .contains("works/flows/", "works/tables/");
    }

    /** A key has line breaks: typed, they would submit the form. */
    private static void types(String selector, String text) {
        browser.run(
                "const field = document.querySelector(arguments[0]); field.value = arguments[1];"
                        + "field.dispatchEvent(new Event('input', { bubbles: true }))",
                selector,
                text);
    }

    private static void releases_seeingWhatChanges() {
        // given
        LiveFlow.named(production, "Old habits", answering("Old habits", "of old"));
        browser.open(url + "/projects/" + production.projectId() + "/settings?view=releases");
        browser.awaitText("main", "No releases yet");

        // when
        browser.click(".settings-bar .primary");
        browser.choose("dialog [role=combobox]", "Works");
        browser.click("dialog .primary");

        // then nothing has changed so far
        browser.awaitText("dialog", "2 new, 0 changed, 1 deleted");
        browser.awaitText("dialog [data-kind=delete]", "Old habits");
        browser.awaitText("dialog [data-kind=create]", "Answer orders");
        browser.inspect("release-plan");
        assertThat(flowsOfProduction()).containsExactly("Old habits");

        // when
        browser.type("dialog [name=name]", "Week 12");
        browser.click("dialog .primary");

        // then
        browser.awaitText(".table", "Week 12");
        assertThat(flowsOfProduction()).containsExactly("Answer orders");

        // when a step is changed in development
        var flow = ada.api()
                .get("/v1/flows?projectId=" + development.projectId())
                .body()
                .at("/data/0/id")
                .asText();
        ada.api().post("/v1/flows/" + flow, answering("Answer orders", "something new"));
        ada.api()
                .post(
                        "/v1/flows/" + flow,
                        Json.object().put("type", "LOCK_AND_PUBLISH").set("request", Json.object()));
        browser.click(".settings-bar .primary");
        browser.choose("dialog [role=combobox]", "Works");
        browser.click("dialog .primary");
        browser.click("dialog [data-kind=update] .button");

        // then the change is shown
        browser.awaitText("dialog .plan-steps", "something new");
        browser.inspect("release-steps");
        browser.type("dialog [name=name]", "Week 13");
        browser.click("dialog .primary");
        browser.awaitText(".table", "Week 13");
        names_whatIsNotLive();
    }

    private static void names_whatIsNotLive() {
        // given a flow of a release whose trigger could not be enabled
        server.execute("""
                insert into release_publication (flow_id, created, status, user_id, platform_id, failure)
                select id, now(), 'DISABLED', 'ada', 'platform', 'the trigger cannot be enabled: no such minute'
                from flow where project_id = $1
                """, production.projectId());

        // when
        browser.open(url + "/projects/" + production.projectId() + "/settings?view=releases");

        // then
        browser.awaitText("main [data-failed]", "Answer orders: the trigger cannot be enabled: no such minute");
        browser.inspect("release-failures");

        // when
        server.execute("delete from release_publication where user_id = 'ada'");
        browser.open(url + "/projects/" + production.projectId() + "/settings?view=releases");

        // then
        browser.awaitText(".table", "Week 13");
        Waiting.until(
                "the notice is gone",
                () -> browser.run("return document.querySelector('[data-failed]') === null")
                        .asBoolean());
    }

    private static void rollsBack() {
        // when
        browser.click("[aria-label='Roll back: Week 12']");
        browser.click("dialog .primary");
        browser.awaitText("dialog [data-kind=update]", "Answer orders");
        browser.type("dialog [name=name]", "Back again");
        browser.click("dialog .primary");

        // then
        browser.awaitText(".table", "Rollback");
        browser.inspect("releases");
        assertThat(ada.api()
                        .get("/v1/flows?projectId=" + production.projectId())
                        .body()
                        .toString())
                .contains("in development")
                .doesNotContain("something new");
    }

    private static List<String> flowsOfProduction() {
        return ada.api()
                .get("/v1/flows?projectId=" + production.projectId())
                .body()
                .path("data")
                .valueStream()
                .map(flow -> flow.at("/version/displayName").asText())
                .toList();
    }

    private static void opens(String view) {
        browser.open(url + "/projects/" + development.projectId() + "/settings" + view);
        browser.awaitText("h1", "Project settings");
    }
}
