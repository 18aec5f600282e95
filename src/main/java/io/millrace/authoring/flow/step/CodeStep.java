package io.millrace.authoring.flow.step;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.sandbox.program.CodeSource;
import java.util.List;
import java.util.Optional;

/**
 * A step that runs the author's code.
 *
 * @param onSuccess run after success, when the step continues on failure (contract flows-and-engine 2.8)
 * @param onFailure run after failure, when the step continues on failure
 */
public record CodeStep(StepBase base, ObjectNode settings, List<ActionStep> onSuccess, List<ActionStep> onFailure)
        implements ActionStep {
    public CodeStep {
        onSuccess = List.copyOf(onSuccess);
        onFailure = List.copyOf(onFailure);
    }

    @Override
    public StepType type() {
        return StepType.CODE;
    }

    @Override
    public List<List<ActionStep>> sequences() {
        return List.of(onSuccess, onFailure);
    }

    @Override
    public ActionStep with(StepBase otherBase, ObjectNode otherSettings, List<List<ActionStep>> sequences) {
        return new CodeStep(otherBase, otherSettings, sequences.get(0), sequences.get(1));
    }

    public String code() {
        return settings.path("sourceCode").path("code").asText();
    }

    public String packageJson() {
        return settings.path("sourceCode").path("packageJson").asText();
    }

    /** Source code of the step. Python is an extension of this product (decision 0252). */
    public CodeSource source() {
        var isPython = settings.path("sourceCode").path("language").asText().equals("python");
        return new CodeSource(
                isPython ? CodeSource.Language.PYTHON : CodeSource.Language.JAVASCRIPT, code(), packageJson());
    }

    public Optional<String> languageProblem() {
        var language = settings.path("sourceCode").path("language");
        return language.isMissingNode()
                        || language.isTextual()
                                && StepSchema.LANGUAGE
                                        .matcher(language.asText())
                                        .matches()
                ? Optional.empty()
                : Optional.of("expected javascript, typescript or python, found "
                        + (language.isTextual() ? language.asText() : "no text"));
    }

    public boolean continuesOnFailure() {
        return PieceStep.option(settings, "continueOnFailure");
    }

    public boolean retriesOnFailure() {
        return PieceStep.option(settings, "retryOnFailure");
    }

    public boolean failsOnCrash() {
        return PieceStep.failsOnCrash(settings);
    }
}
