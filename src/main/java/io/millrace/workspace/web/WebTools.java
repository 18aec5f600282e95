package io.millrace.workspace.web;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.bus.Bus;
import io.millrace.base.core.Json;
import io.millrace.base.core.text.MediaType;
import io.millrace.base.core.text.ReceivedText;
import io.millrace.base.net.OutboundFailure;
import io.millrace.base.net.OutboundHttp;
import io.millrace.base.net.OutboundRequest;
import io.millrace.base.net.OutboundResponse;
import io.millrace.base.net.WebAddress;
import io.millrace.workspace.aiprovider.ListToolAccess;
import io.millrace.workspace.aiprovider.ToolAccess;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeoutException;
import java.util.function.UnaryOperator;
import org.jsoup.parser.Parser;

/** Executes web tools of agents. Fails with {@link WebFailure}. */
public final class WebTools {
    private static final long ASK_DEADLINE_MS = 10_000;
    private static final Duration SEARCH_TIMEOUT = Duration.ofSeconds(30);
    private static final Duration SCRAPE_TIMEOUT = Duration.ofSeconds(60);
    private static final Duration FETCH_TIMEOUT = Duration.ofSeconds(30);
    private static final int BYTES_MAX = 5 << 20;
    private static final int REDIRECTS_MAX = 5;
    private static final int RESULTS = 5;
    private static final int TEXT_LENGTH_MAX = 2_000;

    /** Elements beyond this depth become siblings, so that parsing takes time linear in the text. */
    private static final int DEPTH_MAX = 150;

    private final Vertx vertx;
    private final Bus bus;
    private final OutboundHttp http;
    private final UnaryOperator<String> origins;

    public WebTools(Vertx vertx, Bus bus, OutboundHttp http) {
        this(vertx, bus, http, host -> "https://" + host);
    }

    /** @param origins maps the host of a service to its base address */
    WebTools(Vertx vertx, Bus bus, OutboundHttp http, UnaryOperator<String> origins) {
        this.vertx = vertx;
        this.bus = bus;
        this.http = http;
        this.origins = origins;
    }

    /** Web tools for the agents of a platform; none until an administrator has configured a service. */
    public Future<List<WebTool>> offered(String platformId) {
        return services(platformId).map(services -> {
            var tools = new ArrayList<WebTool>();
            searcher(services).ifPresent(_ -> tools.add(WebTool.SEARCH));
            scraper(services).ifPresent(_ -> tools.add(WebTool.SCRAPE));
            if (!tools.isEmpty()) {
                tools.add(WebTool.FETCH);
            }
            return tools;
        });
    }

    private Future<List<ToolAccess>> services(String platformId) {
        return bus.ask(new ListToolAccess(platformId), ASK_DEADLINE_MS);
    }

    private static Optional<ToolAccess> searcher(List<ToolAccess> services) {
        return services.stream()
                .filter(service -> service.capability().equals("WEB_SEARCH")
                        && service.service().equals("TAVILY"))
                .findFirst();
    }

    private static Optional<ToolAccess> scraper(List<ToolAccess> services) {
        return services.stream()
                .filter(service -> service.capability().equals("WEB_SCRAPING")
                        && List.of("FIRECRAWL", "APIFY").contains(service.service()))
                .findFirst();
    }

    /** @param given the tool's parameter: a query or an address */
    public Future<JsonNode> call(String platformId, WebTool tool, String given) {
        if (given.isBlank() || given.length() > TEXT_LENGTH_MAX) {
            return Future.failedFuture(new WebFailure(
                    "expected a " + tool.parameter() + " of at most " + TEXT_LENGTH_MAX + " characters", false));
        }
        return services(platformId).compose(services -> switch (tool) {
            case SEARCH ->
                searcher(services).map(access -> search(access, given)).orElseGet(WebTools::gone);
            case SCRAPE ->
                scraper(services).map(access -> scrape(access, given)).orElseGet(WebTools::gone);
            case FETCH -> services.isEmpty() ? gone() : fetch(given);
        });
    }

    private static Future<JsonNode> gone() {
        return Future.failedFuture(new WebFailure("web access is no longer available", false));
    }

    private Future<JsonNode> search(ToolAccess access, String query) {
        var body = Json.object()
                .put("query", query)
                .put("max_results", RESULTS)
                .put("include_answer", true)
                .put("search_depth", "basic");
        return post("api.tavily.com/search", access, body, SEARCH_TIMEOUT).map(answer -> {
            var found = Json.object().put("query", query);
            var direct = answer.path("answer").asText("");
            if (!direct.isBlank()) {
                found.put("answer", direct);
            }
            var results = found.putArray("results");
            answer.path("results")
                    .forEach(result -> results.addObject()
                            .put("title", result.path("title").asText(""))
                            .put("url", result.path("url").asText(""))
                            .put("content", result.path("content").asText("")));
            return found;
        });
    }

    private Future<JsonNode> scrape(ToolAccess access, String url) {
        return addressOf(url)
                .compose(_ -> access.service().equals("FIRECRAWL") ? firecrawl(access, url) : apify(access, url));
    }

    private Future<JsonNode> firecrawl(ToolAccess access, String url) {
        var body = Json.object().put("url", url);
        body.putArray("formats").add("markdown");
        return post("api.firecrawl.dev/v1/scrape", access, body, SCRAPE_TIMEOUT)
                .map(answer -> page(url, answer.at("/data/markdown")));
    }

    private Future<JsonNode> apify(ToolAccess access, String url) {
        var body = Json.object().put("maxCrawlPages", 1);
        body.putArray("startUrls").addObject().put("url", url);
        return post(
                        "api.apify.com/v2/acts/apify~website-content-crawler/run-sync-get-dataset-items",
                        access,
                        body,
                        SCRAPE_TIMEOUT)
                .map(answer -> page(url, answer.at("/0/markdown")));
    }

    private static JsonNode page(String url, JsonNode markdown) {
        if (markdown.asText("").isBlank()) {
            throw new WebFailure("the page has no readable content", false);
        }
        return Json.object().put("url", url).put("markdown", markdown.asText());
    }

    private Future<JsonNode> post(String place, ToolAccess access, ObjectNode body, Duration timeout) {
        var slash = place.indexOf('/');
        var address = WebAddress.parse(origins.apply(place.substring(0, slash)) + place.substring(slash));
        var request = OutboundRequest.of("POST", address)
                .withHeader("content-type", "application/json")
                .withCredentials(Map.of("authorization", "Bearer " + access.apiKey()))
                .withBody(Buffer.buffer(Json.bytes(body)))
                .withBodyBytesMax(BYTES_MAX)
                .withTimeoutMs(timeout.toMillis());
        return sent(request).map(answer -> {
            try {
                return Json.parse(answer.body().getBytes());
            } catch (JsonProcessingException malformed) {
                throw new WebFailure("the response of the service is not JSON", true);
            }
        });
    }

    private Future<JsonNode> fetch(String url) {
        return addressOf(url)
                .compose(address -> sent(OutboundRequest.of("GET", address)
                        .withHeader("accept", "text/*, application/json;q=0.9, */*;q=0.1")
                        .withBodyBytesMax(BYTES_MAX)
                        .followingRedirects(REDIRECTS_MAX)
                        .withTimeoutMs(FETCH_TIMEOUT.toMillis())))
                .compose(answer -> {
                    var type = typeOf(answer);
                    if (!isText(type)) {
                        return Future.failedFuture(new WebFailure("expected text at the URL, found " + type, false));
                    }
                    return textOf(answer, type)
                            .map(text -> Json.object()
                                    .put("url", answer.address().toString())
                                    .put("content", text));
                });
    }

    private static String typeOf(OutboundResponse answer) {
        var type = answer.headers().get("content-type");
        return type == null ? "text/plain" : type.split(";", 2)[0].strip().toLowerCase(Locale.ROOT);
    }

    private static boolean isText(String type) {
        return type.startsWith("text/")
                || type.equals("application/json")
                || type.equals("application/xml")
                || type.endsWith("+json")
                || type.endsWith("+xml");
    }

    /** Decodes and parses on a worker thread: a page of some megabytes takes long. */
    private Future<String> textOf(OutboundResponse answer, String type) {
        return vertx.executeBlocking(
                () -> {
                    var text = decoded(answer);
                    return type.equals("text/html") || type.equals("application/xhtml+xml")
                            ? Parser.htmlParser()
                                    .setMaxDepth(DEPTH_MAX)
                                    .parseInput(text, "")
                                    .text()
                            : text;
                },
                false);
    }

    private static String decoded(OutboundResponse answer) {
        return ReceivedText.of(
                        answer.body().getBytes(), MediaType.of(answer.headers().get("content-type")))
                .map(ReceivedText::text)
                .orElseThrow(
                        () -> new WebFailure("expected text at the URL, found bytes of no declared charset", false));
    }

    private static Future<WebAddress> addressOf(String url) {
        try {
            return Future.succeededFuture(WebAddress.parse(url));
        } catch (IllegalArgumentException malformed) {
            return Future.failedFuture(new WebFailure("expected a full URL", false));
        }
    }

    private Future<OutboundResponse> sent(OutboundRequest request) {
        return http.send(request)
                .recover(failure -> Future.failedFuture(told(failure)))
                .compose(answer -> answer.status() / 100 == 2
                        ? Future.succeededFuture(answer)
                        : Future.failedFuture(new WebFailure(
                                "answered with status " + answer.status(),
                                answer.status() == 429 || answer.status() >= 500)));
    }

    private static Throwable told(Throwable failure) {
        return switch (failure) {
            case OutboundFailure refused ->
                new WebFailure(
                        refused.getMessage(),
                        refused.kind() != OutboundFailure.Kind.BLOCKED_ADDRESS
                                && refused.kind() != OutboundFailure.Kind.BODY_TOO_LARGE);
            case TimeoutException _ -> new WebFailure("took too long", true);
            case IOException broken -> new WebFailure("could not be reached: " + broken.getMessage(), true);
            default -> failure;
        };
    }
}
