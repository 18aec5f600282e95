/**
 * The index of published pieces: which ones can be installed, and what they are (decision 0250). One travels with the
 * server; where an operator names an address, a newer one is fetched from it and kept in the database.
 *
 * <p>Start reading at {@link io.millrace.piece.feed.PieceFeedService}. Installs nothing: that is the business of
 * {@code piece.npm}.
 */
package io.millrace.piece.feed;
