package io.millrace.workspace.model.format;

import java.util.EnumSet;
import java.util.Set;

/** Deviations of servers from their claimed format; each is known from at least one server or proxy. */
enum Quirk {
    INDEX_REPEATED,
    INDEX_MISSING,
    INDEX_AS_TEXT,
    INDEX_FROM_ONE,
    IDS_MISSING,
    IDS_REPEATED,
    ID_IN_EVERY_PIECE,
    NAME_IN_EVERY_PIECE,
    CALLS_INTERLEAVED,
    CALLS_IN_ONE_EVENT,
    ARGUMENTS_AS_OBJECT,
    ARGUMENTS_ENCODED_TWICE,
    ARGUMENTS_NULL_FIRST,
    MESSAGE_FOR_DELTA,
    WHOLE_MESSAGE_AFTER_PIECES,
    REASON_MISSING,
    REASON_WRONG,
    COMMENTS,
    LINES_BY_CRLF,
    LINES_BY_CR,
    FRAMED_TWICE,
    USAGE_NULL,
    EMPTY_CHOICES,
    UNKNOWN_EVENTS,
    TEXT_BEFORE_CALLS,
    THOUGHTS_BEFORE_CALLS,
    UNSTREAMED;

    private static final Set<Quirk> OF_INDEX = EnumSet.of(INDEX_REPEATED, INDEX_MISSING, INDEX_AS_TEXT, INDEX_FROM_ONE);
    private static final Set<Quirk> OF_ARGUMENTS = EnumSet.of(ARGUMENTS_AS_OBJECT, ARGUMENTS_ENCODED_TWICE);
    private static final Set<Quirk> OF_IDS = EnumSet.of(IDS_MISSING, IDS_REPEATED, ID_IN_EVERY_PIECE);
    private static final Set<Quirk> OF_LINES = EnumSet.of(LINES_BY_CRLF, LINES_BY_CR);
    private static final Set<Quirk> OF_REASON = EnumSet.of(REASON_MISSING, REASON_WRONG);

    /** Drops quirks that exclude an earlier one, and those that would make calls inseparable for any reader. */
    static EnumSet<Quirk> consistent(Iterable<Quirk> wanted) {
        var chosen = EnumSet.noneOf(Quirk.class);
        for (var quirk : wanted) {
            var isExcluded = Set.of(OF_INDEX, OF_ARGUMENTS, OF_IDS, OF_LINES, OF_REASON).stream()
                    .anyMatch(kind -> kind.contains(quirk) && chosen.stream().anyMatch(kind::contains));
            if (!isExcluded) {
                chosen.add(quirk);
            }
        }
        if (chosen.contains(CALLS_IN_ONE_EVENT)) {
            chosen.remove(ARGUMENTS_NULL_FIRST);
        }
        if (chosen.contains(MESSAGE_FOR_DELTA)) {
            chosen.remove(WHOLE_MESSAGE_AFTER_PIECES);
        }
        if (chosen.contains(INDEX_MISSING) || chosen.contains(INDEX_REPEATED)) {
            chosen.remove(CALLS_INTERLEAVED);
            chosen.remove(IDS_REPEATED);
            if (chosen.contains(IDS_MISSING)) {
                chosen.remove(ARGUMENTS_NULL_FIRST);
            }
        }
        return chosen;
    }
}
