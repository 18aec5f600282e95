package io.millrace.authoring.importer.n8n.expression;

/** Agreement of a translation with its original, best first. */
public enum Fidelity {
    /** Same result for the same data. */
    EXACT("exact"),
    /** Same purpose; the report names each difference. */
    NEAR("near"),
    /** Needs an author: the original is kept as text, and the report names the gap. */
    BY_HAND("byHand");

    private final String word;

    Fidelity(String word) {
        this.word = word;
    }

    public String word() {
        return word;
    }

    /** The worse one of two. */
    public Fidelity and(Fidelity other) {
        return compareTo(other) >= 0 ? this : other;
    }
}
