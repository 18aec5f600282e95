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
 * Outbox of mails. A mail is inserted in the transaction of its cause: it is sent if and only if that transaction commits,
 * also when the process ends in between. Mails may hold codes and links that grant access, so their rows are sealed.
 */
public final class MailOutbox {
    private final boolean configured;
    private final SecretBox box;
    private final InstantSource clock;
    private final MailStore store = new MailStore();

    /** @param configured true when there is a mail server; without one no mails are queued */
    public MailOutbox(boolean configured, SecretBox box, InstantSource clock) {
        this.configured = configured;
        this.box = box;
        this.clock = clock;
    }

    public boolean isConfigured() {
        return configured;
    }

    /**
     * Queues a mail.
     *
     * @param platform sender; empty before there is one
     * @param validity time after which the mail is no longer sent
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

    /** Context that binds the sealed content to its row. */
    static String place(String id) {
        return "mail:" + id;
    }
}
