package io.millrace.account.identity;

import java.util.regex.Pattern;

/** Rules for names and passwords of users, shared by all endpoints. */
public final class AccountRules {
    public static final Pattern NAME = Pattern.compile("^[^./]+$");
    public static final int PASSWORD_LENGTH_MIN = 8;
    public static final int PASSWORD_LENGTH_MAX = 64;

    private AccountRules() {}
}
