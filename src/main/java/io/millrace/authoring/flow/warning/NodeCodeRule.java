package io.millrace.authoring.flow.warning;

import io.millrace.authoring.flow.editor.StepProblem;
import io.millrace.authoring.flow.step.CodeStep;
import io.millrace.authoring.flow.step.Step;
import io.millrace.sandbox.code.compiler.NodeNeeds;
import io.millrace.sandbox.program.CodeSource;
import java.util.Set;
import java.util.stream.Stream;

/** Warns of code that runs in Node.js because of a single global name, without any package or module that shows it. */
final class NodeCodeRule implements WarningRule {
    private static final Set<String> NO_PACKAGES = Set.of("", "{}");

    @Override
    public Stream<StepProblem> check(CheckedFlow flow) {
        return flow.activeSteps().stream()
                .filter(step -> flow.nodeSteps().contains(step.name()))
                .filter(NodeCodeRule::isCandidate)
                .map(step -> new StepProblem(
                        step.name(),
                        "the code uses "
                                + String.join(", ", NodeNeeds.globalsIn(((CodeStep) step).code()))
                                + " and therefore runs in Node.js: the server needs Node.js, and the limits of Node.js"
                                + " steps apply"));
    }

    /** Returns whether the compiler decides if a code step runs in Node.js unexpectedly. */
    static boolean isCandidate(Step step) {
        return step instanceof CodeStep code
                && !code.isSkipped()
                && code.source().language() == CodeSource.Language.JAVASCRIPT
                && NO_PACKAGES.contains(code.packageJson().replaceAll("\\s", ""))
                && !NodeNeeds.importsModules(code.code())
                && !NodeNeeds.globalsIn(code.code()).isEmpty();
    }
}
