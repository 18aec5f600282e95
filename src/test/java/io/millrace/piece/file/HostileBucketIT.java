package io.millrace.piece.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.base.core.ApiException;
import io.millrace.base.core.ErrorCode;
import io.millrace.base.core.Ids;
import io.millrace.base.net.CloudKey;
import io.millrace.hostile.HostileKind;
import io.millrace.support.ModuleServer;
import io.millrace.support.Waiting;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Malicious bucket: endless responses, wrong lengths, internal addresses, and XML entities. */
@HostileKind("bucket")
class HostileBucketIT {
    private static final int BYTES_MAX = 1024 * 1024;

    private final FileBench room = new FileBench();
    private ModuleServer server;
    private String url;

    @BeforeEach
    void keepAFile() {
        server = room.open(
                room.bucket(false, "127.0.0.1", _ -> BucketKeys.of(CloudKey.lasting("AKID", S3Peer.SECRET))),
                BYTES_MAX,
                false);
        url = keep("ten.txt", "0123456789");
    }

    @AfterEach
    void stop() {
        room.close();
    }

    private String keep(String name, String text) {
        return Waiting.await(room.bus.ask(
                new FileMessages.KeepStepFile(room.projectId, Ids.next(), "step_1", name, null, Buffer.buffer(text)),
                FileBench.DEADLINE_MS));
    }

    private static void isUnavailable(Throwable failure) {
        assertThat(failure).isInstanceOf(ApiException.class);
        assertThat(((ApiException) failure).code()).isEqualTo(ErrorCode.STORAGE_UNAVAILABLE);
    }

    /** Bytes beyond the announced length could be read as another response, so the connection is closed. */
    @Test
    void handsOnNoMoreThanWasAnnounced() {
        room.peer.instead =
                request -> request.response().end("0123456789HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nevil");
        var said = read();
        assertThat(said).doesNotContain("evil");
        room.peer.instead = request -> request.response().setChunked(true).end("0123456789HTTP/1.1 200 OK\r\n\r\nevil");
        assertThat(read()).doesNotContain("evil");
    }

    @Test
    void closesTheConnection_whenFewerBytesArriveThanAnnounced() {
        room.peer.instead = request -> request.response().end("01234");
        assertThat(read()).doesNotEndWith("56789");
    }

    /** Everything that is sent until the connection is closed. */
    private String read() {
        var port = URI.create(server.url()).getPort();
        var path = URI.create(url).getRawPath() + "?" + URI.create(url).getRawQuery();
        try (var socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            socket.setSoTimeout(20_000);
            var request = "GET " + path + " HTTP/1.1\r\nHost: localhost\r\n\r\n";
            socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    @Test
    void readsAnAnswerWithoutEndNoFurtherThanALimit() {
        var isClosed = new AtomicBoolean();
        room.peer.instead = request -> endless(request, isClosed);
        assertThatThrownBy(() -> keep("b.txt", "b")).satisfies(HostileBucketIT::isUnavailable);
        Waiting.until("the connection is given up", isClosed::get);
    }

    private static void endless(HttpServerRequest request, AtomicBoolean isClosed) {
        request.connection().closeHandler(_ -> isClosed.set(true));
        writeOn(request.response().setChunked(true), isClosed);
    }

    private static void writeOn(HttpServerResponse response, AtomicBoolean isClosed) {
        if (!isClosed.get()) {
            response.write(Buffer.buffer(new byte[64 * 1024])).onSuccess(_ -> writeOn(response, isClosed));
        }
    }

    @Test
    void followsNoRedirect() {
        for (var location : new String[] {"http://169.254.169.254/latest/meta-data/", "http://127.0.0.2:1/"}) {
            room.peer.instead = request -> request.response()
                    .setStatusCode(307)
                    .putHeader("Location", location)
                    .end();
            assertThatThrownBy(() -> keep("b.txt", "b")).satisfies(HostileBucketIT::isUnavailable);
            assertThat(server.get(url).statusCode()).isEqualTo(503);
        }
    }

    /** Responses of a token service are untrusted XML. */
    @Test
    void expandsNoEntitiesOfATokenService() {
        var laughs = new StringBuilder("<!DOCTYPE r [<!ENTITY a0 'ha'>");
        IntStream.range(1, 40)
                .forEach(level -> laughs.append("<!ENTITY a%1$d '&a%2$d;&a%2$d;'>".formatted(level, level - 1)));
        for (var text : new String[] {
            laughs + "]><r><AccessKeyId>&a39;</AccessKeyId></r>",
            "<!DOCTYPE r [<!ENTITY x SYSTEM 'file:///etc/passwd'>]><r><AccessKeyId>&x;</AccessKeyId></r>",
            "<a>".repeat(20_000) + "</a>".repeat(20_000)
        }) {
            var answer = text.getBytes(StandardCharsets.UTF_8);
            assertThatIllegalArgumentException().isThrownBy(() -> RoleLease.read(answer, Instant.EPOCH));
            assertThat(RoleLease.refusal(answer)).hasSizeLessThanOrEqualTo(300);
        }
    }
}
