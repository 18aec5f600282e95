package io.millrace.hostile;

import static io.millrace.support.FlowScript.json;
import static io.millrace.support.FlowScript.webhook;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.millrace.base.core.Ids;
import io.millrace.base.core.Json;
import io.millrace.support.ApiClient.Answer;
import io.millrace.support.LiveFlow;
import io.millrace.support.ServerSettings;
import io.millrace.support.TestServer;
import io.millrace.support.outside.RawListener;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Texts of flows and users in requests that the server sends: places times payloads, judged by the bytes at the
 * receiver. No payload becomes a header line (of the request or of a part), a second request or a control character in
 * the head, and none leads to a response with status 500 or above.
 */
@HostileKind("header injection")
final class HeaderInjectionIT {
    private static final String PLACE = "@@";
    private static final String CONTROL = "plain";

    private static final List<String> PAYLOADS = List.of(
            "a\r\nInjected: 1",
            "a\nInjected: 1",
            "a\rInjected: 1",
            "a\r\n Injected: 1",
            "a\r\n\r\nGET /injected HTTP/1.1\r\nHost: x\r\n\r\n",
            "\r\nInjected: 1",
            "a\r\n",
            "a\u0000b",
            "a\u000bInjected: 1",
            "a\u001bb",
            "a\u007fb",
            "a\u0085Injected: 1",
            "a\u2028Injected: 1",
            "a\u560d\u560aInjected: 1",
            "a\u010d\u010aInjected: 1",
            "a%0d%0aInjected: 1");

    /** Places in which no payload leads to a request. */
    private static final Set<String> NO_TEXT = Set.of(
            "{'method':'GET @@'}",
            "{'url':'URL@@/'}",
            "{'headers':{'Host':'@@'}}",
            "/v1/event-destinations/test {'url':'http://127.0.0.1@@/'}");

    @AutoClose
    private static TestServer server = ServerSettings.openSignUpAndLocalCalls()
            .with("AP_API_RATE_LIMIT_AUTHN_MAX", "1000")
            .startInRealTime();

    @AutoClose
    private static RawListener peer = RawListener.start();

    private static TestServer.SignedIn ada = server.signUp("ada@example.com", "Ada");

    private final List<String> wrong = new ArrayList<>();

    @BeforeEach
    void forget() {
        peer.clear();
    }

    /** Fields of one request of the HTTP step; the place is replaced by the payload. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "{'method':'@@'}",
                "{'method':'GET @@'}",
                "{'url':'URL/@@'}",
                "{'url':'URL/?q=@@'}",
                "{'url':'URL@@/'}",
                "{'url':'http://user@@:pw@HOST/'}",
                "{'headers':{'X-A':'@@'}}",
                "{'headers':{'@@':'x'}}",
                "{'headers':{'X-@@':'x'}}",
                "{'headers':{'Content-Type':'text/plain; charset=@@'},'body_type':'raw','body':{'data':'x'}}",
                "{'headers':{'Host':'@@'}}",
                "{'queryParams':{'q':'@@'}}",
                "{'queryParams':{'@@':'q'}}",
                "{'authType':'BEARER_TOKEN','authFields':{'token':'@@'}}",
                "{'authType':'BASIC','authFields':{'username':'@@','password':'@@'}}",
                "{'body_type':'form_data','body':{'data':[{'fieldName':'@@','fieldType':'text','textFieldValue':'x'}]}}",
                "{'body_type':'form_data','body':{'data':[{'fieldName':'f','fieldType':'file',"
                        + "'fileFieldValue':'data:text/@@;base64,eA=='}]}}",
                "{'body_type':'raw','body':{'data':'data:text/plain@@;base64,eA=='}}",
                "{'body_type':'file','body':{'data':'data:text/@@;base64,eA=='}}"
            })
    void sendsNoLineOfAPayload_inARequestOfTheHttpStep(String fields) {
        var flow = LiveFlow.publish(
                ada,
                webhook()
                        .piece("step_1", "@activepieces/piece-http", "0.11.13", "send_request", httpInput())
                        .returnJson("step_2", "{'done':true}"));
        for (var payload : withControl()) {
            var input = (ObjectNode) replaced(json(fields), payload);
            var body = Json.object()
                    .put("method", "POST")
                    .put("url", peer.url())
                    .put("authType", "NONE")
                    .put("body_type", "none");
            body.putObject("headers");
            body.putObject("queryParams");
            body.putObject("authFields");
            body.putObject("body");
            body.setAll(input);

            // When
            var answer = flow.callAndWait(body);

            // Then
            if (payload.equals(CONTROL) && peer.requests().isEmpty() && !NO_TEXT.contains(fields)) {
                wrong.add(fields + " sent no request for a harmless text: " + flow.ended(1));
            }
            judge(fields, payload, answer, 500);
        }
        assertThat(wrong).isEmpty();
    }

    private static ObjectNode httpInput() {
        var input = Json.object();
        for (var field :
                List.of("method", "url", "authType", "body_type", "headers", "queryParams", "authFields", "body")) {
            input.put(field, "{{trigger.output.body." + field + "}}");
        }
        return input;
    }

    /** Registrations of addresses, credentials and headers that the server uses in outgoing requests. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "/v1/ai-providers"
                        + " {'provider':'custom','displayName':'NAME','config':{'baseUrl':'URL/@@','apiKeyHeader':'X-Key',"
                        + "'models':[]},'auth':{'apiKey':'k'}}",
                "/v1/ai-providers"
                        + " {'provider':'custom','displayName':'NAME','config':{'baseUrl':'URL','apiKeyHeader':'@@',"
                        + "'models':[]},'auth':{'apiKey':'k'}}",
                "/v1/ai-providers"
                        + " {'provider':'custom','displayName':'NAME','config':{'baseUrl':'URL','apiKeyHeader':'X-Key',"
                        + "'models':[],'defaultHeaders':{'X-A':'@@'}},'auth':{'apiKey':'k'}}",
                "/v1/ai-providers"
                        + " {'provider':'custom','displayName':'NAME','config':{'baseUrl':'URL','apiKeyHeader':'X-Key',"
                        + "'models':[],'defaultHeaders':{'@@':'x'}},'auth':{'apiKey':'k'}}",
                "/v1/ai-providers"
                        + " {'provider':'custom','displayName':'NAME','config':{'baseUrl':'URL','apiKeyHeader':'X-Key',"
                        + "'models':[]},'auth':{'apiKey':'@@'}}",
                "/v1/event-destinations {'url':'URL/@@','events':['flow.created']}",
                "/v1/event-destinations/test {'url':'URL/@@'}",
                "/v1/event-destinations/test {'url':'http://127.0.0.1@@/'}",
                "/v1/secret-managers {'providerId':'hashicorp','config':{'url':'URL/@@','roleId':'r','secretId':'s'},"
                        + "'name':'NAME','scope':'PLATFORM'}",
                "/v1/secret-managers {'providerId':'hashicorp','config':{'url':'URL','namespace':'@@','roleId':'@@',"
                        + "'secretId':'@@'},'name':'NAME','scope':'PLATFORM'}",
                "/v1/secret-managers {'providerId':'cyberark-conjur','config':{'url':'URL',"
                        + "'organizationAccountName':'@@','loginId':'@@','apiKey':'@@'},'name':'NAME','scope':'PLATFORM'}",
                "/v1/mcp/PROJECT/validate-agent-mcp-tool {'toolName':'t','protocol':'http','serverUrl':'URL/@@',"
                        + "'auth':{'type':'none'}}",
                "/v1/mcp/PROJECT/validate-agent-mcp-tool {'toolName':'t','protocol':'sse','serverUrl':'URL/',"
                        + "'auth':{'type':'access_token','accessToken':'@@'}}",
                "/v1/mcp/PROJECT/validate-agent-mcp-tool {'toolName':'t','protocol':'http','serverUrl':'URL/',"
                        + "'auth':{'type':'api_key','apiKeyHeader':'@@','apiKey':'k'}}",
                "/v1/mcp/PROJECT/validate-agent-mcp-tool {'toolName':'t','protocol':'http','serverUrl':'URL/',"
                        + "'auth':{'type':'headers','headers':{'X-A':'@@'}}}",
                "/v1/app-connections {'externalId':'c','displayName':'C','projectId':'PROJECT',"
                        + "'pieceName':'@activepieces/piece-http','type':'CUSTOM_AUTH',"
                        + "'value':{'type':'CUSTOM_AUTH','props':{'a':'@@'}}}"
            })
    void sendsNoLineOfAPayload_ofARegistration(String registration) {
        var space = registration.indexOf(' ');
        var path = registration.substring(0, space).replace("PROJECT", ada.projectId());
        for (var payload : withControl()) {
            // When
            var answer = ada.api().post(path, replaced(json(registration.substring(space + 1)), payload));

            // Then
            if (payload.equals(CONTROL)
                    && peer.requests().isEmpty()
                    && answer.status() >= 300
                    && !NO_TEXT.contains(registration)) {
                wrong.add(registration + " takes no harmless text: " + answer);
            }
            judge(registration, payload, answer, 499);
        }
        assertThat(wrong).isEmpty();
    }

    /** Positive control: a harmless text arrives, so that a client that refuses everything would be noticed. */
    @Test
    void sendsWhatIsText() {
        var flow = LiveFlow.publish(
                ada,
                webhook()
                        .piece("step_1", "@activepieces/piece-http", "0.11.13", "send_request", httpInput())
                        .returnJson("step_2", "{'done':true}"));
        var body = Json.object()
                .put("method", "POST")
                .put("url", peer.url() + "/a")
                .put("authType", "NONE");
        body.putObject("headers").put("X-A", "a\tb \u00e9");
        body.putObject("queryParams");
        body.putObject("authFields");
        body.put("body_type", "form_data");
        body.putObject("body")
                .putArray("data")
                .addObject()
                .put("fieldName", "a b")
                .put("fieldType", "text")
                .put("textFieldValue", "text");

        assertThat(flow.callAndWait(body).status()).as("%s", flow.ended(1)).isEqualTo(200);
        assertThat(peer.requests())
                .singleElement()
                .asString()
                .startsWith("POST /a HTTP/1.1\r\n")
                .contains("\r\nX-A: a\tb \u00e9\r\n", "name=\"a b\"\r\n\r\ntext\r\n");
    }

    /** The payloads after a text that every place accepts: the positive control. */
    private static List<String> withControl() {
        return Stream.concat(Stream.of(CONTROL), PAYLOADS.stream()).toList();
    }

    private static JsonNode replaced(JsonNode node, String payload) {
        UnaryOperator<String> fill = text -> text.replace("URL", peer.url())
                .replace("HOST", "127.0.0.1:" + peer.port())
                .replace("PROJECT", ada.projectId())
                .replace("NAME", Ids.next())
                .replace(PLACE, payload);
        return switch (node) {
            case TextNode text -> TextNode.valueOf(fill.apply(text.textValue()));
            case ArrayNode list -> {
                var copy = Json.array();
                list.forEach(item -> copy.add(replaced(item, payload)));
                yield copy;
            }
            case ObjectNode object -> {
                var copy = Json.object();
                object.properties()
                        .forEach(entry -> copy.set(fill.apply(entry.getKey()), replaced(entry.getValue(), payload)));
                yield copy;
            }
            default -> node;
        };
    }

    private void judge(String place, String payload, Answer answer, int statusMax) {
        var shown = place + " with " + Json.text(TextNode.valueOf(payload));
        if (answer.status() > statusMax) {
            wrong.add(shown + " -> " + answer);
        }
        for (var request : peer.requests()) {
            if (ForgedRequest.is(request)) {
                wrong.add(shown + " sent " + Json.text(TextNode.valueOf(request)));
            }
        }
        peer.clear();
    }

    @Test
    void knowsAForgedRequest() {
        var good = "GET / HTTP/1.1\r\nA: b\r\n\r\n";
        var forged = Map.of(
                "line",
                "GET / HTTP/1.1\r\nA: b\r\nInjected: 1\r\n\r\n",
                "request",
                good + "GET /injected HTTP/1.1\r\n\r\n",
                "control",
                "GET / HTTP/1.1\r\nA: b\u0000\r\n\r\n",
                "part",
                "POST / HTTP/1.1\r\n"
                        + "Content-Type: multipart/form-data\r\n"
                        + "Content-Length: 14\r\n\r\n"
                        + "x\n"
                        + "Injected: 1\n");
        assertThat(ForgedRequest.is(good)).isFalse();
        assertThat(forged.values()).allMatch(ForgedRequest::is);
    }
}
