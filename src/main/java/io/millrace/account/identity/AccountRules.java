package io.millrace.account.identity;

import java.util.regex.Pattern;

/** What names and passwords of people may be, wherever they are given. */
final class AccountRules {
    static final Pattern NAME = Pattern.compile("^[^./]+$");
    static final int PASSWORD_LENGTH_MIN = 8;
    static final int PASSWORD_LENGTH_MAX = 64;

    private AccountRules() {}
}
