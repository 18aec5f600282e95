/**
 * Values that pieces keep between runs, under keys, one set for each project (contract flows-and-engine 23).
 *
 * <p>Knows keys as whole texts: what scope a key belongs to is composed by those who ask. Start reading at {@link
 * io.millrace.piece.store.StoreEntries}.
 */
package io.millrace.piece.store;
