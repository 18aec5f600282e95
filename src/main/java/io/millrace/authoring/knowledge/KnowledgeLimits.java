package io.millrace.authoring.knowledge;

/**
 * Limits on the knowledge base of a project.
 *
 * @param filesMax documents
 * @param chunksMax chunks of all its documents; a search scans every chunk of the requested documents
 */
public record KnowledgeLimits(int filesMax, int chunksMax) {
    /** Maximum text length of a document: one chunk per step of the text splitter. */
    public int charactersMax() {
        return (int) Math.min(MAX, (long) chunksMax * (TextChunks.LENGTH - TextChunks.OVERLAP));
    }

    private static final long MAX = 100_000_000;
}
