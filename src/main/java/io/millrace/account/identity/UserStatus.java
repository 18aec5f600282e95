package io.millrace.account.identity;

/** Activation state of a user (contract admin-api 1.10). */
public enum UserStatus {
    ACTIVE,
    INACTIVE
}
