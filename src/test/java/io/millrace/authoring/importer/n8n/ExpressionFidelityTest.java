package io.millrace.authoring.importer.n8n;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.authoring.importer.n8n.ExpressionTable.Row;
import io.millrace.authoring.importer.n8n.expression.Fidelity;
import io.millrace.base.core.Json;
import io.millrace.sandbox.expression.InputTemplate;
import io.millrace.sandbox.expression.TestScope;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Fidelity of each expression, as an input of a step and in a code step. {@link ExpressionTable} has the values. */
class ExpressionFidelityTest {
    private static final int ROWS_MIN = 150;

    @Test
    void hasEnoughRows() {
        assertThat(ExpressionTable.rows()).hasSizeGreaterThanOrEqualTo(ROWS_MIN);
    }

    @ParameterizedTest
    @MethodSource("io.millrace.authoring.importer.n8n.ExpressionTable#rows")
    void translatesForInputsAndForCode(Row row) {
        assertThat(fidelity(ExpressionTable.sending(List.of(row)))).isEqualTo(row.fidelity());
        var inCode = fidelity(ExpressionTable.setting(List.of(row)));
        assertThat(inCode).isEqualTo(row.expression().contains("$execution.mode") ? "byHand" : row.fidelity());
    }

    @ParameterizedTest
    @MethodSource("io.millrace.authoring.importer.n8n.ExpressionTable#rows")
    void writesTemplatesThatTheServerReads(Row row) {
        var flow = translated(ExpressionTable.sending(List.of(row)));
        for (var step = flow.template().path("trigger"); !step.isMissingNode(); step = step.path("nextAction")) {
            var input = step.path("settings").path("input");
            assertThat(InputTemplate.compile(input).syntaxIssues())
                    .allMatch(issue -> issue.kind().name().equals("BEYOND_GRAMMAR"));
        }
    }

    @ParameterizedTest
    @MethodSource("io.millrace.authoring.importer.n8n.ExpressionTable#rows")
    void givesTheValueAsAnInput(Row row) throws Exception {
        var steps = translated(ExpressionTable.sending(List.of(row)));
        var input = steps.template()
                .path("trigger")
                .path("nextAction")
                .path("settings")
                .path("input");
        var template = InputTemplate.compile(input.path("message").path("f0"));
        if (input.path("message").isMissingNode()
                || row.value().isMissingNode()
                || !template.syntaxIssues().isEmpty()) {
            // Computed by JavaScript: ImportedExpressionsIT executes these rows.
            return;
        }
        var output = Json.object().put("method", "POST");
        output.putObject("headers");
        output.putObject("queryParams").put("page", "2");
        output.set("body", Json.parse(ExpressionTable.BODY));
        assertThat(Json.text(template.resolve(new TestScope().step("trigger", output))))
                .isEqualTo(Json.text(row.value()));
    }

    private static FlowImport translated(JsonNode workflow) {
        return ImportSamples.translate(workflow).flows().getFirst();
    }

    private static String fidelity(JsonNode workflow) {
        var entry = translated(workflow).entries().stream()
                .filter(one -> one.node().name().equals("Values"))
                .findFirst()
                .orElseThrow();
        for (var fidelity : List.of(Fidelity.BY_HAND, Fidelity.NEAR)) {
            if (entry.expressions(fidelity) > 0) {
                return fidelity.word();
            }
        }
        return Fidelity.EXACT.word();
    }
}
