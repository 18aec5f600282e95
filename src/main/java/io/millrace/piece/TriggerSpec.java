package io.millrace.piece;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.piece.property.Property;
import java.util.Map;

/**
 * What a trigger is called and takes (contract flows-and-engine 18, 29).
 *
 * @param props properties by name, in the order they are shown
 * @param strategy how runs start
 * @param sampleData null when there is none
 * @param testStrategy how an editor gets a sample
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

    /** How runs start (18.2). */
    public enum Strategy {
        WEBHOOK,
        POLLING,
        APP_WEBHOOK,
        MANUAL
    }

    /** How an editor gets a sample (18.7). */
    public enum TestStrategy {
        SIMULATION,
        TEST_FUNCTION
    }
}
