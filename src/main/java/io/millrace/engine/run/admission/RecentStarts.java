package io.millrace.engine.run.admission;

import io.millrace.base.bus.BusRequest;
import java.time.Instant;
import java.util.List;

/** Start times of production runs of some flows after a given time, the latest first. */
public record RecentStarts(List<String> flowIds, Instant after, int limit) implements BusRequest<List<Instant>> {}
