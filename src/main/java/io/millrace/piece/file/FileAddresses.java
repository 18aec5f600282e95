package io.millrace.piece.file;

import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.function.Supplier;

/** Makes the addresses of files, also of those that are only about to be kept. Safe for threads. */
public final class FileAddresses {
    private final ReadTokens tokens;
    private final Supplier<String> publicUrl;

    /**
     * @param serverSecret secret of the server; the key that signs addresses is derived from it
     * @param publicUrl address of this server without a slash at its end
     */
    public FileAddresses(String serverSecret, Supplier<String> publicUrl, InstantSource clock) {
        this.tokens = new ReadTokens(serverSecret, clock);
        this.publicUrl = publicUrl;
    }

    /** URL under which the file can be read until it expires. */
    public String of(String fileId, Optional<Instant> expires) {
        return FileAddress.url(publicUrl.get(), fileId, tokens.issue(fileId, expires));
    }

    /** The file that a token opens; empty when the token is not ours or has expired. */
    Optional<String> opened(String token) {
        return tokens.verify(token);
    }
}
