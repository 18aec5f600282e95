package io.millrace.engine.webhook;

import io.millrace.base.coding.ContentCoding;
import io.millrace.base.core.ApiException;
import io.millrace.base.core.ErrorCode;
import io.millrace.base.http.body.BodyBudget;
import java.io.IOException;
import java.util.List;

/** Content encodings of webhook bodies. The size limit counts the unpacked bytes (decision 0396). */
final class Unpacking {
    /** Accept-Encoding of a refusal (RFC 9110, 12.5.3). */
    static final String ACCEPTED = "gzip, x-gzip, deflate, zstd, identity";

    /** More than one is rare; more than four would only multiply the work of a bomb. */
    private static final int CODINGS_MAX = 4;

    private final List<String> codings;
    private final long bytesMax;

    private Unpacking(List<String> codings, long bytesMax) {
        this.codings = codings;
        this.bytesMax = bytesMax;
    }

    /**
     * Reads the headers of a request.
     *
     * @throws ApiException UNSUPPORTED_MEDIA_TYPE when an encoding is unknown
     */
    static Unpacking of(List<String> headers, long bytesMax) {
        var codings = ContentCoding.undone(headers);
        for (var coding : codings) {
            if (!ContentCoding.isKnown(coding)) {
                throw unsupported(coding);
            }
        }
        if (codings.size() > CODINGS_MAX) {
            throw unsupported(String.join(", ", codings.reversed()));
        }
        return new Unpacking(codings, bytesMax);
    }

    private static ApiException unsupported(String coding) {
        var shown = coding.length() > 100 ? coding.substring(0, 100) + "…" : coding;
        return ApiException.of(
                ErrorCode.UNSUPPORTED_MEDIA_TYPE,
                "headers/content-encoding expected one of " + ACCEPTED + ", found " + shown);
    }

    boolean isNeeded() {
        return !codings.isEmpty();
    }

    /** The unpacked body. Blocks. */
    byte[] unpacked(byte[] packed, BodyBudget.Permit permit) {
        if (packed.length == 0) {
            return packed;
        }
        var body = packed;
        for (var coding : codings) {
            body = unpacked(body, coding, permit);
        }
        return body;
    }

    private byte[] unpacked(byte[] packed, String coding, BodyBudget.Permit permit) {
        try {
            return ContentCoding.unpacked(packed, coding, bytesMax, permit::take);
        } catch (ContentCoding.TooLargeException tooLarge) {
            throw ApiException.of(ErrorCode.BODY_TOO_LARGE, "Request body is too large");
        } catch (IOException malformed) {
            throw ApiException.of(
                    ErrorCode.INVALID_INPUT,
                    "body/ Expected " + coding + " data, as content-encoding says, found other bytes");
        }
    }
}
