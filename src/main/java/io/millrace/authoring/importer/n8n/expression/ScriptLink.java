package io.millrace.authoring.importer.n8n.expression;

import java.util.List;

/**
 * Member, index or call after a value.
 *
 * @param name name of the member, or the text of a literal index; null for others
 * @param text printed link
 * @param arguments printed arguments; null unless it is a call
 */
record ScriptLink(String name, String text, List<String> arguments) {
    boolean isCall() {
        return arguments != null;
    }

    boolean isNamed(String wanted) {
        return wanted.equals(name);
    }
}
