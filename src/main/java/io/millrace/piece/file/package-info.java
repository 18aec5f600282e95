/**
 * Files that steps and triggers create: keeping them, reading them under a signed address, removing them when they
 * expire (contract flows-and-engine 20).
 *
 * <p>An address grants read access to its file until the file expires; addresses are signed with the server's key.
 * Files that are part of a flow have no address: the module of flows keeps and reads them through
 * {@link io.millrace.piece.file.FlowFiles}, inside its own transactions. Knows projects only as the owner of a row.
 * Start reading at {@link io.millrace.piece.file.FileMessages}.
 */
package io.millrace.piece.file;
