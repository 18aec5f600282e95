package io.millrace.piece.file;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.base.core.Json;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Untrusted file names and media types, and the response headers derived from them. */
class FileLabelTest {
    @ParameterizedTest
    @CsvSource({
        "report.pdf, report.pdf",
        "../../etc/passwd, passwd",
        "C:\\temp\\x.txt, x.txt",
        "'  ', file",
        "folder/, file",
        "Übersicht 1.txt, Übersicht 1.txt"
    })
    void keepsTheBareName(String given, String kept) {
        assertThat(FileLabel.of(given, null).fileName()).isEqualTo(kept);
    }

    @Test
    void dropsCharactersThatSteerOrBreak() {
        var label = FileLabel.of("in\r\nvoice\u202Egpj\0.exe", null);

        assertThat(label.fileName()).isEqualTo("invoicegpj.exe");
    }

    @Test
    void cutsLongNames_withoutSplittingACharacter() {
        var label = FileLabel.of("x" + "😀".repeat(300), null);

        assertThat(label.fileName()).hasSizeBetween(199, 201).endsWith("😀");
    }

    @Test
    void isCalledFile_whenThereIsNoName() {
        assertThat(FileLabel.of(null, null)).isEqualTo(new FileLabel("file", "application/octet-stream"));
    }

    @ParameterizedTest
    @CsvSource({
        "IMAGE/PNG, image/png",
        "text/plain; charset=UTF-8, text/plain; charset=utf-8",
        "multipart/x; boundary=abc, multipart/x"
    })
    void keepsAKnownType(String given, String kept) {
        assertThat(FileLabel.of("x", given).contentType()).isEqualTo(kept);
    }

    @Test
    void guessesFromTheName_whenTheTypeIsInvalid() {
        assertThat(FileLabel.of("a.png", "image/png\r\nSet-Cookie: x").contentType())
                .isEqualTo("image/png");
        assertThat(FileLabel.of("a.txt", "").contentType()).isEqualTo("text/plain; charset=utf-8");
        assertThat(FileLabel.of("a.unknown", "/").contentType()).isEqualTo("application/octet-stream");
    }

    @ParameterizedTest
    @CsvSource({
        "image/png, inline",
        "video/mp4, inline",
        "text/plain; charset=utf-8, inline",
        "text/html, attachment",
        "image/svg+xml, attachment",
        "application/pdf, attachment",
        "text/xml, attachment"
    })
    void showsInPlaceOnlyWhatCannotRun(String contentType, String disposition) {
        assertThat(Disposition.of(file("a.bin", contentType))).startsWith(disposition + "; ");
    }

    @Test
    void tellsTheNameTwice_onceInAscii() {
        assertThat(Disposition.of(file("Ü \"1\" 100%.txt", "text/plain")))
                .isEqualTo("inline; filename=\"_ _1_ 100_.txt\"; filename*=UTF-8''%C3%9C%20%221%22%20100%25.txt");
    }

    private static StoredFile file(String name, String contentType) {
        return new StoredFile(
                "", Instant.EPOCH, Optional.empty(), "", FileType.FLOW_STEP_FILE, name, contentType, 0, Json.object());
    }
}
