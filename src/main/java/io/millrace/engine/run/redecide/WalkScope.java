package io.millrace.engine.run.redecide;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.millrace.base.core.Json;
import io.millrace.engine.run.RunScope;
import io.millrace.engine.run.journal.RunSlices;
import io.millrace.sandbox.expression.value.ExpressionScope;
import io.millrace.sandbox.expression.value.StepView;
import java.time.Instant;
import java.time.InstantSource;
import java.util.random.RandomGenerator;

/**
 * Scope of expressions of a walk. Values that the record does not hold have placeholders, and their use is noted: an
 * expression swallows exceptions, so a missing value must not be reported by one.
 */
final class WalkScope implements ExpressionScope {
    private static final TextNode PLACEHOLDER = TextNode.valueOf("");

    private final RunScope records;
    private final Instant startedAt;
    private boolean usedSecret;
    private boolean usedSandbox;
    private boolean usedClock;
    private boolean usedChance;
    private boolean usedStoredApart;

    WalkScope(RunScope records, Instant startedAt) {
        this.records = records;
        this.startedAt = startedAt;
    }

    /** Returns whether the values are those that the run had, apart from secrets, which are redacted in its log. */
    boolean isComparable() {
        return isRecorded() && !usedClock;
    }

    boolean isComputable() {
        return isComparable() && !usedSecret;
    }

    /** The same for values as of the start of the run. */
    boolean isComputableAtStart() {
        return isRecorded() && !usedSecret;
    }

    private boolean isRecorded() {
        return !usedSandbox && !usedChance && !usedStoredApart;
    }

    boolean usedSandbox() {
        return usedSandbox;
    }

    boolean usedStoredApart() {
        return usedStoredApart;
    }

    JsonNode detached(JsonNode value) {
        return records.detached(value);
    }

    @Override
    public StepView step(String name) {
        var stepRecord = records.recordOf(name);
        if (stepRecord != null && RunSlices.isIn(stepRecord)) {
            usedStoredApart = true;
        }
        return records.step(name);
    }

    @Override
    public JsonNode connection(String name) {
        usedSecret = true;
        return Json.object();
    }

    @Override
    public JsonNode variable(String name) {
        usedSecret = true;
        return PLACEHOLDER;
    }

    @Override
    public InstantSource clock() {
        usedClock = true;
        return InstantSource.fixed(startedAt);
    }

    @Override
    public RandomGenerator random() {
        usedChance = true;
        return () -> 0L;
    }

    @Override
    public JsonNode beyondGrammar(String source) {
        usedSandbox = true;
        return null;
    }
}
