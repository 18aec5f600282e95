package io.millrace.workspace.scim;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.base.access.PlatformRole;
import io.millrace.base.core.Ids;
import io.millrace.support.ApiClient;
import io.millrace.support.ApiClient.Answer;
import io.millrace.support.TestServer;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** Users and teams managed by two common directories. Bodies are copies of their requests. */
final class ScimIT {
    private static final String USERS = "/v1/scim/v2/Users";
    private static final String GROUPS = "/v1/scim/v2/Groups";
    private static final String NO_USER = "aaaaaaaaaaaaaaaaaaaaa";

    @AutoClose
    private static TestServer server = TestServer.start();

    private static TestServer.SignedIn ada = server.signUp("ada@example.com", "Ada");
    private static ApiClient directory = ada.withApiKey();

    private static Answer send(String method, String path, String singleQuoted) {
        return directory.send(
                method, path, Map.of("Content-Type", "application/scim+json"), singleQuoted.replace('\'', '"'));
    }

    private static Answer find(String path, String filter) {
        return directory.get(path + "?filter=" + URLEncoder.encode(filter, StandardCharsets.UTF_8));
    }

    private static String create(String userName) {
        return send("POST", USERS, "{'schemas':['" + ScimUser.SCHEMA + "'],'userName':'" + userName + "'}")
                .text("/id");
    }

    @Test
    void followsEntra_fromTheFirstLookToTheEndOfAUser() {
        // Entra searches a name that cannot exist, to test the connection
        var nobody = find(USERS, "userName eq \"" + Ids.next() + "\"");
        assertThat(nobody.status()).isEqualTo(200);
        assertThat(nobody.body().path("totalResults").asInt()).isZero();
        assertThat(nobody.body().path("Resources").isArray()).isTrue();

        // then it creates the user
        var created = send("POST", USERS, """
                {'schemas':['urn:ietf:params:scim:schemas:core:2.0:User',
                            'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User'],
                 'externalId':'0a21f0f2-8d2a-4f8e-bf98-7363c4aed4ef','userName':'Test_User@Example.onmicrosoft.com',
                 'active':true,'displayName':'Test User',
                 'emails':[{'primary':true,'type':'work','value':'Test.User@example.com'}],
                 'meta':{'resourceType':'User'},'name':{'formatted':'Test User','familyName':'User','givenName':'Test'},
                 'roles':[],'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User':{'department':'Mills'}}
                """);
        assertThat(created.status()).isEqualTo(201);
        var id = created.text("/id");
        assertThat(created.headers().firstValue("Location")).contains(created.text("/meta/location"));
        assertThat(created.text("/emails/0/value")).isEqualTo("test.user@example.com");
        assertThat(directory.get(USERS + "/" + id).body()).isEqualTo(created.body());

        // it finds the user again by its own name and id
        assertThat(find(USERS, "userName eq \"test_user@example.ONMICROSOFT.com\"")
                        .text("/Resources/0/id"))
                .isEqualTo(id);
        assertThat(find(USERS, "externalId eq \"0a21f0f2-8d2a-4f8e-bf98-7363c4aed4ef\"")
                        .text("/Resources/0/id"))
                .isEqualTo(id);
        assertThat(ada.api().get("/v1/users/" + id).text("/email")).isEqualTo("test.user@example.com");

        // it changes attributes, and deactivates and reactivates the user
        var patched = send("PATCH", USERS + "/" + id, """
                {'schemas':['urn:ietf:params:scim:api:messages:2.0:PatchOp'],'Operations':[
                  {'op':'Replace','path':'emails[type eq \\'work\\'].value','value':'updated@example.com'},
                  {'op':'Replace','path':'name.familyName','value':'Updated'},
                  {'op':'Add','path':'nickName','value':'Babs'}]}
                """);
        assertThat(patched.status()).isEqualTo(200);
        assertThat(patched.text("/name/familyName")).isEqualTo("Updated");
        assertThat(patched.text("/emails/0/value")).isEqualTo("updated@example.com");
        var off = "{'Operations':[{'op':'Replace','path':'active','value':'False'}]}";
        assertThat(send("PATCH", USERS + "/" + id, off).body().path("active").asBoolean(true))
                .isFalse();
        assertThat(ada.api().get("/v1/users/" + id).text("/status")).isEqualTo("INACTIVE");
        var on = off.replace("False", "True");
        assertThat(send("PATCH", USERS + "/" + id, on).body().path("active").asBoolean())
                .isTrue();

        // and deletes it: the user's flows stay
        assertThat(send("DELETE", USERS + "/" + id, "").status()).isEqualTo(204);
        assertThat(directory.get(USERS + "/" + id).body().path("active").asBoolean(true))
                .isFalse();
    }

    @Test
    void followsOkta_withAGroupOfPeople() {
        // Okta looks for the user, creates it, and replaces it whole
        assertThat(directory
                        .get(USERS + "?startIndex=1&count=2")
                        .body()
                        .path("itemsPerPage")
                        .asInt())
                .isPositive();
        var created = send("POST", USERS, """
                {'schemas':['urn:ietf:params:scim:schemas:core:2.0:User'],'userName':'okta@example.com',
                 'name':{'givenName':'Olga','familyName':'Okta'},'emails':[{'primary':true,'value':'okta@example.com',
                 'type':'work'}],'displayName':'Olga Okta','locale':'en-US','externalId':'00ujl29u0le5T6Aj10h7',
                 'groups':[],'password':'1mz050nq','active':true}
                """);
        var id = created.text("/id");
        var again = send("POST", USERS, "{'userName':'okta@example.com'}");
        assertThat(again.status()).isEqualTo(409);
        assertThat(again.text("/scimType")).isEqualTo("uniqueness");
        var replaced = send("PUT", USERS + "/" + id, """
                {'schemas':['urn:ietf:params:scim:schemas:core:2.0:User'],'id':'x','userName':'okta@example.com',
                 'name':{'givenName':'Another','familyName':'Okta'},'emails':[{'primary':true,'value':'okta@example.com'}],
                 'active':true}
                """);
        assertThat(replaced.text("/name/givenName")).isEqualTo("Another");
        assertThat(replaced.body().has("externalId")).isFalse();

        // It pushes a group, renames it, and adds and removes members
        var second = create("second@example.com");
        var group = send("POST", GROUPS, """
                {'schemas':['urn:ietf:params:scim:schemas:core:2.0:Group'],'displayName':'Millers','members':[]}
                """);
        assertThat(group.status()).isEqualTo(201);
        var groupId = group.text("/id");
        assertThat(find(GROUPS, "displayName eq \"millers\"").text("/Resources/0/id"))
                .isEqualTo(groupId);
        assertThat(send("POST", GROUPS, "{'displayName':'MILLERS'}").status()).isEqualTo(409);
        var renamed = send("PATCH", GROUPS + "/" + groupId, """
                {'schemas':['urn:ietf:params:scim:api:messages:2.0:PatchOp'],'Operations':[
                  {'op':'replace','value':{'id':'%s','displayName':'Master Millers'}}]}
                """.formatted(groupId));
        assertThat(renamed.text("/displayName")).isEqualTo("Master Millers");
        var joined = send("PATCH", GROUPS + "/" + groupId, """
                {'Operations':[{'op':'add','path':'members','value':[{'value':'%s','display':'okta@example.com'},
                                                                     {'value':'%s'}]}]}
                """.formatted(id, second));
        assertThat(joined.body().path("members").findValuesAsText("value")).containsExactlyInAnyOrder(id, second);
        assertThat(roles(groupId)).containsOnly("Editor");
        assertThat(directory.get(USERS + "/" + id).text("/groups/0/display")).isEqualTo("Master Millers");

        // A role assigned manually in the meantime is kept
        server.execute("""
                update project_member set project_role_id = (select id from project_role where name = 'Viewer')
                 where project_id = $1 and user_id = $2
                """, groupId, second);
        var left = send("PATCH", GROUPS + "/" + groupId, """
                {'Operations':[{'op':'remove','path':'members[value eq \\'%s\\']'}]}
                """.formatted(id));
        assertThat(left.body().path("members").findValuesAsText("value")).containsExactly(second);
        var kept = send("PUT", GROUPS + "/" + groupId, """
                {'displayName':'Master Millers','members':[{'value':'%s'},{'value':'%s'}]}
                """.formatted(id, second));
        assertThat(kept.body().path("members").size()).isEqualTo(2);
        assertThat(roles(groupId)).containsExactlyInAnyOrder("Editor", "Viewer");
        assertThat(directory
                        .get(GROUPS + "/" + groupId + "?excludedAttributes=members")
                        .body()
                        .has("members"))
                .isFalse();

        // It is the team project of the console, and is deleted with the group
        assertThat(ada.api().get("/v1/projects/" + groupId).text("/type")).isEqualTo("TEAM");
        assertThat(directory.delete(GROUPS + "/" + groupId).status()).isEqualTo(204);
        assertThat(directory.get(GROUPS + "/" + groupId).status()).isEqualTo(404);
    }

    private static List<String> roles(String projectId) {
        return ada
                .api()
                .get("/v1/project-members?projectId=" + projectId)
                .body()
                .path("data")
                .findValues("projectRole")
                .stream()
                .map(role -> role.path("name").asText())
                .toList();
    }

    @Test
    void readsPagesInOneOrder() {
        // given
        for (var number = 0; number < 5; number++) {
            server.clock().advance(Duration.ofSeconds(1));
            create("page" + number + "@example.com");
        }
        var wanted = "userName sw \"page\" and active eq true";

        // when
        var all = find(USERS, wanted);
        var filter = URLEncoder.encode(wanted, StandardCharsets.UTF_8);
        var middle = directory.get(USERS + "?startIndex=2&count=2&filter=" + filter);

        // then
        assertThat(all.body().path("totalResults").asInt()).isEqualTo(5);
        assertThat(middle.body().path("totalResults").asInt()).isEqualTo(5);
        assertThat(middle.body().path("Resources").findValuesAsText("userName"))
                .containsExactly("page1@example.com", "page2@example.com");
        assertThat(directory.get(USERS + "?count=0").body().path("Resources").size())
                .isZero();
        assertThat(directory
                        .get(USERS + "?startIndex=100000")
                        .body()
                        .path("Resources")
                        .size())
                .isZero();
        assertThat(directory
                        .get(USERS + "?attributes=userName")
                        .body()
                        .at("/Resources/0")
                        .has("name"))
                .isFalse();
    }

    @Test
    void refusesInTheWordsOfScim() {
        var id = create("refused@example.com");
        var owner = USERS + "/" + ada.userId();
        assertRefused(send("POST", USERS, "{"), 400, "");
        assertRefused(send("POST", USERS, "[]"), 400, "invalidSyntax");
        assertRefused(send("POST", USERS, "{'userName':'no address'}"), 400, "invalidValue");
        assertRefused(send("POST", USERS, "{'userName':7}"), 400, "invalidValue");
        assertRefused(send("POST", USERS, "{'userName':'a@b.example','active':'perhaps'}"), 400, "invalidValue");
        assertRefused(find(USERS, "userName"), 400, "invalidFilter");
        assertRefused(directory.get(USERS + "?count=many"), 400, "");
        assertRefused(directory.get(USERS + "/" + NO_USER), 404, "");
        assertRefused(directory.get(GROUPS + "/" + ada.projectId()), 404, "");
        assertRefused(directory.get(GROUPS + "/" + server.foreignProject()), 404, "");
        assertRefused(send("PATCH", USERS + "/" + id, "{'Operations':[{'op':'x'}]}"), 400, "invalidSyntax");
        var taken = "{'Operations':[{'op':'replace','value':{'userName':'taken@example.com'}}]}";
        create("taken@example.com");
        assertRefused(send("PATCH", USERS + "/" + id, taken), 409, "uniqueness");
        assertRefused(send("POST", GROUPS, "{'displayName':'a/b'}"), 400, "invalidValue");
        assertRefused(
                send("POST", GROUPS, "{'displayName':'Ghosts','members':[{'value':'" + NO_USER + "'}]}"),
                400,
                "invalidValue");
        assertThat(find(GROUPS, "displayName eq \"Ghosts\"")
                        .body()
                        .path("totalResults")
                        .asInt())
                .isZero();
        assertRefused(directory.delete(owner), 409, "mutability");
        assertRefused(
                send("PATCH", owner, "{'Operations':[{'op':'replace','value':{'active':false}}]}"), 409, "mutability");
        assertThat(server.text("select platform_role from platform_user where id = $1", ada.userId()))
                .isEqualTo(PlatformRole.ADMIN.name());
        assertRefused(ada.api().get(USERS), 403, "");
        assertRefused(server.anonymous().get(USERS), 403, "");
        assertRefused(server.anonymous().with("sk-nothing").get(USERS), 401, "");
        assertRefused(directory.send("POST", USERS, Map.of("Content-Type", "text/plain"), "x"), 415, "");
    }

    private static void assertRefused(Answer answer, int status, String scimType) {
        assertThat(answer.status()).as(answer.toString()).isEqualTo(status);
        assertThat(answer.text("/schemas/0")).isEqualTo("urn:ietf:params:scim:api:messages:2.0:Error");
        assertThat(answer.text("/status")).isEqualTo(String.valueOf(status));
        assertThat(answer.text("/scimType")).isEqualTo(scimType);
    }

    @Test
    void describesItself_toAdministratorsToo() {
        for (var api : new ApiClient[] {directory, ada.api()}) {
            assertThat(api.get("/v1/scim/v2/ServiceProviderConfig")
                            .body()
                            .at("/patch/supported")
                            .asBoolean())
                    .isTrue();
            assertThat(ids(api.get("/v1/scim/v2/ResourceTypes").body())).containsExactly("User", "Group");
            assertThat(ids(api.get("/v1/scim/v2/Schemas").body()))
                    .containsExactly(ScimUser.SCHEMA, ScimGroup.SCHEMA, ScimUser.EXTENSION);
        }
    }

    private static List<String> ids(JsonNode list) {
        return list.path("Resources")
                .valueStream()
                .map(one -> one.path("id").asText())
                .toList();
    }
}
