package io.millrace.app.cli;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.app.SettingChecks;
import io.millrace.app.cli.command.CommandWords;
import io.millrace.app.cli.command.ExitStatus;
import io.millrace.app.cli.command.Subcommand;
import io.millrace.app.cli.command.Terminal;
import io.millrace.base.config.BadSetting;
import io.millrace.base.config.Config;
import io.millrace.base.config.ForeignSetting;
import io.millrace.base.core.Json;
import java.util.List;

final class ConfigCheckCommand implements Subcommand {
    @Override
    public String name() {
        return "config check";
    }

    @Override
    public String summary() {
        return "validates the settings as a start does, and lists those that it would refuse";
    }

    @Override
    public String description() {
        return """
                Starts nothing and touches no file. Names that are no settings are warned of; they do not stop a start.""";
    }

    @Override
    public ExitStatus perform(CommandWords words, Terminal terminal) {
        try {
            var config = Config.load(terminal.environment(), terminal.settings());
            SettingChecks.check(config);
            var warnings = config.process().unknownNames().stream()
                    .map(ForeignSetting::remark)
                    .toList();
            say(words, terminal, List.of(), warnings);
            return ExitStatus.OK;
        } catch (BadSetting refused) {
            say(words, terminal, refused.problems(), List.of());
            return ExitStatus.BAD_SETTING;
        }
    }

    private static void say(CommandWords words, Terminal terminal, List<String> errors, List<String> warnings) {
        if (words.isJson()) {
            terminal.out().println(jsonOf(errors, warnings));
            return;
        }
        errors.forEach(terminal.err()::println);
        warnings.forEach(warning -> terminal.err().println("warning: " + warning));
        if (errors.isEmpty()) {
            terminal.out().println("The settings are valid.");
        }
    }

    private static ObjectNode jsonOf(List<String> errors, List<String> warnings) {
        var json = Json.object().put("acceptable", errors.isEmpty());
        errors.forEach(json.putArray("errors")::add);
        warnings.forEach(json.putArray("warnings")::add);
        return json;
    }
}
