package io.millrace.workspace.connection;

import com.fasterxml.jackson.databind.node.ObjectNode;

/** What a run gets when it wants to use a connection (contract flows-and-engine 7.6). */
public sealed interface ConnectionUse {
    /**
     * @param value with its {@code type}, and without what renews it (contract pieces 5.1, admin-api 7.9)
     * @param pieceName piece that the connection was made for
     */
    record Usable(ObjectNode value, String pieceName) implements ConnectionUse {
        @Override
        public String toString() {
            return "Usable";
        }
    }

    /** The project has no connection of that name, or only a place for one. */
    record NotFound() implements ConnectionUse {}

    /** Its status is ERROR. */
    record Expired() implements ConnectionUse {}

    /**
     * Its value refers to a secret that cannot be had.
     *
     * @param message what the secret manager says, without anything secret
     */
    record Unresolved(String message) implements ConnectionUse {}

    /** It is there, but its value cannot be had just now; the server's log says why. */
    record Unloadable() implements ConnectionUse {}
}
