package io.millrace.account.mail;

import io.millrace.account.platform.Platform;
import io.millrace.base.core.Ids;
import io.millrace.base.core.Json;
import io.millrace.base.persistence.Tx;
import io.millrace.base.secret.SecretBox;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;

/**
 * Where letters wait. A letter is written in the transaction of what it tells: it is sent exactly when that happened, also
 * when the process ends in between. Letters may hold codes and links that let their reader in, so they wait sealed.
 */
public final class MailOutbox {
    private final boolean configured;
    private final SecretBox box;
    private final InstantSource clock;
    private final MailStore store = new MailStore();

    /**
     * @param configured whether there is a mail server; nothing is written without one
     */
    public MailOutbox(boolean configured, SecretBox box, InstantSource clock) {
        this.configured = configured;
        this.box = box;
        this.clock = clock;
    }

    /** Whether letters are sent at all. */
    public boolean isConfigured() {
        return configured;
    }

    /**
     * Writes a letter.
     *
     * @param platform in whose name; empty before there is one
     * @param validity how long it makes sense to send it
     */
    public Future<Void> add(Tx tx, Optional<Platform> platform, Letter letter, Duration validity) {
        if (!configured) {
            return Future.succeededFuture();
        }
        var branding = Branding.of(platform);
        var page = new LetterPage(letter, branding);
        var content = Json.object()
                .put("to", letter.to())
                .put("sender", branding.name())
                .put("subject", letter.subject())
                .put("text", page.text())
                .put("html", page.html());
        var now = clock.instant();
        var id = Ids.next();
        var sealed = Buffer.buffer(box.seal(Json.bytes(content), place(id)));
        return store.insert(tx, id, platform.map(Platform::id), sealed, now, now.plus(validity));
    }

    /** What binds the sealed content to its row. */
    static String place(String id) {
        return "mail:" + id;
    }
}
