package io.millrace.piece.catalogue;

import static io.millrace.support.Waiting.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.base.access.Gate;
import io.millrace.base.bus.Bus;
import io.millrace.base.core.ApiException;
import io.millrace.base.core.ErrorCode;
import io.millrace.base.net.AddressGuard;
import io.millrace.base.net.OutboundHttp;
import io.millrace.base.net.OutboundLimits;
import io.millrace.piece.Piece;
import io.millrace.piece.PieceSpec;
import io.millrace.support.ModuleServer;
import io.millrace.support.piece.BarePiece;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServer;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Logos of pieces, requested by a browser. */
class PieceLogosIT {
    private static final int BYTES_MAX = 2_048;
    private static final String SVG = "<svg xmlns=\"http://www.w3.org/2000/svg\">";
    private static final AtomicInteger asked = new AtomicInteger();

    private static Vertx vertx;
    private static HttpServer outside;
    private static ModuleServer server;

    @BeforeAll
    static void start() {
        vertx = Vertx.vertx();
        outside = await(vertx.createHttpServer()
                .requestHandler(request -> {
                    asked.incrementAndGet();
                    switch (request.path()) {
                        case "/fits.svg" -> request.response().end(padded(BYTES_MAX));
                        case "/large.svg" -> request.response().end(padded(BYTES_MAX + 1));
                        case "/moved.svg" ->
                            request.response()
                                    .setStatusCode(302)
                                    .putHeader("Location", "http://10.0.0.1/inside.svg")
                                    .end();
                        case "/page.svg" ->
                            request.response()
                                    .putHeader("Content-Type", "image/svg+xml")
                                    .end("<html><script>alert(1)</script></html>");
                        default -> request.response().setStatusCode(404).end(SVG);
                    }
                })
                .listen(0, "127.0.0.1"));
        var origin = "http://127.0.0.1:" + outside.actualPort();
        var pieces = new ArrayList<Piece>();
        for (var name : List.of("fits", "large", "moved", "page", "missing")) {
            pieces.add(new Named("piece-" + name, origin + "/" + name + ".svg"));
        }
        pieces.add(new Named("@test/piece-fits", origin + "/fits.svg"));
        pieces.add(new Named("piece-inside", "http://10.0.0.1/logo.svg"));
        pieces.add(new Named("piece-file", "file:///etc/passwd"));
        pieces.add(new Named("piece-none", ""));
        pieces.add(new Named("@activepieces/piece-notion", origin + "/fits.svg"));
        var bus = new Bus(vertx);
        var catalogue = new PieceCatalogue(pieces);
        var outbound = new OutboundHttp(vertx, AddressGuard.allowing("127.0.0.1"), OutboundLimits.defaults());
        server = ModuleServer.start(
                vertx,
                bus,
                List.of(
                        new PieceService(catalogue),
                        new PieceLogos(
                                vertx,
                                catalogue,
                                InstallablePieces.none(),
                                outbound,
                                BYTES_MAX,
                                64 * 1024,
                                InstantSource.system()),
                        each -> each.serve(
                                Gate.Identify.class,
                                _ -> Future.failedFuture(ApiException.of(ErrorCode.INVALID_BEARER_TOKEN)))),
                List.of(new PieceRoutes(bus)));
    }

    private static String padded(int bytes) {
        return SVG + " ".repeat(bytes - SVG.length() - 6) + "</svg>";
    }

    @AfterAll
    static void stop() {
        server.close();
        await(vertx.close());
    }

    @Test
    void drawsTheLetterOfABrandWithoutIconInItsColor() {
        var slack = BrandLogos.read("@activepieces/piece-slack", "Slack").orElseThrow();

        assertThat(slack.data().toString()).contains("#4A154B", ">S</text>");
    }

    @Test
    void showsALogoThatIsAsLargeAsAllowed_fetchedOnce_andAsAPictureThatRunsNothing() {
        // When
        var before = asked.get();
        var first = server.get("/v1/pieces/piece-fits/logo");
        var again = server.get("/v1/pieces/@test/piece-fits/logo");

        // Then
        assertThat(first.statusCode()).isEqualTo(200);
        assertThat(first.body()).hasSize(BYTES_MAX).isEqualTo(again.body());
        assertThat(first.headers().firstValue("Content-Type")).contains("image/svg+xml");
        assertThat(first.headers().firstValue("X-Content-Type-Options")).contains("nosniff");
        assertThat(first.headers().firstValue("Content-Security-Policy"))
                .contains("default-src 'none'; style-src 'unsafe-inline'; sandbox");
        assertThat(first.headers().firstValue("Cache-Control")).contains("private, max-age=86400");
        assertThat(asked.get() - before).isEqualTo(1);
    }

    @Test
    void drawsALetter_whereTheLogoIsTooLargeOrNoneOrNotReachable() {
        for (var name : List.of("large", "page", "missing", "moved", "inside", "file", "none")) {
            // When
            var answer = server.get("/v1/pieces/piece-" + name + "/logo");

            // Then
            assertThat(answer.statusCode()).as(name).isEqualTo(200);
            assertThat(answer.headers().firstValue("Content-Type")).contains("image/svg+xml");
            assertThat(answer.headers().firstValue("Cache-Control")).contains("private, max-age=600");
            assertThat(new String(answer.body(), StandardCharsets.UTF_8))
                    .as(name)
                    .contains(">P</text>")
                    .doesNotContain("10.0.0.1", "script");
        }
    }

    @Test
    void answers404_forAPieceThatIsNotThere() {
        var answer = server.get("/v1/pieces/piece-nobody-knows/logo");

        assertThat(answer.statusCode()).isEqualTo(404);
        assertThat(new String(answer.body(), StandardCharsets.UTF_8)).contains("ENTITY_NOT_FOUND");
    }

    @Test
    void showsTheShippedIcon_withoutARequest() {
        // When
        var before = asked.get();
        var answer = server.get("/v1/pieces/@activepieces/piece-notion/logo");

        // Then
        assertThat(answer.statusCode()).isEqualTo(200);
        assertThat(new String(answer.body(), StandardCharsets.UTF_8))
                .contains("<path transform=")
                .contains("#000000");
        assertThat(asked.get()).isEqualTo(before);
    }

    @ParameterizedTest
    @CsvSource({"<script>,S", "'  ß',SS", "日本,日", "'\"\"',?", "7shifts,7", "'',?"})
    void drawsOneLetterOfAName(String displayName, String letter) {
        var drawing = Monogram.of("piece-x", displayName).data().toString();

        assertThat(drawing).contains(">" + letter + "</text>").doesNotContain("<script");
    }

    @Test
    void doesNotAskAgainForWhatIsMissing() {
        // Given
        server.get("/v1/pieces/piece-missing/logo");
        var before = asked.get();

        // When
        server.get("/v1/pieces/piece-missing/logo");

        // Then
        assertThat(asked.get()).isEqualTo(before);
    }

    /** A piece with nothing but a name and a logo. */
    private record Named(String name, String logo) implements BarePiece {
        @Override
        public PieceSpec spec() {
            return new PieceSpec(name, name, "", logo, List.of(), List.of(), List.of("0.1.0"), null);
        }
    }
}
