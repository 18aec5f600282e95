package io.millrace.run;

/**
 * Whose slots a run takes, and how many there are.
 *
 * @param key id of the project, or of the pool that it shares with others
 */
record ConcurrencyShare(String key, int limit) {}
