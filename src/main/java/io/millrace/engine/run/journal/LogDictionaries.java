package io.millrace.engine.run.journal;

import com.fasterxml.jackson.databind.JsonNode;
import com.github.benmanes.caffeine.cache.Cache;
import io.millrace.base.bus.Bus;
import io.millrace.base.bus.BusRequest;
import io.millrace.base.cache.Caches;
import io.millrace.base.core.DeepJson;
import io.millrace.base.core.memory.CompressedText;
import io.millrace.base.core.memory.HeapRoom;
import io.millrace.engine.run.log.RecordText;
import io.vertx.core.buffer.Buffer;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Serializes logs with the dictionary of their flow version, if there is one. It is learned from the first logs of a
 * version and used after the database has stored it: a log must never be stored without its dictionary. Confined to the
 * event loop of one shard.
 */
public final class LogDictionaries {
    private static final Logger LOG = LoggerFactory.getLogger(LogDictionaries.class);

    /**
     * Number of logs that are compared to remove data of single calls. A version that runs less often needs no
     * dictionary.
     */
    static final int LEARNED_FROM = 8;

    /** Size of a text kept in memory during the learning of a version. */
    private static final int LEARNED_BYTES_MAX = 16 * 1024;

    /** Shorter texts gain nothing from a dictionary. */
    private static final int BYTES_MIN = 128;

    /** Each takes some 4 KB, and 16 at most; their limit is a hundredth of the heap, within these bounds. */
    private static final int VERSIONS_MIN = 1_000;

    private static final int VERSIONS_MAX = 40_000;
    private static final long HEAP_BYTES_EACH = 100L * 4 * 1024;

    /** The database keeps a dictionary for days longer than the runs that need it ({@link Keep}). */
    private static final Duration USED_FOR = Duration.ofHours(24);

    private static final long KEEP_DEADLINE_MS = 30_000;

    private final Bus bus;
    private final Cache<String, Version> versions;
    private final PresetDeflater deflater = new PresetDeflater();

    public LogDictionaries(Bus bus, InstantSource clock) {
        this.bus = bus;
        this.versions = Caches.living("run.logDictionaries", versionsMax(HeapRoom.bytesMax()), USED_FOR, clock)
                .build();
    }

    static long versionsMax(long heapBytes) {
        return Math.clamp(heapBytes / HEAP_BYTES_EACH, VERSIONS_MIN, VERSIONS_MAX);
    }

    /**
     * Stores a dictionary for a flow version that has none. Answered with its current one; with none as long as a node
     * lives whose release does not support dictionaries (decision 0013). After the last request for it, it is kept
     * longer than {@link #USED_FOR} and then as long as ended runs are.
     */
    public record Keep(String flowVersionId, Buffer text) implements BusRequest<Optional<Buffer>> {}

    /** Learned data of a version: at first the common part of its logs so far. */
    private static final class Version {
        private int seen;
        private byte[] common = new byte[0];
        private LogDictionary dictionary;
    }

    public static boolean takes(long bytes) {
        return bytes <= LogDictionary.LOG_BYTES_MAX;
    }

    public Buffer text(String flowVersionId, JsonNode steps) {
        var version = versions.get(flowVersionId, _ -> new Version());
        if (version.dictionary == null) {
            var text = RecordText.of(steps);
            learn(flowVersionId, version, steps, text.length());
            return text;
        }
        var text = RecordText.plain(steps);
        return text.length <= LogDictionary.LOG_BYTES_MAX
                ? version.dictionary.pack(text, deflater)
                : RecordText.of(steps);
    }

    /** Packs the text of a log that {@link #takes} allows, as {@link #text} does. */
    public Buffer packed(String flowVersionId, byte[] text) {
        var version = versions.get(flowVersionId, _ -> new Version());
        if (version.dictionary != null) {
            return version.dictionary.pack(text, deflater);
        }
        var packed = Buffer.buffer(CompressedText.of(text));
        if (version.seen < LEARNED_FROM) {
            learn(flowVersionId, version, DeepJson.trusted(text), packed.length());
        }
        return packed;
    }

    private void learn(String flowVersionId, Version version, JsonNode steps, int bytes) {
        if (version.seen >= LEARNED_FROM || bytes > LEARNED_BYTES_MAX) {
            return;
        }
        version.common = version.seen == 0
                ? RecordText.plain(steps)
                : DeepJson.bytes(CommonText.of(DeepJson.trusted(version.common), steps));
        version.seen++;
        if (version.seen == LEARNED_FROM && version.common.length >= BYTES_MIN) {
            var text = new LogDictionary(version.common).text();
            version.common = new byte[0];
            bus.ask(new Keep(flowVersionId, text), KEEP_DEADLINE_MS)
                    .onSuccess(kept -> kept.ifPresentOrElse(
                            common -> version.dictionary = new LogDictionary(common.getBytes()),
                            () -> version.seen = 0))
                    .onFailure(cause -> LOG.info(
                            "cannot build a log dictionary of a flow version, its logs stay as they are: {}",
                            cause.getMessage()));
        }
    }
}
