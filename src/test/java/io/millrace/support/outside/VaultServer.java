package io.millrace.support.outside;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.core.Json;
import io.millrace.support.Waiting;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerRequest;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * Secret managers on 127.0.0.1, after their vendors' documentation: HashiCorp Vault with AppRole, CyberArk Conjur, and
 * AWS Secrets Manager. Logins require {@link #LOGIN_SECRET}.
 */
public final class VaultServer implements AutoCloseable {
    public static final String LOGIN_SECRET = "opens-the-vault-4711";

    private static final String CLOUD = "/secretsmanager.eu-north-1.amazonaws.com/";
    private static final String CONJUR_TOKEN = "{\"protected\":\"a\",\"payload\":\"b\"}";

    private final Vertx vertx = Vertx.vertx();
    private final Map<String, JsonNode> kept = new ConcurrentHashMap<>();
    private final HttpServer server;

    /** Paths of the secrets that were read, oldest first. */
    public final List<String> reads = new CopyOnWriteArrayList<>();

    /** True to reject all logins. */
    public volatile boolean closed;

    /** Namespace of the last request to the vault; null for none. */
    public volatile String namespace;

    public VaultServer() {
        server = Waiting.await(
                vertx.createHttpServer().requestHandler(this::receive).listen(0, "127.0.0.1"));
    }

    public String url() {
        return "http://127.0.0.1:" + server.actualPort();
    }

    /** Stores a secret at a path; single quotes are replaced by double ones. */
    public void keep(String path, String json) {
        kept.put(path, Json.trusted(json.replace('\'', '"')));
    }

    /** Platform settings for the vault of this host. */
    public ObjectNode hashicorp() {
        return Json.object().put("url", url() + "/").put("roleId", "mill").put("secretId", LOGIN_SECRET);
    }

    private void receive(HttpServerRequest request) {
        request.body().onSuccess(body -> {
            if (closed) {
                answer(request, 403, "{\"errors\":[\"" + LOGIN_SECRET + "\"]}");
            } else if (request.path().startsWith("/v1/")) {
                vault(request, body);
            } else if (request.path().startsWith(CLOUD)) {
                cloud(request, body);
            } else {
                conjur(request, body);
            }
        });
    }

    private void vault(HttpServerRequest request, Buffer body) {
        namespace = request.getHeader("X-Vault-Namespace");
        var path = request.path().substring("/v1/".length());
        if (path.equals("auth/approle/login")) {
            var login = Json.trusted(body.getBytes());
            var good = login.path("role_id").asText().equals("mill")
                    && login.path("secret_id").asText().equals(LOGIN_SECRET);
            answer(request, good ? 200 : 400, good ? "{\"auth\":{\"client_token\":\"t\"}}" : "{\"errors\":[]}");
        } else if (!"t".equals(request.getHeader("X-Vault-Token"))) {
            answer(request, 403, "{\"errors\":[\"permission denied\"]}");
        } else {
            reads.add(path);
            var found = kept.get(path);
            var data = Json.object();
            if (found != null && path.contains("/data/")) {
                data.putObject("data").set("data", found);
                ((ObjectNode) data.path("data")).putObject("metadata").put("version", 1);
            } else {
                data.set("data", found);
            }
            answer(request, found == null ? 404 : 200, Json.text(data));
        }
    }

    private void conjur(HttpServerRequest request, Buffer body) {
        var token = Base64.getEncoder().encodeToString(CONJUR_TOKEN.getBytes(StandardCharsets.UTF_8));
        var variables = "/secrets/acme/variable/";
        if (request.path().equals("/authn/acme/host%2Fmill/authenticate")) {
            var good = body.toString().equals(LOGIN_SECRET);
            answer(request, good ? 200 : 401, good ? CONJUR_TOKEN : "");
        } else if (!("Token token=\"" + token + "\"").equals(request.getHeader("Authorization"))) {
            answer(request, 401, "");
        } else {
            var path = URLDecoder.decode(request.path().substring(variables.length()), StandardCharsets.UTF_8);
            reads.add(path);
            var found = kept.get(path);
            answer(request, found == null ? 404 : 200, found == null ? "" : found.asText());
        }
    }

    private void cloud(HttpServerRequest request, Buffer body) {
        var authorization = String.valueOf(request.getHeader("Authorization"));
        if (!authorization.startsWith("AWS4-HMAC-SHA256 Credential=AKIDMILL/")
                || !authorization.contains(
                        "/eu-north-1/secretsmanager/aws4_request, SignedHeaders=content-type;host;")) {
            answer(request, 400, "{\"__type\":\"UnrecognizedClientException\",\"message\":\"no\"}");
        } else if (request.getHeader("X-Amz-Target").equals("secretsmanager.ListSecrets")) {
            answer(request, 400, "{\"__type\":\"com.amazon#AccessDeniedException\"}");
        } else {
            var name = Json.trusted(body.getBytes()).path("SecretId").asText();
            reads.add(name);
            var found = kept.get(name);
            answer(
                    request,
                    found == null ? 400 : 200,
                    found == null
                            ? "{\"__type\":\"ResourceNotFoundException\"}"
                            : Json.text(Json.object()
                                    .put("SecretString", found.isTextual() ? found.asText() : Json.text(found))));
        }
    }

    private static void answer(HttpServerRequest request, int status, String body) {
        request.response().setStatusCode(status).end(body);
    }

    @Override
    public void close() {
        Waiting.await(vertx.close());
    }
}
