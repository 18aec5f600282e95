package io.millrace.piece;

import io.millrace.piece.property.Property;
import java.util.Map;

/**
 * Name, labels and properties of an action (contract flows-and-engine 29).
 *
 * @param props properties by name, in the order they are shown
 * @param requireAuth true if the step needs a connection, when the piece has authentication
 * @param errorOptionsShown true if editors show continue-on-failure and retry-on-failure
 * @param pure true if the result depends on the input alone: such a step is recomputed after a crash instead of
 *     being committed before the next one starts (DESIGN, Data)
 */
public record ActionSpec(
        String name,
        String displayName,
        String description,
        Map<String, Property> props,
        boolean requireAuth,
        boolean errorOptionsShown,
        boolean pure) {}
