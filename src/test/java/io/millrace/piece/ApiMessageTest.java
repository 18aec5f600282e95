package io.millrace.piece;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import com.fasterxml.jackson.databind.node.TextNode;
import io.millrace.base.core.Json;
import io.millrace.support.MachineSpeed;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ApiMessageTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{'error':{'message':'not here'}} | not here",
                "{'errors':[{'message':'a'},{'detail':'b'}]} | a; b",
                "{'message':' ','detail':' d '} | d",
                "{'error_description':'x','error':'y'} | x",
                "{'error':{'reason':{'message':'deep'}}} | deep",
                "'plain' | plain",
                "['a','b'] | a; b"
            })
    void findsTheMessage(String body, String expected) {
        assertThat(ApiMessage.in(Json.trusted(body.replace('\'', '"')))).isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {"{}", "[]", "''", "null", "12", "{'message':null,'error':[]}"})
    void findsNothing_whereThereIsNothing(String body) {
        assertThat(ApiMessage.in(Json.trusted(body.replace('\'', '"')))).isEmpty();
    }

    @Test
    void reducesMarkupToItsText() {
        var page = "<!DOCTYPE html><html><head><title>Oops</title><style>a{}</style></head>"
                + "<body><script>x()</script><h1>Bad &amp; sad</h1></body></html>";

        assertThat(ApiMessage.in(TextNode.valueOf(page))).isEqualTo("Oops — Bad & sad");
        assertThat(ApiMessage.in(TextNode.valueOf("<html><title>A</title><p>A  b</p></html>")))
                .isEqualTo("A A b");
    }

    @Test
    void cutsALongMessage() {
        assertThat(ApiMessage.in(TextNode.valueOf("x".repeat(3000)))).isEqualTo("x".repeat(2000) + "…");
    }

    @Test
    void staysQuick_whenTheMarkupIsHostile() {
        var hostile = TextNode.valueOf("<a>" + "<script <style <title <!--".repeat(100_000));

        assertTimeoutPreemptively(MachineSpeed.deadline(Duration.ofSeconds(2)), () -> ApiMessage.in(hostile));
    }
}
