package io.millrace.app.module;

import io.millrace.authoring.knowledge.ChunkService;
import io.millrace.authoring.knowledge.IndexingService;
import io.millrace.authoring.knowledge.IndexingWorker;
import io.millrace.authoring.knowledge.KnowledgeLimits;
import io.millrace.authoring.knowledge.KnowledgeRoutes;
import io.millrace.authoring.knowledge.KnowledgeService;
import io.millrace.base.http.RouteGroup;
import io.millrace.base.persistence.BusService;
import io.millrace.base.persistence.PollingVerticle;
import io.millrace.piece.file.KnowledgeBaseFiles;
import io.millrace.piece.model.Models;
import io.millrace.sandbox.document.DocumentTexts;
import java.time.Duration;
import java.util.List;

final class KnowledgeModule implements ServerModule {
    private static final Duration READING = Duration.ofSeconds(60);

    private final ServerContext context;
    private final KnowledgeBaseFiles files;
    private final Models models;
    private final KnowledgeLimits limits;

    KnowledgeModule(ServerContext context, KnowledgeBaseFiles files, Models models) {
        this.context = context;
        this.files = files;
        this.models = models;
        var agents = context.config().runs().agents();
        limits = new KnowledgeLimits(
                agents.knowledge().filesMax(), agents.knowledge().chunksMax());
    }

    @Override
    public List<BusService> busServices() {
        var texts = new DocumentTexts(
                context.vertx(),
                context.sandbox().directory().resolve("documents"),
                context.sandbox().isolation(),
                new DocumentTexts.Limits(limits.charactersMax(), READING));
        return List.of(
                new KnowledgeService(context.bus(), context.database(), files, texts, models, limits, context.clock()),
                new ChunkService(context.database(), models, limits),
                new IndexingService(context.database(), models));
    }

    @Override
    public List<RouteGroup> routeGroups() {
        return List.of(new KnowledgeRoutes(
                context.bus(), context.config().runs().engine().sizes().fileBytesMax()));
    }

    @Override
    public List<PollingVerticle> workers() {
        return List.of(new IndexingWorker(context.bus()));
    }
}
