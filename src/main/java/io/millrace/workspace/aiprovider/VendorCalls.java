package io.millrace.workspace.aiprovider;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.core.Json;
import io.millrace.base.core.text.ShownText;
import io.millrace.base.net.CloudKey;
import io.millrace.base.net.CloudSigner;
import io.millrace.base.net.OutboundHttp;
import io.millrace.base.net.OutboundRequest;
import io.millrace.base.net.OutboundResponse;
import io.millrace.base.net.WebAddress;
import io.millrace.base.secret.SecretTexts;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.UnaryOperator;

/**
 * Lists the models of vendors; the same call verifies a key. Fails with {@link AiRefusal}. When the platform names the models
 * itself, each text model of a gateway is verified with a request for one word; a custom provider is not called, because
 * there is no call that all of them support.
 */
final class VendorCalls {
    private static final Duration TIMEOUT = Duration.ofSeconds(10);
    private static final Duration TIMEOUT_OF_COMPATIBLE = Duration.ofSeconds(15);
    private static final int REASON_LENGTH_MAX = 500;
    private static final String API_VERSION_OF_AZURE = "2024-10-21";
    private static final String SERVICE_OF_BEDROCK = "bedrock";
    private static final String VERTEX = "google-vertex-ai";

    private final OutboundHttp http;
    private final InstantSource clock;
    private final UnaryOperator<String> origins;
    private final GoogleTokens google;

    /** @param origins maps a host to its scheme, host and port */
    VendorCalls(OutboundHttp http, InstantSource clock, UnaryOperator<String> origins) {
        this.http = http;
        this.clock = clock;
        this.origins = origins;
        this.google = new GoogleTokens(http, clock, origins);
    }

    /** Fails unless the vendor accepts the key. */
    Future<Void> check(AiVendor vendor, ObjectNode config, ObjectNode auth) {
        return switch (vendor) {
            case OPENROUTER ->
                // The list of models needs no key.
                ask(get("openrouter.ai", "/api/v1/key", bearer(auth)), auth).mapEmpty();
            case CLOUDFLARE_GATEWAY -> checkGateway(config, auth);
            case VERTEX ->
                google.of(auth.path("serviceAccountJson").asText())
                        .recover(failure -> Future.failedFuture(refusal(failure, auth)))
                        .mapEmpty();
            case OPENAI,
                    ANTHROPIC,
                    AZURE,
                    GOOGLE,
                    ACTIVEPIECES,
                    CUSTOM,
                    BEDROCK,
                    MISTRAL,
                    XAI,
                    DEEPSEEK,
                    ZAI,
                    QWEN,
                    MINIMAX,
                    MOONSHOT -> models(vendor, config, auth).mapEmpty();
        };
    }

    Future<List<AiModel>> models(AiVendor vendor, ObjectNode config, ObjectNode auth) {
        return switch (vendor) {
            case OPENAI -> list(get("api.openai.com", "/v1/models", bearer(auth)), auth, ModelLists::openAi);
            case OPENROUTER -> list(get("openrouter.ai", "/api/v1/models", bearer(auth)), auth, ModelLists::openRouter);
            case MISTRAL -> list(get("api.mistral.ai", "/v1/models", bearer(auth)), auth, ModelLists::mistral);
            case ANTHROPIC ->
                list(
                        get(
                                "api.anthropic.com",
                                "/v1/models?limit=1000",
                                Map.of("x-api-key", key(auth), "anthropic-version", "2023-06-01")),
                        auth,
                        ModelLists::anthropic);
            case GOOGLE ->
                list(
                        get(
                                "generativelanguage.googleapis.com",
                                "/v1beta/models?pageSize=1000",
                                Map.of("x-goog-api-key", key(auth))),
                        auth,
                        ModelLists::google);
            case AZURE -> azureModels(config, auth);
            case BEDROCK -> bedrockModels(config, auth);
            case CLOUDFLARE_GATEWAY, CUSTOM, VERTEX -> Future.succeededFuture(ModelLists.configured(config));
            case ACTIVEPIECES -> Future.succeededFuture(List.of());
            case XAI -> modelsOfXai(vendor, auth);
            case DEEPSEEK, ZAI, QWEN, MINIMAX, MOONSHOT ->
                list(compatible(vendor, "/models", auth), auth, ModelLists::openAi);
        };
    }

    /**
     * The vendor's own list omits models that do not write text; a key that is refused there may be valid for the common
     * list.
     */
    private Future<List<AiModel>> modelsOfXai(AiVendor vendor, ObjectNode auth) {
        return list(compatible(vendor, "/language-models", auth), auth, ModelLists::xai)
                .recover(_ -> list(compatible(vendor, "/models", auth), auth, ModelLists::openAi));
    }

    private OutboundRequest compatible(AiVendor vendor, String path, ObjectNode auth) {
        var host = vendor.base().substring(0, vendor.base().indexOf('/'));
        return get(host, vendor.base().substring(host.length()) + path, bearer(auth))
                .withTimeoutMs(TIMEOUT_OF_COMPATIBLE.toMillis());
    }

    /** A resource lists its deployments, by which its models are called; newer ones list models only. */
    private Future<List<AiModel>> azureModels(ObjectNode config, ObjectNode auth) {
        var host = config.path("resourceName").asText() + ".openai.azure.com";
        var query = "?api-version=" + config.path("apiVersion").asText(API_VERSION_OF_AZURE);
        var headers = Map.of("api-key", key(auth));
        return sent(get(host, "/openai/deployments" + query, headers))
                .compose(answer -> answer.status() == 404
                        ? sent(get(host, "/openai/models" + query, headers))
                        : Future.succeededFuture(answer))
                .recover(failure -> Future.failedFuture(refusal(failure, auth)))
                .map(answer -> ModelLists.azure(json(answer, auth)));
    }

    private Future<List<AiModel>> bedrockModels(ObjectNode config, ObjectNode auth) {
        var profiles = ask(signed(config, auth, "/inference-profiles?maxResults=1000&type=SYSTEM_DEFINED"), auth)
                .recover(_ -> Future.succeededFuture(Json.object()));
        return ask(signed(config, auth, "/foundation-models"), auth)
                .compose(models -> profiles.map(found -> ModelLists.bedrock(models, found)));
    }

    private OutboundRequest signed(ObjectNode config, ObjectNode auth, String target) {
        var region = config.path("region").asText();
        var request = get("bedrock." + region + ".amazonaws.com", target, Map.of());
        var key = CloudKey.lasting(
                auth.path("accessKeyId").asText(), auth.path("secretAccessKey").asText());
        var signer = new CloudSigner(region, SERVICE_OF_BEDROCK, key);
        return request.withHeaders(
                signer.headers("GET", request.address(), request.headers(), new byte[0], clock.instant()));
    }

    private Future<Void> checkGateway(ObjectNode config, ObjectNode auth) {
        var troubled = new ArrayList<String>();
        var checks = ModelLists.configured(config).stream()
                .filter(model -> model.type() == AiModel.Type.TEXT)
                .map(model -> checkThrough(config, auth, model.id())
                        .onFailure(failure -> troubled.add(model.id() + " (" + failure.getMessage() + ")")))
                .toList();
        return Future.join(List.copyOf(checks))
                .<Void>mapEmpty()
                .recover(_ -> Future.failedFuture(new AiRefusal("these models cannot be used: "
                        + String.join(", ", troubled.stream().sorted().toList()))));
    }

    private Future<Void> checkThrough(ObjectNode config, ObjectNode auth, String modelId) {
        var gateway = "/v1/" + config.path("accountId").asText() + "/"
                + config.path("gatewayId").asText();
        return question(config, gateway, modelId)
                .map(question -> ask(question.withHeader("cf-aig-authorization", "Bearer " + key(auth)), auth)
                        .<Void>mapEmpty())
                .orElseGet(() -> Future.failedFuture(
                        new AiRefusal("expected " + VERTEX + "/publisher/model, with vertexProject and vertexRegion")));
    }

    /** Request for one word of a model; empty when a model of Vertex AI is not named {@code prefix/publisher/model}. */
    private Optional<OutboundRequest> question(ObjectNode config, String gateway, String modelId) {
        if (!modelId.startsWith(VERTEX + "/")) {
            var body = Json.object().put("model", modelId).put("max_tokens", 1);
            body.putArray("messages").addObject().put("role", "user").put("content", "Say ok");
            return Optional.of(post(gateway + "/compat/chat/completions", body));
        }
        var parts = modelId.split("/", 3);
        if (parts.length < 3 || !config.has("vertexProject") || !config.has("vertexRegion")) {
            return Optional.empty();
        }
        var body = Json.object();
        var content = body.putArray("contents").addObject().put("role", "user");
        content.putArray("parts").addObject().put("text", "Say ok");
        body.putObject("generationConfig").put("maxOutputTokens", 1);
        return Optional.of(post(
                gateway + "/" + VERTEX + "/v1/projects/"
                        + config.path("vertexProject").asText() + "/locations/"
                        + config.path("vertexRegion").asText() + "/publishers/" + CloudSigner.encoded(parts[1])
                        + "/models/" + CloudSigner.encoded(parts[2]) + ":generateContent",
                body));
    }

    private OutboundRequest post(String target, ObjectNode body) {
        return request("POST", "gateway.ai.cloudflare.com", target)
                .withHeader("content-type", "application/json")
                .withBody(Buffer.buffer(Json.bytes(body)));
    }

    /** Turns an invalid header value, which the client rejects on construction, into a refusal. */
    private OutboundRequest get(String host, String target, Map<String, String> headers) {
        try {
            return request("GET", host, target).withHeaders(headers);
        } catch (IllegalArgumentException malformed) {
            throw new AiRefusal(malformed.getMessage());
        }
    }

    private OutboundRequest request(String method, String host, String target) {
        return OutboundRequest.of(method, WebAddress.parse(origins.apply(host) + target))
                .withTimeoutMs(TIMEOUT.toMillis());
    }

    private static Map<String, String> bearer(ObjectNode auth) {
        return Map.of("authorization", "Bearer " + key(auth));
    }

    private static String key(ObjectNode auth) {
        return auth.path("apiKey").asText();
    }

    private Future<List<AiModel>> list(
            OutboundRequest request, ObjectNode auth, Function<JsonNode, List<AiModel>> read) {
        return ask(request, auth).map(read);
    }

    private Future<JsonNode> ask(OutboundRequest request, ObjectNode auth) {
        return sent(request)
                .recover(failure -> Future.failedFuture(refusal(failure, auth)))
                .map(answer -> json(answer, auth));
    }

    private Future<OutboundResponse> sent(OutboundRequest request) {
        return http.send(request.withHeader("accept", "application/json"));
    }

    private static JsonNode json(OutboundResponse answer, ObjectNode auth) {
        if (answer.status() / 100 != 2) {
            throw new AiRefusal("status " + answer.status() + ": "
                    + withoutSecrets(answer.body().toString(), auth));
        }
        try {
            return Json.parse(answer.body().getBytes());
        } catch (JsonProcessingException malformed) {
            throw new AiRefusal("status " + answer.status() + ", but the response is not JSON");
        }
    }

    private static AiRefusal refusal(Throwable failure, ObjectNode auth) {
        return failure instanceof AiRefusal known ? known : new AiRefusal(withoutSecrets(failure.getMessage(), auth));
    }

    /** Some vendors echo the request in errors. */
    private static String withoutSecrets(String text, ObjectNode auth) {
        return ShownText.of(SecretTexts.hide(String.valueOf(text), auth), REASON_LENGTH_MAX);
    }
}
