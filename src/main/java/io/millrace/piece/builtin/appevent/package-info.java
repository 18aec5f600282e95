/**
 * Parsers of events and signatures for apps that send all their events to one address (contract agents 8.1). They work
 * without the apps' packages, so that a request to a public address starts no process.
 *
 * <p>Start reading at {@code AppEventFormats}; there is one file for each app, and {@code HmacSignature} compares.
 * Independent of flows and listeners.
 */
package io.millrace.piece.builtin.appevent;
