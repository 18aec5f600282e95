package io.millrace.engine.run.step;

import static io.millrace.support.Waiting.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.TextNode;
import io.millrace.base.bus.Bus;
import io.millrace.base.core.Ids;
import io.millrace.base.core.Json;
import io.millrace.base.net.AddressGuard;
import io.millrace.base.net.LocalServer;
import io.millrace.base.net.OutboundHttp;
import io.millrace.base.net.OutboundLimits;
import io.millrace.base.persistence.Database;
import io.millrace.base.persistence.PersistenceVerticle;
import io.millrace.base.persistence.RowBound;
import io.millrace.base.secret.LinkSecrets;
import io.millrace.piece.PieceFailure;
import io.millrace.piece.file.FileAddresses;
import io.millrace.piece.file.FileService;
import io.millrace.piece.input.FileValue;
import io.millrace.piece.store.StoreService;
import io.millrace.support.TestDatabase;
import io.millrace.support.TestProjects;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerRequest;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Services for steps, with real modules; files are fetched from an untrusted server. */
class BusStepServicesIT {
    /** Address without a server: data with this address can only come from storage. */
    private static final String PUBLIC_URL = "http://flows.invalid";

    private static final int FILE_BYTES_MAX = 1000;
    private static final int OUTBOUND_BYTES_MAX = 3000;

    @AutoClose
    private static TestDatabase opened = new TestDatabase();

    private static Vertx vertx = opened.vertx();
    private static Database database = opened.database();
    private static LocalServer strangers;
    private static BusStepServices services;
    private static BusStepServices guarded;
    private static String projectId;

    @BeforeAll
    static void open() {
        projectId = TestProjects.insert(database);
        strangers = LocalServer.start(vertx, BusStepServicesIT::answer);
        var bus = new Bus(vertx);
        var clock = InstantSource.system();
        var limits = new FileService.Limits(FILE_BYTES_MAX, Duration.ofDays(1));
        await(vertx.deployVerticle(new PersistenceVerticle(
                bus,
                List.of(
                        new FileService(
                                vertx,
                                database,
                                new FileAddresses(LinkSecrets.of("secret"), () -> PUBLIC_URL, clock),
                                limits,
                                clock),
                        new StoreService(database, 100, new RowBound(100, "AP_STORE_ENTRIES_MAX"), clock)))));
        services = services(bus, "127.0.0.1");
        guarded = services(bus, "");
    }

    private static BusStepServices services(Bus bus, String allowed) {
        var outbound = new OutboundHttp(
                vertx, AddressGuard.allowing(allowed), new OutboundLimits(5_000, 10_000, OUTBOUND_BYTES_MAX, 4, 4));
        return new BusStepServices(bus, outbound, () -> PUBLIC_URL, FILE_BYTES_MAX, false);
    }

    private static void answer(HttpServerRequest request) {
        var response = request.response();
        switch (request.path()) {
            case "/named" ->
                response.putHeader("Content-Disposition", "attachment; filename=\"x.txt\"; filename*=UTF-8''%C3%BC.txt")
                        .end("named");
            case "/photo.jpg" ->
                response.putHeader("Content-Type", "text/plain").end("photo");
            case "/plain" ->
                response.putHeader("Content-Type", "application/pdf").end("plain");
            case "/moved" ->
                response.setStatusCode(302).putHeader("Location", "/photo.jpg").end();
            case "/large" -> response.end(Buffer.buffer(new byte[FILE_BYTES_MAX + 1]));
            case "/huge" -> response.end(Buffer.buffer(new byte[OUTBOUND_BYTES_MAX + 1]));
            default -> response.setStatusCode(404).end("nothing");
        }
    }

    @Test
    void keepsAndForgetsValues() {
        await(services.storePut(projectId, "key", TextNode.valueOf("one")));
        assertThat(await(services.storeGet(projectId, "key"))).contains(TextNode.valueOf("one"));

        await(services.storeDelete(projectId, "key"));
        assertThat(await(services.storeGet(projectId, "key"))).isEmpty();
    }

    @Test
    void namesTheFailure_whenKeyOrValueIsTooLarge() {
        var long129 = "k".repeat(129);

        assertNamed("StorageInvalidKeyError", () -> await(services.storeGet(projectId, long129)));
        assertNamed("StorageInvalidKeyError", () -> await(services.storeDelete(projectId, "")));
        assertNamed(
                "StorageLimitError",
                () -> await(services.storePut(projectId, "key", TextNode.valueOf("x".repeat(99)))));
    }

    @Test
    void readsItsOwnFilesFromStorage() {
        var url = await(services.writeFile(projectId, Ids.next(), "step_1", "data.csv", Buffer.buffer("a,b")));

        assertThat(url).startsWith(PUBLIC_URL + "/api/v1/files/");
        assertThat(fetchWith(services, url)).contains(new FileValue("data.csv", "csv", Buffer.buffer("a,b")));
    }

    @Test
    void findsNoFile_underAnAddressThatIsForged() {
        var url = await(services.writeFile(projectId, Ids.next(), "step_1", "data.csv", Buffer.buffer("a,b")));
        var otherFile = url.replaceFirst("/files/[^?]+", "/files/" + Ids.next());

        assertThat(fetchWith(services, otherFile)).isEmpty();
    }

    @Test
    void namesTheFailure_whenAFileIsTooLargeToKeep() {
        var data = Buffer.buffer(new byte[FILE_BYTES_MAX + 1]);

        assertNamed("FileSizeError", () -> await(services.writeFile(projectId, Ids.next(), "step_1", "x", data)));
    }

    @Test
    void callsFetchedFilesAsTheContractSays() {
        assertThat(fetch("/named").orElseThrow().fileName()).isEqualTo("ü.txt");
        assertThat(fetch("/photo.jpg?size=1")).contains(new FileValue("photo.jpg", "jpg", Buffer.buffer("photo")));
        assertThat(fetch("/plain").orElseThrow().fileName()).isEqualTo("unknown.pdf");
        assertThat(fetch("/moved").orElseThrow().data()).isEqualTo(Buffer.buffer("photo"));
    }

    @Test
    void findsNoFile_whenFetchingFails() {
        assertThat(fetch("/nothing")).isEmpty();
        assertThat(fetchWith(services, "http://127.0.0.1:1/x")).isEmpty();
        assertThat(fetchWith(services, "http://")).isEmpty();
    }

    @Test
    void asksNobody_whenTheAddressIsForbidden() {
        var asked = strangers.asked().size();

        assertThat(fetchWith(guarded, strangers.url("/plain"))).isEmpty();

        assertThat(strangers.asked()).hasSize(asked);
    }

    @Test
    void failsTheStep_whenAFetchedFileIsTooLarge() {
        assertNamed("FileSizeError", () -> fetch("/large"));
        assertNamed("FileSizeError", () -> fetch("/huge"));
    }

    @Test
    void failsTheStep_whenAFileInItsValueIsTooLarge() {
        var allowed = new FileValue("a.bin", "bin", Buffer.buffer(new byte[FILE_BYTES_MAX]));
        var tooLarge = new FileValue("a.bin", "bin", Buffer.buffer(new byte[FILE_BYTES_MAX + 1]));

        services.files().requireAllowed(allowed);
        assertNamed("FileSizeError", () -> services.files().requireAllowed(tooLarge));
    }

    private static Optional<FileValue> fetch(String target) {
        return fetchWith(services, strangers.url(target));
    }

    /** Runs on an event loop, like runs: otherwise the response could arrive before its reader is attached. */
    private static Optional<FileValue> fetchWith(BusStepServices with, String url) {
        var file = Promise.<Optional<FileValue>>promise();
        vertx.runOnContext(_ -> with.files().fetch(url).onComplete(file));
        return await(file.future());
    }

    private static void assertNamed(String name, ThrowingCallable action) {
        assertThatThrownBy(action).isInstanceOfSatisfying(PieceFailure.class, failure -> {
            assertThat(failure.details().path("errorName").asText()).isEqualTo(name);
            assertThat(Json.trusted(failure.getMessage()).path("message").asText())
                    .isNotEmpty();
        });
    }
}
