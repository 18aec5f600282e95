package io.millrace.account.identity.signin;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.core.Json;
import io.millrace.support.ApiClient;
import io.millrace.support.ServerSettings;
import io.millrace.support.TestServer;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class SignInIT {
    private static final String SIGN_UP = "/v1/authentication/sign-up";
    private static final String SIGN_IN = "/v1/authentication/sign-in";

    @Test
    void makesPlatformAndPersonalProject_whenTheFirstSignsUp() {
        try (var server = TestServer.start()) {
            // When
            var answer = server.anonymous().post(SIGN_UP, ApiClient.signUpBody(" Ada@Gmail.com ", "Ada"));

            // Then
            assertThat(answer.status()).isEqualTo(200);
            assertThat(answer.text("/email")).isEqualTo("ada@gmail.com");
            assertThat(answer.text("/platformRole")).isEqualTo("ADMIN");
            assertThat(answer.text("/status")).isEqualTo("ACTIVE");
            assertThat(answer.body().at("/verified").asBoolean()).isTrue();
            assertThat(answer.body().at("/newsLetter").asBoolean()).isTrue();
            assertThat(answer.body().at("/trackEvents").asBoolean()).isFalse();
            assertThat(answer.body().at("/externalId").isNull()).isTrue();
            assertThat(answer.body().has("password")).isFalse();
            var api = server.anonymous().with(answer.text("/token"));
            var project = api.get("/v1/projects/" + answer.text("/projectId"));
            assertThat(project.text("/type")).isEqualTo("PERSONAL");
            assertThat(project.text("/displayName")).isEqualTo("Ada's Project");
            assertThat(server.count("select count(*) from alert where receiver = 'ada@gmail.com'"))
                    .as("the owner of a personal project receives its alerts")
                    .isEqualTo(1);
        }
    }

    @Test
    void refusesSignUp_whenThereIsAPlatformAndNoInvitation() {
        try (var server = TestServer.start()) {
            // Given
            server.signUp("ada@example.com", "Ada");

            // When
            var answer = server.anonymous().post(SIGN_UP, ApiClient.signUpBody("bob@example.com", "Bob"));

            // Then
            assertThat(answer.status()).isEqualTo(403);
            assertThat(answer.text("/code")).isEqualTo("INVITATION_ONLY_SIGN_UP");
            assertThat(server.count("select count(*) from user_identity")).isEqualTo(1);
        }
    }

    @Test
    void refusesEveryPassword_afterTooManyWrongOnesOfTheHour() {
        try (var server = ServerSettings.openSignUp()
                .with("AP_API_RATE_LIMIT_AUTHN_ENABLED", "true")
                .with("AP_SIGN_IN_FAILURES_MAX", "3")
                .start()) {
            // Given
            server.signUp("ada@example.com", "Ada");
            server.signUp("bob@example.com", "Bob");

            // When the correct password ends the count
            tryPasswords(server, "ada@example.com", 2);
            assertThat(signIn(server, "ada@example.com", "correct horse").status())
                    .isEqualTo(200);
            tryPasswords(server, "ada@example.com", 3);
            tryPasswords(server, "nobody@example.com", 3);

            // Then
            var refused = signIn(server, "ada@example.com", "correct horse");
            assertThat(refused.status()).isEqualTo(429);
            assertThat(refused.text("/message"))
                    .isEqualTo("Too many wrong passwords, retry in 60 minutes or reset the password");
            assertThat(signIn(server, "nobody@example.com", "Wrong-password-1").body())
                    .isEqualTo(refused.body());
            assertThat(signIn(server, "bob@example.com", "correct horse").status())
                    .isEqualTo(200);

            // When the hour is over
            server.execute("update password_failure set window_end = window_end - interval '1 hour'");

            // Then
            assertThat(signIn(server, "ada@example.com", "Wrong-password-1").status())
                    .isEqualTo(401);
            assertThat(signIn(server, "ada@example.com", "correct horse").status())
                    .isEqualTo(200);
            assertThat(server.count("select count(*) from password_failure")).isZero();
        }
    }

    @Test
    void countsNoWrongPasswords_whenSignInIsNotLimited() {
        try (var server = ServerSettings.openSignUp()
                .with("AP_SIGN_IN_FAILURES_MAX", "1")
                .with("AP_API_RATE_LIMIT_AUTHN_ENABLED", "false")
                .start()) {
            server.signUp("ada@example.com", "Ada");

            tryPasswords(server, "ada@example.com", 2);

            assertThat(signIn(server, "ada@example.com", "correct horse").status())
                    .isEqualTo(200);
        }
    }

    private static void tryPasswords(TestServer server, String email, int times) {
        for (var left = times; left > 0; left--) {
            assertThat(signIn(server, email, "Wrong-password-1").status()).isEqualTo(401);
        }
    }

    private static ApiClient.Answer signIn(TestServer server, String email, String password) {
        return server.anonymous()
                .post(SIGN_IN, Json.object().put("email", email).put("password", password));
    }

    @Test
    void makesOnePlatform_whenFiftySignUpAtOnce() {
        try (var server = TestServer.start()) {
            // When
            var answers = IntStream.range(0, 50)
                    .mapToObj(i -> server.anonymous()
                            .postAsync(SIGN_UP, ApiClient.signUpBody("person" + i + "@example.com", "Person")))
                    .toList()
                    .stream()
                    .map(CompletableFuture::join)
                    .toList();

            // Then
            assertThat(answers).extracting(ApiClient.Answer::status).containsOnlyOnce(200);
            assertThat(answers).extracting(ApiClient.Answer::status).containsOnly(200, 403);
            assertThat(server.count("select count(*) from platform")).isEqualTo(1);
            assertThat(server.count("select count(*) from platform_user")).isEqualTo(1);
            assertThat(server.count("select count(*) from user_identity")).isEqualTo(1);
            assertThat(server.count("select count(*) from project")).isEqualTo(1);
        }
    }

    @Test
    void makesMember_whenSignUpIsOpen() {
        try (var server = ServerSettings.openSignUp().start()) {
            // Given
            var admin = server.signUp("ada@example.com", "Ada");

            // When
            var answer = server.anonymous().post(SIGN_UP, ApiClient.signUpBody("bob@example.com", "Bob"));
            var again = server.anonymous().post(SIGN_UP, ApiClient.signUpBody("Bob@example.com", "Bob"));

            // Then
            assertThat(answer.status()).isEqualTo(200);
            assertThat(answer.text("/platformRole")).isEqualTo("MEMBER");
            assertThat(answer.text("/platformId")).isEqualTo(admin.platformId());
            assertThat(answer.text("/projectId")).isNotEqualTo(admin.projectId());
            assertThat(again.status()).isEqualTo(409);
            assertThat(again.text("/code")).isEqualTo("EXISTING_USER");
            assertThat(again.text("/params/email")).isEqualTo("bob@example.com");
        }
    }

    @Test
    void namesEveryViolation_whenTheBodyIsWrong() {
        try (var server = TestServer.start()) {
            // Given
            var body = ApiClient.signUpBody("no address", "A.B")
                    .put("password", "short")
                    .put("newsLetter", "yes");

            // When
            var answer = server.anonymous().post(SIGN_UP, body);

            // Then
            assertThat(answer.status()).isEqualTo(400);
            assertThat(answer.text("/code")).isEqualTo("FST_ERR_VALIDATION");
            assertThat(answer.text("/message"))
                    .contains("body/email Invalid email address")
                    .contains("body/password Too small")
                    .contains("body/firstName Invalid string: must match pattern /^[^./]+$/")
                    .contains("body/newsLetter Invalid input: expected boolean, received string");
        }
    }

    @Test
    void opensSession_whenThePasswordIsRight() {
        try (var server = TestServer.start()) {
            // Given
            var admin = server.signUp("ada@example.com", "Ada");

            // When
            var right = server.anonymous().post(SIGN_IN, credentials("ADA@example.com", "correct horse"));
            var wrong = server.anonymous().post(SIGN_IN, credentials("ada@example.com", "wrong horse"));
            var unknown = server.anonymous().post(SIGN_IN, credentials("bob@example.com", "correct horse"));

            // Then
            assertThat(right.status()).isEqualTo(200);
            assertThat(right.text("/projectId")).isEqualTo(admin.projectId());
            assertThat(server.anonymous()
                            .with(right.text("/token"))
                            .get("/v1/platforms/" + admin.platformId())
                            .status())
                    .isEqualTo(200);
            assertThat(wrong.status()).isEqualTo(401);
            assertThat(wrong.text("/code")).isEqualTo("INVALID_CREDENTIALS");
            assertThat(wrong.body().path("params").isNull()).isTrue();
            assertThat(unknown.status()).isEqualTo(401);
            assertThat(unknown.body()).isEqualTo(wrong.body());
        }
    }

    @Test
    void refusesSignIn_inTheOrderOfTheContract() {
        try (var server = TestServer.start()) {
            // Given
            server.signUp("ada@example.com", "Ada");
            var credentials = credentials("ada@example.com", "correct horse");
            server.execute("update user_identity set verified = false");
            server.execute("update platform set enforce_allowed_auth_domains = true, email_auth_enabled = false");
            server.execute("update platform_user set status = 'INACTIVE'");

            // When
            var unverified = server.anonymous().post(SIGN_IN, credentials);
            server.execute("update user_identity set verified = true");
            var switchedOff = server.anonymous().post(SIGN_IN, credentials);
            var closed = server.anonymous().post(SIGN_UP, ApiClient.signUpBody("bob@example.com", "Bob"));
            server.execute("update platform set email_auth_enabled = true");
            var foreignDomain = server.anonymous().post(SIGN_IN, credentials);
            var foreigner = server.anonymous().post(SIGN_UP, ApiClient.signUpBody("bob@example.com", "Bob"));
            server.execute("update platform set allowed_auth_domains = '{Example.com}'");
            var inactive = server.anonymous().post(SIGN_IN, credentials);
            server.execute("update platform_user set status = 'ACTIVE'");
            server.execute("update project set deleted = now()");
            var homeless = server.anonymous().post(SIGN_IN, credentials);

            // Then
            assertThat(unverified.text("/code")).isEqualTo("EMAIL_IS_NOT_VERIFIED");
            assertThat(unverified.text("/params/email")).isEqualTo("ada@example.com");
            assertThat(switchedOff.text("/code")).isEqualTo("EMAIL_AUTH_DISABLED");
            assertThat(closed.text("/code")).isEqualTo("EMAIL_AUTH_DISABLED");
            assertThat(foreignDomain.text("/code")).isEqualTo("DOMAIN_NOT_ALLOWED");
            assertThat(foreigner.text("/code")).isEqualTo("DOMAIN_NOT_ALLOWED");
            assertThat(inactive.text("/code")).isEqualTo("USER_IS_INACTIVE");
            assertThat(homeless.text("/code")).isEqualTo("INVITATION_ONLY_SIGN_UP");
            assertThat(homeless.status()).isEqualTo(403);
        }
    }

    @Test
    void endsSession_whenUserOrIdentityChanged() {
        try (var server = TestServer.start()) {
            // Given
            var admin = server.signUp("ada@example.com", "Ada");
            var path = "/v1/platforms/" + admin.platformId();

            // When
            server.execute("update user_identity set token_version = 'second'");
            var otherVersion = admin.api().get(path);
            server.execute("update user_identity set token_version = null");
            var sameVersion = admin.api().get(path);
            server.execute("update platform_user set status = 'INACTIVE'");
            var inactive = admin.api().get(path);

            // Then
            assertThat(otherVersion.status()).isEqualTo(403);
            assertThat(otherVersion.text("/code")).isEqualTo("SESSION_EXPIRED");
            assertThat(sameVersion.status()).isEqualTo(200);
            assertThat(inactive.text("/code")).isEqualTo("SESSION_EXPIRED");
        }
    }

    @Test
    void refusesToken_whenItIsBadOrExpired() {
        try (var server = TestServer.start()) {
            // Given
            var admin = server.signUp("ada@example.com", "Ada");
            var path = "/v1/platforms/" + admin.platformId();

            // When
            var bad = server.anonymous().with("no.such.token").get(path);
            server.clock().advance(Duration.ofDays(7));
            var expired = admin.api().get(path);

            // Then
            assertThat(bad.status()).isEqualTo(401);
            assertThat(bad.text("/code")).isEqualTo("INVALID_BEARER_TOKEN");
            assertThat(expired.status()).isEqualTo(401);
            assertThat(expired.text("/code")).isEqualTo("INVALID_BEARER_TOKEN");
        }
    }

    @Test
    void answersRetryAfter_whenTooManySignInsCameFromOneAddress() {
        var settings = Map.of(
                "AP_API_RATE_LIMIT_AUTHN_ENABLED",
                "true",
                "AP_API_RATE_LIMIT_AUTHN_MAX",
                "2",
                "AP_API_RATE_LIMIT_EMAIL_CODE_MAX",
                "1",
                "AP_API_RATE_LIMIT_AUTHN_WINDOW",
                "30 seconds");
        try (var server = TestServer.start(settings)) {
            // Given
            var text = Json.text(credentials("ada@example.com", "correct horse"));
            server.anonymous().postText(SIGN_IN, text, "X-Real-IP", "192.0.2.1");
            server.anonymous().postText(SIGN_IN, text, "X-Real-IP", "192.0.2.1");

            // When
            var refused = server.anonymous().postText(SIGN_IN, text, "X-Real-IP", "192.0.2.1");
            var other = server.anonymous().postText(SIGN_IN, text, "X-Real-IP", "192.0.2.2");

            // Then
            assertThat(refused.status()).isEqualTo(429);
            assertThat(refused.headers().firstValue("Retry-After")).contains("30");
            assertThat(refused.body().path("statusCode").asInt()).isEqualTo(429);
            assertThat(refused.body().has("code")).isFalse();
            assertThat(refused.text("/error")).isEqualTo("Too Many Requests");
            assertThat(other.status()).isEqualTo(401);

            // when mailed codes have their own limit, and so has the registration of MCP clients
            var request = "{\"email\":\"ada@example.com\"}";
            var code = server.anonymous().postText("/v1/authentication/otp/request", request, "X-Real-IP", "192.0.2.3");
            var codes =
                    server.anonymous().postText("/v1/authentication/otp/request", request, "X-Real-IP", "192.0.2.3");
            var client = "{\"redirect_uris\":[\"https://client.example/back\"]}";
            server.anonymous().postText("/register", client, "X-Real-IP", "192.0.2.4");
            server.anonymous().postText("/register", client, "X-Real-IP", "192.0.2.4");
            var clients = server.anonymous().postText("/register", client, "X-Real-IP", "192.0.2.4");
            var signIn = server.anonymous().postText(SIGN_IN, text, "X-Real-IP", "192.0.2.4");

            // Then
            assertThat(code.status()).isEqualTo(204);
            assertThat(codes.status()).isEqualTo(429);
            assertThat(clients.status()).isEqualTo(429);
            assertThat(signIn.status()).isEqualTo(401);
            assertThat(server.count("select count(*) from mcp_client")).isEqualTo(2);
        }
    }

    private static ObjectNode credentials(String email, String password) {
        return Json.object().put("email", email).put("password", password);
    }
}
