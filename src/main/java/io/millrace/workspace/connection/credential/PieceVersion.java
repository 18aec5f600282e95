package io.millrace.workspace.connection.credential;

/** Piece of a connection, in the version that the connection was saved for. */
public record PieceVersion(String name, String version) {}
