package io.millrace.piece.tag;

import io.millrace.base.access.Principal;
import io.millrace.base.bus.BusRequest;
import io.millrace.base.bus.Nothing;
import io.millrace.base.core.input.Page;
import io.millrace.base.core.input.PageRequest;
import java.util.List;
import java.util.Map;

/** Requests about the tags of a platform. Handled by {@link TagService}. */
public sealed interface Tags {
    /** The tags of the principal's platform, newest first. */
    record ListOf(Principal by, PageRequest page) implements Tags, BusRequest<Page<Tag>> {}

    /** Creates a tag; an existing one of that name is unchanged. */
    record Save(Principal by, String name) implements Tags, BusRequest<Tag> {}

    /** Names of the tags that a platform has given to pieces, by name of the piece. */
    record OfPieces(String platformId) implements Tags, BusRequest<Map<String, List<String>>> {}

    /** Replaces the tags of pieces; missing tags are created. */
    record Assign(Principal by, List<String> pieceNames, List<String> tags) implements Tags, BusRequest<Nothing> {}
}
