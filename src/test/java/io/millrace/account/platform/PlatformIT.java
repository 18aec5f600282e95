package io.millrace.account.platform;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.BooleanNode;
import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.millrace.base.access.PlatformRole;
import io.millrace.base.core.Ids;
import io.millrace.support.ServerSettings;
import io.millrace.support.TestServer;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

class PlatformIT {
    @AutoClose
    private static TestServer server = ServerSettings.openSignUp()
            .with("AP_FRONTEND_URL", "https://mill.example/")
            .start();

    private static TestServer.SignedIn admin = server.signUp("ada@example.com", "Ada");

    @Test
    void showsPlatformWithDefaults_whenAskedByItsUser() {
        // When
        var answer = admin.api().get("/v1/platforms/" + admin.platformId());

        // Then
        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.text("/name")).isEqualTo("Example");
        assertThat(answer.text("/ownerId")).isEqualTo(admin.userId());
        assertThat(answer.text("/filteredPieceBehavior")).isEqualTo("BLOCKED");
        assertThat(answer.text("/created")).isEqualTo("2026-03-09T12:34:56.789Z");
        assertThat(answer.body().at("/themeColors").isNull()).isTrue();
        assertThat(answer.body().at("/allowedEmbedOrigins").isEmpty()).isTrue();
        assertThat(answer.text("/plan/teamProjectsLimit")).isEqualTo("UNLIMITED");
        assertThat(answer.body().at("/plan/apiKeysEnabled").asBoolean()).isTrue();
        assertThat(answer.body().at("/plan").has("platformId")).isFalse();
    }

    @Test
    void refusesPlatform_whenItIsAnotherOne() {
        // When
        var answer = admin.api().get("/v1/platforms/" + Ids.next());

        // Then
        assertThat(answer.status()).isEqualTo(403);
        assertThat(answer.text("/code")).isEqualTo("AUTHORIZATION");
    }

    @Test
    void refusesPlatform_whenIdIsMalformedOrTheCallerIsUnknown() {
        // When
        var malformed = server.anonymous().get("/v1/platforms/short");
        var anonymous = server.anonymous().get("/v1/platforms/" + admin.platformId());

        // Then
        assertThat(malformed.status()).isEqualTo(400);
        assertThat(malformed.text("/message")).startsWith("params/id Invalid string: must match pattern");
        assertThat(anonymous.status()).isEqualTo(403);
        assertThat(anonymous.text("/code")).isEqualTo("AUTHORIZATION");
    }

    @Test
    void showsFlags_toEveryCaller() {
        // When
        var flags = server.anonymous().get("/v1/flags");

        // Then
        assertThat(flags.status()).isEqualTo(200);
        assertThat(flags.body().at("/USER_CREATED").asBoolean()).isTrue();
        assertThat(flags.text("/CURRENT_VERSION")).isEqualTo(io.millrace.app.Server.VERSION);
        assertThat(flags.text("/ENVIRONMENT")).isEqualTo("test");
        assertThat(flags.text("/WEBHOOK_URL_PREFIX")).isEqualTo("https://mill.example/api/v1/webhooks");
        assertThat(flags.body().at("/FLOW_RUN_TIME_SECONDS").asInt()).isEqualTo(600);
        assertThat(flags.body().at("/FLOW_RUN_LOG_SIZE_LIMIT_MB").asInt()).isEqualTo(50);
        assertThat(flags.body().at("/SMTP_CONFIGURED").booleanValue()).isFalse();
        assertThat(flags.text("/PIECES_SYNC_MODE")).isEqualTo("NONE");
        assertThat(flags.text("/THEME/websiteName")).isEqualTo("Example");
        assertThat(flags.body().path("TEMPLATES_CATEGORIES"))
                .isEqualTo(server.anonymous().get("/v1/templates/categories").body());
    }

    @Test
    void tellsFlagsOfWhatIsNotHere() {
        // When
        var flags = server.anonymous().get("/v1/flags").body();

        // Then
        assertThat(flags.get("TEMPLATES_PROJECT_ID")).isEqualTo(NullNode.instance);
        assertThat(flags.get("FRONTEND_SENTRY_DSN")).isEqualTo(NullNode.instance);
        assertThat(flags.get("PRIVACY_POLICY_URL")).isEqualTo(new TextNode(""));
        assertThat(flags.get("TERMS_OF_SERVICE_URL")).isEqualTo(new TextNode(""));
        assertThat(flags.get("SHOW_BILLING_PAGE")).isEqualTo(BooleanNode.FALSE);
    }

    @Test
    void showsSystemHealth_toAdministratorsOnly() {
        // Given
        var member = server.signUp("mel@example.com", "Mel");
        var operator = server.signUp("olga@example.com", "Olga", PlatformRole.OPERATOR);

        // When
        var shown = admin.api().get("/v1/health/system");
        var refusedMember = member.api().get("/v1/health/system");
        var refusedOperator = operator.api().get("/v1/health/system");

        // Then
        assertThat(shown.status()).isEqualTo(200);
        assertThat(shown.body().at("/database").asBoolean()).isTrue();
        assertThat(shown.body().fieldNames())
                .toIterable()
                .containsExactlyInAnyOrder(
                        "cpu",
                        "disk",
                        "ram",
                        "database",
                        "pieces",
                        "isolation",
                        "isolationInForce",
                        "isolationOfNetwork",
                        "figures");
        assertThat(shown.body().at("/figures/disk/value").asLong()).isPositive();
        assertThat(shown.body().at("/figures/disk/threshold").asLong()).isEqualTo(1L << 30);
        assertThat(shown.body().at("/figures/ram/unit").asText()).isEqualTo("BYTES");
        assertThat(shown.body().at("/figures/ram/value").asLong())
                .isBetween(1L, Runtime.getRuntime().maxMemory());
        assertThat(shown.body().at("/figures/cpu/threshold").asInt()).isEqualTo(95);
        assertThat(shown.body().path("isolationInForce").asText())
                .contains("system calls")
                .contains("Landlock");
        assertThat(refusedMember.status()).isEqualTo(403);
        assertThat(refusedOperator.status()).isEqualTo(403);
    }

    @Test
    void isUnhealthy_whenTheDatabaseIsLost() {
        try (var lost = TestServer.start()) {
            // Given
            var before = lost.anonymous().get("/v1/health");
            var flagsBefore = lost.anonymous().get("/v1/flags");
            lost.loseDatabase();

            // When
            var after = lost.anonymous().get("/v1/health");

            // Then
            assertThat(before.status()).isEqualTo(200);
            assertThat(before.text("/status")).isEqualTo("Healthy");
            assertThat(flagsBefore.body().at("/USER_CREATED").booleanValue()).isFalse();
            assertThat(after.status()).isEqualTo(503);
            assertThat(after.text("/status")).isEqualTo("Unhealthy");
        }
    }
}
