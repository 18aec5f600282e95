package io.millrace.authoring.knowledge;

/**
 * What a project may keep.
 *
 * @param filesMax documents
 * @param chunksMax chunks of all its documents; a search looks at every one of those it is asked about
 */
public record KnowledgeLimits(int filesMax, int chunksMax) {
    /** How long the text of a document may be: one chunk for each step of the knife. */
    public int charactersMax() {
        return (int) Math.min(MAX, (long) chunksMax * (TextChunks.LENGTH - TextChunks.OVERLAP));
    }

    private static final long MAX = 100_000_000;
}
