package io.millrace.engine.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.IntNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.millrace.base.core.Json;
import io.millrace.sandbox.expression.InputTemplate;
import io.millrace.sandbox.expression.Secrets;
import io.millrace.sandbox.expression.value.ExpressionFailure;
import io.millrace.support.FlowScript;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

class RunScopeTest {
    private static final InstantSource CLOCK = InstantSource.fixed(Instant.parse("2026-01-05T10:20:30Z"));

    @Test
    void prefersTheInnermostIteration() {
        // Given
        var scope = scope(steps("{'a':{'output':1},'b':{'output':2}}"), steps("{'a':{'output':3}}"));

        // Then
        assertThat(scope.step("a").output().asInt()).isEqualTo(3);
        assertThat(scope.step("b").output().asInt()).isEqualTo(2);
        assertThat(scope.step("c")).isNull();
    }

    @Test
    void showsTheErrorOfAFailedStepOnly() {
        // Given
        var scope = scope(steps("{'good':{'output':1},'bad':{'errorMessage':'why'}}"));

        // Then
        assertThat(scope.step("good").errorMessage()).isNull();
        assertThat(scope.step("bad").errorMessage()).isEqualTo("why");
        assertThat(scope.step("bad").output()).isNull();
        assertThat(InputTemplate.compile(TextNode.valueOf("{{bad.error.message}}-{{good.error.message}}"))
                        .resolve(scope)
                        .asText())
                .isEqualTo("why-");
    }

    @Test
    void givesOuterStepsOverlaidByInnerOnes_toCodeElsewhere() {
        // Given
        var scope = scope(
                steps("{'a':{'output':1},'b':{'errorMessage':'why'}}"), steps("{'a':{'output':3},'c':{'status':'X'}}"));

        // Then
        assertThat(scope.globals())
                .isEqualTo(FlowScript.json("{'a':{'output':3},'b':{'error':{'message':'why'}},'c':{}}"));
    }

    @Test
    void failsForAConnection_thatWasNotLoaded() {
        assertThatThrownBy(() -> scope(Json.object()).connection("crm"))
                .isInstanceOfSatisfying(
                        ExpressionFailure.class,
                        failure -> assertThat(failure.errorName()).isEqualTo("ConnectionNotFound"));
    }

    @Test
    void keepsTheSecrets_whenTokensAreEvaluatedElsewhere() {
        // Given
        var loaded = new Secrets(
                Map.of(
                        "crm",
                        new Secrets.LoadedConnection.Value(
                                FlowScript.json("{'type':'SECRET_TEXT','secret_text':'s'}"))),
                Map.of("CODE", "c"));

        // When
        var scope = scope(Json.object()).withSecrets(loaded).withEvaluated(Map.of("hard()", IntNode.valueOf(7)));

        // Then
        assertThat(scope.connection("crm").path("secret_text").asText()).isEqualTo("s");
        assertThat(scope.variable("CODE").asText()).isEqualTo("c");
        assertThat(scope.variable("OTHER")).isNull();
        assertThat(scope.beyondGrammar("hard()").asInt()).isEqualTo(7);
    }

    @Test
    void givesWhatTheSandboxEvaluated() {
        // Given
        var scope = scope(Json.object()).withEvaluated(Map.of("hard()", IntNode.valueOf(7)));

        // Then
        assertThat(scope.beyondGrammar("hard()").asInt()).isEqualTo(7);
        assertThat(scope.beyondGrammar("other()")).isNull();
    }

    private static RunScope scope(ObjectNode... maps) {
        return new RunScope(List.of(maps), CLOCK, RandomGenerator.of("L64X128MixRandom"));
    }

    private static ObjectNode steps(String singleQuoted) {
        return (ObjectNode) FlowScript.json(singleQuoted);
    }
}
