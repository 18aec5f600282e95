package io.millrace.workspace.scim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.base.core.ApiException;
import io.millrace.base.core.Json;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Results of filters, in the forms that directories send. */
final class ScimFilterTest {
    private static final JsonNode ADA = Json.trusted("""
            {"userName":"Ada@example.com","externalId":"e-1","active":true,"name":{"givenName":"Ada","familyName":"O\\"Neil"},
             "emails":[{"value":"ada@example.com","type":"work"},{"value":"ada@home.example","type":"home"}]}
            """);

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            userName eq "ada@EXAMPLE.com"                                            | true
            USERNAME EQ "ada@example.com"                                            | true
            userName eq "bob@example.com"                                            | false
            userName ne "bob@example.com"                                            | true
            externalId eq "e-1" and active eq true                                   | true
            externalId eq "e-2" and active eq true                                   | false
            externalId eq "e-2" or name.givenName sw "A"                             | true
            externalId eq "e-2" or name.givenName eq "B" and active eq true          | false
            (externalId eq "e-2" or name.givenName eq "Ada") and active eq true      | true
            not (userName pr)                                                        | false
            not(externalId eq "e-2")                                                 | true
            emails eq "ada@home.example"                                             | true
            emails.value co "@home"                                                  | true
            emails[type eq "work"].value eq "ada@example.com"                        | true
            emails[type eq "home"].value eq "ada@example.com"                        | false
            emails[type eq "home"].value eq "ada@home.example"                       | true
            emails[type eq "work" and value co "@home"]                              | false
            emails[type eq "home" and value co "@home"]                              | true
            emails[type eq "other"]                                                  | false
            emails[type eq "other"] or userName pr                                   | true
            not (emails[type eq "other"])                                            | true
            emails[type eq "other"].value ne "ada@example.com"                       | true
            urn:ietf:params:scim:schemas:core:2.0:User:emails[type eq "home"] pr     | true
            emails[type eq "work"] pr                                                | true
            name.familyName eq "O\\"Neil"                                            | true
            nickName pr                                                              | false
            urn:ietf:params:scim:schemas:core:2.0:User:userName eq "ada@example.com" | true
            userName ew ".com"                                                       | true
            """)
    void matches(String filter, boolean expected) {
        assertThat(ScimFilter.parse(filter).matches(ADA)).isEqualTo(expected);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "userName",
                "userName eq",
                "userName is \"x\"",
                "userName eq \"x",
                "userName eq \"x\" and",
                "(userName eq \"x\"",
                "userName eq \"x\")",
                "userName eq x",
                "emails[type eq \"work\" pr",
                "emails[type eq \"work\"]. eq \"x\"",
                "emails[]",
                "eq",
                "()",
                "userName eq \"x\" userName eq \"y\""
            })
    void refusesWhatIsNoFilter(String filter) {
        assertThatThrownBy(() -> ScimFilter.parse(filter))
                .isInstanceOfSatisfying(
                        ApiException.class,
                        refused -> assertThat(refused.params().path("scimType").asText())
                                .isEqualTo("invalidFilter"));
    }

    @Test
    void refusesNestingWithoutEnd() {
        assertThatThrownBy(() -> ScimFilter.parse("(".repeat(1_000) + "userName pr" + ")".repeat(900)))
                .isInstanceOf(ApiException.class);
    }
}
