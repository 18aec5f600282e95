package io.millrace.piece.file;

import static io.millrace.support.Waiting.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.base.bus.Bus;
import io.millrace.base.core.ApiException;
import io.millrace.base.core.ErrorCode;
import io.millrace.base.core.Ids;
import io.millrace.base.core.memory.CompressedText;
import io.millrace.base.net.CloudKey;
import io.millrace.base.net.OutboundHttp;
import io.millrace.base.net.WebAddress;
import io.millrace.support.ModuleServer;
import io.millrace.support.Waiting;
import io.vertx.core.buffer.Buffer;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Random;
import java.util.function.Function;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Files whose bytes are in an object storage. */
class S3FilesIT {
    private static final int BYTES_MAX = 2 << 20;

    private final FileBench room = new FileBench();
    private final S3Peer peer = room.peer;
    private final Bus bus = room.bus;
    private final String projectId = room.projectId;
    private ModuleServer server;

    @AfterEach
    void stop() {
        room.close();
    }

    private void open(boolean signedUrls, String allowed, String secret) {
        open(signedUrls, allowed, _ -> BucketKeys.of(CloudKey.lasting("AKID", secret)));
    }

    private void open(boolean signedUrls, String allowed, Function<OutboundHttp, BucketKeys> keys) {
        server = room.open(room.bucket(signedUrls, allowed, keys), BYTES_MAX, signedUrls);
    }

    private String keep(String name, byte[] bytes) {
        return await(bus.ask(
                new FileMessages.KeepStepFile(projectId, Ids.next(), "step_1", name, null, Buffer.buffer(bytes)),
                FileBench.DEADLINE_MS));
    }

    private static byte[] random(int length) {
        var bytes = new byte[length];
        new Random(1).nextBytes(bytes);
        return bytes;
    }

    @Test
    void keepsBytesInTheBucket_andGivesThemBackAsTheyCome() {
        // given
        open(false, "127.0.0.1", S3Peer.SECRET);
        var bytes = random(BYTES_MAX);

        // when
        var url = keep("big é.bin", bytes);
        var answer = server.get(url);
        var empty = server.get(keep("empty.txt", new byte[0]));

        // then
        assertThat(answer.statusCode()).isEqualTo(200);
        assertThat(answer.body()).isEqualTo(bytes);
        assertThat(answer.headers().firstValue("Content-Disposition").orElse(""))
                .startsWith("attachment;");
        assertThat(answer.headers().firstValue("X-Content-Type-Options")).contains("nosniff");
        assertThat(empty.statusCode()).isEqualTo(200);
        assertThat(empty.body()).isEmpty();
        assertThat(peer.objects.keySet())
                .allMatch(key -> key.startsWith("/mill-files/project/" + projectId + "/FLOW_STEP_FILE/"));
        assertThat(room.number("select count(*) from file where location = 'S3' and data is null"))
                .isEqualTo(2);
        var read = await(bus.ask(
                new FileMessages.Read(FileAddress.parse(server.url(), url).orElseThrow()), FileBench.DEADLINE_MS));
        assertThat(read.data().getBytes()).isEqualTo(bytes);
        assertThat(server.get(url.substring(0, url.length() - 1) + "!").statusCode())
                .isEqualTo(401);
    }

    @Test
    void sendsClientsToTheBucket_whereAddressesAreSigned() throws Exception {
        // given
        open(true, "127.0.0.1", S3Peer.SECRET);
        var bytes = random(1000);

        // when
        var sent = server.get(keep("a b.txt", bytes));
        var target = URI.create(sent.headers().firstValue("Location").orElseThrow());
        HttpResponse<byte[]> direct;
        HttpResponse<byte[]> forged;
        try (var client =
                HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build()) {
            direct = client.send(HttpRequest.newBuilder(target).build(), HttpResponse.BodyHandlers.ofByteArray());
            forged = client.send(
                    HttpRequest.newBuilder(URI.create(target + "0")).build(), HttpResponse.BodyHandlers.ofByteArray());
        }

        // then
        assertThat(sent.statusCode()).isEqualTo(302);
        assertThat(target.getRawQuery())
                .contains("X-Amz-Expires=600")
                .contains("response-content-disposition=inline%3B%20filename%3D%22a%20b.txt%22");
        assertThat(direct.body()).isEqualTo(bytes);
        assertThat(forged.statusCode()).isEqualTo(403);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void opensTheBucketByARole(boolean signedUrls, @TempDir Path directory) throws Exception {
        // given
        var token = java.nio.file.Files.writeString(directory.resolve("token"), "the host");
        try (var service = new StsPeer(room.clock);
                var client = HttpClient.newBuilder()
                        .version(HttpClient.Version.HTTP_1_1)
                        .followRedirects(HttpClient.Redirect.ALWAYS)
                        .build()) {
            var role = new RoleKeys.Role(StsPeer.ROLE, token, WebAddress.parse(service.endpoint()));
            peer.sessionToken = "session 1";
            open(signedUrls, "127.0.0.1", http -> new RoleKeys(room.vertx, http, role, room.clock));

            // when
            var url = keep("a.txt", new byte[] {65});
            var read =
                    client.send(HttpRequest.newBuilder(URI.create(url)).build(), HttpResponse.BodyHandlers.ofString());

            // then
            assertThat(read.statusCode()).isEqualTo(200);
            assertThat(read.body()).isEqualTo("A");
            assertThat(read.uri().toString().contains("X-Amz-Security-Token=session%201"))
                    .isEqualTo(signedUrls);
            assertThat(service.tokens).containsExactly("the host");
        }
    }

    @Test
    void keepsSlicesInTheBucketToo() {
        // given
        open(false, "127.0.0.1", S3Peer.SECRET);
        var id = Ids.next();
        var slice = new FileMessages.KeepSlice(
                id,
                projectId,
                Ids.next(),
                room.clock.instant().plusSeconds(60),
                3,
                Buffer.buffer(CompressedText.of("{\"a\":1}".getBytes(StandardCharsets.UTF_8))));

        // when
        await(bus.ask(slice, FileBench.DEADLINE_MS));
        await(bus.ask(slice, FileBench.DEADLINE_MS));
        var loaded = await(bus.ask(new FileMessages.LoadSlice(projectId, id), FileBench.DEADLINE_MS));

        // then
        assertThat(loaded).isEqualTo(slice.data());
        assertThat(room.number("select count(*) from file where location = 'S3'"))
                .isEqualTo(1);
        assertThat(peer.objects).hasSize(1);
    }

    @Test
    void reportsAFailureOfTheStorage_andLeavesNothingBehind() {
        // given
        open(false, "127.0.0.1", S3Peer.SECRET);
        var url = keep("a.txt", new byte[] {65});

        // when
        peer.failsWith = 503;

        // then
        assertThatThrownBy(() -> keep("b.txt", new byte[] {66}))
                .isInstanceOfSatisfying(
                        ApiException.class,
                        refused -> assertThat(refused.code()).isEqualTo(ErrorCode.STORAGE_UNAVAILABLE));
        assertThat(server.get(url).statusCode()).isEqualTo(503);
        assertThat(room.number("select count(*) from file")).isEqualTo(1);

        // when it has lost the object
        peer.failsWith = 0;
        peer.objects.clear();

        // then
        assertThat(server.get(url).statusCode()).isEqualTo(404);
        assertThatThrownBy(() -> keep("big.bin", new byte[BYTES_MAX + 1]))
                .isInstanceOfSatisfying(
                        ApiException.class,
                        refused -> assertThat(refused.code()).isEqualTo(ErrorCode.BODY_TOO_LARGE));
        assertThatThrownBy(() -> await(bus.ask(
                        new FileMessages.KeepStepFile(Ids.next(), Ids.next(), "s", "a", null, Buffer.buffer("x")),
                        FileBench.DEADLINE_MS)))
                .isInstanceOfSatisfying(
                        ApiException.class,
                        refused -> assertThat(refused.code()).isEqualTo(ErrorCode.ENTITY_NOT_FOUND));
        assertThat(peer.objects).isEmpty();
    }

    @Test
    void removesObjectsOfExpiredFiles() {
        // given
        open(false, "127.0.0.1", S3Peer.SECRET);
        keep("a.txt", new byte[] {65});
        room.clock.advance(Duration.ofDays(31));

        // when
        var removed = await(bus.ask(new FileMessages.RemoveExpired(), FileBench.DEADLINE_MS));

        // then
        assertThat(removed).isEqualTo(1);
        Waiting.until("no object", peer.objects::isEmpty);
        Waiting.until("no leftover", () -> room.number("select count(*) from file_leftover") == 0);
    }

    @Test
    void removesTheOtherObjects_whenSomeCannotBeRemoved() {
        // given
        open(false, "127.0.0.1", S3Peer.SECRET);
        for (var file = 0; file < 120; file++) {
            keep("locked.txt", new byte[] {65});
        }
        peer.locked.addAll(peer.objects.keySet());
        for (var file = 0; file < 120; file++) {
            keep("free.txt", new byte[] {66});
        }
        room.clock.advance(Duration.ofDays(31));

        // when
        for (var cleanUp = 0; cleanUp < 3; cleanUp++) {
            await(bus.ask(new FileMessages.RemoveExpired(), FileBench.DEADLINE_MS));
        }

        // then
        assertThat(peer.objects.keySet()).isEqualTo(peer.locked);
        assertThat(room.number("select count(*) from file_leftover")).isEqualTo(120);

        // when they can be deleted again
        peer.locked.clear();
        await(bus.ask(new FileMessages.RemoveExpired(), FileBench.DEADLINE_MS));

        // then
        assertThat(peer.objects).isEmpty();
        assertThat(room.number("select count(*) from file_leftover")).isZero();
    }

    @Test
    void reachesPrivateAddressesOnlyWhereTheyAreAllowed() {
        // given
        open(false, "", S3Peer.SECRET);

        // then
        assertThatThrownBy(() -> keep("a.txt", new byte[] {65})).isInstanceOf(ApiException.class);
        assertThat(peer.calls).isEmpty();
    }

    @Test
    void needsTheRightSecret() {
        // given
        open(false, "127.0.0.1", "another secret");

        // then
        assertThatThrownBy(() -> keep("a.txt", new byte[] {65})).isInstanceOf(ApiException.class);
        assertThat(peer.objects).isEmpty();
    }
}
