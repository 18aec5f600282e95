package io.millrace.integration.backup;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.base.backup.Backup;
import io.millrace.base.backup.BackupKey;
import io.millrace.base.backup.BackupNames;
import io.millrace.base.bus.Bus;
import io.millrace.base.config.Config;
import io.millrace.base.metrics.MeterSet;
import io.millrace.support.MovableClock;
import io.millrace.support.TestPostgres;
import io.millrace.support.Waiting;
import io.prometheus.metrics.model.snapshots.CounterSnapshot;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Backups that become due as the clock advances, and one that fails. */
class ScheduledBackupsIT {
    private static final String KEY = "00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff";

    @TempDir
    Path directory;

    private final Vertx vertx = TestPostgres.vertx();
    private final MovableClock clock = new MovableClock();
    private final MeterSet meters = new MeterSet();
    private Path folder;
    private Path keyFile;

    @BeforeEach
    void start() throws IOException {
        folder = directory.resolve("kept");
        keyFile = Files.writeString(directory.resolve("key"), KEY);
        var config = Config.load(
                Map.of(
                        "AP_POSTGRES_URL",
                        TestPostgres.url(TestPostgres.freshDatabase()),
                        "AP_BACKUP_AT",
                        "03:00",
                        "AP_BACKUP_TARGET",
                        folder.toString(),
                        "AP_BACKUP_KEY_FILE",
                        keyFile.toString(),
                        "AP_BACKUP_KEEP",
                        "2",
                        "AP_DATA_DIR",
                        directory.resolve("data").toString()),
                directory.resolve("no-such-file"));
        Waiting.await(vertx.deployVerticle(new ScheduledBackups(
                new Bus(vertx),
                config.storage().data().backups().orElseThrow(),
                new Backup(config, "0.0.0", clock),
                new FolderTarget(vertx, folder),
                new BackupMeters(meters),
                clock)));
    }

    @AfterEach
    void stop() {
        Waiting.await(vertx.close());
    }

    /** the next night */
    private Instant night() {
        var next = BackupTimes.next(List.of(LocalTime.of(3, 0)), clock.instant());
        clock.advance(Duration.between(clock.instant(), next));
        return next;
    }

    private List<String> kept() {
        if (!Files.exists(folder)) {
            return List.of();
        }
        try (var files = Files.list(folder)) {
            return files.map(file -> file.getFileName().toString()).sorted().toList();
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    private double count(String outcome) {
        return meters.collect().stream()
                .filter(CounterSnapshot.class::isInstance)
                .map(CounterSnapshot.class::cast)
                .filter(snapshot -> snapshot.getMetadata().getName().equals("millrace_backups"))
                .flatMap(snapshot -> snapshot.getDataPoints().stream())
                .filter(point -> outcome.equals(point.getLabels().get("outcome")))
                .mapToDouble(CounterSnapshot.CounterDataPointSnapshot::getValue)
                .sum();
    }

    @Test
    void takesOneEachNight_keepsTheNewest_andSparesThemWhenOneFails() throws IOException {
        // when three nights pass
        var names = new String[3];
        for (var i = 0; i < names.length; i++) {
            var name = BackupNames.nameAt(night().truncatedTo(ChronoUnit.SECONDS));
            names[i] = name;
            Waiting.until(name, () -> kept().contains(name));
        }

        // then
        Waiting.until("the oldest is gone", () -> kept().equals(List.of(names[1], names[2])));
        var newest = Backup.check(folder.resolve(names[2]), Optional.of(BackupKey.read(keyFile)));
        assertThat(newest.isEncrypted()).isTrue();
        assertThat(newest.counts().tables()).isGreaterThan(50);
        assertThat(count("DONE")).isEqualTo(3);

        // when the key is missing on the next night
        Files.delete(keyFile);
        night();

        // then
        Waiting.until("the failure is counted", () -> count("FAILED") == 1);
        assertThat(kept()).containsExactly(names[1], names[2]);

        // when it exists again
        Files.writeString(keyFile, KEY);
        var name = BackupNames.nameAt(night());

        // then
        Waiting.until("it continues", () -> kept().equals(List.of(names[2], name)));
        assertThat(clock.instant().atOffset(ZoneOffset.UTC).getHour()).isEqualTo(3);
    }
}
