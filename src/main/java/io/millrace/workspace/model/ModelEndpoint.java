package io.millrace.workspace.model;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.core.Json;
import io.millrace.base.net.CloudKey;
import io.millrace.base.net.CloudSigner;
import io.millrace.base.net.OutboundRequest;
import io.millrace.base.net.WebAddress;
import io.millrace.piece.model.ModelRequest;
import io.millrace.workspace.aiprovider.ProviderAccess;
import io.millrace.workspace.model.format.AnthropicMessages;
import io.millrace.workspace.model.format.BedrockConverse;
import io.millrace.workspace.model.format.ChatCompletions;
import io.millrace.workspace.model.format.GoogleContents;
import io.millrace.workspace.model.format.ModelFormat;
import io.millrace.workspace.model.format.Responses;
import io.millrace.workspace.model.format.StreamedCompletions;
import io.millrace.workspace.model.format.StreamedFormat;
import io.vertx.core.buffer.Buffer;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;

/**
 * Address and wire format of a provider's models (contract agents 4.1).
 *
 * @param origins maps a host to its scheme, host and port
 */
record ModelEndpoint(UnaryOperator<String> origins, InstantSource clock) {
    private static final StreamedCompletions CHUNKS = new StreamedCompletions(true);
    private static final ModelFormat OPENAI = new ChatCompletions("max_completion_tokens", false, CHUNKS);
    private static final ModelFormat COMPATIBLE = new ChatCompletions("max_tokens", false, CHUNKS);
    private static final ModelFormat ROUTED = new ChatCompletions("max_tokens", true, CHUNKS);
    private static final ModelFormat MISTRAL = new ChatCompletions("max_tokens", false, new StreamedCompletions(false));
    private static final ModelFormat RESPONSES = new Responses();
    private static final ModelFormat ANTHROPIC = new AnthropicMessages();
    private static final ModelFormat GOOGLE = new GoogleContents();
    private static final ModelFormat BEDROCK = new BedrockConverse();

    private static final String API_VERSION_OF_AZURE = "2024-10-21";

    /** First API version of Azure that reports usage at the end of a stream; earlier ones reject the request for it. */
    private static final String STREAMS_OF_AZURE = "2024-09";

    private static final String SERVICE_OF_BEDROCK = "bedrock";

    /**
     * A request ready to be sent, with the parser of its response.
     *
     * @param streamed streamed form; empty when no stream is requested
     */
    record PreparedRequest(OutboundRequest request, ModelFormat format, Optional<StreamedFormat> streamed) {}

    /** True when the provider searches the web itself (contract agents 4.5). */
    static boolean searchesTheWeb(ProviderAccess access) {
        return switch (access.provider()) {
            case "openai", "anthropic", "google", "openrouter", "activepieces" -> true;
            case String _ -> false;
        };
    }

    PreparedRequest prepare(ProviderAccess access, String model, RequestVariant variant) {
        var wanted = variant.request();
        var format = formatOf(access, model, wanted);
        var body = format.write(model, wanted);
        if (!variant.extras()) {
            body.remove("include");
        }
        var streamed = format.streamed().filter(_ -> variant.streamed() && streams(access));
        streamed.ifPresent(kind -> kind.ask(body));
        var address = WebAddress.parse(addressOf(access, model, format, streamed.isPresent()));
        var accepted = streamed.map(kind -> kind.mediaType() + ", ").orElse("") + "application/json";
        var request = OutboundRequest.of("POST", address)
                .withHeaders(Map.of("content-type", "application/json", "accept", accepted))
                .withCredentials(credentials(access));
        if (access.provider().equals("bedrock")) {
            request = request.withCredentials(signature(access, address, request.headers(), Json.bytes(body)));
        }
        return new PreparedRequest(request.withBody(Buffer.buffer(Json.bytes(body))), format, streamed);
    }

    private static boolean streams(ProviderAccess access) {
        return !access.provider().equals("azure") || versionOfAzure(access).compareTo(STREAMS_OF_AZURE) >= 0;
    }

    OutboundRequest request(ProviderAccess access, String path, ObjectNode body) {
        return OutboundRequest.of("POST", WebAddress.parse(base(access) + path))
                .withHeaders(Map.of("content-type", "application/json", "accept", "application/json"))
                .withCredentials(credentials(access))
                .withBody(Buffer.buffer(Json.bytes(body)));
    }

    private static ModelFormat formatOf(ProviderAccess access, String model, ModelRequest wanted) {
        return switch (access.provider()) {
            case "openai" -> wanted.webSearch().isPresent() ? RESPONSES : OPENAI;
            case "azure" -> OPENAI;
            case "mistral" -> MISTRAL;
            case "openrouter", "activepieces" -> ROUTED;
            case "anthropic" -> ANTHROPIC;
            case "google" -> GOOGLE;
            case "vertex" -> VertexModels.formatOf(model);
            case "bedrock" -> BEDROCK;
            case "custom" -> access.config().path("apiStyle").asText("").equals("responses") ? RESPONSES : COMPATIBLE;
            case String _ -> COMPATIBLE;
        };
    }

    private String addressOf(ProviderAccess access, String model, ModelFormat format, boolean streamed) {
        var encoded = CloudSigner.encoded(model);
        return base(access)
                + switch (access.provider()) {
                    case "anthropic" -> "/messages";
                    case "google" -> "/models/" + encoded + GoogleContents.method(streamed);
                    case "vertex" -> VertexModels.path(model, streamed);
                    case "azure" -> deployment(access, model, "chat/completions");
                    case "bedrock" -> "/model/" + encoded + (streamed ? "/converse-stream" : "/converse");
                    case String _ -> format.equals(RESPONSES) ? "/responses" : "/chat/completions";
                };
    }

    static String deployment(ProviderAccess access, String model, String what) {
        return "/openai/deployments/" + CloudSigner.encoded(model) + "/" + what + "?api-version="
                + versionOfAzure(access);
    }

    private static String versionOfAzure(ProviderAccess access) {
        return access.config().path("apiVersion").asText(API_VERSION_OF_AZURE);
    }

    private String base(ProviderAccess access) {
        var config = access.config();
        return switch (access.provider()) {
            case "openai" -> origins.apply("api.openai.com") + "/v1";
            case "anthropic" -> origins.apply("api.anthropic.com") + "/v1";
            case "google" -> origins.apply("generativelanguage.googleapis.com") + "/v1beta";
            case "azure" -> origins.apply(config.path("resourceName").asText() + ".openai.azure.com");
            case "vertex" -> VertexModels.base(config, origins);
            case "openrouter" -> origins.apply("openrouter.ai") + "/api/v1";
            case "mistral" -> origins.apply("api.mistral.ai") + "/v1";
            case "xai" -> origins.apply("api.x.ai") + "/v1";
            case "deepseek" -> origins.apply("api.deepseek.com") + "/v1";
            case "zai" -> origins.apply("api.z.ai") + "/api/paas/v4";
            case "qwen" -> origins.apply("dashscope-intl.aliyuncs.com") + "/compatible-mode/v1";
            case "minimax" -> origins.apply("api.minimax.io") + "/v1";
            case "moonshot" -> origins.apply("api.moonshot.ai") + "/v1";
            case "cloudflare-gateway" ->
                origins.apply("gateway.ai.cloudflare.com") + "/v1/"
                        + config.path("accountId").asText() + "/"
                        + config.path("gatewayId").asText() + "/compat";
            case "bedrock" ->
                origins.apply("bedrock-runtime." + config.path("region").asText() + ".amazonaws.com");
            case "custom", "activepieces" -> withoutSlash(config.path("baseUrl").asText());
            case String other -> throw new IllegalArgumentException("expected a provider, found " + other);
        };
    }

    private static String withoutSlash(String url) {
        return url.endsWith("/") ? url.substring(0, url.length() - 1) : url;
    }

    private static Map<String, String> credentials(ProviderAccess access) {
        var key = access.auth().path("apiKey").asText();
        return switch (access.provider()) {
            case "anthropic" -> Map.of("x-api-key", key, "anthropic-version", "2023-06-01");
            case "google" -> Map.of("x-goog-api-key", key);
            case "azure" -> Map.of("api-key", key);
            case "cloudflare-gateway" -> Map.of("cf-aig-authorization", "Bearer " + key);
            case "bedrock" -> Map.of();
            case "custom" -> custom(access, key);
            case String _ -> Map.of("authorization", "Bearer " + key);
        };
    }

    /** The key is sent unchanged: a custom provider may require a prefix that the user has typed. */
    private static Map<String, String> custom(ProviderAccess access, String key) {
        var headers = new HashMap<String, String>();
        access.config()
                .path("defaultHeaders")
                .properties()
                .forEach(
                        header -> headers.put(header.getKey(), header.getValue().asText()));
        headers.put(access.config().path("apiKeyHeader").asText(), key);
        return headers;
    }

    private Map<String, String> signature(
            ProviderAccess access, WebAddress address, Map<String, String> headers, byte[] body) {
        var key = CloudKey.lasting(
                access.auth().path("accessKeyId").asText(),
                access.auth().path("secretAccessKey").asText());
        return new CloudSigner(access.config().path("region").asText(), SERVICE_OF_BEDROCK, key)
                .headers("POST", address, headers, body, clock.instant());
    }
}
