package io.millrace.account.identity;

/** Whether a user may act (contract admin-api 1.10). */
public enum UserStatus {
    ACTIVE,
    INACTIVE
}
