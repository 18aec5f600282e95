package io.millrace.workspace.secretmanager;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.core.Json;
import io.millrace.base.net.CloudSigner;
import io.millrace.base.net.OutboundRequest;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * HashiCorp Vault: logs in as an AppRole and reads from a key/value engine of either version. The last part of a path is the
 * key, the rest is the path in Vault: {@code secret/data/keys/my-key}.
 */
final class HashicorpVault implements SecretVault {
    /** Mounts of Vault itself. Their paths return the token of this server and rights of other callers, not stored secrets. */
    private static final Set<String> SYSTEM_MOUNTS = Set.of("auth", "sys", "identity", "cubbyhole");

    /** Values of {@code mount_type} for the same mounts, in the root and in other namespaces; earlier versions of Vault omit it. */
    private static final Set<String> SYSTEM_TYPES =
            Set.of("token", "system", "identity", "cubbyhole", "ns_token", "ns_system", "ns_identity", "ns_cubbyhole");

    private final VaultHttp http;
    private final ObjectNode config;

    HashicorpVault(VaultHttp http, ObjectNode config) {
        this.http = http;
        this.config = config;
    }

    @Override
    public Future<Void> check() {
        return token().mapEmpty();
    }

    @Override
    public Future<String> read(String path) {
        var slash = path.lastIndexOf('/');
        var parts = path.split("/", -1);
        if (slash < 1 || Arrays.stream(parts).anyMatch(part -> part.matches("\\.{0,2}"))) {
            throw SecretFailure.notSecret("expected mount/path/key, for example secret/data/keys/my-key");
        }
        if (SYSTEM_MOUNTS.contains(parts[0].strip().toLowerCase(Locale.ROOT))) {
            throw notStored(parts[0]);
        }
        var place = Arrays.stream(parts)
                .limit(parts.length - 1L)
                .map(CloudSigner::encoded)
                .collect(Collectors.joining("/"));
        return token().compose(token -> http.accepted(
                        VaultHttp.withHeaders(
                                to("GET", place), "the login gave a token", Map.of("x-vault-token", token)),
                        "reading " + path.substring(0, slash))
                .map(answer -> {
                    var found = storedText(VaultHttp.json(answer), parts, path);
                    if (found.equals(token)) {
                        throw notStored(parts[0]);
                    }
                    return found;
                }));
    }

    private static String storedText(JsonNode answer, String[] parts, String path) {
        if (SYSTEM_TYPES.contains(answer.path("mount_type").asText())) {
            throw notStored(parts[0]);
        }
        var data = answer.path("data");
        var isVersioned = data.path("data").isObject() && data.path("metadata").isObject();
        return VaultHttp.text(isVersioned ? data.path("data") : data, parts[parts.length - 1], path);
    }

    private static SecretFailure notStored(String mount) {
        return SecretFailure.notSecret(
                "expected a path in a key/value engine, for example secret/data/keys/my-key, found one of Vault itself in "
                        + mount);
    }

    private Future<String> token() {
        var login = Json.object()
                .put("role_id", config.path("roleId").asText())
                .put("secret_id", config.path("secretId").asText());
        return http.accepted(
                        to("POST", "auth/approle/login")
                                .withHeader("content-type", "application/json")
                                .withBody(Buffer.buffer(Json.bytes(login))),
                        "the login")
                .map(answer -> VaultHttp.json(answer).at("/auth/client_token").asText())
                .map(token -> {
                    if (token.isEmpty()) {
                        throw SecretFailure.refused("the login gave no token");
                    }
                    return token;
                });
    }

    private OutboundRequest to(String method, String target) {
        var request =
                VaultHttp.request(method, SecretConfig.base(config.path("url").asText()) + "/v1/" + target);
        return config.has("namespace")
                ? VaultHttp.withHeaders(
                        request,
                        "the settings have a namespace",
                        Map.of("x-vault-namespace", config.path("namespace").asText()))
                : request;
    }
}
