package io.millrace.engine.webhook;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.core.Json;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Optional;
import java.util.Random;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Faults planted into correct responses of the fuzz run: each is noticed in every response that it changes. */
class FuzzAnswerTest {
    private static final int CALLS = 500;
    private static final int CHANGED_MIN = 10;

    /** A fault that a receiver of webhooks had, or could have. */
    enum Fault {
        REFUSES(answer -> new FuzzAnswer(400, answer.got(), answer.file())),
        FAILS(answer -> new FuzzAnswer(500, answer.got(), answer.file())),
        REPLACES_LETTERS(answer -> text(answer, text -> text.replaceAll("[^\\x00-\\x7f]", "\uFFFD"))),
        TAKES_ANOTHER_CHARSET(answer ->
                text(answer, text -> new String(text.getBytes(StandardCharsets.UTF_8), StandardCharsets.ISO_8859_1))),
        KEEPS_THE_BYTE_ORDER_MARK(answer -> text(answer, text -> "\uFEFF" + text)),
        TRIMS(answer -> text(answer, String::strip)),
        LOSES_A_BYTE(answer -> file(answer, bytes -> Arrays.copyOf(bytes, bytes.length - 1))),
        CHANGES_A_BYTE(answer -> file(answer, bytes -> {
            var changed = bytes.clone();
            changed[bytes.length / 2] ^= 1;
            return changed;
        })),
        KEEPS_TEXT_OF_A_FILE(answer -> answer.file()
                .map(bytes -> {
                    ObjectNode got = answer.got().deepCopy();
                    got.put("rawBody", new String(bytes, StandardCharsets.ISO_8859_1));
                    return new FuzzAnswer(200, got, answer.file());
                })
                .orElse(answer)),
        KEEPS_ONE_OF_REPEATED_NAMES(answer -> {
            ObjectNode got = answer.got().deepCopy();
            var params = (ObjectNode) got.path("queryParams");
            params.properties().forEach(param -> {
                if (param.getValue().isArray()) {
                    param.setValue(param.getValue().get(param.getValue().size() - 1));
                }
            });
            return new FuzzAnswer(200, got, answer.file());
        });

        private final UnaryOperator<FuzzAnswer> planted;

        Fault(UnaryOperator<FuzzAnswer> planted) {
            this.planted = planted;
        }

        private static FuzzAnswer text(FuzzAnswer answer, UnaryOperator<String> change) {
            ObjectNode got = answer.got().deepCopy();
            if (got.path("body").isTextual()) {
                got.put("body", change.apply(got.path("body").asText()));
            }
            return new FuzzAnswer(200, got, answer.file());
        }

        private static FuzzAnswer file(FuzzAnswer answer, UnaryOperator<byte[]> change) {
            return new FuzzAnswer(200, answer.got(), answer.file().map(change));
        }
    }

    private static FuzzAnswer right(RandomCall call) {
        var got = Json.object();
        got.set("queryParams", call.queryParams());
        JsonNode file = Json.object().put("fileUrl", "http://127.0.0.1/file");
        got.set("body", call.file() == null ? call.body() : file);
        return new FuzzAnswer(200, got, Optional.ofNullable(call.file()));
    }

    private static boolean isSame(FuzzAnswer one, FuzzAnswer other) {
        return one.status() == other.status()
                && one.got().equals(other.got())
                && Arrays.equals(one.file().orElse(null), other.file().orElse(null));
    }

    @Test
    void findsNoDifference_inARightAnswer() {
        var random = new Random(1);

        for (var count = 0; count < CALLS; count++) {
            var call = RandomCall.next(random);
            assertThat(right(call).difference(call)).as(call.toString()).isEmpty();
        }
    }

    @ParameterizedTest
    @EnumSource(Fault.class)
    void noticesAFault(Fault fault) {
        var random = new Random(2);
        var changed = 0;

        for (var count = 0; count < CALLS; count++) {
            var call = RandomCall.next(random);
            var answer = fault.planted.apply(right(call));
            if (!isSame(answer, right(call))) {
                changed++;
                assertThat(answer.difference(call)).as(fault + " in " + call).isPresent();
            }
        }

        assertThat(changed).as("answers that " + fault + " changes").isGreaterThan(CHANGED_MIN);
    }
}
