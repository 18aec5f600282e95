package io.millrace.piece;

import io.millrace.access.Principal;
import io.millrace.bus.Nothing;
import io.millrace.bus.Request;
import io.millrace.core.Page;
import io.millrace.core.PageRequest;
import java.util.List;
import java.util.Map;

/** What one may ask of the tags of a platform. Answered by {@link TagService}. */
public sealed interface Tags {
    /** The tags of the principal's platform, newest first. */
    record ListOf(Principal by, PageRequest page) implements Tags, Request<Page<Tag>> {}

    /** Makes a tag; one of that name stays what it is. */
    record Save(Principal by, String name) implements Tags, Request<Tag> {}

    /** Names of the tags that a platform has given to pieces, by name of the piece. */
    record OfPieces(String platformId) implements Tags, Request<Map<String, List<String>>> {}

    /** Gives pieces these tags and no others; tags that are not there yet are made. */
    record Assign(Principal by, List<String> pieceNames, List<String> tags) implements Tags, Request<Nothing> {}
}
