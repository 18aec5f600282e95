package io.millrace.piece.file;

import static io.millrace.support.ModuleServer.json;
import static io.millrace.support.Waiting.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.base.access.Gate;
import io.millrace.base.access.Principal;
import io.millrace.base.bus.Bus;
import io.millrace.base.coding.ZstdTest;
import io.millrace.base.core.ApiException;
import io.millrace.base.core.ErrorCode;
import io.millrace.base.core.Ids;
import io.millrace.support.ModuleServer;
import io.millrace.support.TestProjects;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Files that code of pieces writes over HTTP, into the database and into a bucket. */
class FileUploadsIT {
    private static final int BYTES_MAX = 1 << 20;
    private static final byte[] TEXT = "x,y\n1,2".getBytes(StandardCharsets.UTF_8);
    private static final String[] STEP_FILE = {"x-ap-file-type", "FLOW_STEP_FILE", "x-ap-file-name", "a b.csv"};

    private final FileBench room = new FileBench();
    private final S3Peer peer = room.peer;
    private final Bus bus = room.bus;
    private final String projectId = room.projectId;
    private final String otherProjectId = TestProjects.insert(room.database);
    private ModuleServer server;

    @AfterEach
    void stop() {
        room.close();
    }

    private void open(boolean inBucket, boolean signedUrls) {
        var storage = inBucket ? room.bucket(signedUrls, "127.0.0.1", _ -> S3Peer.KEYS) : FileStorage.inDatabase();
        bus.serve(Gate.Identify.class, FileUploadsIT::identified);
        server = room.open(storage, BYTES_MAX, inBucket && signedUrls);
    }

    /** Tokens of this test contain their project. */
    private static Future<Principal> identified(Gate.Identify ask) {
        if (ask.token().startsWith("eyJ.engine.")) {
            return Future.succeededFuture(
                    new Principal.Engine(ask.token().substring("eyJ.engine.".length()), Ids.next(), null));
        }
        return ask.token().equals("eyJ.key")
                ? Future.succeededFuture(new Principal.Service(Ids.next(), Ids.next(), Ids.next()))
                : Future.failedFuture(ApiException.of(ErrorCode.INVALID_BEARER_TOKEN, "invalid access token"));
    }

    private HttpResponse<byte[]> put(String id, String token, byte[] bytes, String... headers) {
        return server.put("/v1/files/" + id + "?token=" + token, bytes, headers);
    }

    private static String engine(String project) {
        return "eyJ.engine." + project;
    }

    @Test
    void keepsWhatCodeOfAProjectWrites_andReplacesIt() {
        // given
        open(false, false);
        var id = Ids.next();

        // when
        var answer = put(id, engine(projectId), TEXT, STEP_FILE);
        var url = json(answer).path("readUrl").asText();
        var read = server.get(url);
        put(id, engine(projectId), new byte[] {65}, STEP_FILE);

        // then
        assertThat(answer.statusCode()).isEqualTo(200);
        assertThat(json(answer).path("fileId").asText()).isEqualTo(id);
        assertThat(answer.headers().firstValue("x-ap-file-read-url")).contains(url);
        assertThat(read.body()).isEqualTo(TEXT);
        assertThat(read.headers().firstValue("Content-Disposition").orElse("")).contains("a b.csv");
        assertThat(server.get(url).body()).containsExactly(65);
        assertThat(server.get("/v1/files/" + id + "?token=" + engine(projectId)).body())
                .containsExactly(65);

        // and a slice is returned unchanged for any first byte
        var slice = Ids.next();
        var kept = put(
                slice,
                engine(projectId),
                "xyz".getBytes(StandardCharsets.UTF_8),
                "x-ap-file-type",
                "FLOW_RUN_LOG_SLICE");
        assertThat(server.get(json(kept).path("readUrl").asText()).body())
                .isEqualTo("xyz".getBytes(StandardCharsets.UTF_8));
    }

    @Test
    void refusesWhoMayNot_andKeepsNothing() {
        // given
        open(false, false);
        var id = Ids.next();
        var taken = await(bus.ask(
                new FileMessages.KeepStepFile(projectId, Ids.next(), "step_1", "a.txt", null, Buffer.buffer("A")),
                FileBench.DEADLINE_MS));
        var takenId =
                FileAddress.parse(server.url(), taken).orElseThrow().fileId().orElseThrow();

        // then
        assertThat(put(id, "", TEXT, STEP_FILE).statusCode()).isEqualTo(401);
        assertThat(put(id, "nonsense", TEXT, STEP_FILE).statusCode()).isEqualTo(401);
        assertThat(put(id, "eyJ.key", TEXT, STEP_FILE).statusCode()).isEqualTo(401);
        assertThat(put(takenId, engine(projectId), TEXT, STEP_FILE).statusCode())
                .isEqualTo(403);
        assertThat(put(takenId, engine(otherProjectId), TEXT, STEP_FILE).statusCode())
                .isEqualTo(403);
        assertThat(server.get("/v1/files/" + takenId + "?token=" + engine(otherProjectId))
                        .statusCode())
                .isEqualTo(403);
        assertThat(server.get("/v1/files/" + takenId + "?token=eyJ.key").statusCode())
                .isEqualTo(401);
        assertThat(server.get("/v1/files/" + takenId + "?token=" + engine(projectId))
                        .body())
                .containsExactly('A');
        assertThat(put("short", engine(projectId), TEXT, STEP_FILE).statusCode())
                .isEqualTo(400);
        assertThat(put(id, engine(projectId), TEXT).statusCode()).isEqualTo(400);
        assertThat(put(id, engine(projectId), TEXT, "x-ap-file-type", "SAMPLE_DATA")
                        .statusCode())
                .isEqualTo(400);
        assertThat(put(id, engine(projectId), TEXT, "x-ap-file-type", "FLOW_STEP_FILE", "Content-Encoding", "br")
                        .statusCode())
                .isEqualTo(415);
        assertThat(put(id, engine(projectId), new byte[BYTES_MAX + 1], STEP_FILE)
                        .statusCode())
                .isEqualTo(413);
        assertThat(put(id, engine(Ids.next()), TEXT, STEP_FILE).statusCode()).isEqualTo(404);
        assertThat(server.get("/v1/files/" + id + "?token=" + engine(projectId)).statusCode())
                .isEqualTo(404);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void unpacksWhatComesPacked_asFarAsAFileMayBe(boolean signedUrls) {
        // given
        open(signedUrls, signedUrls);
        var id = Ids.next();
        var headers = new String[] {"x-ap-file-type", "FLOW_STEP_FILE", "Content-Encoding", "zstd"};
        var damaged = ZstdTest.resource("small.zst");
        damaged[damaged.length - 1] ^= 1;

        // when
        var kept = put(id, engine(projectId), ZstdTest.resource("small.zst"), headers);

        // then
        assertThat(kept.statusCode()).isEqualTo(200);
        assertThat(room.number("select size from file")).isEqualTo(ZstdTest.SMALL.length());
        assertThat(put(Ids.next(), engine(projectId), damaged, headers).statusCode())
                .isEqualTo(400);
        assertThat(put(Ids.next(), engine(projectId), ZstdTest.resource("zeros.zst"), headers)
                        .statusCode())
                .isEqualTo(413);
        assertThat(room.number("select count(*) from file")).isEqualTo(1);
    }

    @Test
    void sendsTheWriterToTheBucket_whereAddressesAreSigned() throws Exception {
        // given
        open(true, true);
        var id = Ids.next();

        // when
        var answer = put(id, engine(projectId), TEXT, STEP_FILE);
        var target = answer.headers().firstValue("Location").orElseThrow();
        var longer = putTo(target, new byte[TEXT.length + 1]);
        var direct = putTo(target, TEXT);
        var read = answer.headers().firstValue("x-ap-file-read-url").orElseThrow();
        var reading = server.get(read).headers().firstValue("Location").orElseThrow();

        // then
        assertThat(answer.statusCode()).isEqualTo(307);
        assertThat(target).contains("X-Amz-SignedHeaders=content-length%3Bhost");
        assertThat(longer).isEqualTo(403);
        assertThat(direct).isEqualTo(200);
        assertThat(peer.objects.keySet()).containsExactly("/mill-files/project/" + projectId + "/FLOW_STEP_FILE/" + id);
        assertThat(reading).contains("X-Amz-Signature=");
    }

    @Test
    void writesToTheBucketItself_whereAddressesAreNotSigned() {
        // given
        open(true, false);
        var id = Ids.next();

        // when
        var answer = put(id, engine(projectId), TEXT, STEP_FILE);
        put(id, engine(otherProjectId), new byte[] {66}, STEP_FILE);

        // then
        assertThat(server.get(json(answer).path("readUrl").asText()).body()).isEqualTo(TEXT);
        assertThat(peer.objects.values()).containsExactly(Buffer.buffer(TEXT));
    }

    private static int putTo(String url, byte[] bytes) throws IOException, InterruptedException {
        try (var client =
                HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build()) {
            return client.send(
                            HttpRequest.newBuilder(URI.create(url))
                                    .PUT(HttpRequest.BodyPublishers.ofByteArray(bytes))
                                    .build(),
                            HttpResponse.BodyHandlers.discarding())
                    .statusCode();
        }
    }
}
