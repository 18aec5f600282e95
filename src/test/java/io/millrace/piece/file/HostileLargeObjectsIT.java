package io.millrace.piece.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.base.core.ApiException;
import io.millrace.base.core.ErrorCode;
import io.millrace.base.net.AddressGuard;
import io.millrace.base.net.OutboundHttp;
import io.millrace.base.net.OutboundLimits;
import io.millrace.base.net.WebAddress;
import io.millrace.hostile.HostileKind;
import io.millrace.support.MovableClock;
import io.millrace.support.TestPostgres;
import io.millrace.support.Waiting;
import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerRequest;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Malicious bucket of backups: it lists other objects, and sends endless objects or redirects. */
@HostileKind("bucket")
class HostileLargeObjectsIT {
    private static final String KEY = "nightly/one.backup";

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

    private void say(Handler<HttpServerRequest> answer) {
        peer.instead = request -> request.body().onSuccess(_ -> answer.handle(request));
    }

    private static void isUnavailable(Future<?> done) {
        assertThatThrownBy(() -> Waiting.await(done))
                .isInstanceOfSatisfying(
                        ApiException.class,
                        failure -> assertThat(failure.code()).isEqualTo(ErrorCode.STORAGE_UNAVAILABLE));
    }

    @Test
    void listsNoKeyOfAnotherPlace() {
        say(request -> request.response()
                .end("<r><Key>x</Key><Key>other/zzz.backup</Key><Key>nightly/a</Key><Key>/etc/passwd</Key>"
                        + "<Key>nightly/../../b</Key></r>"));
        assertThat(Waiting.await(objects.keys("nightly/"))).containsExactly("nightly/a");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "<!DOCTYPE r [<!ENTITY x SYSTEM 'file:///etc/passwd'>]><r><Key>&x;</Key></r>",
                "<Key>",
                "<Key></Key>",
                "not XML"
            })
    void listsNothing_whenTheAnswerIsNoList(String text) {
        say(request -> request.response().end(text));
        assertThat(Waiting.await(objects.keys("nightly/"))).isEmpty();
    }

    @Test
    void readsAListWithoutEndNoFurtherThanALimit() {
        say(request -> {
            var response = request.response().setChunked(true);
            var part = Buffer.buffer("<Key>nightly/a</Key>".repeat(10_000));
            writeOn(request, part, response.write(part));
        });
        isUnavailable(objects.keys("nightly/"));
    }

    private static void writeOn(HttpServerRequest request, Buffer part, Future<Void> written) {
        written.onSuccess(_ -> writeOn(request, part, request.response().write(part)));
    }

    /** Each response says that there is more; the positive control is S3LargeObjectsIT. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "bytes FROM-TO/9223372036854775807",
                "bytes FROM-TO/GROWING",
                "bytes 5-6/100",
                "bytes FROM-TO/-5",
                "bytes FROM-TO/99999999999999999999999"
            })
    void givesUpAnObjectWithoutEnd(String range) {
        var asked = new AtomicInteger();
        say(request -> {
            var from = Long.parseLong(request.getHeader("range").replaceAll("bytes=(\\d+)-.*", "$1"));
            var said = range.replace("FROM", String.valueOf(from))
                    .replace("TO", String.valueOf(from + 9))
                    .replace("GROWING", String.valueOf(1_000 + 10 * asked.incrementAndGet()));
            request.response()
                    .setStatusCode(206)
                    .putHeader("Content-Range", said)
                    .end("0123456789");
        });
        isUnavailable(objects.get(KEY, directory.resolve("fetched")));
        assertThat(asked.get()).isLessThan(5);
    }

    @Test
    void takesNoMoreOfAPartThanItAskedFor() {
        say(request -> request.response()
                .setStatusCode(206)
                .putHeader("Content-Range", "bytes 0-20000000/20000001")
                .end(Buffer.buffer(new byte[20_000_001])));
        isUnavailable(objects.get(KEY, directory.resolve("fetched")));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"<UploadId></UploadId>", "no id", "<UploadId>LONG</UploadId>", "<UploadId>a\r\nb</UploadId>"})
    void sendsNoPart_whenTheUploadHasNoUsableId(String answer) throws IOException {
        var file = Files.write(directory.resolve("file"), new byte[10]);
        var parts = new AtomicInteger();
        say(request -> {
            if (request.method().name().equals("PUT")) {
                parts.incrementAndGet();
            }
            request.response().end(answer.replace("LONG", "x".repeat(100_000)));
        });
        isUnavailable(objects.put(KEY, file, "application/octet-stream"));
        assertThat(parts.get()).isZero();
    }

    @Test
    void writesATagOfTheStorageAsText() throws IOException {
        var file = Files.write(directory.resolve("file"), new byte[10]);
        var completed = new CopyOnWriteArrayList<String>();
        peer.instead = request -> request.body().onSuccess(body -> {
            completed.add(body.toString());
            request.response()
                    .putHeader("etag", "\"a</ETag></Part><Part>&amp;\"")
                    .end("<UploadId>u</UploadId>");
        });
        Waiting.await(objects.put(KEY, file, "application/octet-stream"));
        assertThat(completed)
                .last()
                .asString()
                .contains("<ETag>&quot;a&lt;/ETag&gt;&lt;/Part&gt;&lt;Part&gt;&amp;amp;&quot;</ETag>");
    }
}
