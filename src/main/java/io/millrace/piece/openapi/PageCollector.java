package io.millrace.piece.openapi;

import com.fasterxml.jackson.core.JsonPointer;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import io.millrace.base.core.Json;
import io.millrace.base.net.OutboundResponse;
import io.millrace.base.net.WebAddress;
import io.millrace.piece.PieceFailure;
import io.millrace.piece.builtin.http.HttpReply;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.Pattern;

/** Collects the items of a list from its pages: at most {@value #PAGES_MAX} pages and the wanted number of items. */
final class PageCollector {
    static final int ITEMS_MAX = 10_000;
    static final int ITEMS_DEFAULT = 1_000;
    static final int PAGES_MAX = 100;

    private static final Pattern NEXT =
            Pattern.compile("<([^<>]{1,4000})>([^,<]*;)?\\s*rel\\s*=\\s*\"?next\"?", Pattern.CASE_INSENSITIVE);

    private final Pagination pagination;
    private final int itemsMax;
    private final Function<List<String>, Future<OutboundResponse>> send;
    private final ArrayNode items = Json.array();
    private int pages;

    /** @param send sends the request with further encoded query pairs, which replace those of the same name */
    PageCollector(Pagination pagination, int itemsMax, Function<List<String>, Future<OutboundResponse>> send) {
        this.pagination = pagination;
        this.itemsMax = itemsMax;
        this.send = send;
    }

    Future<JsonNode> collect() {
        return page(firstQuery());
    }

    private List<String> firstQuery() {
        return switch (pagination.kind()) {
            case LINK, CURSOR -> List.of();
            case PAGE, OFFSET -> List.of(pair(String.valueOf(pagination.first())));
        };
    }

    private String pair(String value) {
        return ParameterStyle.encoded(pagination.parameter()) + "=" + ParameterStyle.encoded(value);
    }

    private Future<JsonNode> page(List<String> query) {
        pages++;
        return send.apply(query).compose(response -> {
            var body = HttpReply.body(response);
            var found = itemsOf(body);
            found.forEach(item -> {
                if (items.size() < itemsMax) {
                    items.add(item);
                }
            });
            var next = items.size() >= itemsMax || pages >= PAGES_MAX || found.isEmpty()
                    ? Optional.<List<String>>empty()
                    : next(response, body);
            return next.filter(other -> !other.equals(query))
                    .map(this::page)
                    .orElseGet(() -> Future.succeededFuture(items));
        });
    }

    private JsonNode itemsOf(JsonNode body) {
        var found = pagination.itemsPath().isEmpty() ? body : body.at(JsonPointer.compile(pagination.itemsPath()));
        if (found.isArray()) {
            return found;
        }
        if (pagination.itemsPath().isEmpty()) {
            var lists = body.valueStream().filter(JsonNode::isArray).toList();
            if (lists.size() == 1) {
                return lists.getFirst();
            }
        }
        throw PieceFailure.of("Expected a list "
                + (pagination.itemsPath().isEmpty() ? "as the response" : "at " + pagination.itemsPath())
                + ", found none");
    }

    private Optional<List<String>> next(OutboundResponse response, JsonNode body) {
        return switch (pagination.kind()) {
            case LINK -> link(response);
            case CURSOR -> {
                var cursor = body.at(JsonPointer.compile(pagination.cursorPath()));
                yield cursor.isValueNode()
                                && !cursor.isNull()
                                && !cursor.asText().isEmpty()
                        ? Optional.of(List.of(pair(cursor.asText())))
                        : Optional.empty();
            }
            case PAGE -> Optional.of(List.of(pair(String.valueOf(pagination.first() + pages))));
            case OFFSET -> Optional.of(List.of(pair(String.valueOf(pagination.first() + items.size()))));
        };
    }

    /** Credentials are sent to the same origin only, so the next page must be there. */
    private static Optional<List<String>> link(OutboundResponse response) {
        for (var header : response.headers().getAll("link")) {
            var match = NEXT.matcher(header);
            if (match.find()) {
                WebAddress next;
                try {
                    next = response.address().resolve(match.group(1));
                } catch (IllegalArgumentException malformed) {
                    throw PieceFailure.of("Expected a valid address in the header Link, found other text");
                }
                if (!next.sameOriginAs(response.address())) {
                    throw PieceFailure.of(
                            "Expected the next page at " + response.address().origin() + ", found " + next.origin());
                }
                var query = next.target().split("\\?", 2);
                return query.length < 2
                        ? Optional.empty()
                        : Optional.of(new ArrayList<>(Arrays.asList(query[1].split("&", -1))));
            }
        }
        return Optional.empty();
    }
}
