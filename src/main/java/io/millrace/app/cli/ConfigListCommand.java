package io.millrace.app.cli;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.app.cli.command.CommandWords;
import io.millrace.app.cli.command.ExitStatus;
import io.millrace.app.cli.command.Subcommand;
import io.millrace.app.cli.command.Terminal;
import io.millrace.base.config.SettingValue;
import io.millrace.base.core.Json;
import java.util.List;
import java.util.Locale;

/** Lists every setting with its text and its source. Masks secrets; does not validate values. */
final class ConfigListCommand implements Subcommand {
    @Override
    public String name() {
        return "config list";
    }

    @Override
    public String summary() {
        return "prints every setting with its value and origin: environment, file or default; secrets are masked";
    }

    @Override
    public String description() {
        return "Values are shown as given; config check validates them.";
    }

    @Override
    public ExitStatus perform(CommandWords words, Terminal terminal) {
        var values = SettingValue.all(terminal.environment(), terminal.settings());
        if (words.isJson()) {
            terminal.out().println(jsonOf(values));
        } else {
            values.forEach(
                    value -> terminal.out().println(value.setting() + "=" + value.shown() + "  # " + originOf(value)));
        }
        return ExitStatus.OK;
    }

    private static ObjectNode jsonOf(List<SettingValue> values) {
        var json = Json.object();
        var list = json.putArray("settings");
        values.forEach(value -> list.addObject()
                .put("name", value.setting().name())
                .put("value", value.shown())
                .put("origin", originOf(value))
                .put("default", value.setting().defaultText())
                .put("unit", value.setting().unit()));
        return json;
    }

    private static String originOf(SettingValue value) {
        return value.origin().name().toLowerCase(Locale.ROOT);
    }
}
