package io.millrace.authoring.importer.n8n.node;

import io.millrace.authoring.importer.n8n.graph.WorkflowNode;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

public final class NodeMappings {
    private static final NodeMapping UNKNOWN =
            context -> GapStep.add(context, "the type \"" + context.node().type() + "\" has no equivalent");
    private static final NodeMapping UNKNOWN_TRIGGER = new TriggerNodes.Unknown();
    private static final Map<String, NodeMapping> TABLE = table();

    private NodeMappings() {}

    /** Mapping of a node; the one for unknown types if there is no other. */
    public static NodeMapping of(WorkflowNode node) {
        var kind = node.kind();
        var known = TABLE.get(kind);
        if (known != null) {
            return known;
        }
        return AgentToolFlows.mapping(kind).orElse(kind.endsWith("trigger") ? UNKNOWN_TRIGGER : UNKNOWN);
    }

    public static boolean isNote(WorkflowNode node) {
        return node.kind().equals("stickynote");
    }

    public static List<String> kinds() {
        return TABLE.keySet().stream().sorted().toList();
    }

    private static Map<String, NodeMapping> table() {
        var table = new HashMap<String, NodeMapping>();
        triggers(table);
        control(table);
        data(table);
        network(table);
        apps(table);
        ai(table);
        return Map.copyOf(table);
    }

    private static void put(Map<String, NodeMapping> table, NodeMapping mapping, String... kinds) {
        for (var kind : kinds) {
            table.put(kind, mapping);
        }
    }

    private static void triggers(Map<String, NodeMapping> table) {
        put(table, new TriggerNodes.Manual(), "manualtrigger", "start", "ai:manualchattrigger");
        put(table, new TriggerNodes.Webhook(), "webhook");
        put(table, new ScheduleNodes(), "scheduletrigger", "cron", "interval");
        put(table, new TriggerNodes.Form(), "formtrigger");
        put(table, new TriggerNodes.Chat(), "ai:chattrigger", "chattrigger");
        put(table, new TriggerNodes.ErrorTrigger(), "errortrigger");
        put(table, new TriggerNodes.Called(), "executeworkflowtrigger");
        put(table, new TriggerNodes.CallingApp("Telegram", true), "telegramtrigger");
        put(table, new TriggerNodes.CallingApp("Slack", true), "slacktrigger");
        put(table, new TriggerNodes.CallingApp("GitHub", false), "githubtrigger");
        put(table, new TriggerNodes.CallingApp("HubSpot", true), "hubspottrigger");
        put(table, new TriggerNodes.PolledApp("gmail", "0.2.0", "gmail_new_email_received"), "gmailtrigger");
        put(table, new TriggerNodes.PolledApp("google-sheets", "0.2.0", "new_row_added"), "googlesheetstrigger");
        put(
                table,
                new TriggerNodes.PolledApp("google-calendar", "0.2.0", "new_or_updated_event"),
                "googlecalendartrigger");
        put(table, new TriggerNodes.PolledApp("airtable", "0.2.0", "new_record"), "airtabletrigger");
        put(table, new TriggerNodes.PolledApp("notion", "0.7.3", "new_database_item"), "notiontrigger");
    }

    private static void control(Map<String, NodeMapping> table) {
        put(table, new ControlNodes.If(), "if");
        put(table, new SwitchNode(), "switch");
        put(table, new ControlNodes.Filter(), "filter");
        put(table, new MergeNode(), "merge");
        put(table, new ControlNodes.SplitInBatches(), "splitinbatches");
        put(table, new ControlNodes.NoOperation(), "noop");
        put(table, new ControlNodes.StopAndError(), "stopanderror");
        put(table, new FlowNodes("wait"), "wait");
        put(table, new FlowNodes("respond"), "respondtowebhook", "ai:chat");
        put(table, new FlowNodes("form"), "form");
        put(table, new FlowNodes("execute"), "executeworkflow");
    }

    private static void data(Map<String, NodeMapping> table) {
        put(table, new SetNode(), "set");
        put(table, new CodeNodes(), "code", "function", "functionitem");
        put(table, new ListNodes("splitOut"), "splitout");
        put(table, new ListNodes("aggregate"), "aggregate");
        put(table, new ListNodes("itemLists"), "itemlists");
        put(table, new ListNodes("sort"), "sort");
        put(table, new ListNodes("limit"), "limit");
        put(table, new ListNodes("removeDuplicates"), "removeduplicates");
        put(table, new ListNodes("summarize"), "summarize");
        put(table, new ListNodes("renameKeys"), "renamekeys");
        put(table, new DateNode(), "datetime");
        put(table, new TextNodes("html"), "html", "htmlextract");
        put(table, new TextNodes("xml"), "xml");
        put(table, new TextNodes("markdown"), "markdown");
        put(table, new TextNodes("crypto"), "crypto");
        put(table, new FileNodes("compression"), "compression");
        put(table, new FileNodes("converttofile"), "converttofile");
        put(table, new FileNodes("extractfromfile"), "extractfromfile");
        put(table, new FileNodes("spreadsheet"), "spreadsheetfile");
        put(table, new FileNodes("move"), "movebinarydata");
        put(table, new FileNodes("disk"), "readwritefile", "readbinaryfile", "readbinaryfiles", "writebinaryfile");
    }

    private static void network(Map<String, NodeMapping> table) {
        put(table, new HttpRequestNode(), "httprequest");
        put(table, new NetworkNodes.GraphQl(), "graphql");
        put(table, new NetworkNodes.Rss(), "rssfeedread");
        put(table, new NetworkNodes.Email(), "emailsend");
        put(table, new SqlNode(true), "postgres");
        put(table, new SqlNode(false), "mysql");
        put(table, new DatabaseNodes.MongoDb(), "mongodb");
        put(table, new DatabaseNodes.Redis(), "redis");
    }

    private static void apps(Map<String, NodeMapping> table) {
        put(table, new GoogleNodes.Sheets(), "googlesheets");
        put(table, new GoogleNodes.Gmail(), "gmail");
        put(table, new AppNodes("googledrive", "googleDriveOAuth2Api", "file", "upload"), "googledrive");
        put(table, new AppNodes("googlecalendar", "googleCalendarOAuth2Api", "event", "create"), "googlecalendar");
        put(table, new AppNodes("slack", "slackApi", "message", "post"), "slack");
        put(table, new AppNodes("telegram", "telegramApi", "message", "sendmessage"), "telegram");
        put(table, new AppNodes("discord", "discordBotApi", "message", "send"), "discord");
        put(table, new AppNodes("notion", "notionApi", "page", "create"), "notion");
        put(table, new AppNodes("airtable", "airtableTokenApi", "record", "read"), "airtable");
        put(table, new AppNodes("hubspot", "hubspotAppToken", "contact", "upsert"), "hubspot");
        put(table, new AppNodes("youtube", "youTubeOAuth2Api", "channel", "getall"), "youtube");
        put(table, new AppNodes("linkedin", "linkedInOAuth2Api", "post", "create"), "linkedin");
        put(table, new AppNodes("twitter", "twitterOAuth2Api", "tweet", "create"), "twitter");
        put(table, new AppNodes("whatsapp", "whatsAppApi", "message", "send"), "whatsapp");
        put(
                table,
                new AppNodes("microsoftoutlook", "microsoftOutlookOAuth2Api", "message", "send"),
                "microsoftoutlook");
        put(
                table,
                new AppNodes("microsoftteams", "microsoftTeamsOAuth2Api", "channelmessage", "create"),
                "microsoftteams");
        put(table, new AppNodes("asana", "asanaApi", "task", "create"), "asana");
        put(table, new AppNodes("todoist", "todoistApi", "task", "create"), "todoist");
        put(table, new AppNodes("stripe", "stripeApi", "balance", "get"), "stripe");
        put(table, new AppNodes("sendgrid", "sendGridApi", "mail", "send"), "sendgrid");
        put(table, new AppNodes("spotify", "spotifyOAuth2Api", "player", "currentlyplaying"), "spotify");
        put(table, new AppNodes("pipedrive", "pipedriveOAuth2Api", "deal", "create"), "pipedrive");
        put(table, new AppNodes("github", "githubApi", "issue", "create"), "github");
    }

    private static void ai(Map<String, NodeMapping> table) {
        put(table, new AiNodes("agent"), "ai:agent");
        put(
                table,
                new AiNodes("ask"),
                "ai:chainllm",
                "ai:chainsummarization",
                "ai:chainretrievalqa",
                "ai:anthropic",
                "ai:googlegemini");
        put(table, new AiNodes("classify"), "ai:textclassifier", "ai:sentimentanalysis");
        put(table, new AiNodes("extract"), "ai:informationextractor");
        put(table, new AiNodes("openai"), "ai:openai", "openai");
    }
}
