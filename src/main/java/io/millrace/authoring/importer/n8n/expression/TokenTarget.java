package io.millrace.authoring.importer.n8n.expression;

import java.util.ArrayList;
import java.util.List;

/** Translation into the expressions of this server. */
final class TokenTarget implements ScriptTarget {
    private final DataHeads data;
    private final List<String> notes = new ArrayList<>();

    TokenTarget(DataScope scope) {
        data = new DataHeads(scope, this);
    }

    @Override
    public Head head(String name, List<ScriptLink> links) {
        var found = data.head(name, links);
        if (found.isPresent()) {
            return found.get();
        }
        if (GlobalNames.LANGUAGE.contains(name)) {
            return new Head(name, 0);
        }
        var call = links.isEmpty() ? null : links.getFirst();
        var arguments = call != null && call.isCall() ? call.arguments() : List.<String>of();
        return switch (name) {
            case "$if" -> conditional(arguments);
            case "$max" -> new Head("Math.max" + text(call), 1);
            case "$min" -> new Head("Math.min" + text(call), 1);
            case "$execution" -> execution(links);
            case "$vars" -> throw new CodeDemand();
            default -> {
                if (GlobalNames.PRELUDE.contains(name)) {
                    throw new CodeDemand();
                }
                throw new ScriptProblem(GlobalNames.refusal(name));
            }
        };
    }

    private Head execution(List<ScriptLink> links) {
        if (!links.isEmpty() && links.getFirst().isNamed("mode")) {
            note("$execution.mode is always \"production\"");
            return new Head("'production'", 1);
        }
        throw new ScriptProblem(GlobalNames.refusal("$execution"));
    }

    private static String text(ScriptLink call) {
        if (call == null || !call.isCall()) {
            throw new ScriptProblem("expected a call");
        }
        return call.text();
    }

    private static Head conditional(List<String> arguments) {
        if (arguments.size() != 3) {
            throw new ScriptProblem("expected three values of $if, found " + arguments.size());
        }
        return new Head("(" + String.join(" ? ", arguments.subList(0, 2)) + " : " + arguments.getLast() + ")", 1);
    }

    @Override
    public String extension(String receiver, String method, List<String> arguments) {
        return ValueMethods.equivalent(receiver, method, arguments).orElseThrow(CodeDemand::new);
    }

    @Override
    public void note(String difference) {
        notes.add(difference);
    }

    List<String> notes() {
        return List.copyOf(notes);
    }
}
