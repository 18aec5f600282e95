package io.millrace.workspace.aiprovider;

import static io.millrace.support.ModuleServer.json;
import static io.millrace.support.Waiting.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.account.identity.AccessTokens;
import io.millrace.account.identity.TokenService;
import io.millrace.base.bus.Bus;
import io.millrace.base.core.Json;
import io.millrace.base.net.AddressGuard;
import io.millrace.base.net.OutboundHttp;
import io.millrace.base.net.OutboundLimits;
import io.millrace.base.persistence.Database;
import io.millrace.base.secret.SecretBox;
import io.millrace.support.ModuleServer;
import io.millrace.support.MovableClock;
import io.millrace.support.TestPostgres;
import io.millrace.support.TestProjects;
import io.millrace.workspace.project.ProjectPlatformLookup;
import io.vertx.core.Vertx;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** Model providers behind the real HTTP server, with vendors on this host; that of Mistral does not respond. */
final class ProviderServer implements AutoCloseable {
    static final String ALL = "/v1/ai-providers";
    static final String OPENAI = "api.openai.com/v1/models";
    static final String MODELS = "{'data':[{'id':'mill-7b'}]}";

    private static final String NOBODY_THERE = "http://127.0.0.1:1";

    private final MovableClock clock = new MovableClock();
    private final AccessTokens tokens = new AccessTokens("signs tokens", clock);
    private final VendorPeer vendors = new VendorPeer();
    private final Vertx vertx = TestPostgres.vertx();
    private final Database database = Database.open(vertx, TestPostgres.freshDatabase());
    private final ModuleServer server;

    private ProviderServer(Optional<JsonNode> credits) {
        var bus = new Bus(vertx);
        var box = new SecretBox("0123456789abcdef0123456789abcdef", List.of());
        var http = new OutboundHttp(vertx, AddressGuard.allowing("127.0.0.1"), OutboundLimits.defaults());
        server = ModuleServer.start(
                vertx,
                bus,
                List.of(
                        new TokenService(database, tokens, new ProjectPlatformLookup(), clock),
                        new AiProviderService(database, box, http, clock, credits, this::originOf),
                        new AiToolService(database, box, clock)),
                List.of(new AiProviderRoutes(bus), new AiToolRoutes(bus)));
    }

    static ProviderServer start() {
        return new ProviderServer(Optional.empty());
    }

    /** Server whose operator has set up credits, which offer these models. */
    static ProviderServer startWithCredits(String models) {
        return new ProviderServer(Optional.of(Json.trusted(models)));
    }

    private String originOf(String host) {
        return host.equals("api.mistral.ai") ? NOBODY_THERE : vendors.originOf(host);
    }

    VendorPeer vendors() {
        return vendors;
    }

    MovableClock clock() {
        return clock;
    }

    Database database() {
        return database;
    }

    /** Another platform; returns its id. */
    String newPlatform() {
        return TestProjects.insert(database);
    }

    /** The administrator of another platform; the vendors have no recorded requests, and OpenAI accepts every key. */
    Administrator administrator() {
        var id = newPlatform();
        var claims = Json.object().put("id", id);
        claims.putObject("platform").put("id", id);
        vendors.say(OPENAI, 200, MODELS);
        vendors.asked.clear();
        return new Administrator(this, id, "Bearer " + tokens.issue("USER", claims, Duration.ofDays(400)));
    }

    /** Administrator who manages the providers of a platform. */
    record Administrator(ProviderServer of, String id, String bearer) {
        HttpResponse<byte[]> create(String vendor, String config, String auth) {
            return post(
                    ALL,
                    "{'displayName':'Ours','provider':'" + vendor + "','config':" + config + ",'auth':" + auth + "}");
        }

        HttpResponse<byte[]> created(ObjectNode body) {
            return post(ALL, Json.text(body));
        }

        HttpResponse<byte[]> named(String displayName, String vendor, String key) {
            return post(
                    ALL,
                    "{'displayName':'" + displayName + "','provider':'" + vendor + "','config':{},'auth':{'apiKey':'"
                            + key + "'}}");
        }

        HttpResponse<byte[]> createCustom(String baseUrl, String header, String key) {
            return create(
                    "custom",
                    "{'baseUrl':'" + baseUrl + "','apiKeyHeader':'" + header
                            + "','models':[{'modelId':'m','modelName':'M','modelType':'image'}]}",
                    "{'apiKey':'" + key + "'}");
        }

        HttpResponse<byte[]> update(String providerId, String body) {
            return post(ALL + "/" + providerId, body);
        }

        /** Configuration revealed to the code of a piece of the platform. */
        HttpResponse<byte[]> revealed(String vendor) {
            return revealed("/" + vendor + "/config", id);
        }

        /** Configuration revealed to the code of a piece; here a platform has a project of the same id. */
        HttpResponse<byte[]> revealed(String path, String ofPlatform) {
            return of.server.get(ALL + path, "Authorization", "Bearer " + of.tokens.issueEngine(ofPlatform));
        }

        JsonNode models(String vendor, String configId) {
            return json(get("/" + vendor + "/models?configId=" + configId));
        }

        JsonNode models(String vendor) {
            return json(get("/" + vendor + "/models"));
        }

        JsonNode listed() {
            return json(get(""));
        }

        /** The only provider of its kind, as listed. */
        static JsonNode withKeys(JsonNode provider) {
            var shown = (ObjectNode) provider.deepCopy();
            shown.putArray("keys")
                    .addObject()
                    .put("id", provider.path("id").asText())
                    .put("name", provider.path("name").asText());
            return shown;
        }

        HttpResponse<byte[]> tool(String path, String body) {
            return post("/v1/ai-tools" + path, body);
        }

        JsonNode tools() {
            return json(of.server.get("/v1/ai-tools", "Authorization", bearer));
        }

        /** Reads a path below the providers. */
        HttpResponse<byte[]> get(String path) {
            return of.server.get(ALL + path, "Authorization", bearer);
        }

        HttpResponse<byte[]> delete(String path) {
            return of.server.delete(path, "Authorization", bearer);
        }

        private HttpResponse<byte[]> post(String path, String body) {
            return of.server.post(path, body, "Authorization", bearer);
        }
    }

    @Override
    public void close() {
        server.close();
        await(database.close());
        await(vertx.close());
        vendors.close();
    }
}
