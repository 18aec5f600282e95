package io.millrace.sandbox.code;

/**
 * Load of the workers of user code.
 *
 * @param busy workers that make a call, or are being started
 * @param free workers without a call
 * @param waiting calls that no worker has taken yet
 * @param held calls that may not be taken yet
 * @param background busy workers whose call takes longer than a second
 */
public record CodeLoad(int busy, int free, int waiting, int held, int background) {}
