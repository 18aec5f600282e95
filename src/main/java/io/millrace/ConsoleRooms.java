package io.millrace;

import io.millrace.console.ConsoleRoutes;
import io.millrace.http.HttpModule;
import io.millrace.platform.Embedders;
import java.util.List;

/** The console's page and files. The last of the wings: its page answers what no other route knows. */
final class ConsoleRooms implements Wing {
    private final Ground ground;

    ConsoleRooms(Ground ground) {
        this.ground = ground;
    }

    @Override
    public List<HttpModule> modules() {
        var embedders = new Embedders(ground.config().http().embedOrigins());
        return List.of(new ConsoleRoutes(ground.bus(), embedders, ground.publicUrl()));
    }
}
