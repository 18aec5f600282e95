package io.millrace.sandbox.expression.value;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.millrace.base.core.Json;
import java.util.ArrayList;
import java.util.List;

/**
 * A plain path into a step, a connection or a variable, walked without the evaluator (contract flows-and-engine 7.5,
 * first row). No object is made for the step itself: its first key picks the output or the error.
 */
public final class MemberPath {
    public enum Root {
        STEP(""),
        CONNECTION("connections"),
        VARIABLE("variables");

        private final String word;

        Root(String word) {
            this.word = word;
        }

        public String word() {
            return word;
        }

        /** Root of a token by its first word (contract 7.6, 7.7). */
        public static Root of(String token) {
            if (token.startsWith(CONNECTION.word)) {
                return CONNECTION;
            }
            return token.startsWith(VARIABLE.word) ? VARIABLE : STEP;
        }
    }

    private static final int KEYS_MAX = 100;

    private final Root root;
    private final String name;
    private final MemberKey[] keys;

    private MemberPath(Root root, String name, MemberKey[] keys) {
        this.root = root;
        this.name = name;
        this.keys = keys;
    }

    public static MemberPath step(String name) {
        return new MemberPath(Root.STEP, name, new MemberKey[0]);
    }

    public static MemberPath secret(Root root, String name) {
        return new MemberPath(root, name, new MemberKey[0]);
    }

    public MemberPath plus(MemberKey key) {
        var longer = new ArrayList<>(List.of(keys));
        longer.add(key);
        return new MemberPath(root, name, longer.toArray(MemberKey[]::new));
    }

    /** True if one more key is allowed; longer paths take the slow way. */
    public boolean mayGrow() {
        return keys.length < KEYS_MAX;
    }

    public Root root() {
        return root;
    }

    public String name() {
        return name;
    }

    public boolean isBare() {
        return keys.length == 0;
    }

    public boolean readsItem() {
        return keys.length >= 2
                && keys[0].text().equals("output")
                && (keys[1].text().equals("item") || keys[1].text().equals("index"));
    }

    public boolean isUnknown(ExpressionScope scope) {
        return root == Root.STEP && isBare() && scope.step(name) == null;
    }

    /** Value at the end of the path; missing if there is none. */
    public JsonNode walk(ExpressionScope scope) {
        if (root == Root.STEP) {
            var view = scope.step(name);
            return view == null ? MissingNode.getInstance() : walk(start(view), 1, false);
        }
        return walk(secret(scope), 0, false);
    }

    /** Like {@link #walk} with JavaScript's errors: an unknown step or a member of a nullish value is an error. */
    public JsonNode walkStrictly(ExpressionScope scope) {
        if (root == Root.STEP) {
            var view = scope.step(name);
            if (view == null) {
                throw JsError.reference(name);
            }
            return walk(start(view), 1, true);
        }
        return walk(secret(scope), 0, true);
    }

    private JsonNode secret(ExpressionScope scope) {
        var value = root == Root.CONNECTION ? scope.connection(name) : scope.variable(name);
        return value == null ? MissingNode.getInstance() : value;
    }

    private JsonNode walk(JsonNode from, int firstKey, boolean strict) {
        var value = from;
        for (var i = firstKey; i < keys.length; i++) {
            if (value.isMissingNode() || value.isNull()) {
                if (strict) {
                    throw JsError.type("cannot read a member of nothing");
                }
                return MissingNode.getInstance();
            }
            value = keys[i].of(value);
        }
        return value;
    }

    private JsonNode start(StepView view) {
        if (keys.length == 0) {
            return whole(view);
        }
        return switch (keys[0].text()) {
            case "output" -> view.output() == null ? MissingNode.getInstance() : view.output();
            case "error" -> error(view);
            default -> MissingNode.getInstance();
        };
    }

    private static JsonNode error(StepView view) {
        var message = view.errorMessage();
        return message == null ? MissingNode.getInstance() : Json.object().set("message", TextNode.valueOf(message));
    }

    private static ObjectNode whole(StepView view) {
        var step = Json.object();
        if (view.output() != null) {
            step.set("output", view.output());
        }
        if (view.errorMessage() != null) {
            step.set("error", error(view));
        }
        return step;
    }

    /** True for members through which data could reach functions; they read as undefined. */
    public static boolean isRefused(String key) {
        return key.equals("__proto__") || key.equals("constructor") || key.equals("prototype");
    }

    /**
     * A member that the source spells out, prepared for lists and objects alike.
     *
     * @param index position in a list; -1 when the text is none
     */
    public record MemberKey(String text, int index, boolean refused) {
        public static MemberKey of(String text) {
            return new MemberKey(text, indexOf(text), isRefused(text));
        }

        public JsonNode of(JsonNode value) {
            var found = switch (value) {
                case ObjectNode object -> refused ? null : object.get(text);
                case ArrayNode list -> index >= 0 ? list.get(index) : lengthOr(list.size());
                case TextNode word -> characterOr(word.textValue());
                default -> null;
            };
            return found == null ? MissingNode.getInstance() : found;
        }

        private JsonNode characterOr(String word) {
            if (index < 0) {
                return lengthOr(word.length());
            }
            return index < word.length() ? TextNode.valueOf(String.valueOf(word.charAt(index))) : null;
        }

        private JsonNode lengthOr(int length) {
            return text.equals("length") ? JsNumbers.node(length) : null;
        }

        /** The position that a text spells in its one canonical form; -1 when it spells none. */
        private static int indexOf(String text) {
            if (text.isEmpty() || text.length() > 9 || text.length() > 1 && text.charAt(0) == '0') {
                return -1;
            }
            var index = 0;
            for (var i = 0; i < text.length(); i++) {
                var c = text.charAt(i);
                if (c < '0' || c > '9') {
                    return -1;
                }
                index = index * 10 + (c - '0');
            }
            return index;
        }
    }
}
