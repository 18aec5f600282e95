package io.millrace.piece.file;

import io.millrace.base.secret.LinkSecrets;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.function.Supplier;

/** Creates the addresses of files, also before they are stored. Thread-safe. */
public final class FileAddresses {
    private final ReadTokens tokens;
    private final Supplier<String> publicUrl;

    /**
     * @param secrets the key that signs addresses is derived from them
     * @param publicUrl address of this server without a slash at its end
     */
    public FileAddresses(LinkSecrets secrets, Supplier<String> publicUrl, InstantSource clock) {
        this.tokens = new ReadTokens(secrets, clock);
        this.publicUrl = publicUrl;
    }

    public String of(String fileId, Optional<Instant> expires) {
        return FileAddress.url(publicUrl.get(), fileId, tokens.issue(fileId, expires));
    }

    /** Id of the file for a token; empty when the token is invalid or has expired. */
    Optional<String> opened(String token) {
        return tokens.verify(token);
    }
}
