package io.millrace.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.base.config.BadSetting;
import io.millrace.base.config.Config;
import io.millrace.base.config.ForeignSetting;
import io.millrace.base.config.ObjectStorageSettings;
import io.millrace.base.config.ReloadableSettings;
import io.millrace.base.config.Setting;
import io.millrace.base.core.Cidr;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509TrustManager;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Settings, their file and their page agree; errors name the invalid setting; the environment overrides the file. */
final class SettingsTest {
    private static final Pattern READ = Pattern.compile("\\bSetting\\.([A-Z]\\w+)");
    private static final Path FILE = Path.of("conf", "millrace.properties");
    private static final Path PAGE = Path.of("src", "site", "markdown", "settings.md");
    private static final Path NO_FILE = Path.of("there-is-no-such-file");

    private static final Map<String, String> MAIL_SERVER = Map.of(
            "AP_SMTP_HOST",
            "mail.example",
            "AP_SMTP_PORT",
            "587",
            "AP_SMTP_USERNAME",
            "flows@acme.example",
            "AP_SMTP_PASSWORD",
            "secret");

    @TempDir
    Path directory;

    @Test
    void fileListsEverySettingWithItsMeaningUnitAndDefault() throws IOException {
        var lines = Files.readAllLines(FILE);
        var found = new ArrayList<String>();
        for (var index = 1; index < lines.size(); index++) {
            if (lines.get(index).matches("# [A-Z0-9_]+=.*")) {
                found.add(lines.get(index - 1) + "\n" + lines.get(index));
            }
        }

        assertThat(found)
                .containsExactlyElementsOf(Stream.of(Setting.values())
                        .map(setting -> "# " + setting.meaning() + " (" + setting.unit() + ")\n# " + setting + "="
                                + setting.defaultText())
                        .toList());
    }

    /** A setting without a reader has no effect although it is checked and documented (decision 0451). */
    @Test
    void groupReadsEverySetting() throws IOException {
        var read = new TreeSet<String>();
        try (var files = Files.list(Path.of("src/main/java/io/millrace/base/config"))) {
            for (var file : files.filter(file -> !file.endsWith("Setting.java")).toList()) {
                READ.matcher(Files.readString(file)).results().forEach(found -> read.add(found.group(1)));
            }
        }

        assertThat(read)
                .containsAll(Arrays.stream(Setting.values()).map(Setting::name).toList());
    }

    @Test
    void fileChangesNothingAsItIsDelivered() throws IOException {
        assertThat(Files.readAllLines(FILE)).allMatch(line -> line.isEmpty() || line.startsWith("#"));
    }

    @Test
    void pageListsEverySetting() throws IOException {
        var rows = Files.readAllLines(PAGE).stream()
                .filter(line -> line.matches("\\| [A-Z0-9_]+ \\|.*"))
                .toList();

        assertThat(rows)
                .containsExactlyElementsOf(
                        Stream.of(Setting.values()).map(SettingsTest::row).toList());
    }

    @Test
    void pageListsWhatAReloadTakes() throws IOException {
        assertThat(Files.readString(PAGE))
                .contains("Taken on SIGHUP: "
                        + ReloadableSettings.all().stream().map(Setting::name).collect(Collectors.joining(", "))
                        + ".\n");
    }

    @Test
    void pageExplainsWhyForeignSettingsHaveNoEffect() throws IOException {
        var rows = Files.readAllLines(PAGE).stream()
                .filter(line -> line.matches("\\| `(AP|OTEL)_.*"))
                .toList();

        assertThat(rows)
                .containsExactlyElementsOf(Stream.of(ForeignSetting.values())
                        .map(foreign -> foreign.names().stream().collect(Collectors.joining("`, `", "| `", "` | "))
                                + foreign.reason() + " |")
                        .toList());
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        AP_LOG_FILE | AP_LOG_FILE has no effect here: the log goes to standard output
        AP_REDIS_SENTINEL_HOSTS | AP_REDIS_SENTINEL_HOSTS has no effect here: the queue is in PostgreSQL
        AP_EXECUTION_MODE | AP_EXECUTION_MODE: all user code runs in separate processes
        AP_FLOW_WORKER_CONCURRENCY | AP_FLOW_WORKER_CONCURRENCY has no effect here: renamed to AP_WORKER_CONCURRENCY
        OTEL_EXPORTER_OTLP_PROTOCOL | OTEL_EXPORTER_OTLP_PROTOCOL has no effect here: the server speaks OTLP over HTTP with JSON
        OTEL_BSP_MAX_QUEUE_SIZE | OTEL_BSP_MAX_QUEUE_SIZE is not a setting of Millrace and is ignored
        AP_EXECUTION_MODES | AP_EXECUTION_MODES is not a setting of Millrace and is ignored
        """)
    void startLogsWhyANameHasNoEffect(String name, String remark) {
        var config = Config.load(Map.of(name, "true"), NO_FILE);

        assertThat(config.process().unknownNames()).containsExactly(name);
        assertThat(ForeignSetting.remark(name)).startsWith(remark);
    }

    @Test
    void codeRunsInTheServer_unlessAnExecutionModeIsGiven() {
        assertThat(Config.load(Map.of(), NO_FILE).runs().engine().code().inServer())
                .isTrue();
        assertThat(Config.load(Map.of("AP_EXECUTION_MODE", "UNSANDBOXED"), NO_FILE)
                        .runs()
                        .engine()
                        .code()
                        .inServer())
                .isFalse();
        assertThat(Config.load(Map.of("AP_CODE_IN_SERVER_ENABLED", "false"), NO_FILE)
                        .runs()
                        .engine()
                        .code()
                        .inServer())
                .isFalse();
    }

    @ParameterizedTest
    @EnumSource(Setting.class)
    void settingIsNotForeign(Setting setting) {
        assertThat(ForeignSetting.remark(setting.name())).endsWith("is not a setting of Millrace and is ignored");
    }

    @ParameterizedTest
    @EnumSource(Setting.class)
    void defaultIsAcceptable(Setting setting) {
        assertThat(Config.load(Map.of(setting.name(), setting.defaultText()), NO_FILE))
                .isEqualTo(Config.load(Map.of(), NO_FILE));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        AP_PORT | 65536 | a whole number from 0 to 65535
        AP_PORT | 80a | a whole number from 0 to 65535
        AP_PORT | -1 | a whole number from 0 to 65535
        AP_PORT | 99999999999999999999 | a whole number from 0 to 65535
        AP_WEBHOOK_TIMEOUT_SECONDS | 0 | a whole number from 1 to 900
        AP_WEBHOOK_TIMEOUT_SECONDS | 30 s | a whole number from 1 to 900
        AP_LOG_SAMPLE_RATE_INFO | 101 | a whole number from 0 to 100
        AP_SANDBOX_MEMORY_LIMIT | 1.5 | a whole number from 16384 to 2147483647
        AP_PIECE_PROCESS_KEPT_MB | 63 | a whole number from 64 to 1048576
        AP_PIECE_PROCESS_KEPT_MB | 1048577 | a whole number from 64 to 1048576
        AP_ALLOW_OPEN_SIGN_UP | yes | true or false
        AP_ALLOW_OPEN_SIGN_UP | TRUE | true or false
        AP_ENVIRONMENT | production | one of dev, prod, test
        AP_LOG_LEVEL | INFO | one of debug, error, info, trace, warn
        AP_FRONTEND_URL | example.com | an http or https URL
        AP_FRONTEND_URL | ftp://example.com | an http or https URL
        AP_FRONTEND_URL | https://example.com/?a=b | an http or https URL
        AP_API_RATE_LIMIT_AUTHN_WINDOW | 60 | a duration such as 1 minute or 30 seconds
        AP_API_RATE_LIMIT_AUTHN_WINDOW | 1 day | a duration such as 1 minute or 30 seconds
        AP_TRUSTED_PROXIES | 10.0.0.0/33 | IP addresses or CIDR blocks between commas, or none
        AP_TRUSTED_PROXIES | 10.0.0.1, proxy.example | IP addresses or CIDR blocks between commas, or none
        """)
    void refusesToStart_whenAValueIsNotAcceptable(String name, String value, String expected) {
        assertThatThrownBy(() -> Config.load(Map.of(name, value), NO_FILE))
                .isInstanceOf(BadSetting.class)
                .hasMessage(name + ": expected " + expected + ", found " + value);
    }

    @Test
    void wantsAPortOfItsOwnForMetrics() {
        assertThat(Config.load(Map.of("AP_METRICS_PORT", "9464"), NO_FILE)
                        .observation()
                        .monitoring()
                        .port())
                .isEqualTo(9464);
        assertThatThrownBy(() -> Config.load(Map.of("AP_PORT", "9464", "AP_METRICS_PORT", "9464"), NO_FILE))
                .isInstanceOf(BadSetting.class)
                .hasMessageStartingWith("AP_METRICS_PORT: expected a port other than AP_PORT, found 9464");
    }

    @ParameterizedTest
    @MethodSource("wholeNumbers")
    void takesANumberWithinItsLimitsOnly(Setting setting, Setting.Kind.WholeNumber limits) {
        // given the prerequisites of some numbers: a complete mail server, and a retention that covers any pause
        var surroundings = new HashMap<>(MAIL_SERVER);
        surroundings.put("AP_EXECUTION_DATA_RETENTION_DAYS", "3650");

        // when, then
        for (var within : List.of((long) limits.min(), (long) limits.max())) {
            surroundings.put(setting.name(), String.valueOf(within));
            assertThat(Config.load(surroundings, NO_FILE).network().http().bodyBytesMax())
                    .as("%s=%d", setting, within)
                    .isGreaterThan(0);
        }
        for (var beyond : List.of(limits.min() - 1L, limits.max() + 1L)) {
            surroundings.put(setting.name(), String.valueOf(beyond));
            assertThatThrownBy(() -> Config.load(surroundings, NO_FILE))
                    .hasMessage("%s: expected a whole number from %d to %d, found %d"
                            .formatted(setting, limits.min(), limits.max(), beyond));
        }
    }

    private static Stream<Arguments> wholeNumbers() {
        return Stream.of(Setting.values())
                .filter(setting -> setting.kind() instanceof Setting.Kind.WholeNumber)
                .map(setting -> Arguments.of(setting, setting.kind()));
    }

    @Test
    void opensABucketByAKeyOrByTheRoleOfTheHost() {
        var host = Map.of("AWS_ROLE_ARN", "arn:mill", "AWS_WEB_IDENTITY_TOKEN_FILE", "/run/token");
        var bucket = Map.of("AP_S3_BUCKET", "mill", "AP_S3_REGION", "eu-north-1", "AP_S3_USE_IRSA", "true");
        var byRole = new HashMap<>(host);
        byRole.putAll(bucket);
        var byKey = new HashMap<>(host);
        byKey.putAll(Map.of("AP_S3_BUCKET", "mill", "AP_S3_REGION", "eu-north-1", "AP_S3_ACCESS_KEY_ID", "AKID"));

        assertThat(Config.load(host, NO_FILE).storage().files().bucket()).isEmpty();
        assertThat(Config.load(byRole, NO_FILE)
                        .storage()
                        .files()
                        .bucket()
                        .orElseThrow()
                        .access())
                .isEqualTo(new ObjectStorageSettings.BucketAccess.Role(
                        "arn:mill", Path.of("/run/token"), "https://sts.eu-north-1.amazonaws.com"));
        assertThatThrownBy(() -> Config.load(bucket, NO_FILE))
                .hasMessageEndingWith("missing: AWS_ROLE_ARN, AWS_WEB_IDENTITY_TOKEN_FILE");
        assertThatThrownBy(() -> Config.load(byKey, NO_FILE)).hasMessageEndingWith("missing: AP_S3_SECRET_ACCESS_KEY");
    }

    @Test
    void trustsProxiesOfThisHostOnly_byDefault() {
        assertThat(Config.load(Map.of(), NO_FILE).network().http().proxies().trusted())
                .isEqualTo(Cidr.parseAll("127.0.0.0/8,::1"));
    }

    @Test
    void wantsAnotherHostForCallersThanForPages() {
        var url = "AP_WEBHOOK_URL";

        assertThat(Config.load(Map.of(), NO_FILE).network().http().callerUrl()).isEqualTo("http://localhost:8080");
        assertThat(Config.load(Map.of(url, "https://hooks.example/"), NO_FILE)
                        .network()
                        .http()
                        .callerUrl())
                .isEqualTo("https://hooks.example");
        assertThatThrownBy(() -> Config.load(
                        Map.of(url, "https://mill.example/x", "AP_FRONTEND_URL", "https://MILL.example"), NO_FILE))
                .isInstanceOf(BadSetting.class)
                .hasMessage("AP_WEBHOOK_URL: expected a host other than that of AP_FRONTEND_URL,"
                        + " found https://mill.example/x");
    }

    @Test
    void trustsNoProxy_whenNoneIsToBeTrusted() {
        assertThat(Config.load(Map.of("AP_TRUSTED_PROXIES", "none"), NO_FILE)
                        .network()
                        .http()
                        .proxies()
                        .trusted())
                .isEmpty();
        assertThat(Config.load(Map.of("AP_TRUSTED_PROXIES", "192.0.2.1 , 2001:db8::/32"), NO_FILE)
                        .network()
                        .http()
                        .proxies()
                        .trusted())
                .isEqualTo(Cidr.parseAll("192.0.2.1,2001:db8::/32"));
    }

    @Test
    void takesAMailServerWholeOrNotAtAll() {
        var half = Map.of("AP_SMTP_HOST", "mail.example", "AP_SMTP_PASSWORD", "secret");
        var nobody = new HashMap<>(MAIL_SERVER);
        nobody.put("AP_SMTP_USERNAME", "apikey");

        assertThat(Config.load(Map.of(), NO_FILE).people().smtp()).isEmpty();
        assertThat(Config.load(MAIL_SERVER, NO_FILE)
                        .people()
                        .smtp()
                        .orElseThrow()
                        .senderEmail())
                .isEqualTo("flows@acme.example");
        assertThat(Config.load(MAIL_SERVER, NO_FILE).people().smtp().toString()).doesNotContain("secret");
        assertThatThrownBy(() -> Config.load(half, NO_FILE))
                .hasMessageContaining("AP_SMTP_PORT, AP_SMTP_USERNAME")
                .message()
                .doesNotContain("secret");
        assertThatThrownBy(() -> Config.load(nobody, NO_FILE)).hasMessageStartingWith("AP_SMTP_SENDER_EMAIL");
    }

    @Test
    void takesAMailServerWithoutLogin() {
        var relay = Map.of("AP_SMTP_HOST", "mail.example", "AP_SMTP_PORT", "25");
        var complete = new HashMap<>(relay);
        complete.put("AP_SMTP_SENDER_EMAIL", "flows@acme.example");
        var half = new HashMap<>(complete);
        half.put("AP_SMTP_USERNAME", "flows@acme.example");

        assertThat(Config.load(complete, NO_FILE).people().smtp().orElseThrow().username())
                .isEmpty();
        assertThatThrownBy(() -> Config.load(relay, NO_FILE)).hasMessageStartingWith("AP_SMTP_SENDER_EMAIL");
        assertThatThrownBy(() -> Config.load(half, NO_FILE)).hasMessageEndingWith("missing: AP_SMTP_PASSWORD");
        assertThatThrownBy(() -> Config.load(Map.of("AP_SMTP_HOST", "mail.example"), NO_FILE))
                .hasMessageEndingWith("missing: AP_SMTP_PORT");
    }

    /** A certificate that the JDK trusts, in PEM form. */
    private static String anAuthority() throws GeneralSecurityException {
        var managers = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        managers.init((KeyStore) null);
        var authority = ((X509TrustManager) managers.getTrustManagers()[0]).getAcceptedIssuers()[0];
        return "-----BEGIN CERTIFICATE-----\n" + Base64.getMimeEncoder().encodeToString(authority.getEncoded())
                + "\n-----END CERTIFICATE-----\n";
    }

    @Test
    void takesAuthoritiesOfAMailServer_asPemOnly() throws GeneralSecurityException {
        var pem = anAuthority();
        var given = new HashMap<>(MAIL_SERVER);

        given.put("AP_SMTP_TLS_CA", pem + pem);
        assertThat(Config.load(given, NO_FILE).people().smtp().orElseThrow().authorities())
                .hasSize(2);
        given.put("AP_SMTP_TLS_CA", pem.replace("\n", "\\n"));
        assertThat(Config.load(given, NO_FILE).people().smtp().orElseThrow().authorities())
                .hasSize(1);
        assertThat(Config.load(MAIL_SERVER, NO_FILE)
                        .people()
                        .smtp()
                        .orElseThrow()
                        .authorities())
                .isEmpty();
        for (var wrong : List.of("ca.pem", "-----BEGIN CERTIFICATE-----\nAA==\n-----END CERTIFICATE-----", "-----")) {
            given.put("AP_SMTP_TLS_CA", wrong);
            assertThatThrownBy(() -> Config.load(given, NO_FILE))
                    .isInstanceOf(BadSetting.class)
                    .hasMessageStartingWith("AP_SMTP_TLS_CA: expected certificates in PEM form");
        }
    }

    @Test
    void keepsPausesWithinTheRetention() {
        var retention = Map.of("AP_EXECUTION_DATA_RETENTION_DAYS", "7");
        var both = Map.of("AP_EXECUTION_DATA_RETENTION_DAYS", "7", "AP_PAUSED_FLOW_TIMEOUT_DAYS", "8");

        assertThat(Config.load(retention, NO_FILE).runs().engine().timeouts().pauseMax())
                .isEqualTo(Duration.ofDays(7));
        assertThatThrownBy(() -> Config.load(both, NO_FILE))
                .isInstanceOf(BadSetting.class)
                .hasMessage("AP_PAUSED_FLOW_TIMEOUT_DAYS: expected at most the 7 days of"
                        + " AP_EXECUTION_DATA_RETENTION_DAYS, found 8");
    }

    @Test
    void namesEveryBadValueAtOnce() {
        var environment = Map.of("AP_PORT", "none", "AP_LOG_LEVEL", "loud");

        assertThatThrownBy(() -> Config.load(environment, NO_FILE)).message().contains("AP_PORT", "AP_LOG_LEVEL", "; ");
    }

    @Test
    void environmentWinsOverFileAndFileOverDefault() throws IOException {
        var file = file("AP_PORT=2000", "AP_WEBHOOK_TIMEOUT_SECONDS=7");

        var config = Config.load(Map.of("AP_PORT", "3000"), file);

        assertThat(config.network().http().port()).isEqualTo(3000);
        assertThat(config.runs().webhooks().timeout()).isEqualTo(Duration.ofSeconds(7));
        assertThat(config.runs().engine().code().concurrency()).isEqualTo(5);
    }

    @Test
    void usesOneEventLoopForTwoProcessors_byDefault() {
        var processors = Runtime.getRuntime().availableProcessors();

        assertThat(Config.load(Map.of(), NO_FILE).runs().engine().execution().eventLoops())
                .isEqualTo(Math.max(1, processors / 2));
        assertThat(Config.load(Map.of("AP_EVENT_LOOPS", "3"), NO_FILE)
                        .runs()
                        .engine()
                        .execution()
                        .eventLoops())
                .isEqualTo(3);
    }

    @Test
    void refusesToStart_whenTheFileHasABadValue() throws IOException {
        var file = file("AP_PORT=many");

        assertThatThrownBy(() -> Config.load(Map.of(), file)).hasMessageStartingWith("AP_PORT: expected");
    }

    @Test
    void blankCountsAsNotGiven() {
        assertThat(Config.load(Map.of("AP_PORT", "  "), NO_FILE)
                        .network()
                        .http()
                        .port())
                .isEqualTo(8080);
    }

    @Test
    void reportsNamesThatAreNoSettings() throws IOException {
        var environment = new HashMap<>(Map.of("AP_PROT", "8080", "PATH", "/bin"));

        var config = Config.load(environment, file("AP_WEBHOOK_TIMEOUT=3"));

        assertThat(config.process().unknownNames()).isEqualTo(List.of("AP_PROT", "AP_WEBHOOK_TIMEOUT"));
    }

    private Path file(String... lines) throws IOException {
        return Files.write(directory.resolve("millrace.properties"), List.of(lines));
    }

    private static String row(Setting setting) {
        var value = setting.defaultText().isEmpty() ? "" : "`" + setting.defaultText() + "`";
        return "| " + setting + " | " + value + " | " + setting.unit() + " |" + bounds(setting) + " | "
                + setting.meaning() + " |";
    }

    private static String bounds(Setting setting) {
        if (!(setting.kind() instanceof Setting.Kind.WholeNumber(var min, var max))) {
            return "";
        }
        return max == Integer.MAX_VALUE ? " " + min + " or more" : " " + min + " to " + max;
    }
}
