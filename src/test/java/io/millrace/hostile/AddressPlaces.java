package io.millrace.hostile;

import static io.millrace.support.FlowScript.json;
import static io.millrace.support.FlowScript.webhook;

import com.fasterxml.jackson.databind.node.TextNode;
import io.millrace.base.core.Ids;
import io.millrace.base.core.Json;
import io.millrace.piece.PieceSpec;
import io.millrace.support.AgentCaller;
import io.millrace.support.ApiClient.Answer;
import io.millrace.support.FlowScript;
import io.millrace.support.LiveFlow;
import io.millrace.support.TestServer;
import io.millrace.support.piece.BarePiece;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * Every setting in which users give the server an address that it calls. Each either calls the address or reports why
 * it does not.
 */
final class AddressPlaces {
    /** A destination is called later, after {@link #createEvent}. */
    static final String DELIVERY = "event destination, delivery";

    private static final String OAUTH_PIECE = "@test/piece-own-provider";

    private final TestServer.SignedIn admin;
    private final Map<String, Function<String, Answer>> places = new LinkedHashMap<>();

    AddressPlaces(TestServer.SignedIn admin) {
        this.admin = admin;
        places.put("event destination, test", url -> post("/v1/event-destinations/test", "{'url':'@@'}", url));
        places.put(DELIVERY, url -> post("/v1/event-destinations", "{'url':'@@','events':['folder.created']}", url));
        places.put("model provider", this::listModels);
        places.put(
                "vault",
                url -> post(
                        "/v1/secret-managers",
                        "{'providerId':'hashicorp','name':'NAME','scope':'PLATFORM','config':{'url':'@@','roleId':'r','secretId':'s'}}",
                        url));
        places.put(
                "conjur vault",
                url -> post(
                        "/v1/secret-managers",
                        "{'providerId':'cyberark-conjur','name':'NAME','scope':'PLATFORM','config':{'url':'@@','organizationAccountName':'o',"
                                + "'loginId':'l','apiKey':'k'}}",
                        url));
        for (var protocol : List.of("http", "sse", "streamable-http")) {
            places.put(
                    "MCP server, " + protocol,
                    url -> post(
                            "/v1/mcp/" + admin.projectId() + "/validate-agent-mcp-tool",
                            "{'toolName':'t','protocol':'" + protocol + "','serverUrl':'@@','auth':{'type':'none'}}",
                            url));
        }
        places.put("OpenID provider", this::signOn);
        places.put("OAuth token URL", this::claimToken);
        places.put(
                "HTTP step",
                step(webhook()
                        .http("step_1", "POST", "{{trigger.output.body.url}}")
                        .returnJson("step_2", "{'a':1}")));
        places.put(
                "HTTP step that follows redirects",
                step(webhook()
                        .piece(
                                "step_1",
                                "@activepieces/piece-http",
                                "0.11.13",
                                "send_request",
                                json(
                                        "{'method':'GET','url':'{{trigger.output.body.url}}','followRedirects':true,'headers':{},"
                                                + "'queryParams':{},'authType':'NONE','authFields':{},'body_type':'none'}"))
                        .returnJson("step_2", "{'a':1}")));
        places.put(
                "proxy of an HTTP step",
                step(webhook()
                        .piece(
                                "step_1",
                                "@activepieces/piece-http",
                                "0.11.13",
                                "send_request",
                                json("{'method':'GET','url':'http://example.com/','headers':{},'queryParams':{},"
                                        + "'authType':'NONE','authFields':{},'body_type':'none','use_proxy':true,"
                                        + "'proxy_settings':{'proxy_host':'{{trigger.output.body.host}}',"
                                        + "'proxy_port':'{{trigger.output.body.port}}'}}"))
                        .returnJson("step_2", "{'a':1}")));
        places.put(
                "file of a step",
                step(webhook()
                        .piece(
                                "step_1",
                                "@activepieces/piece-file-helper",
                                "0.2.0",
                                "get_file_name",
                                json("{'file':'{{trigger.output.body.url}}'}"))
                        .returnJson("step_2", "{'a':1}")));
        places.put(
                "file as an answer",
                step(webhook()
                        .piece(
                                "step_1",
                                "@activepieces/piece-webhook",
                                "0.1.29",
                                "return_response",
                                json("{'responseType':'file','respond':'stop','fields':{'status':200,'headers':{},"
                                        + "'body':'{{trigger.output.body.url}}'}}"))));
        var mailing = LiveFlow.publish(
                admin,
                webhook()
                        .piece(
                                "step_1",
                                "@activepieces/piece-smtp",
                                "0.4.0",
                                "send-email",
                                json(
                                        "{'auth':'{{connections.mail}}','from':'a@example.com','to':['b@example.com'],'subject':'s',"
                                                + "'body_type':'plain_text','body':'b'}"))
                        .returnJson("step_2", "{'a':1}"));
        places.put("mail server of a connection", url -> {
            connectMail(url);
            return mailing.callAndWait(Json.object());
        });
    }

    /** A piece whose provider has an address chosen by the user. */
    static BarePiece oauthPiece() {
        var auth = json(
                "{'type':'OAUTH2','displayName':'Own','required':true,'authUrl':'{base}','tokenUrl':'{base}','scope':[],"
                        + "'props':{'base':{'type':'SHORT_TEXT','displayName':'Base','required':true}}}");
        return () -> new PieceSpec(
                OAUTH_PIECE, "Own", "Own provider.", "", List.of("Test"), List.of("CORE"), List.of("1.0.0"), auth);
    }

    Map<String, Function<String, Answer>> all() {
        return places;
    }

    private Answer post(String path, String body, String url) {
        var escaped = Json.text(TextNode.valueOf(url));
        var text = Json.text(json(body)).replace("\"@@\"", escaped).replace("NAME", Ids.next());
        return admin.api().post(path, Json.trusted(text));
    }

    private Function<String, Answer> step(FlowScript script) {
        var flow = LiveFlow.publish(admin, script);
        return url -> {
            var body = Json.object().put("url", url);
            var at = hostAndPort(url);
            var colon = at.lastIndexOf(':');
            body.put("host", colon < 0 ? at : at.substring(0, colon));
            body.put("port", colon < 0 ? "80" : at.substring(colon + 1));
            return flow.callAndWait(body);
        };
    }

    /** Host and port as parsed by a lenient reader. */
    private static String hostAndPort(String url) {
        return url.replaceFirst("^[a-zA-Z:]*//", "")
                .replaceFirst("[/\\\\?#].*$", "")
                .replaceFirst("^.*@", "");
    }

    /** Creates the event that triggers calls of destinations. */
    void createEvent() {
        var folder = Json.object().put("projectId", admin.projectId()).put("displayName", "f" + Ids.next());
        admin.api().post("/v1/folders", folder);
    }

    private Answer listModels(String url) {
        var made = post(
                "/v1/ai-providers",
                "{'provider':'custom','displayName':'NAME','config':{'baseUrl':'@@','apiKeyHeader':'x-key','embeddingModel':'e',"
                        + "'models':[{'modelId':'m','modelName':'M','modelType':'text'}]},'auth':{'apiKey':'k'}}",
                url);
        if (made.status() >= 300) {
            return made;
        }
        var id = made.text("/id");
        admin.api()
                .post(
                        "/v1/ai-providers/" + id,
                        Json.object().put("displayName", "x").put("enabledForChat", true));
        var order = Json.object().put("projectId", admin.projectId()).put("instruction", "Work.");
        new AgentCaller(admin).run(order);
        admin.api().delete("/v1/ai-providers/" + id);
        return made;
    }

    private Answer signOn(String url) {
        var changed = post(
                "/v1/platforms/" + admin.platformId(),
                "{'federatedAuthProviders':{'oidc':{'issuer':'@@','clientId':'c','clientSecret':'s'}}}",
                url);
        return changed.status() < 300 ? admin.api().get("/v1/authn/federated/login?providerName=oidc") : changed;
    }

    private Answer claimToken(String url) {
        return post(
                "/v1/app-connections",
                "{'externalId':'o" + Ids.next() + "','displayName':'O','projectId':'" + admin.projectId()
                        + "','pieceName':'"
                        + OAUTH_PIECE
                        + "','type':'OAUTH2','value':{'type':'OAUTH2','client_id':'c','client_secret':'s',"
                        + "'code':'1','redirect_url':'http://127.0.0.1/redirect','scope':'','props':{'base':'@@'}}}",
                url);
    }

    private void connectMail(String url) {
        var at = hostAndPort(url);
        var colon = at.lastIndexOf(':');
        var value = Json.object().put("type", "CUSTOM_AUTH");
        value.putObject("props")
                .put("host", colon < 0 ? at : at.substring(0, colon))
                .put(
                        "port",
                        colon < 0 || !at.substring(colon + 1).matches("\\d{1,9}")
                                ? 25
                                : Integer.parseInt(at.substring(colon + 1)))
                .put("email", "a@example.com")
                .put("password", "p")
                .put("TLS", false);
        var request = Json.object()
                .put("externalId", "mail")
                .put("displayName", "M")
                .put("projectId", admin.projectId())
                .put("pieceName", "@activepieces/piece-smtp")
                .put("type", "CUSTOM_AUTH");
        request.set("value", value);
        admin.api().post("/v1/app-connections", request);
    }
}
