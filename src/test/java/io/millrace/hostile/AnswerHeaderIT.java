package io.millrace.hostile;

import static io.millrace.support.FlowScript.json;
import static io.millrace.support.FlowScript.webhook;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.core.Json;
import io.millrace.support.LiveFlow;
import io.millrace.support.RawHttp;
import io.millrace.support.ServerSettings;
import io.millrace.support.TestServer;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Texts of flows, callers and users in response headers: places times payloads, read as bytes from the socket. */
@HostileKind("header injection")
final class AnswerHeaderIT {
    private static final List<String> PAYLOADS = List.of(
            "a\r\nInjected: 1",
            "a\nInjected: 1",
            "a\rInjected: 1",
            "a\r\n\r\n<html>",
            "a\u0000b",
            "a\u001bb",
            "a\u007fb",
            "a\u0085Injected: 1",
            "a\u2028Injected: 1",
            "a\u560d\u560aInjected: 1",
            "a\"; filename=\"b.exe",
            "a%0d%0aInjected: 1",
            "a%250d%250aInjected: 1");

    @AutoClose
    private static TestServer server = ServerSettings.openSignUp()
            .with("AP_API_RATE_LIMIT_AUTHN_MAX", "1000")
            .startInRealTime();

    private static TestServer.SignedIn ada = server.signUp("ada@example.com", "Ada");

    private final List<String> wrong = new ArrayList<>();

    /** Addresses whose query or path a response could repeat in a header. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "/sign-up?from=@@",
                "/sign-up?@@",
                "/api/sign-up?@@",
                "/sign-in?from=@@",
                "/@@",
                "/assets/@@",
                "/api/v1/authn/federated/login?providerName=@@",
                "/api/v1/authn/saml/login?RelayState=@@",
                "/api/v1/authn/saml/metadata?@@",
                "/authorize?response_type=code&client_id=@@&redirect_uri=https://x.example/cb&state=@@",
                "/mcp-authorize?authRequestId=@@",
                "/api/v1/files/@@?token=@@",
                "/api/v1/flow-runs/@@/requests/@@",
                "/api/v1/webhooks/@@",
                "/api/v1/webhooks/@@/sync",
                "/api/v1/pieces/@@",
                "/.well-known/oauth-protected-resource/@@",
                "/mcp/@@"
            })
    void repeatsNoPayloadOfAnAddress(String place) {
        for (var payload : PAYLOADS) {
            var encoded = URLEncoder.encode(payload, StandardCharsets.UTF_8).replace("+", "%20");
            judge(
                    place,
                    payload,
                    "GET " + place.replace("@@", encoded)
                            + " HTTP/1.1\nHost: 127.0.0.1\nAccept: text/html\nConnection: close\n\n");
        }
        assertThat(wrong).isEmpty();
    }

    /** Request headers that a response could repeat; the client rejects payloads that are not valid header text. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "Origin",
                "Last-Event-ID",
                "X-Request-Id",
                "Idempotency-Key",
                "Host",
                "X-Forwarded-Host",
                "X-Forwarded-Proto",
                "Access-Control-Request-Headers",
                "Access-Control-Request-Method",
                "Mcp-Session-Id",
                "Accept",
                "If-None-Match",
                "Range",
                "Cookie",
                "traceparent"
            })
    void repeatsNoPayloadOfAHeader(String name) {
        for (var method : List.of("GET", "POST", "OPTIONS")) {
            for (var path : List.of(
                    "/api/v1/flags", "/mcp", "/authorize", "/sign-up", "/.well-known/oauth-protected-resource")) {
                for (var payload :
                        List.of("a\tInjected: 1", "a\u0085Injected: 1", "\u00e9\u0080\u00ff", "a\u000bInjected: 1")) {
                    judge(
                            method + " " + path + " " + name,
                            payload,
                            method + " " + path + " HTTP/1.1\n" + (name.equals("Host") ? "" : "Host: 127.0.0.1\n")
                                    + name + ": " + payload + "\nContent-Length: 0\nConnection: close\n\n");
                }
            }
        }
        assertThat(wrong).isEmpty();
    }

    /** Responses defined by a flow. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "{'responseType':'json','fields':{'status':'@@','headers':{},'body':{}}}",
                "{'responseType':'json','fields':{'status':200,'headers':{'Content-Type':'@@'},'body':{}}}",
                "{'responseType':'json','fields':{'status':302,'headers':{'Location':'@@'},'body':{}}}",
                "{'responseType':'json','fields':{'status':200,'headers':{'Content-Disposition':'@@'},'body':{}}}",
                "{'responseType':'json','fields':{'status':200,'headers':{'@@':'x'},'body':{}}}",
                "{'responseType':'redirect','fields':{'body':'@@'}}",
                "{'responseType':'redirect','fields':{'body':'https://x.example/@@'}}",
                "{'responseType':'raw','fields':{'status':200,'headers':{},'body':'data:@@;base64,eA=='}}",
                "{'responseType':'file','fields':{'status':200,'headers':{},'body':'data:text/plain@@;base64,eA=='}}"
            })
    void answersNoLineOfAPayload(String input) {
        var fields = (ObjectNode) json(input.replace("@@", "{{trigger.output.body.text}}"));
        fields.put("respond", "stop");
        var flow = LiveFlow.publish(
                ada, webhook().piece("step_1", "@activepieces/piece-webhook", "0.1.29", "return_response", fields));
        for (var payload : PAYLOADS) {
            var body = Json.text(Json.object().put("text", payload));
            var bytes = body.getBytes(StandardCharsets.UTF_8);
            judge(
                    input,
                    payload,
                    "POST /api/v1/webhooks/" + flow.id()
                            + "/sync HTTP/1.1\n"
                            + "Host: 127.0.0.1\n"
                            + "Content-Type: application/json\n"
                            + "Connection: close\n"
                            + "Content-Length: "
                            + bytes.length + "\n\n" + new String(bytes, StandardCharsets.ISO_8859_1));
        }
        assertThat(wrong).isEmpty();
    }

    /** Names and types of uploaded files in the headers of their download. */
    @Test
    void downloadsAFileUnderAHarmlessName() {
        var flow = LiveFlow.publish(
                ada,
                webhook()
                        .piece(
                                "step_1",
                                "@activepieces/piece-file-helper",
                                "0.2.0",
                                "createFile",
                                json("{'content':'x','fileName':'{{trigger.output.body.text}}','encoding':'utf8'}"))
                        .returnJson("step_2", "{'url':'{{step_1.output.url}}'}"));
        for (var payload : PAYLOADS) {
            var answer = flow.callAndWait(Json.object().put("text", payload));
            assertThat(answer.status()).as(payload).isEqualTo(200);
            var url = answer.text("/url");
            judge(
                    "file",
                    payload,
                    "GET " + url.substring(url.indexOf("/api/")) + " HTTP/1.1\nHost: 127.0.0.1\nConnection: close\n\n");
        }
        assertThat(wrong).isEmpty();
    }

    private void judge(String place, String payload, String request) {
        var shown = place + " with " + payload.replaceAll("\\p{Cntrl}", "?");
        try (var http = RawHttp.connect(server.port())) {
            var head = http.send(request).head();
            var status = head.startsWith("HTTP/1.1 ") ? Integer.parseInt(head.substring(9, 12)) : 0;
            if (isForged(head) || status == 0 || status > 500 || status == 500 && !request.contains("/webhooks/")) {
                wrong.add(shown + " -> " + head);
            }
        }
    }

    private static boolean isForged(String head) {
        return head.replace("\r\n", "").replace("\t", "").chars().anyMatch(Character::isISOControl)
                || List.of(head.split("[\r\n]")).stream()
                        .anyMatch(line -> line.strip().startsWith("Injected") || line.startsWith("<html>"));
    }
}
