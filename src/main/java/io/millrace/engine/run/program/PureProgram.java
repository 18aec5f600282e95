package io.millrace.engine.run.program;

import io.millrace.engine.run.plan.CompiledFlow.Work;
import io.millrace.sandbox.expression.InputTemplate;
import io.millrace.sandbox.expression.closure.CodeClosure;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A flow version whose steps are all pure, as linked steps over slots: slot 0 is the trigger. Immutable.
 *
 * @param first first step; null for a flow without steps
 * @param slots slot of each step by its name
 * @param head text of the log up to the trigger's output
 */
record PureProgram(@Nullable ProgramStep first, Map<String, Integer> slots, LogText head) {
    sealed interface ProgramStep {
        /** Null at the end of its sequence. */
        @Nullable
        ProgramStep next();
    }

    /**
     * The beginning of a step's record.
     *
     * @param text comma and text of the record up to its input
     */
    record Heading(String name, LogText text) {}

    /**
     * An action.
     *
     * @param answers whether it answers the flow's caller
     * @param onSuccess sequence after it; null without one
     */
    record Act(
            int slot,
            Heading heading,
            Work.OfPiece work,
            boolean answers,
            @Nullable ProgramStep onSuccess,
            @Nullable ProgramStep next)
            implements ProgramStep {}

    /**
     * A code step without effects (decision 0440).
     *
     * @param onSuccess sequence after it; null without one
     */
    record Compute(
            int slot,
            Heading heading,
            InputTemplate input,
            CodeClosure closure,
            @Nullable ProgramStep onSuccess,
            @Nullable ProgramStep next)
            implements ProgramStep {}

    /**
     * A router.
     *
     * @param evaluated text of its record from its input up to the evaluations of its branches
     * @param branches first step of each branch; null for an empty one
     */
    record Choose(
            int slot,
            Heading heading,
            LogText evaluated,
            Work.OfRouter work,
            boolean firstMatchOnly,
            List<Evaluation> evaluations,
            List<@Nullable ProgramStep> branches,
            @Nullable ProgramStep next)
            implements ProgramStep {}

    /**
     * A loop.
     *
     * @param body first step of its body; null for an empty one
     * @param firstSlot first of the slots of the steps in its body
     * @param endSlot slot after the last of them
     */
    record Repeat(
            int slot,
            Heading heading,
            InputTemplate items,
            @Nullable ProgramStep body,
            int firstSlot,
            int endSlot,
            @Nullable ProgramStep next)
            implements ProgramStep {}

    record Evaluation(LogText taken, LogText passed) {}
}
