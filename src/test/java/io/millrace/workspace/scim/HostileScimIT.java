package io.millrace.workspace.scim;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.base.core.Ids;
import io.millrace.hostile.HostileKind;
import io.millrace.support.ApiClient;
import io.millrace.support.ApiClient.Answer;
import io.millrace.support.ServerSettings;
import io.millrace.support.TestServer;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Malicious SCIM directories: access to other roles, platforms or accounts, and exhaustion of CPU time. */
@HostileKind("SCIM directory")
final class HostileScimIT {
    private static final String USERS = "/v1/scim/v2/Users";
    private static final String GROUPS = "/v1/scim/v2/Groups";

    @AutoClose
    private static TestServer server = ServerSettings.openSignUp().start();

    private static TestServer.SignedIn ada = server.signUp("ada@example.com", "Ada");
    private static ApiClient directory = ada.withApiKey();

    private static Answer send(String method, String path, String singleQuoted) {
        return directory.send(
                method, path, Map.of("Content-Type", "application/scim+json"), singleQuoted.replace('\'', '"'));
    }

    private static String create() {
        return send("POST", USERS, "{'userName':'" + Ids.next() + "@example.com'}")
                .text("/id");
    }

    private static void isRefused(Answer answer) {
        assertThat(answer.status()).as(answer.toString()).isBetween(400, 499);
        assertThat(answer.body().path("schemas").path(0).asText())
                .isEqualTo("urn:ietf:params:scim:api:messages:2.0:Error");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "userName",
                "userName eq",
                "userName eq 'x",
                "userName eq \"x\" or",
                "(userName eq \"x\"",
                "userName eq \"x\")",
                "userName eq \"x\"; drop table platform_user",
                "userName eq \"x\" --",
                "userName = \"x\"",
                "userName eq \"x\" union select 1",
                "emails[type eq \"work\"",
                "emails[]",
                "not",
                "not not userName pr",
                "userName xx \"x\"",
                "userName eq [1]",
                "userName eq \"\\u0000\" and",
                "password eq \"x\" xor userName pr"
            })
    void refusesWhatIsNoFilter(String filter) {
        isRefused(directory.get(USERS + "?filter=" + URLEncoder.encode(filter, StandardCharsets.UTF_8)));
        isRefused(directory.get(GROUPS + "?filter=" + URLEncoder.encode(filter, StandardCharsets.UTF_8)));
    }

    /** Accepted filters that match no user and disclose no data. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "userName eq \"' or '1'='1\"",
                "userName eq \"%\"",
                "userName eq \"\\u0000\"",
                "externalId eq \"\\u0000\"",
                "userName eq \"\\ud800\"",
                "externalId eq \"*\""
            })
    void findsNoUserByKeywordsOfAnotherLanguage(String filter) {
        var found = directory.get(USERS + "?filter=" + URLEncoder.encode(filter, StandardCharsets.UTF_8));

        assertThat(found.status()).as(found.toString()).isIn(200, 400);
        assertThat(found.body().path("totalResults").asInt()).isZero();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "startIndex=-1",
                "startIndex=0",
                "startIndex=99999999999999999999",
                "count=-1",
                "count=999999999",
                "count=99999999999999999999",
                "count=x",
                "startIndex=2147483647&count=2147483647"
            })
    void answersPagesWithinItsBounds(String query) {
        var page = directory.get(USERS + "?" + query);

        assertThat(page.status()).as(page.toString()).isIn(200, 400);
        assertThat(page.body().path("Resources").size()).isLessThanOrEqualTo(1_000);
    }

    /** Attributes that a directory must not set. */
    @ParameterizedTest
    @CsvSource({
        "id, aaaaaaaaaaaaaaaaaaaaa",
        "platformId, aaaaaaaaaaaaaaaaaaaaa",
        "identityId, aaaaaaaaaaaaaaaaaaaaa",
        "platform_id, aaaaaaaaaaaaaaaaaaaaa",
        "role, ADMIN",
        "roles, ADMIN",
        "platformRole, ADMIN",
        "password, secret-of-the-directory-1",
        "verified, false",
        "tokenVersion, x",
        "created, 1970-01-01T00:00:00Z",
        "status, INACTIVE",
        "__proto__, x",
        "constructor, x"
    })
    void setsNothingThatIsNotADirectorys(String name, String value) {
        // Given
        var created =
                send("POST", USERS, "{'userName':'" + Ids.next() + "@example.com','" + name + "':'" + value + "'}");
        var id = created.text("/id");
        var before = directory.get(USERS + "/" + id).body();

        // When
        var patched = send(
                "PATCH",
                USERS + "/" + id,
                "{'Operations':[{'op':'replace','path':'" + name + "','value':'" + value
                        + "'},{'op':'replace','value':{'" + name + "':'" + value + "'}}]}");

        // Then
        assertThat(created.status()).isEqualTo(201);
        assertThat(id).isNotEqualTo(value);
        assertThat(patched.status()).isIn(200, 204, 400);
        var after = directory.get(USERS + "/" + id).body();
        for (var kept : new String[] {"id", "userName", "active", "emails", ScimUser.EXTENSION}) {
            assertThat(after.path(kept)).as(kept).isEqualTo(before.path(kept));
        }
        assertThat(after.path(ScimUser.EXTENSION).path("platformRole").asText()).isEqualTo("MEMBER");
        assertThat(after.toString()).doesNotContain("secret-of-the-directory-1");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{'op':'replace','path':'','value':1}",
                "{'op':'replace','path':'a.b.c','value':1}",
                "{'op':'replace','path':'..','value':1}",
                "{'op':'replace','path':'userName[','value':'x'}",
                "{'op':'replace','path':'emails[type eq \\'work\\']].value','value':'x'}",
                "{'op':'replace','path':7,'value':1}",
                "{'op':'drop','path':'userName'}",
                "{'op':7}",
                "{'op':'remove','path':'userName'}",
                "{'op':'replace','path':'userName','value':''}",
                "{'op':'replace','path':'userName','value':{}}",
                "{'op':'replace','path':'userName','value':'a\\u0000b'}",
                "{'op':'replace','path':'emails','value':[{'value':'no address'}]}",
                "{'op':'replace','path':'emails','value':[{'value':'a\\u0085b@example.com'}]}",
                "{'op':'replace','path':'emails','value':[{'value':'a\\u200bb@example.com'}]}",
                "{'op':'replace','path':'emails','value':[{'value':'a\\r\\nBcc: x@example.com'}]}",
                "{'op':'replace','path':'active','value':'maybe'}",
                "{'op':'replace','path':'name','value':{'givenName':'a\\u0000b'}}",
                "{'op':'replace','path':'externalId','value':'a\\u0000b'}",
                "{'op':'replace','path':'urn:ietf:params:scim:schemas:activepieces:1.0:CustomUserAttributes:platformRole','value':'ROOT'}",
                "7",
                "null",
                "[]"
            })
    void refusesWhatIsNoChange_andChangesNothing(String operation) {
        var id = create();
        var before = directory.get(USERS + "/" + id).body();

        var answer = directory.send(
                "PATCH",
                USERS + "/" + id,
                Map.of("Content-Type", "application/scim+json"),
                ("{'Operations':[" + operation + "]}").replace("\\'", "\\\"").replace('\'', '"'));

        isRefused(answer);
        assertThat(directory.get(USERS + "/" + id).body()).isEqualTo(before);
    }

    @ParameterizedTest
    @ValueSource(strings = {"x", "' or 1=1", "aaaaaaaaaaaaaaaaaaaaa", "%00", "../Groups", "*"})
    void knowsNoUserOfSuchAnId(String id) {
        var path = USERS + "/" + (id.startsWith("%") ? id : URLEncoder.encode(id, StandardCharsets.UTF_8));

        assertThat(directory.get(path).status()).isIn(400, 404);
        assertThat(send("DELETE", path, "").status()).isIn(400, 404, 405);
    }

    @Test
    void takesNoNameThatDiffersInItsCaseOnly() {
        var name = Ids.next().toLowerCase(java.util.Locale.ROOT);
        assertThat(send("POST", USERS, "{'userName':'" + name + "@example.com'}")
                        .status())
                .isEqualTo(201);
        assertThat(send("POST", USERS, "{'userName':'" + name.toUpperCase(java.util.Locale.ROOT) + "@EXAMPLE.com'}")
                        .status())
                .isEqualTo(409);
    }

    @Test
    void endsTheSessionsOfAUserWhoIsSwitchedOff() {
        // Given
        var mel = server.signUp("mel@example.com", "Mel");
        assertThat(mel.api().get("/v1/users/me").status()).isEqualTo(200);

        // When
        var off =
                send("PATCH", USERS + "/" + mel.userId(), "{'Operations':[{'op':'replace','value':{'active':false}}]}");

        // Then
        assertThat(off.status()).as(off.toString()).isIn(200, 204);
        var refused = mel.api().get("/v1/users/me");
        assertThat(refused.status()).isIn(401, 403);
        assertThat(refused.text("/code")).isEqualTo("SESSION_EXPIRED");
    }

    /** A directory changes the user of its own platform, and no data that several platforms share. */
    @Test
    void renamesNoUserOfSeveralPlatforms() {
        // Given
        var pat = server.signUp("pat@example.com", "Pat");
        var rename = "{'Operations':[{'op':'replace','value':{'name':{'givenName':'Robbed','familyName':'Robbed'},"
                + "'externalId':'x-%s'}}]}";
        assertThat(send(
                                "PATCH",
                                USERS + "/" + pat.userId(),
                                rename.formatted("1").replace("Robbed", "Patricia"))
                        .status())
                .isIn(200, 204);
        assertThat(pat.api().get("/v1/users/me").text("/firstName")).isEqualTo("Patricia");
        // The newer platform: a user who signs up joins the oldest.
        var otherPlatform = Ids.next();
        server.execute(
                "insert into platform select (jsonb_populate_record(p, jsonb_build_object('id', $1::text, 'owner_id', $2::text,"
                        + " 'created', p.created + interval '1 day'))).*"
                        + " from platform p where p.id = $3",
                otherPlatform,
                pat.userId(),
                ada.platformId());
        server.execute(
                "insert into platform_user select (jsonb_populate_record(u, jsonb_build_object("
                        + "'id', $1::text, 'platform_id', $2::text, 'external_id', null, 'user_name', null))).*"
                        + " from platform_user u where u.id = $3",
                Ids.next(),
                otherPlatform,
                pat.userId());

        // When
        var renamed = send("PATCH", USERS + "/" + pat.userId(), rename.formatted("2"));
        var moved = send(
                "PATCH",
                USERS + "/" + pat.userId(),
                "{'Operations':[{'op':'replace','path':'emails','value':[{'value':'eve@example.com','primary':true}]}]}");

        // Then
        assertThat(renamed.status()).isIn(200, 204);
        isRefused(moved);
        var shown = directory.get(USERS + "/" + pat.userId()).body();
        assertThat(shown.path("externalId").asText()).isEqualTo("x-2");
        assertThat(shown.at("/name/givenName").asText()).isEqualTo("Patricia");
        assertThat(pat.api().get("/v1/users/me").text("/firstName")).isEqualTo("Patricia");
    }

    @Test
    void leavesThePlatformItsOwner() {
        for (var change :
                new String[] {"{'active':false}", "{'" + ScimUser.EXTENSION + "':{'platformRole':'MEMBER'}}"}) {
            isRefused(send(
                    "PATCH", USERS + "/" + ada.userId(), "{'Operations':[{'op':'replace','value':" + change + "}]}"));
        }
        assertThat(send("DELETE", USERS + "/" + ada.userId(), "").status()).isBetween(400, 499);
        assertThat(ada.api().get("/v1/users/me").status()).isEqualTo(200);
    }

    @Test
    void isClosedToMembersAndToCallersWithoutAKey() {
        var joe = server.signUp("joe@example.com", "Joe");
        for (var path : new String[] {USERS, GROUPS, USERS + "/" + ada.userId()}) {
            assertThat(joe.api().get(path).status()).isIn(401, 403);
            assertThat(server.anonymous().get(path).status()).isIn(401, 403);
        }
    }
}
