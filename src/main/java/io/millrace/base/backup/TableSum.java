package io.millrace.base.backup;

/**
 * Row count and checksum of a table.
 *
 * @param digest the sum of the SHA-256 of its rows, in hexadecimal characters
 */
public record TableSum(long rows, String digest) {}
