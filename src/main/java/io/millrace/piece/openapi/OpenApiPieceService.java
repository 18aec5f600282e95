package io.millrace.piece.openapi;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.bus.Bus;
import io.millrace.base.core.ApiException;
import io.millrace.base.core.ErrorCode;
import io.millrace.base.core.Json;
import io.millrace.base.core.text.ReceivedText;
import io.millrace.base.net.OutboundFailure;
import io.millrace.base.net.OutboundHttp;
import io.millrace.base.net.OutboundLimits;
import io.millrace.base.net.OutboundRequest;
import io.millrace.base.net.OutboundResponse;
import io.millrace.base.net.WebAddress;
import io.millrace.base.persistence.BusService;
import io.millrace.piece.Piece;
import io.millrace.piece.catalogue.PieceCatalogue;
import io.millrace.piece.catalogue.PieceChanges;
import io.millrace.piece.catalogue.PieceScope;
import io.millrace.piece.catalogue.Pieces;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/** Fetches, converts, versions and installs OpenAPI documents as pieces of a platform. */
public final class OpenApiPieceService implements BusService {
    /** Scope of the names of these pieces, so that none takes the name of a package. */
    public static final String NAME_PREFIX = "@openapi/piece-";

    private static final String FIRST_VERSION = "1.0.0";
    private static final long FETCH_MS_MAX = 20_000;
    private static final long STORE_MS_MAX = 30_000;
    private static final int OK_BELOW = 300;

    private final Vertx vertx;
    private final OutboundHttp outbound;
    private final PieceCatalogue catalogue;
    private final Limits limits;
    private Bus bus;

    /** Limits of documents (AP_OPENAPI_DOCUMENT_MAX_KB, AP_OPENAPI_OPERATIONS_MAX, AP_OPENAPI_PROPERTIES_MAX). */
    public record Limits(int bytesMax, int operationsMax, int propertiesMax) {}

    public OpenApiPieceService(Vertx vertx, OutboundHttp outbound, PieceCatalogue catalogue, Limits limits) {
        this.vertx = vertx;
        this.outbound = outbound;
        this.catalogue = catalogue;
        this.limits = limits;
    }

    @Override
    public void open(Bus openedOn) {
        bus = openedOn;
        bus.serve(OpenApiPieces.Add.class, this::add);
    }

    private Future<OpenApiPieces.ConversionResult> add(OpenApiPieces.Add ask) {
        return text(ask.definition().source())
                .compose(text -> vertx.executeBlocking(() -> prepared(ask, convert(ask, text), text), false))
                .compose(prepared -> install(ask, prepared));
    }

    /**
     * A version that can be installed.
     *
     * @param isNew false for an unchanged document
     */
    private record PreparedVersion(
            String name, String version, boolean isNew, ObjectNode metadata, Buffer document, ObjectNode report) {}

    private Future<String> text(OpenApiPieces.Source source) {
        return switch (source) {
            case OpenApiPieces.Source.Text(var text) -> Future.succeededFuture(text);
            case OpenApiPieces.Source.Address(var url) -> fetch(url);
        };
    }

    private Future<String> fetch(String url) {
        OutboundRequest request;
        try {
            request = OutboundRequest.of("GET", WebAddress.parse(url))
                    .withHeader("Accept", "application/json, application/yaml, text/yaml, */*")
                    .followingRedirects(OutboundLimits.REDIRECTS_MAX)
                    .withBodyBytesMax(limits.bytesMax())
                    .withTimeoutMs(FETCH_MS_MAX);
        } catch (IllegalArgumentException malformed) {
            return Future.failedFuture(refused("url", String.valueOf(malformed.getMessage())));
        }
        return outbound.send(request)
                .recover(cause -> Future.failedFuture(
                        cause instanceof OutboundFailure failure ? refused("url", failure.getMessage()) : cause))
                .map(OpenApiPieceService::document);
    }

    private static String document(OutboundResponse response) {
        if (response.status() >= OK_BELOW) {
            throw refused("url", "expected the document, found status " + response.status());
        }
        return ReceivedText.decoded(response.body().getBytes(), StandardCharsets.UTF_8)
                .orElseThrow(() -> refused("url", "expected a text in UTF-8, found other bytes"));
    }

    private static ApiException refused(String field, String message) {
        return ApiException.of(ErrorCode.INVALID_INPUT, "body/" + field + " " + message);
    }

    private DocumentConverter.Conversion convert(OpenApiPieces.Add ask, String text) {
        var documentUrl = ask.definition().source() instanceof OpenApiPieces.Source.Address(var url)
                ? Optional.of(url)
                : Optional.<String>empty();
        var options = new ConversionOptions(
                ask.definition().operations(),
                ask.definition().pagination(),
                ask.definition().baseUrl(),
                documentUrl,
                ask.definition().serverVariables(),
                ask.definition().connectionVariables(),
                limits.operationsMax(),
                limits.propertiesMax());
        try {
            var converted = DocumentConverter.convert(text, limits.bytesMax(), options);
            if (!ask.dryRun()) {
                converted.servers().requireValues();
            }
            ask.definition()
                    .displayName()
                    .ifPresent(name -> converted.metadata().put("displayName", name));
            return converted;
        } catch (UnusableDocument unusable) {
            throw refused(unusable.field(), String.valueOf(unusable.getMessage()));
        }
    }

    /** Compares large texts, so it must not run on an event loop. */
    private PreparedVersion prepared(OpenApiPieces.Add ask, DocumentConverter.Conversion converted, String text) {
        var slug = ask.definition().name().orElseGet(() -> Texts.slug(converted.title()));
        if (slug.isEmpty()) {
            throw refused("name", "Required: the title of the document gives no name");
        }
        var name = NAME_PREFIX + slug;
        var before = catalogue.newest(PieceScope.of(ask.platformId()), name);
        var version = new NextVersion(before, converted.metadata(), name);
        var report = ConversionReport.of(converted, name, version, ask.search()).put("dryRun", ask.dryRun());
        before.ifPresent(piece -> {
            if (piece instanceof OpenApiPiece known) {
                report.set("previousOptions", known.options());
            }
        });
        return new PreparedVersion(
                name, version.text(), !version.isUnchanged(), converted.metadata(), Buffer.buffer(text), report);
    }

    private Future<OpenApiPieces.ConversionResult> install(OpenApiPieces.Add ask, PreparedVersion prepared) {
        if (ask.dryRun() || !prepared.isNew()) {
            return Future.succeededFuture(new OpenApiPieces.ConversionResult(false, prepared.report()));
        }
        var add = new Pieces.AddDescribed(
                ask.platformId(), prepared.name(), prepared.version(), prepared.metadata(), prepared.document());
        return bus.ask(add, STORE_MS_MAX)
                .map(description -> new OpenApiPieces.ConversionResult(
                        true, prepared.report().put("id", description.path("id").asText())));
    }

    static final class NextVersion {
        private final String text;
        private final Optional<String> former;
        private final boolean unchanged;
        private final Optional<PieceChanges> changes;

        NextVersion(Optional<Piece> before, ObjectNode metadata, String name) {
            former = before.map(piece -> piece.spec().versions().getFirst());
            unchanged = before.map(piece -> piece instanceof OpenApiPiece known && known.hasContent(metadata))
                    .orElse(false);
            changes = before.filter(_ -> !unchanged)
                    .map(piece -> PieceChanges.between(
                            piece.describe(former.orElseThrow()), described(metadata, name, former.orElseThrow())));
            text = former.map(this::next).orElse(FIRST_VERSION);
        }

        private static ObjectNode described(ObjectNode metadata, String name, String version) {
            var described = Json.object().put("name", name).put("version", version);
            described.setAll(metadata);
            return described;
        }

        private String next(String version) {
            if (unchanged) {
                return version;
            }
            var numbers = version.split("\\.", 3);
            var major = Integer.parseInt(numbers[0]);
            var minor = Integer.parseInt(numbers[1]);
            if (changes.orElseThrow().isBreaking()) {
                return (major + 1) + ".0.0";
            }
            return changes.orElseThrow().isExtending()
                    ? major + "." + (minor + 1) + ".0"
                    : major + "." + minor + "." + (Integer.parseInt(numbers[2]) + 1);
        }

        String text() {
            return text;
        }

        Optional<String> former() {
            return former;
        }

        boolean isUnchanged() {
            return unchanged;
        }

        Optional<PieceChanges> changes() {
            return changes;
        }
    }
}
