package io.millrace.authoring.importer.n8n.expression;

import java.util.List;

/** Target of a translation: expressions of this server, or JavaScript of a code step. */
interface ScriptTarget {
    /** Text of the head of a chain and the number of links that are part of it. */
    record Head(String text, int links) {}

    /** Translation of a name with the links after it. Fails with {@link ScriptProblem} or {@link CodeDemand}. */
    Head head(String name, List<ScriptLink> links);

    /** Translation of a call of an extension method of n8n. */
    String extension(String receiver, String method, List<String> arguments);

    void note(String difference);
}
