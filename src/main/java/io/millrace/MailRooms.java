package io.millrace;

import io.millrace.alert.AlertCourier;
import io.millrace.config.Config;
import io.millrace.mail.MailCourier;
import io.millrace.mail.MailOutbox;
import io.millrace.mail.SmtpClient;
import io.millrace.net.AddressGuard;
import io.millrace.net.HostGuard;
import io.millrace.persistence.RoundsVerticle;
import io.millrace.platform.PlatformService;
import java.util.List;

/** Letters of the platform; without a mail server nobody writes or sends any. */
final class MailRooms implements Wing {
    private final Ground ground;
    private final PlatformService platforms;
    private final MailOutbox outbox;

    MailRooms(Ground ground, PlatformService platforms) {
        this.ground = ground;
        this.platforms = platforms;
        outbox = new MailOutbox(ground.config().smtp().isPresent(), ground.box(), ground.clock());
    }

    MailOutbox outbox() {
        return outbox;
    }

    @Override
    public List<RoundsVerticle> couriers() {
        return ground.config().smtp().map(this::couriers).orElse(List.of());
    }

    private List<RoundsVerticle> couriers(Config.Smtp settings) {
        // The operator may well name a server in a private network; the guard is for what others name.
        var anywhere = new HostGuard(ground.vertx(), AddressGuard.allowing("0.0.0.0/0,::/0"));
        var client = new SmtpClient(ground.vertx(), anywhere);
        return List.of(
                new MailCourier(settings, ground.database(), client, ground.box(), ground.clock()),
                new AlertCourier(ground.database(), platforms, outbox, ground.clock()));
    }
}
