package io.millrace.base.backup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.base.config.Config;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Archiving of log segments from the spool to the backup folder, and removal of segments that no backup needs. */
final class LogArchiveTest {
    private static final String FIRST = "0000000100000000000000FE";
    private static final String SECOND = "0000000100000000000000FF";
    private static final String THIRD = "000000010000000100000000";

    @TempDir
    Path files;

    private Path spool;
    private Path lineage;
    private LogArchive archive;

    @BeforeEach
    void open() throws IOException {
        var data = files.resolve("data");
        spool = Files.createDirectories(data.resolve("postgres/data/millrace_spool"));
        Files.writeString(data.resolve("postgres/log-lineage"), "abc");
        lineage = files.resolve("kept/log-abc");
        var config = Config.load(Map.of("AP_DATA_DIR", data.toString()), files.resolve("no-such-file"));
        archive = new LogArchive(config, files.resolve("kept"), Optional.empty(), "0.0.0", InstantSource.system());
    }

    private void spool(String name, byte... bytes) throws IOException {
        Files.write(spool.resolve(name), bytes);
    }

    @ParameterizedTest
    @CsvSource({FIRST + "," + SECOND, SECOND + "," + THIRD, "00000002000000FF000000FF,000000020000010000000000"})
    void namesTheSegmentBehind(String segment, String next) {
        assertThat(LogArchive.after(segment)).isEqualTo(next);
    }

    @Test
    void carriesFinishedSegments_andLeavesThoseUnderWay() throws IOException {
        spool(FIRST, (byte) 1, (byte) 0, (byte) 2);
        spool(SECOND + ".part", (byte) 3);

        assertThat(archive.carry()).isEqualTo(1);

        assertThat(spool.resolve(FIRST)).doesNotExist();
        assertThat(spool.resolve(SECOND + ".part")).exists();
        var out = Files.createDirectory(files.resolve("out"));
        BaseFile.unpackSegment(lineage.resolve(FIRST + ".log"), Optional.empty(), out);
        assertThat(out.resolve(FIRST)).hasBinaryContent(new byte[] {1, 0, 2});

        // when PostgreSQL archives it again, because it was killed before it recorded the success
        spool(FIRST, (byte) 1, (byte) 0, (byte) 2);

        assertThat(archive.carry()).isEqualTo(1);
        assertThat(spool).isDirectoryNotContaining(path -> path.endsWith(FIRST));
    }

    @Test
    void keepsASegmentInTheSpool_whenTheFolderIsAway() throws IOException {
        spool(FIRST, (byte) 1);
        Files.writeString(files.resolve("kept"), "a file where the folder should be");

        assertThatThrownBy(() -> archive.carry()).isInstanceOf(IOException.class);

        assertThat(spool.resolve(FIRST)).exists();
    }

    @Test
    void removesWhatAProcessThatWasKilledHadBegun() throws IOException {
        spool(FIRST, (byte) 1);
        archive.carry();
        Files.createFile(lineage.resolve("base.123.part"));
        Files.createFile(lineage.resolve(SECOND + ".log.456.part"));

        archive.tidy();

        assertThat(lineage).isDirectoryContaining(path -> path.endsWith(FIRST + ".log"));
        assertThat(lineage).isDirectoryNotContaining("glob:**.part");
        assertThat(archive.hasBase()).isFalse();
    }

    @Test
    void writesZerosAsTheyWere_thoughTheyTakeNoRoom() throws IOException {
        var segment = new byte[1 << 20];
        segment[0] = 1;
        spool(FIRST, segment);
        archive.carry();
        var out = Files.createDirectory(files.resolve("out"));

        BaseFile.unpackSegment(lineage.resolve(FIRST + ".log"), Optional.empty(), out);

        assertThat(out.resolve(FIRST)).hasBinaryContent(segment);
    }

    @Test
    void dropsWhatNoCopyNeeds_andFindsGaps() throws IOException {
        for (var name : new String[] {FIRST, SECOND, THIRD}) {
            spool(name, (byte) 1);
        }
        archive.carry();
        Files.createFile(lineage.resolve("base-20261125T030000Z-" + FIRST + ".base"));
        Files.createFile(lineage.resolve("base-20261126T030000Z-" + THIRD + ".base"));
        var older = Files.createDirectories(files.resolve("kept/log-older"));
        Files.createFile(older.resolve("base-20261101T030000Z-" + FIRST + ".base"));
        Files.createFile(older.resolve(FIRST + ".log"));

        var bases = archive.bases();
        assertThat(bases)
                .extracting(LogArchive.Base::moment)
                .containsExactly(
                        Instant.parse("2026-11-01T03:00:00Z"),
                        Instant.parse("2026-11-25T03:00:00Z"),
                        Instant.parse("2026-11-26T03:00:00Z"));
        assertThat(LogArchive.segmentsFrom(bases.get(1))).hasSize(3);
        assertThat(LogArchive.hasMoreThan(LogArchive.segmentsFrom(bases.get(1)), bases.get(1)))
                .isFalse();

        // when a segment is missing
        Files.delete(lineage.resolve(SECOND + ".log"));

        assertThat(LogArchive.segmentsFrom(bases.get(1))).hasSize(1);
        assertThat(LogArchive.hasMoreThan(LogArchive.segmentsFrom(bases.get(1)), bases.get(1)))
                .isTrue();

        // when all copies except the newest are deleted
        archive.drop(bases.subList(0, 2));

        assertThat(older).doesNotExist();
        assertThat(lineage.resolve(FIRST + ".log")).doesNotExist();
        assertThat(lineage.resolve(THIRD + ".log")).exists();
        assertThat(archive.hasBase()).isTrue();
    }
}
