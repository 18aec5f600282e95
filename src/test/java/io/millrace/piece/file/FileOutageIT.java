package io.millrace.piece.file;

import static io.millrace.support.Waiting.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.base.core.ApiException;
import io.millrace.base.core.Ids;
import io.millrace.base.core.Json;
import io.millrace.support.ModuleServer;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Files whose bytes arrive during an outage of the database: the row is written after it. */
class FileOutageIT {
    private static final Buffer BYTES = Buffer.buffer("the bytes of the file");

    private final FileBench room = new FileBench();
    private ModuleServer server;

    @AfterEach
    void stop() {
        room.way.mend();
        room.close();
    }

    private void openWithBucket() {
        server = room.open(room.bucket(false, "127.0.0.1", _ -> S3Peer.KEYS), 1 << 20, false);
        // The object is stored when the database is lost.
        room.peer.instead = request -> request.body().onSuccess(body -> {
            room.peer.instead = null;
            room.peer.objects.put(request.path(), body);
            room.way.interrupt();
            request.response().end();
        });
    }

    private Future<String> keep() {
        return room.bus.ask(
                new FileMessages.KeepStepFile(room.projectId, Ids.next(), "step_1", "a.txt", null, BYTES),
                FileBench.DEADLINE_MS);
    }

    private Future<String> upload() {
        var upload = new UploadRequest(
                Ids.next(),
                FileType.FLOW_STEP_FILE,
                FileLabel.of("a.txt", "text/plain"),
                Optional.of((long) BYTES.length()),
                false);
        return room.bus.ask(new FileMessages.KeepUpload(room.projectId, upload, BYTES), FileBench.DEADLINE_MS);
    }

    /** The file exists, and was sent to the bucket once. */
    private void assertKept(Future<String> url) {
        room.way.awaitLost(10);
        room.way.mend();
        assertThat(server.get(await(url)).body()).isEqualTo(BYTES.getBytes());
        assertThat(room.number("select count(*) from file")).isEqualTo(1);
        assertThat(room.peer.calls).noneMatch(call -> call.startsWith("DELETE"));
        assertThat(room.peer.calls.stream().filter(call -> call.startsWith("PUT")))
                .hasSizeLessThanOrEqualTo(1);
    }

    @Test
    void keepsAStepFileInTheBucket_whenItsRowCannotBeWrittenForAWhile() {
        openWithBucket();

        assertKept(keep());
    }

    @Test
    void keepsAnUploadInTheBucket_whenItsRowCannotBeWrittenForAWhile() {
        openWithBucket();

        assertKept(upload());
    }

    @Test
    void keepsAStepFileInTheDatabase_whenItIsAwayForAWhile() {
        server = room.open(FileStorage.inDatabase(), 1 << 20, false);
        room.way.interrupt();

        assertKept(keep());
    }

    @Test
    void keepsAnUploadInTheDatabase_whenItIsAwayForAWhile() {
        server = room.open(FileStorage.inDatabase(), 1 << 20, false);
        room.way.interrupt();

        assertKept(upload());
    }

    @Test
    void removesTheObject_whenTheRowIsRefused() {
        // given a project that is deleted while the object is stored
        server = room.open(room.bucket(false, "127.0.0.1", _ -> S3Peer.KEYS), 1 << 20, false);
        room.peer.instead = request -> request.body().onSuccess(body -> {
            room.peer.instead = null;
            room.peer.objects.put(request.path(), body);
            room.database
                    .query("delete from project where id = $1", room.projectId)
                    .onComplete(_ -> request.response().end());
        });

        // when
        assertThatThrownBy(() -> await(keep()))
                .isInstanceOfSatisfying(
                        ApiException.class,
                        refused -> assertThat(ApiException.isNotFound(refused)).isTrue());

        // then
        assertThat(room.peer.objects).isEmpty();
    }

    @Test
    void writesTheRowOnce_whenAnAttemptWithoutAnAnswerWasCommitted() {
        server = room.open(FileStorage.inDatabase(), 1 << 20, false);
        var store = new FileStore();
        var now = room.clock.instant();
        var file = new StoredFile(
                Ids.next(),
                now,
                Optional.of(now.plus(Duration.ofDays(1))),
                room.projectId,
                FileType.FLOW_STEP_FILE,
                "a.txt",
                "text/plain",
                BYTES.length(),
                Json.object());

        await(room.database.recordingEffect(tx -> store.insert(tx, file, BYTES, null)));
        await(room.database.recordingEffect(tx -> store.insert(tx, file, BYTES, null)));

        assertThat(room.number("select count(*) from file")).isEqualTo(1);
    }
}
