package io.millrace.app.module;

import io.millrace.account.mail.MailDeliveryWorker;
import io.millrace.account.mail.MailOutbox;
import io.millrace.account.mail.MailQueueService;
import io.millrace.account.mail.SmtpClient;
import io.millrace.account.platform.PlatformService;
import io.millrace.base.config.SmtpSettings;
import io.millrace.base.net.AddressGuard;
import io.millrace.base.net.HostGuard;
import io.millrace.base.persistence.BusService;
import io.millrace.base.persistence.PollingVerticle;
import io.millrace.engine.run.ApprovalLinks;
import io.millrace.engine.run.waitpoint.ApprovalMailWorker;
import io.millrace.engine.run.waitpoint.ApprovalMails;
import io.millrace.integration.alert.AlertLetterService;
import io.millrace.integration.alert.AlertWorker;
import java.util.List;

/** Mails of the platform; disabled without a mail server. */
final class MailModule implements ServerModule {
    private final ServerContext context;
    private final PlatformService platforms;
    private final MailOutbox outbox;

    MailModule(ServerContext context, PlatformService platforms) {
        this.context = context;
        this.platforms = platforms;
        outbox = new MailOutbox(
                context.config().people().smtp().isPresent(), context.security().box(), context.clock());
    }

    MailOutbox outbox() {
        return outbox;
    }

    @Override
    public List<BusService> busServices() {
        var database = context.database();
        return context.config().people().smtp().isEmpty()
                ? List.of()
                : List.of(
                        new MailQueueService(database, context.clock()),
                        new AlertLetterService(
                                database, platforms, outbox, context.network().publicUrl(), context.clock()),
                        new ApprovalMails(
                                database,
                                platforms,
                                outbox,
                                new ApprovalLinks(context.linkSecrets()),
                                context.network().publicUrl(),
                                context.config()
                                        .runs()
                                        .engine()
                                        .execution()
                                        .approvals()
                                        .remindersMax(),
                                context.clock()));
    }

    @Override
    public List<PollingVerticle> workers() {
        return context.config().people().smtp().map(this::workers).orElse(List.of());
    }

    private List<PollingVerticle> workers(SmtpSettings settings) {
        // The operator may name a mail server in a private network; the address guard applies to names from users.
        var anywhere = new HostGuard(context.vertx(), AddressGuard.allowing("0.0.0.0/0,::/0"));
        var client = settings.authorities().isEmpty()
                ? new SmtpClient(context.vertx(), anywhere, context.clock())
                : SmtpClient.trusting(settings.authorities(), context.vertx(), anywhere, context.clock());
        return List.of(
                new MailDeliveryWorker(
                        settings, context.bus(), client, context.security().box(), context.clock()),
                new AlertWorker(context.bus()),
                new ApprovalMailWorker(context.bus()));
    }
}
