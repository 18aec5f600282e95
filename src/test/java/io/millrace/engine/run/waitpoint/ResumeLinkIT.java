package io.millrace.engine.run.waitpoint;

import static io.millrace.support.FlowScript.json;
import static io.millrace.support.FlowScript.steps;
import static io.millrace.support.FlowScript.webhook;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.base.core.Ids;
import io.millrace.support.ApiClient.Answer;
import io.millrace.support.LiveFlow;
import io.millrace.support.ServerSettings;
import io.millrace.support.TestServer;
import io.millrace.support.Waiting;
import java.net.URI;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Links for decisions: viewing decides nothing, and an id is valid only for its purpose (decision 0106). */
class ResumeLinkIT {
    @AutoClose
    private static TestServer server =
            ServerSettings.openSignUp().with("AP_WEBHOOK_TIMEOUT_SECONDS", "4").start();

    private static TestServer.SignedIn owner = server.signUp("ada@example.com", "Ada");

    /** The clock of the server is behind that of the migrations. */
    @BeforeAll
    static void givenAServerThatAlwaysSignedLinks() {
        server.execute("update signed_links set since = '2000-01-01'");
    }

    private static Answer call(String method, String url, String... headers) {
        var uri = URI.create(url);
        var all = new HashMap<String, String>();
        for (var index = 0; index < headers.length; index += 2) {
            all.put(headers[index], headers[index + 1]);
        }
        var query = uri.getRawQuery() == null ? "" : "?" + uri.getRawQuery();
        return server.anonymous().send(method, uri.getRawPath().replaceFirst("^/api", "") + query, all, "");
    }

    private static JsonNode pausedAt(LiveFlow flow, String step) {
        Waiting.until(
                "the run waits at " + step,
                () -> flow.runs().size() == 1
                        && flow.newest().at(step + "/status").asText().equals("PAUSED"));
        return flow.newest();
    }

    @Test
    void decidesByAPost_neverByALook() {
        // given
        var flow = LiveFlow.publish(owner, webhook().approvalLinks("step_1").waitForApproval("step_2"));
        flow.call(json("{}"));
        var paused = pausedAt(flow, "/steps/step_2");
        var approve = paused.at("/steps/step_1/output/approvalLink").asText();
        var disapprove = paused.at("/steps/step_1/output/disapprovalLink").asText();

        // when
        for (var method : List.of("GET", "HEAD", "OPTIONS")) {
            for (var link : List.of(approve, disapprove, approve.replace("?", "/sync?"))) {
                assertThat(call(method, link, "Accept", "text/html").status()).isEqualTo(200);
            }
        }
        var page = call("GET", approve, "Accept", "text/html");
        var still = flow.newest().path("status").asText();
        var decided = call("POST", approve, "Accept", "text/html,*/*");

        // then
        assertThat(page.body().asText())
                .contains("<h1>Approve?</h1>", "waits for your answer", "action=\"?action=approve\"")
                .as("text and requester of the decision")
                .contains("The step_2", "s Project</strong>")
                .doesNotContain("disapprove", "<script");
        assertThat(page.headers().firstValue("content-security-policy").orElseThrow())
                .startsWith("default-src 'none'")
                .contains("form-action 'self'", "frame-ancestors 'none'", "img-src 'self'")
                .doesNotContain("script-src", "unsafe");
        assertThat(page.headers().firstValue("set-cookie")).isEmpty();
        assertThat(page.body().asText())
                .as("shows the brand of the platform")
                .contains("<img src=\"../../../../../assets/logo-icon.svg\"", "<strong>Mill</strong>");
        assertThat(still).isEqualTo("PAUSED");
        assertThat(decided.body().asText()).contains("has been recorded");
        assertThat(flow.ended(1).at("/steps/step_2/output/approved").asBoolean())
                .isTrue();
        assertThat(call("GET", approve, "Accept", "text/html").body().asText())
                .contains("used already")
                .doesNotContain("<form");
        assertThat(call("POST", disapprove).text("/message")).contains("used already");
    }

    /** The log of a run is stored compressed from 2 KiB on. */
    @Test
    void decidesByAPost_whenTheLogIsLong() {
        // given
        var flow = LiveFlow.publish(
                owner,
                webhook()
                        .code("step_0", "export const code = async () => 'x'.repeat(20000)")
                        .approvalLinks("step_1")
                        .waitForApproval("step_2"));
        flow.call(json("{}"));
        var approve = pausedAt(flow, "/steps/step_2")
                .at("/steps/step_1/output/approvalLink")
                .asText();

        // when
        var page = call("GET", approve, "Accept", "text/html");
        var form = "--b\r\nContent-Disposition: form-data; name=\"f\"; filename=\"a.txt\"\r\n\r\nx\r\n--b--\r\n";
        var decided = server.anonymous()
                .send(
                        "POST",
                        URI.create(approve).getRawPath().replaceFirst("^/api", "") + "?action=approve",
                        Map.of("Content-Type", "multipart/form-data; boundary=b"),
                        form);

        // then
        assertThat(page.status()).isEqualTo(200);
        assertThat(page.body().asText()).contains("<h1>Approve?</h1>");
        assertThat(decided.text("/message")).contains("has been recorded");
        assertThat(flow.ended(1).at("/steps/step_2/output/approved").asBoolean())
                .isTrue();
    }

    @ParameterizedTest
    @CsvSource({"approvalLink, true", "disapprovalLink, false"})
    void decidesByAGetOfAProgram_andNotByAView(String link, boolean approved) {
        // given
        var flow = LiveFlow.publish(owner, webhook().approvalLinks("step_1").waitForApproval("step_2"));
        flow.call(json("{}"));
        var url = pausedAt(flow, "/steps/step_2")
                .at("/steps/step_1/output/" + link)
                .asText();

        // when the link is only viewed
        var looks = List.of(
                call("GET", url, "Accept", "application/xhtml+xml,Text/HTML;q=0.9,*/*;q=0.8"),
                call("GET", url, "Accept", "*/*", "User-Agent", "Mozilla/5.0 (X11; Linux x86_64)"),
                call(
                        "GET",
                        url,
                        "Accept",
                        "*/*",
                        "User-Agent",
                        "Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)"),
                call("GET", url, "User-Agent", "facebookexternalhit/1.1"),
                call("GET", url, "User-Agent", "WhatsApp/2.23"),
                call("GET", url, "Purpose", "prefetch"),
                call("GET", url, "Sec-Fetch-Mode", "navigate"));
        var still = flow.newest().path("status").asText();

        // when a program fetches it
        var decided = call("GET", url, "Accept", "*/*", "User-Agent", "curl/8.5.0");

        // then
        assertThat(looks).allMatch(look -> look.body().asText().contains("<form"));
        assertThat(still).isEqualTo("PAUSED");
        assertThat(decided.text("/message")).contains("has been recorded");
        assertThat(flow.ended(1).at("/steps/step_2/output/approved").asBoolean())
                .isEqualTo(approved);
        assertThat(call("GET", url).text("/message")).contains("used already");
    }

    @Test
    void knowsOnlyIdsThatWereIssuedForTheRun() {
        // given
        var flow = LiveFlow.publish(owner, webhook().approvalLinks("step_1").waitForApproval("step_2"));
        var other = LiveFlow.publish(owner, webhook().approvalLinks("step_1").waitForApproval("step_2"));
        flow.call(json("{}"));
        other.call(json("{}"));
        var runId = pausedAt(flow, "/steps/step_2").path("id").asText();
        var foreign = pausedAt(other, "/steps/step_2")
                .at("/steps/step_1/output/approvalLink")
                .asText()
                .replaceAll(".*/requests/", "");

        // when, then
        for (var id : List.of("ANYTHING?action=approve", Ids.next(), foreign, foreign.replaceFirst("^.", "~"))) {
            for (var method : List.of("GET", "POST")) {
                assertThat(call(method, "/v1/flow-runs/" + runId + "/requests/" + id)
                                .status())
                        .isEqualTo(404);
            }
        }
        assertThat(flow.newest().path("status").asText()).isEqualTo("PAUSED");
    }

    @ParameterizedTest
    @CsvSource({"approve, true", "disapprove, false"})
    void takesUnsignedIdsOfRunsThatAreOlderThanSignedLinks(String action, boolean approved) {
        // given a run of the release before signed links, and one of this release
        var old = LiveFlow.publish(owner, webhook().approvalLinks("step_1").waitForApproval("step_2"));
        var young = LiveFlow.publish(owner, webhook().approvalLinks("step_1").waitForApproval("step_2"));
        old.call(json("{}"));
        young.call(json("{}"));
        var oldId = pausedAt(old, "/steps/step_2").path("id").asText();
        var youngId = pausedAt(young, "/steps/step_2").path("id").asText();
        server.execute(
                "update run set created = (select since from signed_links) - interval '1 day' where id = $1", oldId);
        var link = "/v1/flow-runs/" + oldId + "/requests/" + Ids.next() + "?action=" + action;

        // when
        var page = call("GET", link, "Accept", "text/html");
        var decided = call("POST", link);

        // then
        assertThat(page.body().asText()).contains("<form");
        assertThat(decided.text("/message")).contains("has been recorded");
        assertThat(old.ended(1).at("/steps/step_2/output/approved").asBoolean()).isEqualTo(approved);
        for (var method : List.of("GET", "POST")) {
            assertThat(call(method, link.replace(oldId, youngId)).status()).isEqualTo(404);
            assertThat(call(method, link.replaceFirst("requests/.", "requests/~"))
                            .status())
                    .isEqualTo(404);
        }
        assertThat(young.newest().path("status").asText()).isEqualTo("PAUSED");

        // when the run has ended; the age of its row cannot be changed
        server.execute("update signed_links set since = '2100-01-01'");
        var late = call("POST", link);
        givenAServerThatAlwaysSignedLinks();

        // then
        assertThat(late.text("/message")).contains("used already");
    }

    @Test
    void answersNotYet_whenADecisionArrivesBeforeItsStep() {
        // given
        var flow = LiveFlow.publish(
                owner, webhook().approvalLinks("step_1").delay("step_2", 3600).waitForApproval("step_3"));
        flow.call(json("{}"));
        var link = pausedAt(flow, "/steps/step_2")
                .at("/steps/step_1/output/approvalLink")
                .asText();

        // when
        var early = call("POST", link);
        var earlyPage = call("GET", link);
        var earlyAndWaiting = call("POST", link.replace("?", "/sync?"));

        // then
        for (var answer : List.of(early, earlyPage, earlyAndWaiting)) {
            assertThat(answer.status()).isEqualTo(409);
            assertThat(answer.body().toString())
                    .contains("not reached this step yet")
                    .doesNotContain("used already");
        }
        assertThat(early.text("/flowRunStatus")).isEqualTo("PAUSED");

        // when
        server.clock().advance(Duration.ofHours(1));
        pausedAt(flow, "/steps/step_3");

        // then
        assertThat(call("POST", link).text("/message")).contains("has been recorded");
        assertThat(flow.ended(1).at("/steps/step_3/output/approved").asBoolean())
                .isTrue();
    }

    @Test
    void answersOneQuestionByOneLink() {
        // given
        var body = steps().approvalLinks("step_2").waitForApproval("step_3");
        var flow = LiveFlow.publish(owner, webhook().loop("step_1", "{{[1,2]}}", body));
        flow.call(json("{}"));
        var first = pausedAt(flow, "/steps/step_1/output/iterations/0/step_3")
                .at("/steps/step_1/output/iterations/0/step_2/output");

        // when
        call("POST", first.path("approvalLink").asText());
        pausedAt(flow, "/steps/step_1/output/iterations/1/step_3");
        var stale = List.of(
                call("POST", first.path("approvalLink").asText()),
                call("POST", first.path("disapprovalLink").asText()));

        // then
        assertThat(stale).allMatch(answer -> answer.text("/message").contains("used already"));
        assertThat(flow.newest().path("status").asText()).isEqualTo("PAUSED");
    }

    @Test
    void resumesACallByAGet_andNeverByHead() {
        // given
        var input = json("{'responseType':'json','fields':{'status':200,'headers':{},'body':{}}}");
        var flow = LiveFlow.publish(
                owner,
                webhook()
                        .piece(
                                "step_1",
                                "@activepieces/piece-webhook",
                                "0.1.29",
                                "return_response_and_wait_for_next_webhook",
                                input));
        var url = flow.callAndWait(json("{}"))
                .headers()
                .firstValue("x-activepieces-resume-webhook-url")
                .orElseThrow();
        var direct = url.replaceAll("/sync.*", "");

        // when
        var page = call("GET", direct + "?action=%22%3E%3Cb%3E", "Accept", "text/html");
        var head = call("HEAD", direct);

        // then
        assertThat(page.body().asText()).contains("<form").doesNotContain("<b>");
        assertThat(head.status()).isEqualTo(200);
        assertThat(flow.newest().path("status").asText()).isEqualTo("PAUSED");
        assertThat(call("GET", direct + "?n=1").text("/message")).contains("has been recorded");
        assertThat(flow.ended(1).at("/steps/step_1/output/queryParams/n").asText())
                .isEqualTo("1");
    }

    @Test
    void showsAPageThatDecidesNothing() {
        // given
        var flow = LiveFlow.publish(owner, webhook().answerAndWait("step_1", "{}"));
        var url = flow.callAndWait(json("{}"))
                .headers()
                .firstValue("x-activepieces-resume-webhook-url")
                .orElseThrow();
        var confirm = url.replaceAll("/sync.*", "/confirm?note=%22%3E%3Cb%3E");

        // when
        var page = call("GET", confirm);
        var still = flow.newest().path("status").asText();
        var decided = call("POST", confirm + "&action=approve");
        var later = call("GET", confirm);

        // then
        assertThat(page.status()).isEqualTo(200);
        assertThat(page.body().asText())
                .contains("action=approve&amp;note=%22%3E%3Cb%3E", "action=disapprove")
                .doesNotContain("<b>", "<script");
        assertThat(page.headers().firstValue("content-security-policy").orElseThrow())
                .startsWith("default-src 'none'");
        assertThat(page.headers().firstValue("cache-control")).contains("no-store");
        assertThat(still).isEqualTo("PAUSED");
        assertThat(decided.text("/message")).contains("has been recorded");
        assertThat(flow.ended(1).at("/steps/step_1/output/queryParams/action").asText())
                .isEqualTo("approve");
        assertThat(later.body().asText()).doesNotContain("<form");
    }
}
