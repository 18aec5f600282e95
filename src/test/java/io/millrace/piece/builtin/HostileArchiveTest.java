package io.millrace.piece.builtin;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.base.core.Json;
import io.millrace.hostile.HostileKind;
import io.millrace.piece.PieceFailure;
import io.millrace.piece.builtin.data.FileHelperPiece;
import io.millrace.piece.input.PropertyProcessor;
import io.millrace.support.piece.FakeStepContext;
import io.vertx.core.Future;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Base64;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.Test;

/** Untrusted zip files. */
@HostileKind("zip archive")
final class HostileArchiveTest {
    private static final int MEGABYTE = 1 << 20;

    /** Zip archive with one entry of zeros. */
    private static byte[] archive(String name, int megabytes) {
        var bytes = new ByteArrayOutputStream();
        try (var zip = new ZipOutputStream(bytes)) {
            entry(zip, name, megabytes);
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        }
        return bytes.toByteArray();
    }

    private static void entry(ZipOutputStream zip, String name, int megabytes) throws IOException {
        zip.putNextEntry(new ZipEntry(name));
        for (var index = 0; index < megabytes; index++) {
            zip.write(new byte[MEGABYTE]);
        }
        zip.closeEntry();
    }

    private static Future<JsonNode> unzipped(FakeStepContext context) {
        return FileHelperPiece.create().actions().get("unzipFile").run(context);
    }

    private static FakeStepContext context(byte[] archive) {
        var spec = FileHelperPiece.create().actions().get("unzipFile").spec();
        var file = "data:application/zip;base64," + Base64.getEncoder().encodeToString(archive);
        return FakeStepContext.with(
                PropertyProcessor.compile(spec.props()).apply(Json.object().put("file", file)));
    }

    private static Future<JsonNode> unzipped(byte[] archive) {
        return unzipped(context(archive));
    }

    /** Numbers for the names would take a time that grows with the square of the number of files. */
    @Test
    void refusesManyFilesOfOneName() {
        var input = Json.object().put("outputFileName", "all.zip");
        var files = input.putArray("files");
        for (var index = 0; index < 200_000; index++) {
            files.addObject().put("file", "data:text/plain;base64,YQ==");
        }
        var action = FileHelperPiece.create().actions().get("zipFiles");
        var context = FakeStepContext.with(
                PropertyProcessor.compile(action.spec().props()).apply(input));

        assertThat(action.run(context).cause())
                .isInstanceOf(PieceFailure.class)
                .hasMessageContaining("expected at most 1000 files");
    }

    @Test
    void unpacksUpToTheBound_andNothingBeyond() {
        assertThat(unzipped(archive("a.bin", 64)).succeeded()).isTrue();
        assertThat(unzipped(archive("a.bin", 65)).cause()).isInstanceOf(PieceFailure.class);
    }

    /** Regression: skipping the content of a folder entry unpacks it as well, 1,000 bytes for each compressed byte. */
    @Test
    void countsWhatFoldersHold() {
        assertThat(unzipped(archive("folder/", 65)).cause()).isInstanceOf(PieceFailure.class);
        assertThat(unzipped(archive("folder/", 0)).result()).isEmpty();
    }

    @Test
    void unpacksNoMoreFilesThanTheBound() throws IOException {
        assertThat(unzipped(many(1_000)).result()).hasSize(1_000);
        assertThat(unzipped(many(1_001)).cause()).isInstanceOf(PieceFailure.class);
    }

    private static byte[] many(int files) throws IOException {
        var bytes = new ByteArrayOutputStream();
        try (var zip = new ZipOutputStream(bytes)) {
            for (var index = 0; index < files; index++) {
                entry(zip, "f" + index, 0);
            }
        }
        return bytes.toByteArray();
    }

    /** A file is stored by its base name: its path is only data for the flow, not a path on this server. */
    @Test
    void keepsFilesByTheirNames_withAnyPath() throws IOException {
        // Given
        var bytes = new ByteArrayOutputStream();
        try (var zip = new ZipOutputStream(bytes)) {
            entry(zip, "../../../etc/passwd", 1);
            entry(zip, "/etc/shadow", 1);
        }

        // When
        var context = context(bytes.toByteArray());
        var list = unzipped(context).result();

        // Then
        assertThat(list).hasSize(2);
        assertThat(context.written).containsOnlyKeys("passwd", "shadow");
    }

    @Test
    void refusesAnArchiveThatEndsInTheMiddle() {
        var whole = archive("a.bin", 1);
        assertThat(unzipped(java.util.Arrays.copyOf(whole, 200)).cause()).isInstanceOf(PieceFailure.class);
    }
}
