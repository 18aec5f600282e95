package io.millrace.engine.agent.outside;

/**
 * Bounds of a session with an external MCP server.
 *
 * @param timeoutMs longest wait for an answer, and for a stream of events to begin
 * @param callTimeoutMs longest wait for the answer to the call of a tool
 * @param answerBytesMax longest answer over Streamable HTTP: about a thousand tools with their schemas
 * @param streamBytesMax longest stream of events, all its answers together
 */
record ExternalLimits(long timeoutMs, long callTimeoutMs, int answerBytesMax, int streamBytesMax) {
    static final ExternalLimits DEFAULT = new ExternalLimits(10_000, 30_000, 4 << 20, 5 << 20);
}
