package io.millrace.piece.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.base.core.ApiException;
import io.millrace.base.net.AddressGuard;
import io.millrace.base.net.OutboundHttp;
import io.millrace.base.net.OutboundLimits;
import io.millrace.base.net.WebAddress;
import io.millrace.support.MovableClock;
import io.millrace.support.TestPostgres;
import io.millrace.support.Waiting;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Multipart uploads to a bucket. */
class S3LargeObjectsIT {
    private static final int PART = 16 << 20;

    @TempDir
    Path directory;

    private final Vertx vertx = TestPostgres.vertx();
    private final S3Peer peer = new S3Peer();
    private LargeObjects objects;

    @BeforeEach
    void open() {
        objects = new S3LargeObjects(
                vertx,
                new OutboundHttp(vertx, AddressGuard.allowing("127.0.0.1"), OutboundLimits.defaults()),
                new S3Settings(WebAddress.parse(peer.endpoint()), "mill-backups", "eu-north-1", false),
                S3Peer.KEYS,
                new MovableClock());
    }

    @AfterEach
    void close() {
        Waiting.await(vertx.close());
        peer.close();
    }

    private Path file(int bytes) throws IOException {
        var content = new byte[bytes];
        new Random(7).nextBytes(content);
        return Files.write(directory.resolve("file"), content);
    }

    @Test
    void sendsAFileInParts_listsAndDropsIt() throws IOException {
        // Given
        var file = file(PART + 1000);

        // When
        Waiting.await(objects.put("nightly/one.backup", file, "application/octet-stream"));
        Waiting.await(objects.put("other/two.backup", file, "application/octet-stream"));

        // Then
        assertThat(peer.objects.get("/mill-backups/nightly/one.backup"))
                .isEqualTo(Buffer.buffer(Files.readAllBytes(file)));
        assertThat(Waiting.await(objects.keys("nightly/"))).containsExactly("nightly/one.backup");
        var fetched = directory.resolve("fetched");
        Waiting.await(objects.get("nightly/one.backup", fetched));
        assertThat(fetched).hasSameBinaryContentAs(file);

        // When
        Waiting.await(objects.delete("nightly/one.backup"));
        Waiting.await(objects.delete("nightly/one.backup"));

        // Then
        assertThat(Waiting.await(objects.keys("nightly/"))).isEmpty();
        assertThat(Waiting.await(objects.keys(""))).containsExactly("other/two.backup");
    }

    @Test
    void isEmpty_whenAKeyIsUnknown() {
        assertThatThrownBy(() -> Waiting.await(objects.get("nightly/none.backup", directory.resolve("fetched"))))
                .isInstanceOf(ApiException.class);
    }

    @Test
    void givesUpWhatCannotBeSent_andLeavesNothing() throws IOException {
        // Given
        var file = file(PART + 1000);
        peer.failsAtPart = 2;

        // When, Then
        assertThatThrownBy(() -> Waiting.await(objects.put("nightly/one.backup", file, "application/octet-stream")))
                .isInstanceOf(ApiException.class);
        assertThat(peer.objects).isEmpty();
        assertThat(peer.uploads).isEmpty();
    }
}
