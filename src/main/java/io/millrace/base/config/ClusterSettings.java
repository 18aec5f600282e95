package io.millrace.base.config;

import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Other nodes, by a cluster engine.
 *
 * @param members addresses of nodes; none where a service names them
 * @param host address of this node
 * @param port of the engine; the event bus has the next one
 * @param publicPort under which other nodes reach that port, and the next one
 */
public record ClusterSettings(
        List<String> members,
        Optional<String> kubernetesService,
        String host,
        int port,
        int publicPort,
        String password) {
    private static final Pattern MEMBER = Pattern.compile("[^\\s:]+(?::\\d{1,5})?|\\[[0-9a-fA-F:]+\\](?::\\d{1,5})?");

    private static final int PASSWORD_LENGTH_MIN = 16;

    public ClusterSettings {
        members = List.copyOf(members);
    }

    @Override
    public String toString() {
        return "ClusterSettings[" + host + ":" + port + "]";
    }

    static Optional<ClusterSettings> read(SettingTexts texts) {
        var members = texts.words(Setting.AP_CLUSTER_MEMBERS);
        var service = texts.optional(Setting.AP_CLUSTER_KUBERNETES_SERVICE);
        if (members.isEmpty() && service.isEmpty()) {
            return Optional.empty();
        }
        check(members, service);
        if (!isExternal(texts)) {
            throw new BadSetting(
                    "AP_CLUSTER_MEMBERS: expected an external PostgreSQL (AP_POSTGRES_HOST or AP_POSTGRES_URL) that all nodes"
                            + " share, found the embedded one, which supports one node only");
        }
        return Optional.of(new ClusterSettings(
                members,
                service,
                texts.optional(Setting.AP_CLUSTER_HOST)
                        .orElseThrow(
                                () -> new BadSetting(
                                        "AP_CLUSTER_HOST: expected the address of this node for the others of its cluster, found none")),
                texts.integer(Setting.AP_CLUSTER_PORT),
                publicPort(texts),
                password(texts)));
    }

    private static int publicPort(SettingTexts texts) {
        var mapped = texts.integer(Setting.AP_CLUSTER_PUBLIC_PORT);
        return mapped == 0 ? texts.integer(Setting.AP_CLUSTER_PORT) : mapped;
    }

    /** An embedded database has no other node that could take the remaining role. */
    static NodeRole role(SettingTexts texts) {
        var role = NodeRole.of(texts.text(Setting.AP_NODE_ROLE));
        if (role != NodeRole.ALL && !isExternal(texts)) {
            throw new BadSetting("AP_NODE_ROLE: expected all with the embedded PostgreSQL, found " + role.word());
        }
        return role;
    }

    private static boolean isExternal(SettingTexts texts) {
        return texts.optional(Setting.AP_POSTGRES_URL).isPresent()
                || texts.optional(Setting.AP_POSTGRES_HOST).isPresent();
    }

    private static void check(List<String> members, Optional<String> service) {
        if (!members.isEmpty() && service.isPresent()) {
            throw new BadSetting(
                    "AP_CLUSTER_KUBERNETES_SERVICE: expected either a service or AP_CLUSTER_MEMBERS, found both");
        }
        members.stream()
                .filter(member -> !MEMBER.matcher(member).matches())
                .findFirst()
                .ifPresent(member -> {
                    throw new BadSetting("AP_CLUSTER_MEMBERS: expected host:port between commas, found " + member);
                });
    }

    private static String password(SettingTexts texts) {
        var password = texts.text(Setting.AP_CLUSTER_PASSWORD);
        if (password.length() < PASSWORD_LENGTH_MIN) {
            throw new BadSetting("AP_CLUSTER_PASSWORD: expected at least " + PASSWORD_LENGTH_MIN + " characters, found "
                    + password.length());
        }
        return password;
    }
}
