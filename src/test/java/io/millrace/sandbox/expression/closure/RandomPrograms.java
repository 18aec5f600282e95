package io.millrace.sandbox.expression.closure;

import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.millrace.base.core.Json;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/** Random functions of the subset and random inputs for them. Most of them run; some meet errors or unusual values. */
public final class RandomPrograms {
    private static final int DEPTH_MAX = 3;
    private static final List<String> WORDS = List.of(
            "",
            "a",
            "Ada",
            " x ",
            "12",
            "3.5",
            "-7",
            "a,b,c",
            "Größe",
            "ß",
            "x-y-z",
            "0",
            "abcabc",
            "Σας",
            "line\nnext",
            "1e3",
            "😀",
            "é",
            "a b  c",
            "\"q\"",
            "0x10",
            "AbC9");
    private static final List<String> PATTERNS = List.of(
            "/a/",
            "/a/g",
            "/[a-z]+/g",
            "/\\d+/",
            "/\\s+/g",
            "/[^a-z]/gi",
            "/(a)(b)?/",
            "/x|y/g",
            "/^a/",
            "/b$/",
            "/./g",
            "/a{1,2}/",
            "/\\w+?/",
            "/,/");

    private final Random random;
    private final Map<Kind, List<String>> names = new EnumMap<>(Kind.class);
    private int nameCount;

    public RandomPrograms(long seed) {
        this.random = new Random(seed);
    }

    private enum Kind {
        NUMBER,
        TEXT,
        TRUTH,
        NUMBERS,
        TEXTS,
        ROWS,
        OBJECT
    }

    /** Random data of the shape that the programs expect. */
    public ObjectNode inputs() {
        var inputs = Json.object()
                .put("n", random.nextInt(-20, 100))
                .put("x", number())
                .put("t", word())
                .put("u", word());
        inputs.put("b", random.nextBoolean()).putNull("z");
        var numbers = inputs.putArray("l");
        var texts = inputs.putArray("w");
        var rows = inputs.putArray("o");
        for (var i = random.nextInt(5); i > 0; i--) {
            numbers.add(random.nextBoolean() ? random.nextInt(-9, 99) : number());
            texts.add(word());
            rows.addObject().put("p", number()).put("c", random.nextInt(9)).put("t", word());
        }
        var map = inputs.putObject("m");
        for (var i = random.nextInt(4); i > 0; i--) {
            map.put("k" + random.nextInt(9), random.nextInt(50));
        }
        return inputs;
    }

    private double number() {
        return switch (random.nextInt(4)) {
            case 0 -> random.nextInt(1000) / 100.0;
            case 1 -> random.nextGaussian() * 1e6;
            case 2 -> random.nextInt(-50, 50);
            default -> random.nextDouble() * Math.pow(10, random.nextInt(-8, 8));
        };
    }

    private String word() {
        return WORDS.get(random.nextInt(WORDS.size()));
    }

    /** Statements of a function whose parameter is {@code inputs}. */
    public String body() {
        names.clear();
        var body = new StringBuilder();
        for (var i = random.nextInt(4); i > 0; i--) {
            body.append(statement());
        }
        return body.append("return ").append(result()).append(";").toString();
    }

    private String result() {
        return random.nextInt(3) == 0
                ? any(DEPTH_MAX)
                : "{ r: " + any(DEPTH_MAX) + ", s: " + any(2) + ", [" + text(1) + "]: [" + any(2) + "] }";
    }

    private String statement() {
        return switch (random.nextInt(7)) {
            case 0 -> "if (" + truth(2) + ") return " + any(2) + ";";
            case 1 -> "if (" + truth(2) + ") { return " + any(2) + "; } else { " + declaration(false) + " }";
            case 2 -> loop();
            case 3 -> collection();
            default -> declaration(true);
        };
    }

    private String declaration(boolean isKept) {
        var kind = Kind.values()[random.nextInt(Kind.values().length)];
        var value = of(kind, DEPTH_MAX);
        var name = fresh();
        if (isKept) {
            names.computeIfAbsent(kind, _ -> new ArrayList<>()).add(name);
        }
        return (random.nextBoolean() ? "const " : "let ") + name + " = " + value + ";";
    }

    private String loop() {
        var sum = fresh();
        var item = fresh();
        var list = numbers(2);
        var start = "let " + sum + " = " + number(1) + "; for (const " + item + " of " + list + ") {";
        var body = within(
                Kind.NUMBER,
                item,
                () -> "if (" + truth(1) + ") " + oneOf("continue;", "break;", "{ " + sum + "++; }") + sum
                        + oneOf(" += ", " -= ", " = ") + number(2) + ";");
        names.computeIfAbsent(Kind.NUMBER, _ -> new ArrayList<>()).add(sum);
        return start + body + "}";
    }

    private String collection() {
        var made = fresh();
        var item = fresh();
        if (random.nextBoolean()) {
            names.computeIfAbsent(Kind.NUMBERS, _ -> new ArrayList<>()).add(made);
            return "const " + made + " = []; inputs.l.forEach((" + item + ") => { " + made + ".push("
                    + within(Kind.NUMBER, item, () -> number(2)) + "); });" + made
                    + oneOf(".sort((a, b) => b - a);", ".reverse();");
        }
        names.computeIfAbsent(Kind.OBJECT, _ -> new ArrayList<>()).add(made);
        return "const " + made + " = {}; for (const " + item + " of inputs.o) { " + made + "[" + item + ".t] = (" + made
                + "[" + item + ".t] ?? 0) + " + item + ".p; }";
    }

    private interface Source {
        String get();
    }

    private String within(Kind kind, String name, Source source) {
        var visible = names.computeIfAbsent(kind, _ -> new ArrayList<>());
        visible.add(name);
        var text = source.get();
        visible.remove(name);
        return text;
    }

    private String fresh() {
        return "v" + nameCount++;
    }

    private String oneOf(String... texts) {
        return texts[random.nextInt(texts.length)];
    }

    private String of(Kind kind, int depth) {
        return switch (kind) {
            case NUMBER -> number(depth);
            case TEXT -> text(depth);
            case TRUTH -> truth(depth);
            case NUMBERS -> numbers(depth);
            case TEXTS -> texts(depth);
            case ROWS -> rows(depth);
            case OBJECT -> object(depth);
        };
    }

    private String any(int depth) {
        return random.nextInt(12) == 0
                ? oneOf("inputs.z", "null", "inputs.none", "inputs?.none?.a", "(void 0)")
                : of(Kind.values()[random.nextInt(Kind.values().length)], depth);
    }

    private String known(Kind kind, String... others) {
        var visible = names.getOrDefault(kind, List.of());
        var index = random.nextInt(visible.size() + others.length);
        return index < visible.size() ? visible.get(index) : others[index - visible.size()];
    }

    private String quoted() {
        return Json.text(TextNode.valueOf(word()));
    }

    private String number(int depth) {
        if (depth <= 0) {
            return known(Kind.NUMBER, "inputs.n", "inputs.x", "(2)", "(0.1)", "(1e-7)", "(10)", "(-3)");
        }
        var d = depth - 1;
        return switch (random.nextInt(16)) {
            case 0, 1, 2 -> "(" + number(d) + oneOf(" + ", " - ", " * ", " / ", " % ") + number(d) + ")";
            case 3 -> "Math." + oneOf("floor", "ceil", "round", "abs", "trunc", "sign", "sqrt") + "(" + number(d) + ")";
            case 4 -> text(d) + ".length";
            case 5 -> list(d) + ".length";
            case 6 -> lambda(numbers(d) + ".reduce((s, ", ") => s + ", Kind.NUMBER, Kind.NUMBER, d) + ", 0)";
            case 7 -> "inputs.o.reduce((s, i) => s + i.p * i.c, " + number(0) + ")";
            case 8 -> oneOf("parseInt", "parseFloat", "Number") + "(" + text(d) + ")";
            case 9 -> text(d) + oneOf(".indexOf(", ".lastIndexOf(") + text(0) + ")";
            case 10 -> "(" + truth(d) + " ? " + number(d) + " : " + number(d) + ")";
            case 11 -> "(" + numbers(d) + "[" + random.nextInt(3) + "] ?? " + number(0) + ")";
            case 12 -> "Math." + oneOf("max", "min") + "(1, ..." + numbers(d) + ")";
            case 13 -> "(" + number(d) + oneOf(" | ", " & ", " ^ ", " << ", " >> ", " >>> ") + number(0) + ")";
            case 14 -> oneOf("(-", "(+", "(~") + number(d) + ")";
            default -> number(0);
        };
    }

    private String text(int depth) {
        if (depth <= 0) {
            return known(Kind.TEXT, "inputs.t", "inputs.u", quoted());
        }
        var d = depth - 1;
        return switch (random.nextInt(15)) {
            case 0 -> "(" + text(d) + " + " + any(0) + ")";
            case 1 -> "`" + oneOf("", "a ", "é") + "${" + any(d) + "}-${" + number(d) + "}`";
            case 2 -> text(d) + oneOf(".toUpperCase()", ".toLowerCase()", ".trim()", ".trimStart()", ".trimEnd()");
            case 3 ->
                text(d) + oneOf(".slice(", ".substring(", ".charAt(", ".repeat(") + oneOf("0", "1", "2", "-1") + ")";
            case 4 -> text(d) + ".slice(" + random.nextInt(-2, 3) + ", " + random.nextInt(-2, 5) + ")";
            case 5 -> text(d) + oneOf(".padStart(", ".padEnd(") + random.nextInt(9) + oneOf(")", ", '0')", ", 'ab')");
            case 6 -> number(d) + ".toFixed(" + random.nextInt(5) + ")";
            case 7 -> "String(" + any(d) + ")";
            case 8 -> list(d) + ".join(" + text(0) + ")";
            case 9 -> "JSON.stringify(" + any(d) + oneOf(")", ", null, 2)");
            case 10 -> "(typeof " + any(d) + ")";
            case 11 -> text(d) + ".split(" + oneOf(text(0), oneOf(PATTERNS.toArray(String[]::new))) + ")[0]";
            case 12 ->
                text(d) + oneOf(".replace(", ".replaceAll(") + oneOf(text(0), oneOf(PATTERNS.toArray(String[]::new)))
                        + ", " + text(0) + ")";
            case 13 ->
                "(" + text(d) + ".match(" + oneOf(PATTERNS.toArray(String[]::new)) + ")?.[" + random.nextInt(3)
                        + "] ?? 'none')";
            default -> "(" + any(d) + oneOf(" || ", " ?? ", " && ") + text(0) + ")";
        };
    }

    private String truth(int depth) {
        if (depth <= 0) {
            return known(Kind.TRUTH, "inputs.b", "true", "inputs.n > 10");
        }
        var d = depth - 1;
        return switch (random.nextInt(10)) {
            case 0, 1 -> "(" + number(d) + oneOf(" < ", " > ", " <= ", " >= ", " === ", " !== ") + number(d) + ")";
            case 2 -> "(" + text(d) + oneOf(" === ", " < ", " >= ", " != ") + text(d) + ")";
            case 3 -> "(!" + any(d) + ")";
            case 4 -> "(" + truth(d) + oneOf(" && ", " || ") + truth(d) + ")";
            case 5 -> lambda(numbers(d) + oneOf(".some((", ".every(("), ") => ", Kind.NUMBER, Kind.TRUTH, d) + ")";
            case 6 -> text(d) + oneOf(".includes(", ".startsWith(", ".endsWith(") + text(0) + ")";
            case 7 ->
                oneOf("Array.isArray(", "Number.isInteger(", "Number.isFinite(", "isNaN(", "Boolean(") + any(d) + ")";
            case 8 -> oneOf(PATTERNS.toArray(String[]::new)) + ".test(" + text(d) + ")";
            default -> "(" + any(d) + oneOf(" == null", " === null", " === undefined", " != null") + ")";
        };
    }

    private String list(int depth) {
        return random.nextBoolean() ? numbers(depth) : texts(depth);
    }

    private String numbers(int depth) {
        if (depth <= 0) {
            return known(Kind.NUMBERS, "inputs.l", "[1, 2]");
        }
        var d = depth - 1;
        return switch (random.nextInt(10)) {
            case 0, 1 -> lambda(numbers(d) + ".map((", ") => ", Kind.NUMBER, Kind.NUMBER, d) + ")";
            case 2 -> lambda(numbers(d) + ".filter((", ") => ", Kind.NUMBER, Kind.TRUTH, d) + ")";
            case 3 -> "[" + number(d) + ", ..." + numbers(d) + "]";
            case 4 -> numbers(d) + ".slice(" + random.nextInt(-2, 3) + ")";
            case 5 -> numbers(d) + ".concat(" + numbers(d) + ")";
            case 6 ->
                "[..." + numbers(d) + "]"
                        + oneOf(
                                ".sort((a, b) => a - b)",
                                ".sort((p, q) => { return q - p; })",
                                ".sort()",
                                ".reverse()");
            case 7 -> "Object.values(" + object(d) + ")";
            case 8 ->
                "inputs.o" + oneOf("", ".toSorted((a, b) => a.p - b.p)") + ".map((i) => i." + oneOf("p", "c") + ")";
            default -> lambda(numbers(d) + ".flatMap((", ") => ", Kind.NUMBER, Kind.NUMBERS, d) + ")";
        };
    }

    private String texts(int depth) {
        if (depth <= 0) {
            return known(Kind.TEXTS, "inputs.w", "['b', 'a']");
        }
        var d = depth - 1;
        return switch (random.nextInt(7)) {
            case 0 -> text(d) + ".split(" + text(0) + ")";
            case 1 -> lambda(texts(d) + ".map((", ") => ", Kind.TEXT, Kind.TEXT, d) + ")";
            case 2 -> "Object.keys(" + object(d) + ")";
            case 3 -> list(d) + ".map(" + oneOf("String", "Number", "Boolean") + ")";
            case 4 -> texts(d) + ".filter(Boolean)";
            case 5 -> "[..." + texts(d) + "]" + oneOf(".sort()", ".reverse()", ".toSorted()");
            default -> texts(0);
        };
    }

    private String rows(int depth) {
        return switch (random.nextInt(4)) {
            case 0 -> "inputs.o.filter(({ p }) => p > " + number(0) + ")";
            case 1 -> "inputs.o.map((i) => ({ ...i, q: " + number(Math.max(0, depth - 1)) + " }))";
            case 2 -> "[...inputs.o].sort((a, b) => b.c - a.c)";
            default -> "inputs.o";
        };
    }

    private String object(int depth) {
        if (depth <= 0) {
            return known(Kind.OBJECT, "inputs.m", "{ a: 1 }");
        }
        var d = depth - 1;
        return switch (random.nextInt(5)) {
            case 0 -> "{ a: " + any(d) + ", b: " + any(d) + " }";
            case 1 -> "{ ...inputs.m, k1: " + any(d) + " }";
            case 2 -> "Object.fromEntries(" + texts(d) + ".map((k, i) => [k, i]))";
            case 3 -> "Object.fromEntries(Object.entries(inputs.m).map(([k, v]) => [`x${k}`, v * 2]))";
            default -> object(0);
        };
    }

    private String lambda(String head, String arrow, Kind given, Kind result, int depth) {
        var name = fresh();
        return head + name + arrow + within(given, name, () -> of(result, depth));
    }
}
