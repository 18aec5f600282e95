package io.millrace.base.secret;

import java.io.ByteArrayOutputStream;
import java.math.BigInteger;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.interfaces.RSAPrivateCrtKey;
import java.security.interfaces.RSAPublicKey;
import java.security.spec.InvalidKeySpecException;
import java.security.spec.PKCS8EncodedKeySpec;
import java.security.spec.RSAPublicKeySpec;
import java.security.spec.X509EncodedKeySpec;
import java.util.Base64;
import java.util.HexFormat;

/** RSA keys, and their text form for clients: PKCS#1 in PEM (contract admin-api 13). */
public final class RsaKeys {
    private static final String ALGORITHM = "RSA";
    private static final int INTEGER = 0x02;
    private static final int BIT_STRING = 0x03;
    private static final int SEQUENCE = 0x30;

    /** The algorithm identifier {@code {rsaEncryption, null}}, encoded. */
    private static final byte[] RSA_ENCRYPTION = HexFormat.of().parseHex("300d06092a864886f70d0101010500");

    private RsaKeys() {}

    /** A fresh pair. Takes seconds for a long key: never on an event loop. */
    public static KeyPair generate(int bits) {
        try {
            var generator = KeyPairGenerator.getInstance(ALGORITHM);
            generator.initialize(bits);
            return generator.generateKeyPair();
        } catch (GeneralSecurityException impossible) {
            throw new IllegalStateException("every JDK makes RSA keys", impossible);
        }
    }

    public static String publicPem(RSAPublicKey key) {
        return pem("RSA PUBLIC KEY", encoded(SEQUENCE, integer(key.getModulus()), integer(key.getPublicExponent())));
    }

    public static String privatePem(RSAPrivateCrtKey key) {
        return pem(
                "RSA PRIVATE KEY",
                encoded(
                        SEQUENCE,
                        integer(BigInteger.ZERO),
                        integer(key.getModulus()),
                        integer(key.getPublicExponent()),
                        integer(key.getPrivateExponent()),
                        integer(key.getPrimeP()),
                        integer(key.getPrimeQ()),
                        integer(key.getPrimeExponentP()),
                        integer(key.getPrimeExponentQ()),
                        integer(key.getCrtCoefficient())));
    }

    /** The key that {@link #publicPem} wrote. */
    public static RSAPublicKey publicKey(String pem) {
        var body = pem.lines().filter(line -> !line.startsWith("-----")).reduce("", String::concat);
        var pkcs1 = Base64.getDecoder().decode(body);
        var unusedBits = new byte[] {0};
        try {
            return (RSAPublicKey) factory()
                    .generatePublic(new X509EncodedKeySpec(
                            encoded(SEQUENCE, RSA_ENCRYPTION, encoded(BIT_STRING, unusedBits, pkcs1))));
        } catch (InvalidKeySpecException malformed) {
            throw new IllegalArgumentException("expected an RSA public key as PEM text", malformed);
        }
    }

    /** The private key of its PKCS#8 bytes. */
    public static RSAPrivateCrtKey privateKey(byte[] pkcs8) {
        try {
            return (RSAPrivateCrtKey) factory().generatePrivate(new PKCS8EncodedKeySpec(pkcs8));
        } catch (InvalidKeySpecException malformed) {
            throw new IllegalArgumentException("expected an RSA private key in PKCS#8", malformed);
        }
    }

    public static RSAPublicKey publicHalf(RSAPrivateCrtKey key) {
        try {
            return (RSAPublicKey)
                    factory().generatePublic(new RSAPublicKeySpec(key.getModulus(), key.getPublicExponent()));
        } catch (InvalidKeySpecException impossible) {
            throw new IllegalStateException("a private key contains its public key", impossible);
        }
    }

    private static KeyFactory factory() {
        try {
            return KeyFactory.getInstance(ALGORITHM);
        } catch (GeneralSecurityException impossible) {
            throw new IllegalStateException("every JDK knows RSA keys", impossible);
        }
    }

    private static String pem(String label, byte[] content) {
        return "-----BEGIN " + label + "-----\n"
                + Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(content)
                + "\n-----END " + label + "-----\n";
    }

    private static byte[] integer(BigInteger value) {
        return encoded(INTEGER, value.toByteArray());
    }

    /** One DER value: tag, length, content. */
    private static byte[] encoded(int tag, byte[]... parts) {
        var content = new ByteArrayOutputStream();
        for (var part : parts) {
            content.writeBytes(part);
        }
        var length = content.size();
        var value = new ByteArrayOutputStream();
        value.write(tag);
        if (length < 0x80) {
            value.write(length);
        } else {
            var digits = BigInteger.valueOf(length).toByteArray();
            var from = digits[0] == 0 ? 1 : 0;
            value.write(0x80 | digits.length - from);
            value.write(digits, from, digits.length - from);
        }
        value.writeBytes(content.toByteArray());
        return value.toByteArray();
    }
}
