package io.millrace.git;

/** Whose name a commit carries. */
public record Author(String name, String email) {}
