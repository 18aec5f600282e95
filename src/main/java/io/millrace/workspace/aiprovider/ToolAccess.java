package io.millrace.workspace.aiprovider;

/**
 * A service that agents use, with its key: for calls that this server makes itself.
 *
 * @param capability what it lets an agent do, as clients call it
 * @param service who does it, as clients call it
 * @param apiKey secret: never logged, never returned
 */
public record ToolAccess(String capability, String service, String apiKey) {
    @Override
    public String toString() {
        return "ToolAccess[" + service + "]";
    }
}
