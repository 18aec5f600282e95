package io.millrace.engine.agent.outside;

/**
 * Bounds of a session with an MCP server elsewhere.
 *
 * @param timeoutMs longest wait for an answer, and for a stream of events to begin
 * @param callTimeoutMs longest wait for the answer to the call of a tool
 * @param answerBytesMax longest answer over Streamable HTTP: some thousand tools and what they take
 * @param streamBytesMax longest stream of events, all its answers together
 */
record OutsideLimits(long timeoutMs, long callTimeoutMs, int answerBytesMax, int streamBytesMax) {
    static final OutsideLimits DEFAULT = new OutsideLimits(10_000, 30_000, 4 << 20, 5 << 20);
}
