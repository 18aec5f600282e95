/**
 * How the apps that send all their events to one address write and sign them (contract agents 8.1), read without the apps'
 * own packages: an address that everybody may call starts no process.
 *
 * <p>Start reading at {@code AppEventFormats}; there is one file for each app, and {@code HmacSignature} compares. Knows
 * neither flows nor who listens.
 */
package io.millrace.piece.builtin.appevent;
