package io.millrace.workspace.aiprovider;

/**
 * A service that agents use, with its key: for calls that this server makes itself.
 *
 * @param capability capability of the agent, by its name in the API
 * @param service vendor, by its name in the API
 * @param apiKey secret: never logged, never returned
 */
public record ToolAccess(String capability, String service, String apiKey) {
    @Override
    public String toString() {
        return "ToolAccess[" + service + "]";
    }
}
