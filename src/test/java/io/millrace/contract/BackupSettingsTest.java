package io.millrace.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.base.config.BadSetting;
import io.millrace.base.config.Config;
import io.millrace.base.config.DataSettings;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Schedule and destination of backups by settings. */
final class BackupSettingsTest {
    private static DataSettings data(Map<String, String> settings) {
        return Config.load(settings, Path.of("there-is-no-such-file")).storage().data();
    }

    @Test
    void logIsKeptBesideBackups_onlyWhenWanted() {
        var nightly = Map.of("AP_BACKUP_AT", "03:00", "AP_BACKUP_TARGET", "/backup");
        var kept = new HashMap<>(nightly);
        kept.put("AP_BACKUP_WAL", "true");

        assertThat(data(nightly).backups().orElseThrow().archivesLog()).isFalse();
        assertThat(data(kept).backups().orElseThrow().archivesLog()).isTrue();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            AP_BACKUP_AT | '' | the log needs base copies, which are taken at the times of AP_BACKUP_AT; set AP_BACKUP_AT
            AP_BACKUP_TARGET | s3://mill-backups | expected a folder as AP_BACKUP_TARGET, found a bucket
            AP_POSTGRES_URL | postgres://a:b@localhost/d | expected an embedded database, found an external one
            """)
    void logCannotBeKept_withoutTimesOrInABucketOrOfAnExternalDatabase(String name, String value, String reason) {
        var settings = new HashMap<>(Map.of(
                "AP_BACKUP_WAL",
                "true",
                "AP_BACKUP_AT",
                "03:00",
                "AP_S3_BUCKET",
                "mill",
                "AP_S3_REGION",
                "eu-north-1",
                "AP_S3_ACCESS_KEY_ID",
                "AKID",
                "AP_S3_SECRET_ACCESS_KEY",
                "secret"));
        settings.put(name, value);

        assertThatThrownBy(() -> data(settings))
                .isInstanceOf(BadSetting.class)
                .hasMessageStartingWith("AP_BACKUP_WAL: ")
                .hasMessageEndingWith(reason);
    }

    @Test
    void backupBeforeMigrationIsInAFolder_withAnyTarget() {
        assertThat(data(Map.of("AP_DATA_DIR", "/mill"))
                        .migrationBackup()
                        .orElseThrow()
                        .folder())
                .isEqualTo(Path.of("/mill/backups"));
        assertThat(data(Map.of("AP_BACKUP_TARGET", "/backup"))
                        .migrationBackup()
                        .orElseThrow()
                        .folder())
                .isEqualTo(Path.of("/backup"));
        assertThat(data(Map.of("AP_DATA_DIR", "/mill", "AP_BACKUP_TARGET", "s3://mill-backups"))
                        .migrationBackup()
                        .orElseThrow()
                        .folder())
                .isEqualTo(Path.of("/mill/backups"));
        assertThat(data(Map.of("AP_BACKUP_BEFORE_MIGRATION", "false")).migrationBackup())
                .isEmpty();
    }
}
