package io.millrace.base.secret;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import javax.crypto.Cipher;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SecretBoxTest {
    private static final String KEY = "0123456789abcdef0123456789abcdef";
    private static final byte[] PLAIN = "a secret".getBytes(StandardCharsets.UTF_8);

    private final SecretBox box = new SecretBox(KEY);

    @Test
    void opensWhatItSealed() {
        assertThat(box.open(box.seal(PLAIN, "here"), "here")).isEqualTo(PLAIN);
        assertThat(box.open(box.seal(new byte[0], ""), "")).isEmpty();
        assertThat(box.openText(box.sealText("ü€", "here"), "here")).isEqualTo("ü€");
    }

    @Test
    void opensAcrossInstancesOfTheSameKey() {
        assertThat(new SecretBox(KEY).open(box.seal(PLAIN, "here"), "here")).isEqualTo(PLAIN);
    }

    @Test
    void sealsTheSameValueDifferentlyEachTime() {
        var seen = new HashSet<String>();
        for (var i = 0; i < 1000; i++) {
            seen.add(box.sealText("same", "here"));
        }
        assertThat(seen).hasSize(1000);
    }

    @Test
    void refusesEverySingleAlteredBit() {
        var sealed = box.seal(PLAIN, "here");
        for (var bit = 0; bit < sealed.length * Byte.SIZE; bit++) {
            var altered = sealed.clone();
            altered[bit / Byte.SIZE] ^= (byte) (1 << bit % Byte.SIZE);
            assertThatThrownBy(() -> box.open(altered, "here")).isInstanceOf(UnreadableSecretException.class);
        }
    }

    @Test
    void refusesEveryTruncation() {
        var sealed = box.seal(PLAIN, "here");
        for (var length = 0; length < sealed.length; length++) {
            var cut = Arrays.copyOf(sealed, length);
            assertThatThrownBy(() -> box.open(cut, "here")).isInstanceOf(UnreadableSecretException.class);
        }
    }

    @Test
    void refusesAValueThatWasMovedElsewhere() {
        var sealed = box.seal(PLAIN, "app_connection:1");

        assertThatThrownBy(() -> box.open(sealed, "app_connection:2"))
                .isInstanceOf(UnreadableSecretException.class)
                .hasMessageNotContaining("secret:");
    }

    @Test
    void namesTheVariable_whenTheKeyIsAnotherOne() {
        var other = new SecretBox("ffffffffffffffffffffffffffffffff");

        assertThatThrownBy(() -> other.open(box.seal(PLAIN, "here"), "here"))
                .isInstanceOf(UnreadableSecretException.class)
                .hasMessageContaining("AP_ENCRYPTION_KEY");
    }

    @Test
    void usesTheCharactersOfTheKeyAsItsBytes() throws Exception {
        var sealed = box.seal(PLAIN, "here");

        var key = opened(KEY.getBytes(StandardCharsets.US_ASCII), sealed, 5, 48, Arrays.copyOf(sealed, 5), "");
        var plain = opened(key, sealed, 65, sealed.length - 77, new byte[] {2}, "here");

        assertThat(plain).isEqualTo(PLAIN);
    }

    private static byte[] opened(byte[] key, byte[] sealed, int at, int length, byte[] head, String context)
            throws Exception {
        var cipher = Cipher.getInstance("AES/GCM/NoPadding");
        cipher.init(Cipher.DECRYPT_MODE, new SecretKeySpec(key, "AES"), new GCMParameterSpec(128, sealed, at, 12));
        cipher.updateAAD(head);
        cipher.updateAAD(context.getBytes(StandardCharsets.UTF_8));
        return cipher.doFinal(sealed, at + 12, length);
    }

    @Test
    void opensWhatAKnownKeySealed_andSealsItAnew() {
        // Given
        var other = "ffffffffffffffffffffffffffffffff";
        var sealed = box.seal(PLAIN, "here");
        var both = new SecretBox(other, List.of(KEY));

        // When
        var resealed = both.rewrap(sealed);

        // Then
        assertThat(both.open(sealed, "here")).isEqualTo(PLAIN);
        assertThat(new SecretBox(other).open(resealed, "here")).isEqualTo(PLAIN);
        assertThatThrownBy(() -> box.open(resealed, "here")).isInstanceOf(UnreadableSecretException.class);
        assertThatThrownBy(() -> both.open(resealed, "there")).isInstanceOf(UnreadableSecretException.class);
        assertThat(resealed).isNotEqualTo(sealed);
        assertThat(SecretBox.content(resealed)).isEqualTo(SecretBox.content(sealed));
        assertThat(SecretBox.content(box.seal(PLAIN, "here"))).isNotEqualTo(SecretBox.content(sealed));
        assertThatThrownBy(() -> new SecretBox(other).rewrap(sealed)).isInstanceOf(UnreadableSecretException.class);
        box.use(other);
        assertThat(box.keyId()).isEqualTo(both.keyId());
        assertThat(box.open(sealed, "here")).isEqualTo(PLAIN);
        assertThat(box.open(resealed, "here")).isEqualTo(PLAIN);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", "0123456789abcdef", "0123456789abcdef0123456789abcdeg", "0123456789abcdef0123456789abcdef0"})
    void refusesAMalformedKey_withoutRepeatingIt(String key) {
        assertThatThrownBy(() -> new SecretBox(key))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("expected an encryption key of 32 hexadecimal characters");
    }

    @Test
    void refusesTextThatIsNotBase64() {
        assertThatThrownBy(() -> box.openText("%%%", "here")).isInstanceOf(UnreadableSecretException.class);
    }

    @Test
    void hashesApiKeysAsSha256Hex() {
        assertThat(Hashes.sha256Hex("abc"))
                .isEqualTo("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    }
}
