package io.millrace.base.backup;

/**
 * What the rows of a table come to.
 *
 * @param digest the sum of the SHA-256 of its rows, in hexadecimal characters
 */
public record TableSum(long rows, String digest) {}
