package io.millrace.authoring.knowledge;

/** Indexing state of a document of a knowledge base. */
public enum KnowledgeState {
    /** It was added without chunks: its owner stores them, or has it indexed. */
    UNINDEXED,
    /** Vectors of some of its chunks are still to be made. */
    INDEXING,
    /** All of it can be found. */
    READY,
    /** The vectors could not be made; its reason says why. */
    FAILED
}
