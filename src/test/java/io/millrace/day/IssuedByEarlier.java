package io.millrace.day;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.base.core.Json;
import io.millrace.support.ApiClient;
import io.millrace.support.FlowScript;
import io.millrace.support.PublishedFlow;
import io.millrace.support.Waiting;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;

/**
 * Addresses and credentials issued by a server of an earlier release: they must work with the new release, because
 * their holders do not know of the upgrade.
 */
final class IssuedByEarlier {
    private static final Duration START = Duration.ofMinutes(3);
    private static final String INVITATIONS = "/v1/user-invitations";
    private static final int PAGE = 10;

    private final PublishedFlow flow;
    private final PublishedFlow approval;
    private final String approvalLink;
    private final String apiKey;
    private final String invitation;
    private final String mcpToken;
    private final String fileAddress;
    private final McpGrant grant;
    private final String cursor;
    private final JsonNode page;

    /** @param flow flow with more than two pages of ended runs */
    IssuedByEarlier(PublishedFlow flow) {
        this.flow = flow;
        var api = flow.api();
        approval = flow.beside(FlowScript.webhook()
                .approvalLinks("step_1")
                .waitForApproval("step_2")
                .importOperation("Approval")
                .path("request"));
        api.post("/v1/webhooks/" + approval.flowId(), Json.object());
        Waiting.until(
                "the run waits for the decision", START, () -> status(approval).equals("PAUSED"));
        approvalLink = run(approval).at("/steps/step_1/output/approvalLink").asText();
        apiKey = api.post("/v1/api-keys", Json.object().put("displayName", "Issued before"))
                .text("/value");
        invitation = tokenIn(api.post(
                        INVITATIONS,
                        Json.object()
                                .put("type", "PLATFORM")
                                .put("email", "guest@example.com")
                                .put("platformRole", "MEMBER"))
                .text("/link"));
        mcpToken = api.get("/v1/mcp/" + flow.projectId()).text("/token");
        fileAddress = uploadedFile();
        grant = McpGrant.of(api, flow.projectId());
        cursor = api.get(runs()).text("/next");
        page = ids(api.get(runs() + "&cursor=" + cursor));
    }

    /** Uses all of it on a server of the new release. */
    void use(ApiClient anonymous, DayFindings findings) {
        var session = flow.asked(anonymous);
        var looked = session.api().get("/v1/projects");
        findings.add("issued before: session", looked.status() == 200, "status " + looked.status());
        var byKey = anonymous.with(apiKey).get("/v1/flows?projectId=" + flow.projectId());
        findings.add("issued before: API key", byKey.status() == 200, "status " + byKey.status());
        var next = ids(session.api().get(runs() + "&cursor=" + cursor));
        findings.add("issued before: cursor", next.size() == PAGE && next.equals(page), next.size() + " runs");
        var accepted = anonymous.post(INVITATIONS + "/accept", Json.object().put("invitationToken", invitation));
        findings.add("issued before: invitation", accepted.status() == 200, "status " + accepted.status());
        var tools = tools(anonymous.with(mcpToken), "/v1/mcp/" + flow.projectId() + "/http");
        findings.add("issued before: token of an MCP server", tools.status() == 200, "status " + tools.status());
        grant.use(anonymous, findings);
        var read = anonymous.get(pathOf(fileAddress));
        findings.add("issued before: address of a file", read.status() == 200, "status " + read.status());
        approved(anonymous, findings);
    }

    private void approved(ApiClient anonymous, DayFindings findings) {
        var decided = anonymous.send("POST", pathOf(approvalLink), Map.of("Accept", "application/json"), "");
        var same = approval.asked(anonymous);
        Waiting.until("the approved run ends", START, () -> !status(same).equals("PAUSED"));
        findings.add(
                "issued before: approval link",
                decided.status() == 200
                        && run(same).at("/steps/step_2/output/approved").asBoolean(),
                "status " + decided.status() + ", run " + status(same));
    }

    /** A request that needs the authorization of an MCP client. */
    static ApiClient.Answer tools(ApiClient api, String path) {
        var headers = Map.of("Content-Type", "application/json", "Accept", "application/json, text/event-stream");
        return api.send(
                "POST", path, headers, "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/list\",\"params\":{}}");
    }

    /** Address of a file that a webhook received in a form; the flow returns it. */
    private String uploadedFile() {
        var echo = flow.beside(FlowScript.webhook()
                .returnJson("step_1", "{'file':'{{trigger.output.body.file}}'}")
                .importOperation("File")
                .path("request"));
        var answer = flow.api()
                .postForm(
                        "/v1/webhooks/" + echo.flowId() + "/sync",
                        Map.of(),
                        "file",
                        "note.txt",
                        "a note".getBytes(StandardCharsets.UTF_8));
        return answer.text("/file");
    }

    private String runs() {
        return "/v1/flow-runs?projectId=" + flow.projectId() + "&flowId=" + flow.flowId() + "&limit=" + PAGE;
    }

    private static JsonNode ids(ApiClient.Answer answer) {
        var ids = Json.array();
        answer.body().path("data").forEach(run -> ids.add(run.path("id").asText()));
        return ids;
    }

    private static String status(PublishedFlow flow) {
        var runs = flow.runs();
        return runs.isEmpty() ? "" : runs.getFirst().path("status").asText();
    }

    private static JsonNode run(PublishedFlow flow) {
        var id = flow.runs().getFirst().path("id").asText();
        return flow.api().get("/v1/flow-runs/" + id).body();
    }

    private static String tokenIn(String link) {
        var token = link.substring(link.indexOf("token=") + "token=".length());
        return token.contains("&") ? token.substring(0, token.indexOf('&')) : token;
    }

    /** Path below the API: the server may have another port. */
    private static String pathOf(String address) {
        var uri = URI.create(address);
        var query = uri.getRawQuery() == null ? "" : "?" + uri.getRawQuery();
        return uri.getRawPath().replaceFirst("^/api", "") + query;
    }
}
