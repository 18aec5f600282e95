/**
 * The index of published pieces: names, versions and descriptions of installable pieces (decision 0251). One index is
 * shipped with the server; if an operator sets an address, a newer one is fetched from it and stored in the database.
 *
 * <p>Start reading at {@link io.millrace.piece.feed.PieceFeedService}. {@code piece.npm} installs pieces.
 */
package io.millrace.piece.feed;
