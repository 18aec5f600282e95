package io.millrace.authoring.knowledge;

/** Indexing state of a document of a knowledge base. */
public enum KnowledgeState {
    /** Added without chunks: the client stores them, or starts the indexing. */
    UNINDEXED,
    /** Some vectors are missing. */
    INDEXING,
    /** All chunks are searchable. */
    READY,
    FAILED
}
