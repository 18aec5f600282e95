package io.millrace.engine.run.waitpoint;

import static io.millrace.support.FlowScript.json;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.base.core.ApiException;
import io.millrace.base.core.Json;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Numbers in the form of an approval. */
class ApprovalFormTest {
    private static final String FIELDS =
            "{'fields':[{'name':'costs','displayName':'Costs','type':'number','required':true}]}";

    @ParameterizedTest
    @CsvSource({
        "12,12",
        "1.50,1.5",
        "1e3,1000",
        "9007199254740993,9007199254740993",
        "8202522731445525542,8202522731445525542",
        "-9223372036854775809,-9223372036854775809",
        "0.12345678901234567890,0.12345678901234567890"
    })
    void keepsAllDigits(String text, String value) {
        var values =
                ApprovalForm.values(json(FIELDS).path("fields"), Json.object().put("costs", text), true);

        assertThat(Json.text(values)).isEqualTo("{\"costs\":" + value + "}");
    }

    @Test
    void namesTheFieldOfANumberThatIsTooLarge() {
        var given = Json.object().put("costs", "1e400");

        assertThatThrownBy(() -> ApprovalForm.values(json(FIELDS).path("fields"), given, true))
                .isInstanceOf(ApiException.class)
                .hasMessageContaining("Costs: expected a finite number, found 1e400");
    }
}
