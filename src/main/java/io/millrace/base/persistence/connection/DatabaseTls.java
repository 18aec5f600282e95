package io.millrace.base.persistence.connection;

import io.millrace.base.persistence.connection.DatabaseSettings.Encryption;
import io.millrace.base.tls.PemText;
import java.util.Optional;

/**
 * Encryption of connections to the database, with the meaning that libpq gives to its parameters. Without certificates of an
 * authority the trust store of the JDK is used where the certificate of the server is verified.
 *
 * @param mode {@code sslmode}
 * @param authorities PEM certificates of the authorities that sign the server's certificate ({@code sslrootcert})
 * @param identity certificate and key of the client ({@code sslcert}, {@code sslkey})
 */
public record DatabaseTls(Encryption mode, Optional<String> authorities, Optional<ClientIdentity> identity) {
    static final DatabaseTls NONE = new DatabaseTls(Encryption.DISABLE, Optional.empty(), Optional.empty());

    /** Encryption by any certificate. */
    public static final DatabaseTls REQUIRED = new DatabaseTls(Encryption.REQUIRE, Optional.empty(), Optional.empty());

    /** Certificate chain and private key, both in PEM form. */
    public record ClientIdentity(String certificates, String key) {
        @Override
        public String toString() {
            return "ClientIdentity[***]";
        }
    }

    /**
     * The same with authorities.
     *
     * @throws IllegalArgumentException when the text does not contain certificates
     */
    public DatabaseTls withAuthorities(String pem) {
        PemText.certificates(pem);
        return new DatabaseTls(mode, Optional.of(pem), identity);
    }

    /**
     * Returns true if the certificate of the server must be signed by an authority: libpq verifies under weaker modes, too,
     * where one is given.
     */
    boolean verifiesCertificate() {
        return authorities.isPresent() || mode == Encryption.VERIFY_CA || mode == Encryption.VERIFY_FULL;
    }
}
