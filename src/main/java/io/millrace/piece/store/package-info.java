/**
 * Values that pieces keep between runs, under keys, one set for each project (contract flows-and-engine 23).
 *
 * <p>Keys are opaque texts: callers compose the scope into the key. Start reading at
 * {@link io.millrace.piece.store.StoreEntries}.
 */
package io.millrace.piece.store;
