package io.millrace.app.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.app.cli.command.ExitStatus;
import io.millrace.base.config.Setting;
import io.millrace.support.CommandRun;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** {@code config check} rejects the settings that a start rejects; {@code config list} prints values and their sources. */
final class ConfigCommandsTest {
    @TempDir
    Path directory;

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        AP_PORT                  | many             | AP_PORT: expected a whole number from 0 to 65535, found many
        AP_POSTGRES_URL          | mysql://x        | AP_POSTGRES_URL: expected postgres://user:password@host:port/database
        AP_POSTGRES_URL          | postgres://h:99999/d | AP_POSTGRES_URL: expected a port from 1 to 65535, found 99999
        AP_ENCRYPTION_KEY        | hidden           | AP_ENCRYPTION_KEY: expected 32 hexadecimal characters, found 6 characters
        AP_ALLOWED_EMBED_ORIGINS | nowhere          | AP_ALLOWED_EMBED_ORIGINS: expected origins like
        AP_APP_WEBHOOK_SECRETS   | [hidden]         | AP_APP_WEBHOOK_SECRETS: expected a JSON object
        AP_SSRF_ALLOW_LIST       | everywhere       | AP_SSRF_ALLOW_LIST
        AP_JWT_SECRET            | hidden           | AP_JWT_SECRET: expected at least 16 characters
        AP_CODE_UID              | 65522            | AP_CODE_UID, AP_PIECE_UID and AP_EMBEDDED_POSTGRES_UID: expected three different numbers
        AP_PIECE_UID             | 65534            | AP_CODE_UID, AP_PIECE_UID and AP_EMBEDDED_POSTGRES_UID: expected three different numbers
        AP_CODE_UID              | 60600            | AP_PROCESS_UID_FIRST: expected 256 numbers (AP_PROCESS_UIDS) without AP_CODE_UID
        AP_PIECE_UID             | 60855            | AP_PROCESS_UID_FIRST: expected 256 numbers (AP_PROCESS_UIDS) without AP_CODE_UID
        AP_CODE_UID              | 0                | AP_CODE_UID: expected a whole number from 1 to 65535, found 0
        AP_BACKUP_KEY_FILE       | /none/key        | AP_BACKUP_KEY_FILE: the key file /none/key cannot be read: /none/key: no such file or directory
        AP_NODE_PATH             | /none/node       | AP_NODE_PATH: expected an executable file, found none at /none/node
        AP_NODE_PATH             | /etc/passwd      | AP_NODE_PATH: expected an executable file, found one that this user may not access at /etc/passwd
        AP_PYTHON_PATH           | /etc             | AP_PYTHON_PATH: expected an executable file, found a directory at /etc
        AP_DATA_DIR              | /proc/x          | AP_DATA_DIR: expected a folder that the user of the server may write to, found /proc/x, where /proc is part of a file system of the kernel (proc)
        AP_DATA_DIR              | /etc/passwd/x    | AP_DATA_DIR: expected a folder that the user of the server may write to, found /etc/passwd/x, where /etc/passwd is not a folder
        AP_POSTGRES_URL          | postgres://h/d?sslrootcert=/none/a | AP_POSTGRES_URL: sslrootcert=/none/a: expected a readable file in PEM form, found none
        """)
    void checkNamesTheSettingThatAStartRefuses(String name, String value, String message) {
        var run = CommandRun.of(Map.of(name, value), "config", "check");

        assertThat(run.status()).isEqualTo(ExitStatus.BAD_SETTING);
        assertThat(run.out()).isEmpty();
        assertThat(run.err()).startsWith(message).doesNotContain("hidden", "Exception");
    }

    @Test
    void checkNamesWhatABucketOfBackupsLacks() {
        var run = CommandRun.of(
                Map.of("AP_BACKUP_AT", "03:00", "AP_BACKUP_TARGET", "s3://mill/backups"), "config", "check");

        assertThat(run.err())
                .startsWith("AP_BACKUP_TARGET: the bucket mill of s3://mill/backups")
                .contains("missing: AP_S3_BUCKET, AP_S3_REGION, AP_S3_ACCESS_KEY_ID, AP_S3_SECRET_ACCESS_KEY");
    }

    @Test
    void checkNamesEveryProblemAtOnce_forPrograms() {
        var json = CommandRun.of(
                        Map.of("AP_ENCRYPTION_KEY", "hidden", "AP_ALLOWED_EMBED_ORIGINS", "nowhere"),
                        "config",
                        "check",
                        "--json")
                .json();

        assertThat(json.get("acceptable").booleanValue()).isFalse();
        assertThat(json.get("errors")).hasSize(2);
    }

    @Test
    void checkWarnsOfNamesThatAreNoSettings_andTouchesNothing() throws IOException {
        var data = directory.resolve("data");

        var run = CommandRun.of(Map.of("AP_PROT", "1", "AP_DATA_DIR", data.toString()), "config", "check");

        assertThat(run.status()).isEqualTo(ExitStatus.OK);
        assertThat(run.out()).isEqualTo("The settings are valid.\n");
        assertThat(run.err()).isEqualTo("warning: AP_PROT is not a setting of Millrace and is ignored\n");
        assertThat(data).doesNotExist();
    }

    @Test
    void listShowsTheOriginOfEverySetting_andNoSecret() throws IOException {
        var file = Files.writeString(
                directory.resolve("millrace.properties"), "AP_PORT=1\nAP_HOST=::1\nAP_JWT_SECRET=hidden\n");

        var run = CommandRun.of(
                Map.of("AP_PORT", "2", "AP_POSTGRES_URL", "postgres://a:hidden@h/d"),
                file,
                "",
                "config",
                "list",
                "--json");

        var settings = run.json().get("settings");
        assertThat(StreamSupport.stream(settings.spliterator(), false)
                        .map(one -> one.get("name").textValue()))
                .containsExactlyElementsOf(
                        Stream.of(Setting.values()).map(Setting::name).toList());
        assertThat(shown(run, "AP_PORT")).isEqualTo("2 environment");
        assertThat(shown(run, "AP_HOST")).isEqualTo("::1 file");
        assertThat(shown(run, "AP_LOG_LEVEL")).isEqualTo("info default");
        assertThat(shown(run, "AP_JWT_SECRET")).isEqualTo("******** file");
        assertThat(shown(run, "AP_POSTGRES_URL")).isEqualTo("******** environment");
        assertThat(run.out()).doesNotContain("hidden");
    }

    @Test
    void listShowsWhatAStartWouldRefuse() {
        var run = CommandRun.of(Map.of("AP_PORT", "many"), "config", "list");

        assertThat(run.status()).isEqualTo(ExitStatus.OK);
        assertThat(run.out()).contains("AP_PORT=many  # environment\n");
    }

    private static String shown(CommandRun run, String name) {
        return StreamSupport.stream(run.json().get("settings").spliterator(), false)
                .filter(one -> one.get("name").textValue().equals(name))
                .map(one ->
                        one.get("value").textValue() + " " + one.get("origin").textValue())
                .findFirst()
                .orElseThrow();
    }
}
