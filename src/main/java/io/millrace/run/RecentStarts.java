package io.millrace.run;

import io.millrace.bus.Request;
import java.time.Instant;
import java.util.List;

/** When production runs of some flows began after a moment, the latest first. Answered by {@link RunService}. */
record RecentStarts(List<String> flowIds, Instant after, int limit) implements Request<List<Instant>> {}
