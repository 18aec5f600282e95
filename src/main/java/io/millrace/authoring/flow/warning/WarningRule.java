package io.millrace.authoring.flow.warning;

import io.millrace.authoring.flow.editor.StepProblem;
import java.util.stream.Stream;

/** One kind of setting that is allowed and probably a mistake. */
@FunctionalInterface
interface WarningRule {
    /** Warnings in the order of the steps; lazy, because a reader takes a limited number of them. */
    Stream<StepProblem> check(CheckedFlow flow);
}
