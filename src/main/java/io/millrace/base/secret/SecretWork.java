package io.millrace.base.secret;

/**
 * Processor work of new secrets.
 *
 * @param passwordCost binary logarithm of the rounds of bcrypt
 * @param signingKeyBits size of an RSA key for the token of an embedding page
 */
public record SecretWork(int passwordCost, int signingKeyBits) {
    /** Work of a server in production; API clients expect this size of a key (contract admin-api 13). */
    public static final SecretWork PRODUCTION = new SecretWork(10, 4096);

    private static final int COST_MIN = 4;
    private static final int COST_MAX = 31;
    private static final int BITS_MIN = 2048;

    public SecretWork {
        if (passwordCost < COST_MIN || passwordCost > COST_MAX) {
            throw new IllegalArgumentException("expected a cost of 4 to 31, found " + passwordCost);
        }
        if (signingKeyBits < BITS_MIN) {
            throw new IllegalArgumentException("expected at least 2048 bits, found " + signingKeyBits);
        }
    }
}
