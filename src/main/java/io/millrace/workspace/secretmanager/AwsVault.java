package io.millrace.workspace.secretmanager;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.core.Json;
import io.millrace.base.net.CloudKey;
import io.millrace.base.net.CloudSigner;
import io.millrace.base.net.OutboundResponse;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import java.time.InstantSource;
import java.util.Map;
import java.util.function.UnaryOperator;

/** AWS Secrets Manager. A path is the name or the ARN of a secret, a colon, and a key of the JSON object that it holds. */
final class AwsVault implements SecretVault {
    private static final String SERVICE = "secretsmanager";

    private static final int ARN_COLONS = 6;

    private final VaultHttp http;
    private final ObjectNode config;
    private final InstantSource clock;
    private final UnaryOperator<String> origins;

    /** @param origins maps a host to its base address */
    AwsVault(VaultHttp http, ObjectNode config, InstantSource clock, UnaryOperator<String> origins) {
        this.http = http;
        this.config = config;
        this.clock = clock;
        this.origins = origins;
    }

    /** A refusal to list secrets still proves that the key is valid: it may have the permission to read only. */
    @Override
    public Future<Void> check() {
        return ask("ListSecrets", Json.object().put("MaxResults", 1)).map(answer -> {
            if (answer.status() != 200 && !reason(answer).equals("AccessDeniedException")) {
                throw refused("the key", answer);
            }
            return null;
        });
    }

    @Override
    public Future<String> read(String path) {
        var isArn = path.startsWith("arn:");
        var colon = path.lastIndexOf(':');
        if (colon < 1
                || colon == path.length() - 1
                || isArn && path.chars().filter(c -> c == ':').count() <= ARN_COLONS) {
            throw SecretFailure.notSecret("expected secret-name:json-key");
        }
        var name = path.substring(0, colon);
        return ask("GetSecretValue", Json.object().put("SecretId", name)).map(answer -> {
            if (answer.status() != 200) {
                throw refused("the secret " + name, answer);
            }
            return VaultHttp.text(
                    object(VaultHttp.json(answer).path("SecretString").asText(), name),
                    path.substring(colon + 1),
                    path);
        });
    }

    private static JsonNode object(String secret, String name) {
        try {
            var parsed = Json.parse(secret);
            if (parsed.isObject()) {
                return parsed;
            }
        } catch (JsonProcessingException plain) {
            // Reported below without the cause: the parser's message would repeat the secret.
        }
        throw SecretFailure.notSecret("the secret " + name + " is not a JSON object, so it has no keys");
    }

    private Future<OutboundResponse> ask(String operation, ObjectNode question) {
        var region = config.path("region").asText();
        var body = Json.bytes(question);
        var request = VaultHttp.request("POST", origins.apply(SERVICE + "." + region + ".amazonaws.com") + "/");
        var key = CloudKey.lasting(
                config.path("accessKeyId").asText(),
                config.path("secretAccessKey").asText());
        var headers = new CloudSigner(region, SERVICE, key)
                .headers(
                        "POST",
                        request.address(),
                        Map.of("content-type", "application/x-amz-json-1.1", "x-amz-target", SERVICE + "." + operation),
                        body,
                        clock.instant());
        return http.send(VaultHttp.withHeaders(request, "the settings have an access key", headers)
                .withBody(Buffer.buffer(body)));
    }

    private static SecretFailure refused(String what, OutboundResponse answer) {
        return SecretFailure.refused(what + " was refused with status " + answer.status() + " " + reason(answer));
    }

    /** Name of an error of AWS, which follows a hash sign in older responses. */
    private static String reason(OutboundResponse answer) {
        var type = VaultHttp.json(answer).path("__type").asText();
        return type.substring(type.indexOf('#') + 1).replaceAll("[^A-Za-z]", "");
    }
}
