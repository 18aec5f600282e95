package io.millrace.engine.webhook;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.base.http.page.Html;
import io.millrace.base.http.page.HtmlPage;
import io.millrace.base.http.page.PictureSources;
import io.millrace.base.secret.Hashes;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.stream.Stream;

/**
 * Page that asks a person to approve or disapprove (contract flows-and-engine 12.4): no scripts, and no external resources
 * except the platform's logo.
 */
final class ConfirmPage {
    private static final String ACTION = "action";
    private static final String APPROVE = "approve";
    private static final String DISAPPROVE = "disapprove";
    private static final int NOT_FOUND = 404;
    private static final String UNKNOWN = "This link does not work";
    private static final String UNKNOWN_REMEDY =
            "The address is incomplete, or the request was deleted. Ask the sender of the link for a new one.";
    private static final String STYLE = HtmlPage.resource("/approval.css");

    private final ConfirmBrand brand;
    private final String path;

    ConfirmPage(ConfirmBrand brand, String path) {
        this.brand = brand;
        this.path = path;
    }

    /**
     * Renders the question and the buttons that post the decision to the page's own address: the decision of the link, or both
     * if the link names none.
     *
     * @param decision content of the question
     */
    String question(HttpServerRequest request, DecisionPage decision) {
        var wanted = request.getParam(ACTION);
        var heading = wanted == null ? "Your decision is needed" : label(wanted) + "?";
        var buttons = wanted == null ? form(request, APPROVE) + form(request, DISAPPROVE) : form(request, wanted);
        return html(heading, decision.html() + "<div class=\"decisions\">" + buttons + "</div>");
    }

    private static String label(String action) {
        return switch (action) {
            case APPROVE -> "Approve";
            case DISAPPROVE -> "Decline";
            default -> "Answer “" + action + "”";
        };
    }

    String note(String text) {
        return html(text, "");
    }

    String note(String text, String remedy) {
        return html(text, "<p>" + Html.escape(remedy) + "</p>");
    }

    static void showUnknownLink(HttpServerRequest request) {
        var page = new ConfirmPage(ConfirmBrand.USUAL, request.path());
        page.send(request.response(), NOT_FOUND, page.note(UNKNOWN, UNKNOWN_REMEDY));
    }

    private static String form(HttpServerRequest request, String action) {
        return "<form method=\"post\" action=\"" + Html.escape(query(request, action)) + "\"><button"
                + (action.equals(DISAPPROVE) ? "" : " class=\"primary\"") + ">" + Html.escape(label(action))
                + "</button></form>";
    }

    private static String query(HttpServerRequest request, String action) {
        var query = new StringBuilder("?action=").append(encoded(action));
        Envelope.of(request).path("queryParams").properties().forEach(parameter -> {
            if (!parameter.getKey().equals(ACTION)) {
                values(parameter.getValue())
                        .forEach(value -> query.append('&')
                                .append(encoded(parameter.getKey()))
                                .append('=')
                                .append(encoded(value.asText())));
            }
        });
        return query.toString();
    }

    /** The values of a repeated name, or the only one. */
    private static Stream<JsonNode> values(JsonNode value) {
        return value.isArray() ? value.valueStream() : Stream.of(value);
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }

    String html(String heading, String forms) {
        return "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">"
                + "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">"
                + "<meta name=\"robots\" content=\"noindex\"><title>" + Html.escape(heading + " · " + brand.name())
                + "</title><style>" + style() + "</style></head><body><header>" + brand.picture(path) + "<span>"
                + Html.escape(brand.name()) + "</span></header><main><h1>" + Html.escape(heading) + "</h1>" + forms
                + "</main></body></html>\n";
    }

    private String style() {
        return STYLE + brand.style();
    }

    private String policy() {
        return "default-src 'none'; base-uri 'none'; frame-ancestors 'none'; form-action 'self'; style-src 'sha256-"
                + hash(style()) + "'; img-src " + PictureSources.of(brand.logo());
    }

    void send(HttpServerResponse response, int status, String html) {
        if (!response.ended() && !response.closed()) {
            secure(response);
            response.setStatusCode(status)
                    .putHeader("Content-Type", "text/html; charset=utf-8")
                    .end(html);
        }
    }

    void secure(HttpServerResponse response) {
        response.putHeader("Content-Security-Policy", policy())
                .putHeader("X-Content-Type-Options", "nosniff")
                .putHeader("Cache-Control", "no-store");
    }

    private static String hash(String text) {
        return Base64.getEncoder().encodeToString(Hashes.sha256(text.getBytes(StandardCharsets.UTF_8)));
    }
}
