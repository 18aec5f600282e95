package io.millrace.fault;

import static io.millrace.support.FlowScript.json;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Each kind of difference between the flows and the writers' confirmations is found. */
final class EditReckoningTest {
    private static final String TOLD = """
        {'writer':'a','edits':7,'reloads':1,'unclear':0,'unsettled':0,'conflicts':0,'reasons':[],'expected':{
          'a-1':{'min':1,'max':1},'a-2':{'min':1,'max':1},'a-3':{'min':2,'max':2,'value':'renamed'},'a-4':{'min':0,'max':0},
          'a-5':{'min':0,'max':1}}}
        """;
    private static final String VERSION = """
        {'notes':[{'content':'a-1'}],'trigger':{'settings':{'input':{}},'nextAction':{'displayName':'renamed','settings':{
          'input':{'of':'a-3'}},'nextAction':{'displayName':'r','settings':{'branches':[
          {'branchName':'a-2','branchType':'CONDITION'},{'branchName':'Otherwise','branchType':'FALLBACK'}]},
          'children':[{'displayName':'renamed Copy','settings':{'input':{'of':'a-3'}}},null]}}}}
        """;

    private static EditReckoning compared(JsonNode told, JsonNode version) {
        return EditReckoning.of(List.of(told), List.of(version));
    }

    @Test
    void isClean_whenTheFlowContainsWhatWasConfirmed() {
        var reckoning = compared(json(TOLD), json(VERSION));

        assertThat(reckoning.isClean()).as(reckoning.text()).isTrue();
        assertThat(reckoning.text())
                .isEqualTo(
                        "console edits: 7 by 1 writers, pages reloaded 1; lost 0, doubled 0, unsettled 0, conflicts 0,"
                                + " outcome not known 0");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "a note is missing          | 'content':'a-1'                    | 'content':''          | a-1",
                "a branch is missing        | 'branchName':'a-2'                 | 'branchName':'a-1'    | a-2",
                "a copy of a step is missing| 'displayName':'renamed Copy','settings':{'input':{'of':'a-3'}} |"
                        + " 'settings':{} | a-3",
                "a name was not changed     | 'displayName':'renamed','settings' | 'displayName':'a-3','settings' |"
                        + " a-3",
            })
    void reportsALoss(String about, String confirmed, String planted, String marker) {
        assertThat(VERSION).as(about).contains(confirmed);

        var reckoning = compared(json(TOLD), json(VERSION.replace(confirmed, planted)));

        assertThat(reckoning.lost()).as(about).containsKey(marker);
        assertThat(reckoning.isClean()).isFalse();
    }

    @ParameterizedTest
    @CsvSource({"a-1", "a-4", "b-9"})
    void reportsAnEditThatIsThereOnceMore(String marker) {
        var version = VERSION.replace("[{'content':'a-1'}]", "[{'content':'a-1'},{'content':'" + marker + "'}]");

        var reckoning = compared(json(TOLD), json(version));

        assertThat(reckoning.doubled()).containsKey(marker);
        assertThat(reckoning.isClean()).isFalse();
    }

    @Test
    void isNotClean_whenAnEditIsNotConfirmed_orNoneWasMade() {
        assertThat(compared(json(TOLD.replace("'unsettled':0", "'unsettled':1")), json(VERSION))
                        .isClean())
                .isFalse();
        assertThat(compared(json(TOLD.replace("'conflicts':0", "'conflicts':1")), json(VERSION))
                        .isClean())
                .isFalse();
        assertThat(EditReckoning.of(List.of(), List.of()).isClean()).isFalse();
    }

    @Test
    void acceptsBothOutcomes_whenTheWriterGotNoConfirmation() {
        var version = VERSION.replace("[{'content':'a-1'}]", "[{'content':'a-1'},{'content':'a-5'}]");

        assertThat(compared(json(TOLD), json(version)).isClean()).isTrue();
    }
}
