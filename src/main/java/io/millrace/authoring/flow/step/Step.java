package io.millrace.authoring.flow.step;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Optional;

/**
 * One step of a flow version: its trigger or an action (contract flows-and-engine 2.3 to 2.6).
 *
 * <p>A step has no reference to its successor: a sequence of steps is a list. {@code StepWriter} writes the
 * {@code nextAction} links of the wire format and {@code TreeReader} parses them, so that a long sequence is never a
 * deep structure.
 *
 * <p>Settings are kept as JSON because an imported step may carry settings that violate its schema; such a step is
 * stored and marked invalid (2.12, layer A). Accessors of the records return empty for missing settings.
 */
public sealed interface Step permits TriggerStep, ActionStep {
    StepType type();

    StepBase base();

    /** Settings by type (2.6); never altered. */
    ObjectNode settings();

    default String name() {
        return base().name();
    }

    default String displayName() {
        return base().displayName();
    }

    default boolean valid() {
        return base().valid();
    }

    default boolean isSkipped() {
        return Boolean.TRUE.equals(base().skip());
    }

    /** The input of the step's settings; a missing node when it has none. */
    default JsonNode input() {
        return settings().path("input");
    }

    default Optional<String> setting(String field) {
        return Optional.ofNullable(settings().path(field).textValue());
    }
}
