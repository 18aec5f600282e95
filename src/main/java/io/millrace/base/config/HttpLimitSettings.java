package io.millrace.base.config;

import io.millrace.base.core.memory.HeapRoom;
import java.time.Duration;

/** Reads the limits of clients. */
final class HttpLimitSettings {
    private static final long KILOBYTE = 1024;
    private static final long MEGABYTE = 1024 * KILOBYTE;

    /** Share of the heap for bodies in transit: runs have half of it. */
    private static final int HEAP_SHARE = 4;

    /** Allowance for the parts of a message around a file. */
    private static final int MESSAGE_HEADROOM_MEGABYTES = 4;

    private HttpLimitSettings() {}

    static Config.HttpLimits read(SettingTexts texts) {
        return new Config.HttpLimits(
                texts.integer(Setting.AP_HTTP_CONNECTIONS_MAX),
                texts.integer(Setting.AP_HTTP_CONNECTIONS_PER_ADDRESS_MAX),
                Duration.ofSeconds(texts.integer(Setting.AP_HTTP_HEADER_TIMEOUT_SECONDS)),
                Duration.ofSeconds(texts.integer(Setting.AP_HTTP_BODY_TIMEOUT_SECONDS)),
                texts.integer(Setting.AP_HTTP_RATE_MIN_KB) * KILOBYTE,
                bodyMemoryBytesMax(texts.integer(Setting.AP_HTTP_BODY_MEMORY_MAX_MB)),
                texts.integer(Setting.AP_HTTP_BODY_DISK_MAX_MB) * MEGABYTE,
                texts.integer(Setting.AP_HTTP_UNKNOWN_BODY_MAX_KB) * KILOBYTE,
                texts.integer(Setting.AP_LIVE_UNKNOWN_MAX),
                messageBytesMax(texts),
                texts.integer(Setting.AP_LIVE_UNREAD_PONGS_MAX),
                new Config.ApiRates(
                        texts.integer(Setting.AP_API_RATE_LIMIT_CALLER_MAX),
                        texts.integer(Setting.AP_API_RATE_LIMIT_ADDRESS_MAX),
                        texts.duration(Setting.AP_API_RATE_LIMIT_WINDOW)));
    }

    /** A message may contain any file of the largest size (contract flows-and-engine 31). */
    private static int messageBytesMax(SettingTexts texts) {
        var megabytes = Math.max(
                texts.integer(Setting.AP_LIVE_MESSAGE_MAX_MB),
                texts.integer(Setting.AP_MAX_FILE_SIZE_MB) + MESSAGE_HEADROOM_MEGABYTES);
        return Math.toIntExact(megabytes * MEGABYTE);
    }

    private static long bodyMemoryBytesMax(int megabytes) {
        return megabytes == 0 ? HeapRoom.bytesMax() / HEAP_SHARE : megabytes * MEGABYTE;
    }
}
