package io.millrace.integration.git;

/** Whose name a commit carries. */
public record Author(String name, String email) {}
