package io.millrace.workspace.connection;

import com.fasterxml.jackson.databind.node.ObjectNode;

/** Answer to a run that uses a connection (contract flows-and-engine 7.6). */
public sealed interface ConnectionUse {
    /**
     * @param value with its {@code type}, and without the credentials that renew it (contract pieces 5.1, admin-api 7.9)
     * @param pieceName piece that the connection was made for
     */
    record Usable(ObjectNode value, String pieceName) implements ConnectionUse {
        @Override
        public String toString() {
            return "Usable";
        }
    }

    /** The project has no connection of that name, or only a placeholder. */
    record NotFound() implements ConnectionUse {}

    /** The connection has status ERROR. */
    record Expired() implements ConnectionUse {}

    /**
     * The value refers to a secret that cannot be resolved.
     *
     * @param message reason of the secret manager, without secrets
     */
    record Unresolved(String message) implements ConnectionUse {}

    /** The connection exists, but its value cannot be loaded at present; the server's log has the cause. */
    record Unloadable() implements ConnectionUse {}
}
