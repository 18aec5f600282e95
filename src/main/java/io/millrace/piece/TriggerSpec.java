package io.millrace.piece;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.piece.property.Property;
import java.util.Map;

/**
 * Name, labels and properties of a trigger (contract flows-and-engine 18, 29).
 *
 * @param props properties by name, in the order they are shown
 * @param strategy event source
 * @param sampleData null when there is none
 * @param testStrategy source of samples for editors
 */
public record TriggerSpec(
        String name,
        String displayName,
        String description,
        Map<String, Property> props,
        boolean requireAuth,
        Strategy strategy,
        JsonNode sampleData,
        TestStrategy testStrategy) {

    /** Event source of a trigger (18.2). */
    public enum Strategy {
        WEBHOOK,
        POLLING,
        APP_WEBHOOK,
        MANUAL
    }

    /** Source of samples for editors (18.7). */
    public enum TestStrategy {
        SIMULATION,
        TEST_FUNCTION
    }
}
