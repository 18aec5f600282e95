package io.millrace.base.coding;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.base.core.ApiException;
import io.millrace.base.core.ErrorCode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Reads files packed by the zstd program, with a checksum unless the name says otherwise (RFC 8878). */
public class ZstdTest {
    public static final String SMALL = "hello hello hello hello";

    private static final int ENOUGH = 4 << 20;

    public static byte[] resource(String name) {
        try {
            return Files.readAllBytes(Path.of("src/test/resources/zstd", name));
        } catch (IOException missing) {
            throw new UncheckedIOException(missing);
        }
    }

    private static byte[] content(String name) {
        return switch (name) {
            case "small" -> SMALL.getBytes(StandardCharsets.UTF_8);
            case "lines" ->
                IntStream.range(0, 3000)
                        .mapToObj(i -> i + " " + i * i % 97 + " order accepted by mill " + i % 7 + "\n")
                        .collect(Collectors.joining())
                        .getBytes(StandardCharsets.UTF_8);
            case "skewed" -> {
                var bytes = new byte[20_000];
                var number = 1;
                for (var index = 0; index < bytes.length; index++) {
                    number = number * 1103515245 + 12345;
                    var part = (number >>> 16) % 251;
                    bytes[index] = (byte) (part * part / 700);
                }
                yield bytes;
            }
            case "zeros" -> new byte[2_000_000];
            default -> throw new IllegalArgumentException(name);
        };
    }

    @ParameterizedTest
    @CsvSource({
        "small.zst, small",
        "lines.zst, lines",
        "lines-19.zst, lines",
        "lines-fast-unchecked.zst, lines",
        "skewed.zst, skewed",
        "skewed-19.zst, skewed",
        "zeros.zst, zeros"
    })
    void unpacksWhatWasPacked(String name, String content) {
        assertThat(Zstd.unpacked(resource(name), ENOUGH)).isEqualTo(content(content));
    }

    @Test
    void joinsFrames_andLeavesOutWhatIsToBeSkipped() {
        var expected = new byte[2 * SMALL.length()];
        System.arraycopy(content("small"), 0, expected, 0, SMALL.length());
        System.arraycopy(content("small"), 0, expected, SMALL.length(), SMALL.length());

        assertThat(Zstd.unpacked(resource("frames.zst"), ENOUGH)).isEqualTo(expected);
    }

    @Test
    void unpacksNoMoreThanItMay() {
        assertThat(Zstd.unpacked(resource("zeros.zst"), 2_000_000)).hasSize(2_000_000);
        assertThatThrownBy(() -> Zstd.unpacked(resource("zeros.zst"), 1_999_999))
                .isInstanceOfSatisfying(
                        ApiException.class,
                        refused -> assertThat(refused.code()).isEqualTo(ErrorCode.BODY_TOO_LARGE));
    }

    @ParameterizedTest
    @ValueSource(strings = {"small.zst", "lines.zst", "lines-19.zst", "skewed.zst", "skewed-19.zst"})
    void refusesWhatIsDamaged(String name) {
        // Given
        var packed = resource(name);
        var whole = Zstd.unpacked(packed, ENOUGH);
        var random = new Random(1);

        for (var round = 0; round < 500; round++) {
            // When
            var damaged = round % 5 == 0 ? Arrays.copyOf(packed, random.nextInt(packed.length)) : packed.clone();
            if (round % 5 != 0) {
                damaged[random.nextInt(damaged.length)] ^= (byte) (1 << random.nextInt(8));
            }

            // Then
            assertThat(refusesOrUnpacks(damaged, whole)).as("round %d", round).isTrue();
        }
    }

    private static boolean refusesOrUnpacks(byte[] damaged, byte[] whole) {
        try {
            return Arrays.equals(Zstd.unpacked(damaged, ENOUGH), whole);
        } catch (ApiException refused) {
            return refused.code() == ErrorCode.INVALID_INPUT || refused.code() == ErrorCode.BODY_TOO_LARGE;
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", "28B52FFD", "1F8B0800", "28B52FFD2101000100", "28B52FFD2801090000", "28B52FFD20010F0000"})
    void refusesWhatItDoesNotKnow(String hex) {
        assertThatThrownBy(() -> Zstd.unpacked(HexFormat.of().parseHex(hex), ENOUGH))
                .isInstanceOfSatisfying(
                        ApiException.class,
                        refused -> assertThat(refused.code()).isEqualTo(ErrorCode.INVALID_INPUT));
    }
}
