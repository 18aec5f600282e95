package io.millrace.base.config;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;

/**
 * Pieces that are npm packages.
 *
 * @param node Node.js executable; empty to search the PATH
 * @param registry empty for the one that the package manager is set up for
 * @param keptBytesMax memory of a process without a call, beyond which it is replaced
 * @param nativePackages names of pieces and of packages of code that may load native code, each with or without the
 *     prefix of a platform's id and a colon
 * @param requiresNetworkFence true if Node.js runs only where the kernel refuses connections to its processes
 * @param install limits of the package manager
 */
public record PackageSettings(
        Optional<Path> node,
        Optional<String> registry,
        long keptBytesMax,
        CodeStepSettings code,
        Set<String> nativePackages,
        boolean requiresNetworkFence,
        CatalogueSettings catalogue,
        PackageInstall install) {
    /**
     * Code steps, and processes of code and of pieces.
     *
     * @param dependencies limits of code steps
     * @param processes limits of processes of code and of pieces
     * @param backoff backoff of code steps
     * @param python the other language of code steps
     */
    public record CodeStepSettings(
            CodeDependencies dependencies, CodeProcesses processes, CodeBackoff backoff, Python python) {}

    /**
     * Catalogue of pieces.
     *
     * @param installsOnDemand true if official pieces that flows pin are installed when they are missing
     * @param feed source of a newer index of published pieces; empty to use only the bundled one
     */
    public record CatalogueSettings(
            boolean installsOnDemand, Optional<Feed> feed, int logoBytesMax, long logoCacheBytesMax) {}

    /** Limits of the package manager during one installation. */
    public record PackageInstall(long memoryBytesMax, long fileBytesMax) {}

    /**
     * The Python of this host.
     *
     * @param isOn true if the operator enabled it
     * @param executable empty to look for it
     */
    public record Python(boolean isOn, Optional<Path> executable) {}

    /**
     * A remote index of published pieces.
     *
     * @param address of a list of pieces
     * @param interval interval between fetches
     * @param bytesMax largest list
     */
    public record Feed(String address, Duration interval, int bytesMax) {}

    /**
     * Npm packages of code steps.
     *
     * @param mode off, allow-list or on
     * @param programBytesMax largest program, including its packages
     * @param scratchBytesMax files of a process that runs code in Node.js
     */
    public record CodeDependencies(String mode, Set<String> allowed, long programBytesMax, long scratchBytesMax) {}

    /**
     * Limits of processes of code and of npm pieces.
     *
     * @param pieceScratchBytesMax files of a process of npm pieces
     * @param openFilesMax open files and connections of a process
     * @param outputFilesMax files in the output of a step
     * @param threadsMax threads of a process
     * @param beyondMax processes of a kind beyond the usual number
     */
    public record CodeProcesses(
            long pieceScratchBytesMax, int openFilesMax, int outputFilesMax, int threadsMax, int beyondMax) {}

    /**
     * Backoff of programs of code steps that end their processes, and reserved processors.
     *
     * @param pauseMax longest wait after a process had to be ended; zero: none
     * @param resetAfter time without a failure that resets the wait
     * @param failuresPerSecond calls of a program that always fails; zero: no limit
     * @param processorsLeft processors that busy code leaves to other work
     */
    public record CodeBackoff(Duration pauseMax, Duration resetAfter, int failuresPerSecond, int processorsLeft) {}

    static PackageSettings read(SettingTexts texts) {
        return new PackageSettings(
                texts.optional(Setting.AP_NODE_PATH).map(Path::of),
                texts.optional(Setting.AP_NPM_REGISTRY_URL),
                texts.bytesOfMb(Setting.AP_PIECE_PROCESS_KEPT_MB),
                new CodeStepSettings(
                        new CodeDependencies(
                                texts.text(Setting.AP_CODE_DEPENDENCIES),
                                Set.copyOf(texts.words(Setting.AP_CODE_DEPENDENCIES_ALLOW_LIST)),
                                texts.bytesOfMb(Setting.AP_CODE_PROGRAM_MAX_MB),
                                texts.bytesOfMb(Setting.AP_CODE_SCRATCH_MAX_MB)),
                        new CodeProcesses(
                                texts.bytesOfMb(Setting.AP_PIECE_SCRATCH_MAX_MB),
                                texts.integer(Setting.AP_CODE_OPEN_FILES_MAX),
                                texts.integer(Setting.AP_CODE_OUTPUT_FILES_MAX),
                                texts.integer(Setting.AP_CODE_THREADS_MAX),
                                texts.integer(Setting.AP_CODE_PROCESSES_BEYOND_MAX)),
                        new CodeBackoff(
                                texts.seconds(Setting.AP_CODE_BACKOFF_MAX_SECONDS),
                                texts.seconds(Setting.AP_CODE_BACKOFF_RESET_SECONDS),
                                texts.integer(Setting.AP_CODE_FAILURES_PER_SECOND),
                                texts.integer(Setting.AP_CODE_PROCESSORS_LEFT)),
                        new Python(
                                texts.flag(Setting.AP_CODE_PYTHON),
                                texts.optional(Setting.AP_PYTHON_PATH).map(Path::of))),
                Set.copyOf(texts.words(Setting.AP_NODE_NATIVE_PACKAGES)),
                texts.flag(Setting.AP_NODE_REQUIRE_FENCE),
                new CatalogueSettings(
                        syncs(texts),
                        syncs(texts) ? feed(texts) : Optional.empty(),
                        Math.toIntExact(texts.bytesOfKb(Setting.AP_PIECE_LOGO_MAX_KB)),
                        texts.bytesOfMb(Setting.AP_PIECE_LOGO_CACHE_MB)),
                new PackageInstall(
                        texts.bytesOfMb(Setting.AP_PACKAGE_INSTALL_MEMORY_MAX_MB),
                        texts.bytesOfMb(Setting.AP_PACKAGE_INSTALL_FILES_MAX_MB)));
    }

    private static boolean syncs(SettingTexts texts) {
        return texts.text(Setting.AP_PIECES_SYNC_MODE).equals("OFFICIAL_AUTO");
    }

    private static Optional<Feed> feed(SettingTexts texts) {
        return texts.optional(Setting.AP_PIECES_SYNC_URL)
                .map(address -> new Feed(
                        address,
                        texts.minutes(Setting.AP_PIECES_SYNC_INTERVAL_MINUTES),
                        Math.toIntExact(texts.bytesOfMb(Setting.AP_PIECES_SYNC_MAX_MB))));
    }
}
