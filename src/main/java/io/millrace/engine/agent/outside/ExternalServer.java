package io.millrace.engine.agent.outside;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.core.Json;
import io.millrace.base.core.text.ShownText;
import io.millrace.base.net.OutboundFailure;
import io.millrace.base.net.OutboundHttp;
import io.millrace.base.net.WebAddress;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/**
 * Client of an external MCP server that provides tools to an agent (contract flows-and-engine 27.2, 28.1). Performs the
 * handshake and uses only the transport that the author has chosen. For callers on an event loop.
 */
public final class ExternalServer {
    static final String PROTOCOL_VERSION = "2025-11-25";

    /** Revisions with a handshake; a server may answer with an earlier one than it was asked for. */
    private static final List<String> REVISIONS = List.of("2024-11-05", "2025-03-26", "2025-06-18", PROTOCOL_VERSION);

    private static final int REVISION_LENGTH_MAX = 40;

    /** Some thousand tools, by the dozen. */
    private static final int PAGES_MAX = 100;

    private final ExternalProtocol protocol;
    private final ExternalPeer peer;

    /**
     * @param credentials headers that authenticate this client to the server
     * @throws IllegalArgumentException when the address is invalid
     */
    public ExternalServer(
            OutboundHttp outbound, ExternalProtocol protocol, String url, Map<String, String> credentials) {
        this(outbound, protocol, url, credentials, ExternalLimits.DEFAULT);
    }

    ExternalServer(
            OutboundHttp outbound,
            ExternalProtocol protocol,
            String url,
            Map<String, String> credentials,
            ExternalLimits limits) {
        this.protocol = protocol;
        this.peer = new ExternalPeer(outbound, WebAddress.parse(url), credentials, limits);
    }

    /** Error that the server returned, or reason why the request failed. */
    public static final class Unusable extends RuntimeException {
        public Unusable(String message) {
            super(message, null, false, false);
        }
    }

    /**
     * A tool of the server.
     *
     * @param schema as the server sent it: any JSON, or a missing node
     */
    public record RemoteTool(String name, String description, JsonNode schema) {}

    /**
     * The tools of a server.
     *
     * @param problem why some of its tools are missing
     */
    public record ToolListing(List<RemoteTool> tools, Optional<String> problem) {}

    public record Outcome(String text, boolean failed) {}

    /** Fails with {@link Unusable} when the server does not support MCP or refuses the credentials. */
    public Future<List<String>> tools() {
        return remoteTools()
                .map(listed -> listed.tools().stream().map(RemoteTool::name).toList());
    }

    /** Fails as {@link #tools} does. */
    public Future<ToolListing> remoteTools() {
        return inSession(session -> new Listing(session).from(Json.object()));
    }

    /** Calls a tool; fails as {@link #tools}. An error that the tool itself reports is an outcome. */
    public Future<Outcome> call(String name, ObjectNode arguments) {
        var params = Json.object().put("name", name);
        params.set("arguments", arguments);
        return inSession(
                session -> session.ask("tools/call", params, peer.limits().callTimeoutMs())
                        .map(called -> outcomeOf(called.result())));
    }

    private <T> Future<T> inSession(Function<ExternalSession, Future<T>> work) {
        return Future.succeededFuture(peer)
                .compose(this::opened)
                .compose(session -> Future.succeededFuture(session)
                        .compose(this::greeted)
                        .compose(_ -> work.apply(session))
                        .eventually(session::end))
                .recover(failure -> Future.failedFuture(unusable(failure)));
    }

    private Future<ExternalSession> opened(ExternalPeer with) {
        return switch (protocol) {
            case SSE -> EventStreamSession.open(with);
            case STREAMABLE_HTTP, HTTP -> Future.succeededFuture(new StreamableHttpSession(with));
        };
    }

    private Future<Void> greeted(ExternalSession session) {
        return session.ask("initialize", initialization(), peer.limits().timeoutMs())
                .compose(greeting -> checkRevision(greeting.result().path("protocolVersion")))
                .compose(_ -> session.tell("notifications/initialized"));
    }

    /** A server may answer with another revision; a client ends the session if it does not support that one. */
    private static Future<Void> checkRevision(JsonNode answered) {
        var revision = answered.asText(PROTOCOL_VERSION);
        return REVISIONS.contains(revision)
                ? Future.succeededFuture()
                : Future.failedFuture(new Unusable("The server uses the revision "
                        + ShownText.of(revision, REVISION_LENGTH_MAX) + " of MCP; expected one of "
                        + String.join(", ", REVISIONS)));
    }

    private static Throwable unusable(Throwable failure) {
        return switch (failure) {
            case OutboundFailure refused -> new Unusable("The server could not be reached: " + refused.getMessage());
            case IllegalArgumentException _ -> new Unusable("A header may not be set by a request");
            default -> failure;
        };
    }

    private static ObjectNode initialization() {
        var params = Json.object().put("protocolVersion", PROTOCOL_VERSION);
        params.putObject("capabilities");
        params.putObject("clientInfo").put("name", "millrace").put("version", "1");
        return params;
    }

    /** Requests the list of tools page by page; the size limit of one answer applies to all pages together. */
    private final class Listing {
        private final ExternalSession session;
        private final List<RemoteTool> found = new ArrayList<>();
        private Optional<String> nameless = Optional.empty();
        private boolean isComplete;
        private int pages;
        private long length;

        Listing(ExternalSession session) {
            this.session = session;
        }

        Future<ToolListing> from(ObjectNode place) {
            var page =
                    session.ask("tools/list", place, peer.limits().timeoutMs()).compose(this::next);
            // The tools that were listed before a page that fails can be used.
            return page.recover(failure -> found.isEmpty() || isComplete
                    ? Future.failedFuture(failure)
                    : ended(Optional.of(unusable(failure).getMessage())));
        }

        private Future<ToolListing> ended(Optional<String> problem) {
            isComplete = true;
            return Future.succeededFuture(new ToolListing(List.copyOf(found), problem.or(() -> nameless)));
        }

        private Future<ToolListing> endless() {
            var problem = "The tool list of the server has too many pages";
            return found.isEmpty() ? Future.failedFuture(new Unusable(problem)) : ended(Optional.of(problem));
        }

        private Future<ToolListing> next(ExternalSession.Answer listed) {
            var page = listed.result();
            for (var tool : page.path("tools")) {
                if (tool.path("name").asText("").isBlank()) {
                    nameless = Optional.of("The server has a tool without a name");
                } else {
                    found.add(new RemoteTool(
                            tool.path("name").asText(), tool.path("description").asText(""), tool.path("inputSchema")));
                }
            }
            pages++;
            length += listed.length();
            var next = page.path("nextCursor");
            if (!next.isTextual()) {
                return ended(Optional.empty());
            }
            return pages == PAGES_MAX || length > peer.limits().answerBytesMax()
                    ? endless()
                    : from(Json.object().set("cursor", next));
        }
    }

    private static Outcome outcomeOf(JsonNode result) {
        var text = new StringBuilder();
        result.path("content").forEach(part -> {
            if (!text.isEmpty()) {
                text.append('\n');
            }
            text.append(part.has("text") ? part.path("text").asText() : Json.text(part));
        });
        return new Outcome(
                text.isEmpty() ? Json.text(result.path("structuredContent")) : text.toString(),
                result.path("isError").asBoolean(false));
    }
}
