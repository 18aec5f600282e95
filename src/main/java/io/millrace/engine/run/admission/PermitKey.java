package io.millrace.engine.run.admission;

/**
 * A limit shared by all nodes.
 *
 * @param share key of a {@link ConcurrencyShare}
 * @param starts whether the limit counts starts within a period, and not runs that execute at once
 */
record PermitKey(String share, boolean starts) {
    private static final String STARTS = "#starts";

    static PermitKey ofRuns(String share) {
        return new PermitKey(share, false);
    }

    static PermitKey ofStarts(String share) {
        return new PermitKey(share, true);
    }

    static PermitKey parse(String text) {
        return text.endsWith(STARTS) ? ofStarts(text.substring(0, text.length() - STARTS.length())) : ofRuns(text);
    }

    /** Text of the key in the database. */
    String text() {
        return starts ? share + STARTS : share;
    }
}
