package io.millrace.piece.builtin.http;

import io.millrace.base.net.OutboundHttp;
import io.millrace.piece.Action;
import io.millrace.piece.Piece;
import io.millrace.piece.PieceSpec;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/** The HTTP piece: calls any URL, or takes one apart (contract pieces 14.4). */
public final class HttpPiece implements Piece {
    private static final int NEWEST_PATCH = 19;

    private static final PieceSpec SPEC = new PieceSpec(
            "@activepieces/piece-http",
            "HTTP",
            "Sends HTTP requests and parses URLs.",
            "https://cdn.activepieces.com/pieces/new-core/http.svg",
            List.of("Millrace"),
            List.of("CORE"),
            versions(),
            null);

    private final Map<String, Action> actions;

    public HttpPiece(OutboundHttp http) {
        this(new SendRequest(http));
    }

    /** The piece in a process that sends no requests: the action describes itself, and fails when it is executed. */
    public static HttpPiece withoutClient() {
        return new HttpPiece(new UnsentRequest());
    }

    private HttpPiece(Action request) {
        var parse = ParseUrl.action();
        var all = new LinkedHashMap<String, Action>();
        all.put(SendRequest.NAME, request);
        all.put(parse.spec().name(), parse);
        this.actions = Collections.unmodifiableMap(all);
    }

    @Override
    public PieceSpec spec() {
        return SPEC;
    }

    @Override
    public Map<String, Action> actions() {
        return actions;
    }

    /** The whole 0.11 line, newest first, so that this piece serves every patch that an imported flow pins. */
    private static List<String> versions() {
        return IntStream.rangeClosed(0, NEWEST_PATCH)
                .mapToObj(patch -> "0.11." + (NEWEST_PATCH - patch))
                .toList();
    }
}
