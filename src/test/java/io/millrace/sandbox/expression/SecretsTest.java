package io.millrace.sandbox.expression;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.InstanceOfAssertFactories.type;

import com.fasterxml.jackson.databind.node.TextNode;
import io.millrace.base.core.Json;
import io.millrace.sandbox.expression.value.ExpressionFailure;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Connections and variables of contract flows-and-engine 7.6 and 7.7. */
class SecretsTest {
    private final Secrets secrets = new Secrets(
            Map.of(
                    "key", value("{'type':'SECRET_TEXT','secret_text':'s3cret'}"),
                    "form", value("{'type':'CUSTOM_AUTH','props':{'host':'h'}}"),
                    "basic", value("{'type':'BASIC_AUTH','username':'u','password':'p'}"),
                    "old", Secrets.expired("old"),
                    "broken", Secrets.notLoaded("broken")),
            Map.of("CODE", "42"));

    private static Secrets.LoadedConnection value(String json) {
        return new Secrets.LoadedConnection.Value(TestScope.json(json));
    }

    @ParameterizedTest
    @CsvSource({
        "gone,   ConnectionNotFound,       connection (gone) not found",
        "old,    ConnectionExpired,        'connection (old) expired, reconnect again'",
        "broken, ConnectionLoadingFailure, connection (broken) could not be loaded"
    })
    void failsTheStep_whenAConnectionCannotBeUsed(String name, String errorName, String text) {
        assertThatThrownBy(() -> secrets.connection(name))
                .asInstanceOf(type(ExpressionFailure.class))
                .satisfies(failure -> {
                    assertThat(failure.errorName()).isEqualTo(errorName);
                    assertThat(failure).hasMessage(Json.pretty(Json.object().put("message", text)));
                });
    }

    @Test
    void givesTheWholeValue() {
        assertThat(secrets.connection("key").path("secret_text").asText()).isEqualTo("s3cret");
        assertThat(secrets.variable("CODE")).isEqualTo(TextNode.valueOf("42"));
        assertThat(secrets.variable("NONE")).isNull();
    }

    @Test
    void unwrapsForPiecesOfTheOldestContext() {
        // when
        var unwrapped = secrets.unwrapped();

        // then
        assertThat(unwrapped.connection("key")).isEqualTo(TextNode.valueOf("s3cret"));
        assertThat(unwrapped.connection("form")).isEqualTo(TestScope.json("{'host':'h'}"));
        assertThat(unwrapped.connection("basic")).isEqualTo(secrets.connection("basic"));
        assertThat(unwrapped.variable("CODE")).isEqualTo(TextNode.valueOf("42"));
        assertThatThrownBy(() -> unwrapped.connection("old")).isInstanceOf(ExpressionFailure.class);
    }
}
