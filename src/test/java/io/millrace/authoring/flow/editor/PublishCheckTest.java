package io.millrace.authoring.flow.editor;

import static io.millrace.authoring.flow.editor.FlowSamples.add;
import static io.millrace.authoring.flow.editor.FlowSamples.apply;
import static io.millrace.authoring.flow.editor.FlowSamples.code;
import static io.millrace.authoring.flow.editor.FlowSamples.empty;
import static io.millrace.authoring.flow.editor.FlowSamples.pieceTrigger;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.authoring.flow.version.FlowVersion;
import io.millrace.base.core.ApiException;
import io.millrace.base.core.ErrorCode;
import java.util.HashSet;
import java.util.Optional;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Flows that the publish check refuses (contract flows-and-engine 4.16). */
class PublishCheckTest {
    private static final Pattern ROOT = Pattern.compile("\\{\\{\\s*([a-z_0-9]+)");

    /**
     * Uses the first word of every token as its reference, and treats a token that ends in a question mark as broken.
     */
    private static final ExpressionReader FIRST_WORDS = text -> {
        var references = new HashSet<String>();
        ROOT.matcher(text).results().forEach(match -> references.add(match.group(1)));
        var problem = text.contains(" ?}") ? Optional.of("expected a value, but found '?'") : Optional.<String>empty();
        return new ExpressionReader.Reading(references, problem);
    };

    private static FlowVersion with(FlowVersion version, String name, String value) {
        return add(
                version,
                "trigger",
                "",
                code(name).replace("'input':{}", "'input':{'list':['" + value.replace("'", "`") + "']}"));
    }

    private static FlowVersion triggered() {
        return apply(empty(), "UPDATE_TRIGGER", pieceTrigger("{}"));
    }

    private static void check(FlowVersion version) {
        new PublishCheck(FIRST_WORDS).check(version);
    }

    private static void refused(FlowVersion version, String text) {
        assertThatThrownBy(() -> check(version)).isInstanceOfSatisfying(ApiException.class, refusal -> {
            assertThat(refusal.code()).isEqualTo(ErrorCode.FLOW_OPERATION_INVALID);
            assertThat(refusal.text()).contains(text);
        });
    }

    /** An operation is refused before publishing; the message lists the values. */
    @ParameterizedTest
    @ValueSource(strings = {"PYTHON", "ruby", "Javascript", ""})
    void namesTheLanguagesThatThereAre(String language) {
        var step = code("step_1").replace("'sourceCode':{", "'sourceCode':{'language':'" + language + "',");
        var version = triggered();

        assertThatThrownBy(() -> add(version, "trigger", "", step))
                .hasMessageContaining("settings/sourceCode/language")
                .hasMessageContaining("(javascript|typescript|python)");
    }

    /** An import keeps a step that violates the schema as an invalid one; publishing reports the language. */
    @ParameterizedTest
    @ValueSource(strings = {"PYTHON", "ruby"})
    void namesTheLanguagesOfAnImportedStep(String language) {
        var step = code("step_1").replace("'sourceCode':{", "'sourceCode':{'language':'" + language + "',");
        var imported = apply(
                empty(),
                "IMPORT_FLOW",
                "{'displayName':'Imported','schemaVersion':null,'trigger':{'name':'trigger','displayName':'t',"
                        + "'type':'EMPTY','valid':false,'settings':{},'lastUpdatedDate':'2026-01-01T00:00:00.000Z',"
                        + "'nextAction':" + step + "}}");

        refused(
                apply(imported, "UPDATE_TRIGGER", pieceTrigger("{}")),
                "expected javascript, typescript or python, found " + language);
    }

    @Test
    void passes_whenEverythingIsThere() {
        var version = with(
                with(triggered(), "step_2", "{{step_1.output}} {{connections.a}}"), "step_1", "{{trigger.output}}");
        assertThatCode(() -> check(version)).doesNotThrowAnyException();
    }

    @Test
    void refusesTheFirstInvalidStep_andNamesIt() {
        refused(empty(), "step trigger, field settings: the step is not valid: expected a trigger, found none");
        refused(
                add(triggered(), "trigger", "", code("step_1").replace("'valid':true", "'valid':false")),
                "step step_1, field settings");
    }

    /** They evaluate to an empty text (contract flows-and-engine 7.5). */
    @ParameterizedTest
    @ValueSource(strings = {"{{a ?}}", "{{step_9}}", "{{fetch.output.a}}", "{{fetch?.error}}", "{{step_1.output}}"})
    void passesWhatResolvesToNothing(String value) {
        var version = with(triggered(), "step_1", value);
        assertThatCode(() -> check(version)).doesNotThrowAnyException();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "{\"dependencies\":[]}                    | whose dependencies are a JSON object",
                "{\"dependencies\":                       | found text that is not JSON",
                "[]                                       | expected a JSON object"
            })
    void refusesCodeWithABrokenManifest_andNamesTheStep(String manifest, String text) {
        refused(withManifest(manifest), "step step_1, field settings/sourceCode/packageJson: expected ");
        refused(withManifest(manifest), text);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{}",
                " ",
                "{\"dependencies\":{}}",
                "{\"dependencies\":null,\"name\":\"x\"}",
                "{\"dependencies\":{\"axios\":\"1.0.0\"}}"
            })
    void passesCodeWithAManifest(String manifest) {
        assertThatCode(() -> check(withManifest(manifest))).doesNotThrowAnyException();
    }

    @Test
    void passesSkippedCodeWithABrokenManifest() {
        var version = apply(withManifest("[]"), "SET_SKIP_ACTION", "{'names':['step_1'],'skip':true}");
        assertThatCode(() -> check(version)).doesNotThrowAnyException();
    }

    private static FlowVersion withManifest(String manifest) {
        var escaped = manifest.replace("\"", "\\\"");
        return add(
                triggered(),
                "trigger",
                "",
                code("step_1").replace("'packageJson':'{}'", "'packageJson':'" + escaped + "'"));
    }
}
