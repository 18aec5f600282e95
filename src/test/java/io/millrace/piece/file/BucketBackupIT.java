package io.millrace.piece.file;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.app.cli.command.ExitStatus;
import io.millrace.base.backup.Backup;
import io.millrace.base.backup.BackupNames;
import io.millrace.base.bus.Bus;
import io.millrace.base.config.Config;
import io.millrace.base.metrics.MeterSet;
import io.millrace.base.net.AddressGuard;
import io.millrace.base.net.OutboundHttp;
import io.millrace.base.net.OutboundLimits;
import io.millrace.base.net.WebAddress;
import io.millrace.integration.backup.BackupMeters;
import io.millrace.integration.backup.BucketTarget;
import io.millrace.integration.backup.ScheduledBackups;
import io.millrace.support.CommandRun;
import io.millrace.support.DataDirectory;
import io.millrace.support.MovableClock;
import io.millrace.support.Slow;
import io.millrace.support.TestPostgres;
import io.millrace.support.Waiting;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Backups that a server writes to a bucket, and a restore directly from it. */
@Slow(Slow.Reason.PROCESS)
final class BucketBackupIT {
    private static final String KEY = "00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff";

    @TempDir
    Path files;

    private final Vertx vertx = TestPostgres.vertx();
    private final MovableClock clock = new MovableClock();
    private final S3Peer peer = new S3Peer();

    @AfterEach
    void close() {
        Waiting.await(vertx.close());
        peer.close();
    }

    private Map<String, String> settings() throws IOException {
        var key = Files.writeString(files.resolve("key"), KEY);
        return Map.of(
                "AP_S3_ENDPOINT",
                peer.endpoint(),
                "AP_S3_REGION",
                "eu-north-1",
                "AP_S3_BUCKET",
                "mill-files",
                "AP_S3_ACCESS_KEY_ID",
                "AKID",
                "AP_S3_SECRET_ACCESS_KEY",
                S3Peer.SECRET,
                "AP_SSRF_ALLOW_LIST",
                "127.0.0.1",
                "AP_BACKUP_KEY_FILE",
                key.toString());
    }

    /** Name of the backup of the next night. */
    private String night() {
        var today = clock.instant().truncatedTo(ChronoUnit.DAYS).plus(Duration.ofHours(3));
        var next = today.isAfter(clock.instant()) ? today : today.plus(Duration.ofDays(1));
        clock.advance(Duration.between(clock.instant(), next));
        return BackupNames.nameAt(next);
    }

    private void schedule(Config config) {
        var objects = new S3LargeObjects(
                vertx,
                new OutboundHttp(vertx, AddressGuard.allowing("127.0.0.1"), OutboundLimits.defaults()),
                new S3Settings(WebAddress.parse(peer.endpoint()), "mill-backups", "eu-north-1", false),
                S3Peer.KEYS,
                clock);
        Waiting.await(vertx.deployVerticle(new ScheduledBackups(
                new Bus(vertx),
                config.storage().data().backups().orElseThrow(),
                new Backup(config, "0.0.0", clock),
                new BucketTarget(vertx, objects, "nightly/", files.resolve("spool")),
                new BackupMeters(new MeterSet()),
                clock)));
    }

    @Test
    void takesOneEachNightIntoTheBucket_whichIsRestoredStraightOutOfIt() throws IOException {
        // given
        var given = new HashMap<>(settings());
        given.put("AP_POSTGRES_URL", TestPostgres.url(TestPostgres.freshDatabase()));
        given.put("AP_DATA_DIR", files.resolve("data").toString());
        given.put("AP_BACKUP_AT", "03:00");
        given.put("AP_BACKUP_KEEP", "1");
        given.put("AP_BACKUP_TARGET", "s3://mill-backups/nightly");
        schedule(Config.load(given, files.resolve("no-such-file")));

        // when two nights pass, and the storage fails in the first
        peer.failsWith = 503;
        night();
        Waiting.until("it was to be sent", () -> peer.calls.stream().anyMatch(call -> call.startsWith("POST")));
        Waiting.until("the file of the failure is gone", () -> isEmpty(files.resolve("spool")));
        assertThat(peer.objects).isEmpty();
        peer.failsWith = 0;
        var name = night();

        // then
        var path = "/mill-backups/nightly/" + name;
        Waiting.until(name, () -> peer.objects.containsKey(path));
        Waiting.until("nothing is left on this host", () -> isEmpty(files.resolve("spool")));

        // when the newest below the prefix is restored, and verified with its key
        try (var target = DataDirectory.create()) {
            var settings = new HashMap<>(settings());
            settings.put("AP_DATA_DIR", target.path().toString());
            var key = settings.get("AP_BACKUP_KEY_FILE");
            var address = "s3://mill-backups/nightly/";
            var looked =
                    CommandRun.of(settings, "backup", "verify", "--from", address + name, "--key-file", key, "--json");
            var restored = CommandRun.of(settings, "restore", "--from", address, "--key-file", key, "--json");
            var missing = CommandRun.of(settings, "backup", "verify", "--from", address + "none.backup");

            // then
            assertThat(looked.status()).as(looked.err()).isEqualTo(ExitStatus.OK);
            assertThat(looked.json().path("encrypted").booleanValue()).isTrue();
            assertThat(restored.status()).as(restored.err()).isEqualTo(ExitStatus.OK);
            assertThat(restored.json().path("rows")).isEqualTo(looked.json().path("rows"));
            assertThat(target.path().resolve("postgres/data/PG_VERSION")).exists();
            try (var left = Files.newDirectoryStream(target.path(), "fetched-*")) {
                assertThat(left).isEmpty();
            }
            assertThat(missing.status()).isEqualTo(ExitStatus.UNAVAILABLE);
            assertThat(missing.err()).contains("the bucket refused the request");
        }
    }

    private static boolean isEmpty(Path folder) {
        try (var left = Files.list(folder)) {
            return left.findAny().isEmpty();
        } catch (IOException notThere) {
            return false;
        }
    }
}
