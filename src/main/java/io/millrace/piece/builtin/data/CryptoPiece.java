package io.millrace.piece.builtin.data;

import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.millrace.base.core.Json;
import io.millrace.base.core.text.ReceivedText;
import io.millrace.piece.Piece;
import io.millrace.piece.PieceFailure;
import io.millrace.piece.builtin.action.BuiltinPiece;
import io.millrace.piece.builtin.action.ComputedAction;
import io.millrace.piece.builtin.action.Props;
import io.millrace.piece.builtin.action.TextEncoding;
import io.millrace.piece.catalogue.PieceCategory;
import io.millrace.piece.property.Property;
import io.millrace.sandbox.expression.value.JsNumbers;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Collectors;

/** Crypto: hashes and signs text, generates passwords and identifiers, encodes Base64 (contract pieces 14.3). */
public final class CryptoPiece {
    private static final int PASSWORD_LENGTH_MAX = 256;

    private static final String LETTERS_AND_DIGITS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";

    private static final Map<String, String> CHARACTER_SETS =
            Map.of("alphanumeric", LETTERS_AND_DIGITS, "alphanumeric-symbols", LETTERS_AND_DIGITS + "!@#$%^&*()-_=+");

    private static final Property CHARACTER_SET = Props.choice(
                    "Character Set",
                    true,
                    "Alphanumeric",
                    "alphanumeric",
                    "Alphanumeric + Symbols",
                    "alphanumeric-symbols")
            .describedAs("The characters that the password is made of.")
            .defaultingTo(TextNode.valueOf("alphanumeric"));

    private CryptoPiece() {}

    public static Piece create() {
        var random = new SecureRandom();
        return BuiltinPiece.of(
                BuiltinPiece.spec(
                        "crypto",
                        "Crypto",
                        "Hashes, signs and encodes text.",
                        "new-core/crypto.svg",
                        List.of(PieceCategory.CORE),
                        List.of("0.1.0", "0.0.17")),
                List.of(Digests.hash(), Digests.signature(), password(random), uuid(), encode(), decode()),
                List.of());
    }

    private static ComputedAction password(SecureRandom random) {
        var props = Props.of(
                Props.named(
                        "length",
                        Props.number("Password Length", true)
                                .describedAs("From 1 to " + PASSWORD_LENGTH_MAX + " characters.")),
                Props.named("characterSet", CHARACTER_SET));
        return new ComputedAction(
                ComputedAction.varying("generate-password", "Generate Password", "Generates a random password.", props),
                input -> TextNode.valueOf(password(random, input)));
    }

    private static String password(SecureRandom random, ObjectNode input) {
        var length = JsNumbers.of(input.path("length"));
        if (length != Math.rint(length) || length < 1 || length > PASSWORD_LENGTH_MAX) {
            throw PieceFailure.of("length: expected a whole number from 1 to " + PASSWORD_LENGTH_MAX + ", found "
                    + input.path("length").asText());
        }
        var characters = CHARACTER_SETS.get(Props.chosen(input, "characterSet", CHARACTER_SET, "alphanumeric"));
        return random.ints((long) length, 0, characters.length())
                .mapToObj(index -> String.valueOf(characters.charAt(index)))
                .collect(Collectors.joining());
    }

    private static ComputedAction uuid() {
        return new ComputedAction(
                ComputedAction.varying(
                        "generate-uuid", "Generate UUID v4", "Generates a random identifier.", Props.of()),
                _ -> Json.object().put("uuid", UUID.randomUUID().toString()));
    }

    private static ComputedAction encode() {
        var props = Props.of(Props.named("text", Props.shortText("Text", true).describedAs("The text to encode.")));
        return ComputedAction.linear(
                ComputedAction.pure("base64-encode", "Base64 Encode", "Writes text as Base64.", props),
                input -> TextNode.valueOf(Base64.getEncoder()
                        .encodeToString(input.path("text").asText().getBytes(StandardCharsets.UTF_8))));
    }

    private static ComputedAction decode() {
        var props = Props.of(Props.named("text", Props.shortText("Text", true).describedAs("The text to decode.")));
        return ComputedAction.linear(
                ComputedAction.pure("base64-decode", "Base64 Decode", "Decodes Base64 text.", props),
                input -> TextNode.valueOf(decoded(input.path("text").asText())));
    }

    private static String decoded(String base64) {
        return ReceivedText.decoded(TextEncoding.BASE64.bytes("text", base64), StandardCharsets.UTF_8)
                .orElseThrow(() -> PieceFailure.of("text: expected Base64 of a text in UTF-8, found other bytes; keep"
                        + " bytes in a file with Files Helper"));
    }
}
