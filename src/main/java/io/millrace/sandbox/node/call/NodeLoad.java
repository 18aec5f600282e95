package io.millrace.sandbox.node.call;

/**
 * Load of the processes of one kind.
 *
 * @param busy processes that make a call, or are being started
 * @param free processes without a call
 * @param waiting calls that no process has taken yet
 * @param held calls of code that may not be taken yet
 * @param background busy processes whose call takes longer than a second
 */
public record NodeLoad(int busy, int free, int waiting, int held, int background) {
    public static final NodeLoad NOTHING = new NodeLoad(0, 0, 0, 0, 0);
}
