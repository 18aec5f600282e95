package io.millrace.base.access;

/** Role of a user on the platform (contract admin-api 1.10). */
public enum PlatformRole {
    ADMIN,
    MEMBER,
    OPERATOR
}
