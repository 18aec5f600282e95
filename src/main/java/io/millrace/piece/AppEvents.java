package io.millrace.piece;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.vertx.core.Future;

/** How the events of an app arrive that sends those of all its users to one address (contract flows-and-engine 25). */
public interface AppEvents {
    /**
     * What a request says.
     *
     * @param event kind of event, or null
     * @param identifierValue whose event it is, or null
     * @param reply answer to give at once instead, for a verification of the address; or null
     */
    record Parsed(String event, String identifierValue, HttpAnswer reply) {
        public static Parsed event(String event, String identifierValue) {
            return new Parsed(event, identifierValue, null);
        }

        public static Parsed reply(HttpAnswer reply) {
            return new Parsed(null, null, reply);
        }
    }

    /** Reads a request, given as {@code {method, headers, queryParams, body, rawBody?}}. */
    Future<Parsed> parseAndReply(ObjectNode payload, String publicUrl);

    /** Whether the request is signed with the secret that the operator gave for this app. */
    Future<Boolean> verify(String secret, ObjectNode payload, String appWebhookUrl);
}
