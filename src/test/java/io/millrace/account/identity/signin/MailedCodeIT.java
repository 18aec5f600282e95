package io.millrace.account.identity.signin;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.core.Json;
import io.millrace.support.ApiClient;
import io.millrace.support.ApiClient.Answer;
import io.millrace.support.ServerSettings;
import io.millrace.support.TestServer;
import io.millrace.support.outside.MailServer;
import java.net.URI;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** Sign-in and password recovery with codes sent by e-mail, and refusal of other callers. */
class MailedCodeIT {
    private static final String REQUEST = "/v1/authentication/otp/request";
    private static final String VERIFY = "/v1/authentication/otp/verify";
    private static final String LINK = "/v1/otp";
    private static final String RESET = "/v1/authn/local/reset-password";
    private static final String SIGN_IN = "/v1/authentication/sign-in";
    private static final String INVITATIONS = "/v1/user-invitations";
    private static final String PLATFORMS = "/v1/platforms";

    @AutoClose
    private static MailServer mail = MailServer.start();

    private static final ServerSettings SETTINGS =
            new ServerSettings(mail.settings()).with("AP_FRONTEND_URL", "https://mill.example");

    @AutoClose
    private static TestServer server = SETTINGS.start();

    private static TestServer.SignedIn admin = foundByCode();

    /** The first account of the server, created by a code alone. */
    private static TestServer.SignedIn foundByCode() {
        // When
        assertThat(request("Ada.Miller@Acme-Tools.com").status()).isEqualTo(204);
        var letter = mail.awaitNth("ada.miller@acme-tools.com", 1);
        var newcomer = verify("ada.miller@acme-tools.com", letter.code());

        // Then
        assertThat(letter.subject()).isEqualTo(letter.code() + " is your sign-in code");
        assertThat(letter.header("From")).isEqualTo("Acme Flows <" + MailServer.USER + ">");
        assertThat(letter.text()).contains("10 minutes");
        assertThat(letter.part("text/html")).contains(letter.code());
        assertThat(newcomer.status()).isEqualTo(200);
        assertThat(newcomer.body().at("/platformId").isNull()).isTrue();
        assertThat(newcomer.body().at("/projectId").isNull()).isTrue();
        assertThat(newcomer.body().at("/verified").asBoolean()).isTrue();
        assertThat(newcomer.text("/firstName")).isEqualTo("Ada");
        var half = server.anonymous().with(newcomer.text("/token"));
        assertThat(half.get("/v1/projects").text("/code")).isEqualTo("AUTHORIZATION");
        assertThat(half.get("/v1/pieces").status()).isEqualTo(403);

        // When
        var founded =
                half.post("/v1/authentication/complete-sign-up", Json.object().put("fullName", " Ada King Miller"));
        var again =
                half.post("/v1/authentication/complete-sign-up", Json.object().put("fullName", "Ada"));

        // Then
        assertThat(founded.text("/platformRole")).isEqualTo("ADMIN");
        assertThat(founded.text("/firstName")).isEqualTo("Ada");
        assertThat(founded.text("/lastName")).isEqualTo("King Miller");
        assertThat(again.text("/code")).isEqualTo("EXISTING_USER");
        var api = server.anonymous().with(founded.text("/token"));
        assertThat(api.get("/v1/platforms/" + founded.text("/platformId")).text("/name"))
                .isEqualTo("Acme Tools");
        assertThat(api.get("/v1/projects/" + founded.text("/projectId")).text("/displayName"))
                .isEqualTo("Acme Tools's Project");
        return new TestServer.SignedIn(
                api, founded.text("/id"), founded.text("/platformId"), founded.text("/projectId"));
    }

    @Test
    void invitesByMail_andLetsTheInvitedPersonInByCode() {
        // Given
        var team = admin.inTeam("Night \"shift\"");
        var invited = admin.api()
                .post(
                        INVITATIONS,
                        Json.object()
                                .put("type", "PROJECT")
                                .put("email", "ivy@example.com")
                                .put("projectId", team.projectId())
                                .put("projectRole", "Viewer"));
        // Codes are sent after the response: this one, requested too early, would otherwise arrive before the
        // mail.
        request("ivy@example.com");
        var letter = mail.awaitNth("ivy@example.com", 1);
        assertThat(invited.text("/status")).isEqualTo("PENDING");
        assertThat(invited.body().has("link")).isFalse();
        assertThat(letter.subject()).isEqualTo("You are invited to Night \"shift\" on Acme Tools");
        assertThat(letter.part("text/html")).contains("Night &quot;shift&quot;");

        // When
        accept(letter.link());
        request("ivy@example.com");
        var code = mail.awaitNth("ivy@example.com", 2);
        var ivy = verify("ivy@example.com", code.code());

        // Then
        assertThat(code.subject()).endsWith("is your sign-in code");
        assertThat(ivy.status()).isEqualTo(200);
        assertThat(ivy.text("/platformId")).isEqualTo(admin.platformId());
        assertThat(server.anonymous()
                        .with(ivy.text("/token"))
                        .get("/v1/project-members/role?projectId=" + team.projectId())
                        .text("/name"))
                .isEqualTo("Viewer");
        assertThat(mail.takenFor("ivy@example.com")).hasSize(2);
        assertThat(events("user.signed.up")).isPositive();
    }

    @Test
    void sendsTheSameCodeAgain_andTakesItOnce_evenFromMany() {
        // Given
        invite("max@example.com");
        request("max@example.com");
        var code = mail.awaitNth("max@example.com", 2).code();
        request("max@example.com");
        assertThat(mail.awaitNth("max@example.com", 3).code()).isEqualTo(code);

        // When
        var answers = IntStream.range(0, 12)
                .mapToObj(_ -> server.anonymous().postAsync(VERIFY, codeBody("max@example.com", code)))
                .toList()
                .stream()
                .map(CompletableFuture::join)
                .toList();

        // Then
        assertThat(answers).extracting(Answer::status).containsOnlyOnce(200).containsOnly(200, 410);
        assertThat(server.count("select count(*) from user_identity where email = 'max@example.com'"))
                .isEqualTo(1);
    }

    @Test
    void refusesWrongOldAndWornOutCodes() {
        // Given
        invite("eve@example.com");
        request("eve@example.com");
        var first = mail.awaitNth("eve@example.com", 2).code();
        var wrong = first.equals("000000") ? "000001" : "000000";

        // When: five wrong tries
        for (var time = 0; time < 5; time++) {
            assertThat(verify("eve@example.com", wrong).text("/code")).isEqualTo("INVALID_OTP");
        }

        // Then
        assertThat(verify("eve@example.com", first).status()).isEqualTo(410);

        // when the next code expires
        request("eve@example.com");
        var second = mail.awaitNth("eve@example.com", 3).code();
        server.clock().advance(Duration.ofMinutes(10));

        // Then
        assertThat(verify("eve@example.com", second).status()).isEqualTo(410);
        assertThat(verify("nobody@example.com", "123456").status()).isEqualTo(410);
        assertThat(server.anonymous()
                        .post(VERIFY, codeBody("eve@example.com", "12345"))
                        .status())
                .isEqualTo(400);
        assertThat(server.anonymous()
                        .post(VERIFY, codeBody("eve@example.com", "12345a"))
                        .text("/message"))
                .contains("body/code");
    }

    @Test
    void hidesWhetherAnAccountExists() {
        // When
        var unknown = request("stranger@example.com");
        var unknownLink = link("stranger@example.com", "PASSWORD_RESET");
        var known = request("ada.miller@acme-tools.com");

        // Then
        assertThat(unknown.status()).isEqualTo(204);
        assertThat(unknownLink.status()).isEqualTo(204);
        assertThat(known.status()).isEqualTo(204);
        mail.awaitNth("ada.miller@acme-tools.com", 2);
        assertThat(mail.takenFor("stranger@example.com")).isEmpty();
        assertThat(server.count("select count(*) from user_identity where email = 'stranger@example.com'"))
                .isZero();
        assertThat(server.count("select count(*) from one_time_code where subject = 'stranger@example.com'"))
                .isZero();
    }

    @Test
    void choosesANewPassword_whichEndsEverySession() {
        // Given
        invite("pat@example.com");
        var pat = server.anonymous().post("/v1/authentication/sign-up", ApiClient.signUpBody("pat@example.com", "Pat"));
        var api = server.anonymous().with(pat.text("/token"));
        link("pat@example.com", "PASSWORD_RESET");
        var letter = mail.awaitNth("pat@example.com", 2);
        assertThat(letter.link()).startsWith("https://mill.example/reset-password?otp=");

        // When
        var wrong = reset(letter.link(), "another horse", "x");
        var weak = reset(letter.link(), "short", "");
        var done = reset(letter.link(), "another horse", "");
        var again = reset(letter.link(), "a third horse", "");

        // Then
        assertThat(wrong.status()).isEqualTo(410);
        assertThat(weak.status()).isEqualTo(400);
        assertThat(done.status()).isEqualTo(200);
        assertThat(again.text("/code")).isEqualTo("INVALID_OTP");
        assertThat(api.get("/v1/projects").text("/code")).isEqualTo("SESSION_EXPIRED");
        assertThat(signIn("pat@example.com", "correct horse").status()).isEqualTo(401);
        assertThat(signIn("pat@example.com", "another horse").status()).isEqualTo(200);
        assertThat(events("user.password.reset")).isEqualTo(1);
    }

    @Test
    void confirmsAnAddress_byLinkOrByCode() {
        // Given
        invite("uma@example.com");
        server.anonymous().post("/v1/authentication/sign-up", ApiClient.signUpBody("uma@example.com", "Uma"));
        server.execute("update user_identity set verified = false where email = 'uma@example.com'");
        assertThat(signIn("uma@example.com", "correct horse").text("/code")).isEqualTo("EMAIL_IS_NOT_VERIFIED");
        link("uma@example.com", "EMAIL_VERIFICATION");
        var letter = mail.awaitNth("uma@example.com", 2);
        assertThat(letter.link()).startsWith("https://mill.example/verify-email?otp=");

        // When
        var verified = server.anonymous().post("/v1/authn/local/verify-email", queryOf(letter.link()));

        // Then
        assertThat(verified.status()).isEqualTo(200);
        assertThat(signIn("uma@example.com", "correct horse").status()).isEqualTo(200);
        assertThat(events("user.email.verified")).isEqualTo(1);

        // When: the address was not verified before the code was used, so the password may be an attacker's
        server.execute("update user_identity set verified = false where email = 'uma@example.com'");
        request("uma@example.com");
        var byCode =
                verify("uma@example.com", mail.awaitNth("uma@example.com", 3).code());

        // Then
        assertThat(byCode.status()).isEqualTo(200);
        assertThat(signIn("uma@example.com", "correct horse").text("/code")).isEqualTo("INVALID_CREDENTIALS");
    }

    @Test
    void switchesToAnotherPlatformOfThePersonOnly() {
        // Given
        var foreign = server.foreignProject();
        var other = server.text("select platform_id from project where id = $1", foreign);
        var body = Json.object().put("platformId", other);

        // When
        var refused = admin.api().post("/v1/authentication/switch-platform", body);
        server.execute("""
                insert into platform_user (id, created, updated, identity_id, platform_id, platform_role, status)
                select reverse(id), now(), now(), identity_id, $2, 'OPERATOR', 'ACTIVE' from platform_user where id = $1
                """, admin.userId(), other);
        var switched = admin.api().post("/v1/authentication/switch-platform", body);

        // Then
        assertThat(refused.text("/code")).isEqualTo("AUTHORIZATION");
        assertThat(switched.text("/platformId")).isEqualTo(other);
        assertThat(switched.text("/platformRole")).isEqualTo("OPERATOR");
        var there = server.anonymous().with(switched.text("/token"));
        assertThat(there.get("/v1/platforms/" + other).status()).isEqualTo(200);
        assertThat(there.get("/v1/platforms/" + admin.platformId()).status()).isEqualTo(403);
        server.execute("delete from platform_user where id = $1", switched.text("/id"));
    }

    @Test
    void letsOnlyTheFirstUserNameThePlatform() {
        try (var fresh = SETTINGS.start()) {
            // Given
            var zoe = newcomer(fresh, "zoe@acme-tools.com");
            var yan = newcomer(fresh, "yan@acme-tools.com");

            // When
            var nameless = zoe.post(PLATFORMS, Json.object().put("name", "a.b"));
            var founded = zoe.post(PLATFORMS, Json.object().put("name", "Zoe & Sons"));
            var again = zoe.post(PLATFORMS, Json.object().put("name", "Another"));
            var late = yan.post(PLATFORMS, Json.object().put("name", "Another"));

            // Then
            assertThat(nameless.text("/message")).isEqualTo("body/name Invalid string: must match pattern /^[^./]+$/");
            assertThat(founded.text("/platformRole")).isEqualTo("ADMIN");
            var api = fresh.anonymous().with(founded.text("/token"));
            assertThat(api.get(PLATFORMS + "/" + founded.text("/platformId")).text("/name"))
                    .isEqualTo("Zoe & Sons");
            assertThat(api.get("/v1/projects/" + founded.text("/projectId")).text("/displayName"))
                    .isEqualTo("Acme Tools's Project");
            assertThat(api.post(PLATFORMS, Json.object().put("name", "More")).text("/code"))
                    .isEqualTo("AUTHORIZATION");
            assertThat(again.text("/code")).isEqualTo("EXISTING_USER");
            assertThat(late.text("/code")).isEqualTo("AUTHORIZATION");
            assertThat(fresh.count("select count(*) from platform")).isEqualTo(1);
        }
    }

    private static ApiClient newcomer(TestServer fresh, String email) {
        fresh.anonymous().post(REQUEST, Json.object().put("email", email));
        var code = mail.awaitNth(email, 1).code();
        return fresh.anonymous()
                .with(fresh.anonymous().post(VERIFY, codeBody(email, code)).text("/token"));
    }

    @Test
    void offersCodes_onlyWhereThePlatformLetsPeopleInByEmail() {
        // Given
        assertThat(server.anonymous()
                        .get("/v1/flags")
                        .body()
                        .path("EMAIL_CODE_AUTH_ENABLED")
                        .asBoolean())
                .isTrue();
        server.execute("update platform set email_auth_enabled = false where id = $1", admin.platformId());
        var kept = server.count("select count(*) from one_time_code");

        // When
        var known = request("ada.miller@acme-tools.com");
        var unknown = request("stranger@example.com");

        // Then
        assertThat(known.status()).isEqualTo(204);
        assertThat(unknown.status()).isEqualTo(204);
        assertThat(server.count("select count(*) from one_time_code")).isEqualTo(kept);
        var flags = server.anonymous().get("/v1/flags").body();
        assertThat(flags.path("EMAIL_CODE_AUTH_ENABLED").asBoolean()).isFalse();
        assertThat(flags.path("SMTP_CONFIGURED").asBoolean()).isTrue();
        server.execute("update platform set email_auth_enabled = true where id = $1", admin.platformId());
    }

    private static void invite(String email) {
        var wanted = Json.object().put("type", "PLATFORM").put("email", email).put("platformRole", "MEMBER");
        admin.api().post(INVITATIONS, wanted);
        accept(mail.awaitNth(email, 1).link());
    }

    private static void accept(String link) {
        assertThat(link).startsWith("https://mill.example/invitation?token=");
        var token = queryOf(link).path("token").asText();
        var accepted =
                server.anonymous().post(INVITATIONS + "/accept", Json.object().put("invitationToken", token));
        assertThat(accepted.status()).isEqualTo(200);
    }

    private static ObjectNode queryOf(String link) {
        var query = Json.object();
        for (var pair : URI.create(link).getQuery().split("&")) {
            var sign = pair.indexOf('=');
            query.put(pair.substring(0, sign), pair.substring(sign + 1));
        }
        return query;
    }

    private static Answer reset(String link, String password, String spoiled) {
        var body = queryOf(link);
        return server.anonymous()
                .post(
                        RESET,
                        body.put("otp", body.path("otp").asText() + spoiled).put("newPassword", password));
    }

    private static Answer request(String email) {
        return server.anonymous().post(REQUEST, Json.object().put("email", email));
    }

    private static Answer link(String email, String type) {
        return server.anonymous().post(LINK, Json.object().put("email", email).put("type", type));
    }

    private static Answer verify(String email, String code) {
        return server.anonymous().post(VERIFY, codeBody(email, code));
    }

    private static Answer signIn(String email, String password) {
        return server.anonymous()
                .post(SIGN_IN, Json.object().put("email", email).put("password", password));
    }

    private static ObjectNode codeBody(String email, String code) {
        return Json.object().put("email", email).put("code", code);
    }

    private static long events(String action) {
        return server.count("select count(*) from audit_event where action = $1", action);
    }
}
