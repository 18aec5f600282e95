package io.millrace.piece;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.vertx.core.Future;
import java.util.Optional;

/**
 * Parses and verifies events of an app that sends the events of all its users to one address (contract flows-and-engine
 * 25).
 */
public interface AppEvents {
    sealed interface ParseResult {
        /**
         * An event of the app.
         *
         * @param deliveryId id of the event, equal for every delivery; empty for apps without such ids
         */
        record Event(String name, String identifier, Optional<String> deliveryId) implements ParseResult {}

        /** Verification request of the app, with its response; the signature is not checked. */
        record Reply(HttpAnswer answer) implements ParseResult {}

        /** A user pressed a button that carries the resume address of a paused run. */
        record Press(String resumeUrl, JsonNode payload) implements ParseResult {}

        /** Well-formed request that no flow can use. */
        record Irrelevant() implements ParseResult {}

        /** Request without a valid event or identifier. */
        record Malformed() implements ParseResult {}

        static ParseResult event(String name, String identifier, String deliveryId) {
            return name == null || identifier == null
                    ? new Malformed()
                    : new Event(name, identifier, Optional.ofNullable(deliveryId));
        }
    }

    /**
     * Reads a request, given as {@code {method, headers, queryParams, body, rawBody?}}. Fails with {@link PieceFailure} when it
     * cannot be read.
     */
    Future<ParseResult> parseAndReply(ObjectNode payload, String publicUrl);

    /** Returns whether verification needs a secret; some apps sign with a private key and publish the public key. */
    default boolean needsSecret() {
        return true;
    }

    /**
     * Verifies the signature of a request.
     *
     * @param secret secret that the operator configured for this app: a text, or an object of texts where the app
     *     has several; null where none is needed
     */
    Future<Boolean> verify(JsonNode secret, ObjectNode payload, String appWebhookUrl);
}
