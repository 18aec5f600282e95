package io.millrace.piece.file;

import static io.millrace.support.ModuleServer.json;
import static io.millrace.support.Waiting.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.base.bus.Bus;
import io.millrace.base.core.ApiException;
import io.millrace.base.core.ErrorCode;
import io.millrace.base.core.Ids;
import io.millrace.base.persistence.Database;
import io.millrace.base.persistence.row.Rows;
import io.millrace.base.secret.LinkSecrets;
import io.millrace.support.ModuleServer;
import io.millrace.support.MovableClock;
import io.millrace.support.TestDatabase;
import io.millrace.support.TestProjects;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Files of steps: stored over the bus, read over HTTP. */
class FileMessagesIT {
    private static final int BYTES_MAX = 8 << 20;
    private static final Duration RETENTION = Duration.ofDays(30);
    private static final long DEADLINE_MS = 20_000;

    private final MovableClock clock = new MovableClock();

    @AutoClose
    private final TestDatabase opened = new TestDatabase();

    private final Vertx vertx = opened.vertx();
    private final Database database = opened.database();
    private Bus bus;
    private ModuleServer server;
    private String projectId;

    @BeforeEach
    void start() {
        projectId = TestProjects.insert(database);
        bus = new Bus(vertx);
        var limits = new FileService.Limits(BYTES_MAX, RETENTION);
        var service = new FileService(
                vertx, database, new FileAddresses(LinkSecrets.of("secret"), () -> server.url(), clock), limits, clock);
        server = ModuleServer.start(vertx, bus, List.of(service), List.of(new FileRoutes(bus, Optional.empty())));
    }

    @AfterEach
    void stop() {
        server.close();
    }

    @Test
    void givesBackEveryByte_ofAFileOfManyMegabytes() {
        var bytes = new byte[BYTES_MAX];
        new Random(1).nextBytes(bytes);

        var url = keep("big data.bin", null, bytes);
        var answer = server.get(url);

        assertThat(answer.statusCode()).isEqualTo(200);
        assertThat(answer.body()).isEqualTo(bytes);
        assertThat(answer.headers().firstValue("Content-Length")).contains(Integer.toString(BYTES_MAX));
        assertThat(answer.headers().firstValue("Content-Type")).contains("application/octet-stream");
    }

    @Test
    void givesBackAnEmptyFile() {
        var answer = server.get(keep("empty.txt", "text/plain", new byte[0]));

        assertThat(answer.statusCode()).isEqualTo(200);
        assertThat(answer.body()).isEmpty();
    }

    @Test
    void keepsBrowsersFromRunningIt() {
        var url = keep("page.html", "text/html", "<script>1</script>".getBytes(StandardCharsets.UTF_8));

        var headers = server.get(url).headers();

        assertThat(headers.firstValue("Content-Disposition"))
                .contains("attachment; filename=\"page.html\"; filename*=UTF-8''page.html");
        assertThat(headers.firstValue("X-Content-Type-Options")).contains("nosniff");
        assertThat(headers.firstValue("Content-Security-Policy")).contains("default-src 'none'; sandbox");
    }

    @Test
    void isReadUnderTheOlderPathToo() {
        var token = tokenOf(keep("a.txt", "text/plain", new byte[] {65}));

        var answer = server.get("/v1/step-files/signed?token=" + token);

        assertThat(answer.statusCode()).isEqualTo(200);
        assertThat(answer.body()).containsExactly(65);
    }

    @Test
    void refusesATokenThatIsNotItsOwn() {
        var url = keep("a.txt", "text/plain", new byte[] {65});
        var otherFile = keep("b.txt", "text/plain", new byte[] {66});
        var path = "/v1/files/" + idOf(url) + "?token=";
        var token = tokenOf(url);
        var tampered = token.substring(0, token.length() - 1) + (token.endsWith("A") ? "B" : "A");

        for (var given : List.of("", "nonsense", tampered, tokenOf(otherFile))) {
            var answer = server.get(path + given);

            assertThat(answer.statusCode()).as(given).isEqualTo(401);
            assertThat(json(answer).path("code").asText()).isEqualTo("INVALID_BEARER_TOKEN");
        }
        assertThat(server.get("/v1/files/" + idOf(url)).statusCode()).isEqualTo(401);
    }

    @Test
    void refusesAnInvalidId() {
        var answer = server.get("/v1/files/short?token=x");

        assertThat(answer.statusCode()).isEqualTo(400);
        assertThat(json(answer).path("code").asText()).isEqualTo("FST_ERR_VALIDATION");
    }

    @Test
    void refusesTheAddress_onceTheFileHasExpired() {
        var url = keep("a.txt", "text/plain", new byte[] {65});

        clock.advance(RETENTION);

        assertThat(server.get(url).statusCode()).isEqualTo(401);
    }

    @Test
    void removesWhatHasExpired_andNothingElse() {
        for (var i = 0; i < 120; i++) {
            keep("old.txt", "text/plain", new byte[] {1});
        }
        clock.advance(RETENTION);
        var fresh = keep("new.txt", "text/plain", new byte[] {2});

        var removed = await(bus.ask(new FileMessages.RemoveExpired(), DEADLINE_MS));

        assertThat(removed).isEqualTo(120);
        assertThat(count()).isEqualTo(1);
        assertThat(server.get(fresh).statusCode()).isEqualTo(200);
    }

    @Test
    void answers404_whenTheProjectHasTakenTheFileWithIt() {
        var url = keep("a.txt", "text/plain", new byte[] {65});

        TestProjects.remove(database, projectId);

        var answer = server.get(url);
        assertThat(answer.statusCode()).isEqualTo(404);
        assertThat(json(answer).path("code").asText()).isEqualTo("ENTITY_NOT_FOUND");
    }

    @Test
    void keepsNothing_whenTheFileIsTooLarge() {
        assertThatThrownBy(() -> keep("big.bin", null, new byte[BYTES_MAX + 1]))
                .isInstanceOfSatisfying(
                        ApiException.class,
                        refused -> assertThat(refused.code()).isEqualTo(ErrorCode.BODY_TOO_LARGE));
        assertThat(count()).isZero();
    }

    @Test
    void keepsNothing_whenTheProjectHasGone() {
        var unknown = new FileMessages.KeepStepFile(Ids.next(), Ids.next(), "trigger", "a", null, Buffer.buffer("a"));

        assertThatThrownBy(() -> await(bus.ask(unknown, DEADLINE_MS)))
                .isInstanceOfSatisfying(
                        ApiException.class,
                        refused -> assertThat(refused.code()).isEqualTo(ErrorCode.ENTITY_NOT_FOUND));
    }

    @Test
    void remembersWhereItCameFrom() {
        var url = keep("a.txt", "text/plain", new byte[] {65});
        var address = FileAddress.parse(server.url(), url).orElseThrow();

        var file = await(bus.ask(new FileMessages.Read(address), DEADLINE_MS)).file();

        assertThat(file.projectId()).isEqualTo(projectId);
        assertThat(file.created()).isEqualTo(clock.instant());
        assertThat(file.expires()).contains(clock.instant().plus(RETENTION));
        assertThat(file.size()).isEqualTo(1);
        assertThat(file.metadata().path("stepName").asText()).isEqualTo("step_1");
    }

    private String keep(String name, String contentType, byte[] bytes) {
        return await(bus.ask(
                new FileMessages.KeepStepFile(projectId, Ids.next(), "step_1", name, contentType, Buffer.buffer(bytes)),
                DEADLINE_MS));
    }

    private long count() {
        return await(database.query("select count(*) as files from file")
                .map(rows -> Rows.whole(rows.iterator().next(), "files")));
    }

    private static String idOf(String url) {
        var path = URI.create(url).getPath();
        return path.substring(path.lastIndexOf('/') + 1);
    }

    private static String tokenOf(String url) {
        return url.substring(url.indexOf("?token=") + "?token=".length());
    }
}
