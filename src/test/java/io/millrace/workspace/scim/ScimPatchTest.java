package io.millrace.workspace.scim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.access.PlatformRole;
import io.millrace.base.core.ApiException;
import io.millrace.base.core.Json;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Patches in the forms that Entra ID and Okta send. Texts have single quotes. */
final class ScimPatchTest {
    private static final String ROLE = ScimUser.EXTENSION + ":platformRole";

    private static ObjectNode user() {
        return (ObjectNode) json("""
                {'userName':'ada@example.com','active':true,'name':{'givenName':'Ada','familyName':'King'},
                 'emails':[{'value':'ada@example.com','type':'work','primary':true}]}
                """);
    }

    private static JsonNode json(String singleQuoted) {
        return Json.trusted(singleQuoted.replace('\'', '"'));
    }

    private static ObjectNode patched(ObjectNode resource, String operations) {
        return ScimPatch.apply(resource, json("{'Operations':[" + operations + "]}"));
    }

    @Test
    void switchesOff_asEntraSaysIt() {
        var person =
                ScimUser.read(patched(user(), "{'op':'Replace','path':'active','value':'False'}"), PlatformRole.MEMBER);

        assertThat(person.isActive()).isFalse();
    }

    @Test
    void switchesOff_asOktaSaysIt() {
        var person = ScimUser.read(patched(user(), "{'op':'replace','value':{'active':false}}"), PlatformRole.ADMIN);

        assertThat(person.isActive()).isFalse();
        assertThat(person.role()).isEqualTo(PlatformRole.ADMIN);
    }

    @Test
    void changesAttributes_asEntraSaysIt() {
        var person = ScimUser.read(
                patched(user(), """
                        {'op':'Replace','path':'name.givenName','value':'Augusta'},
                        {'op':'Add','path':'emails[type eq \\'work\\'].value','value':'augusta@example.com'},
                        {'op':'Add','path':'externalId','value':'e-1'},
                        {'op':'Add','path':'title','value':'Countess'},
                        {'op':'Add','path':'%s','value':'OPERATOR'}
                        """.formatted(ROLE).replace("\\'work\\'", "\\\"work\\\"")), PlatformRole.MEMBER);

        assertThat(person.firstName()).isEqualTo("Augusta");
        assertThat(person.email()).isEqualTo("augusta@example.com");
        assertThat(person.externalId()).contains("e-1");
        assertThat(person.role()).isEqualTo(PlatformRole.OPERATOR);
    }

    @Test
    void readsNamesWithDots_asOlderEntraSendsThem() {
        var person = ScimUser.read(
                patched(user(), "{'op':'replace','value':{'name.familyName':'Lovelace','" + ROLE + "':'ADMIN'}}"),
                PlatformRole.MEMBER);

        assertThat(person.lastName()).isEqualTo("Lovelace");
        assertThat(person.role()).isEqualTo(PlatformRole.ADMIN);
    }

    @Test
    void readsAnExtensionAsAnObject() {
        var operation = "{'op':'replace','value':{'" + ScimUser.EXTENSION + "':{'platformRole':'admin'}}}";

        assertThat(ScimUser.read(patched(user(), operation), PlatformRole.MEMBER)
                        .role())
                .isEqualTo(PlatformRole.ADMIN);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            {'op':'Add','path':'members','value':[{'value':'c'}]}                            | a,b,c
            {'op':'add','path':'members','value':[{'value':'b','display':'B'},{'value':'d'}]} | a,b,d
            {'op':'add','value':{'members':[{'value':'c'}]}}                                 | a,b,c
            {'op':'Remove','path':'members','value':[{'value':'a'}]}                         | b
            {'op':'remove','path':'members[value eq *a*]'}                                   | b
            {'op':'remove','path':'members'}                                                 | ''
            {'op':'replace','path':'members','value':[{'value':'z'}]}                        | z
            {'op':'replace','value':{'id':'x','displayName':'New','members':[]}}             | ''
            """)
    void changesMembers(String operation, String expected) {
        var group = (ObjectNode) json("{'displayName':'Mill','members':[{'value':'a'},{'value':'b'}]}");

        var members =
                ScimGroup.read(patched(group, operation.replace("*", "\\\""))).memberIds();

        assertThat(String.join(",", members)).isEqualTo(expected.replace("'", ""));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            {'op':'destroy','path':'active'}                    | invalidSyntax
            {'path':'active','value':true}                      | invalidSyntax
            {'op':'replace','path':'active'}                    | invalidValue
            {'op':'remove'}                                     | noTarget
            {'op':'replace','value':'text'}                     | invalidValue
            {'op':'replace','path':'a b','value':1}             | invalidPath
            {'op':'replace','path':'emails[','value':1}         | invalidPath
            {'op':'replace','path':'emails[x].value','value':1} | invalidFilter
            """)
    void refusesWhatIsNoOperation(String operation, String scimType) {
        assertThatThrownBy(() -> patched(user(), operation))
                .isInstanceOfSatisfying(
                        ApiException.class,
                        refused -> assertThat(refused.params().path("scimType").asText())
                                .isEqualTo(scimType));
    }

    @Test
    void leavesTheResourceAsItWas() {
        var before = user();

        patched(before, "{'op':'replace','path':'userName','value':'x@example.com'}");

        assertThat(before).isEqualTo(user());
    }
}
