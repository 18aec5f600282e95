package io.millrace.workspace.connection.credential;

/** Piece of a connection, in the version that the connection was saved for. */
public record ConnectionPiece(String name, String version) {}
