package io.millrace.workspace.aiprovider;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.base.core.Json;
import java.util.List;
import org.junit.jupiter.api.Test;

class ModelListsTest {
    @Test
    void takesOfOpenAiWhatWritesAndDraws() {
        assertThat(said(ModelLists.openAi(json("{'data':[{'id':'gpt-4.1'},{'id':'gpt-image-1'},{'id':'dall-e-3'},"
                        + "{'id':'text-embedding-3-small'},{'id':'whisper-1'},{'id':'tts-1'},{'id':'davinci-002'},"
                        + "{'id':'gpt-4o-realtime-preview'},{'id':'omni-moderation-latest'},{}]}"))))
                .containsExactly("gpt-4.1 gpt-4.1 TEXT", "gpt-image-1 gpt-image-1 IMAGE", "dall-e-3 dall-e-3 IMAGE");
    }

    @Test
    void namesModelsAsTheirVendorsDo() {
        assertThat(said(ModelLists.anthropic(json("{'data':[{'id':'c-1','display_name':'C One'},{'id':'c-2'}]}"))))
                .containsExactly("c-1 C One TEXT", "c-2 c-2 TEXT");
        assertThat(said(ModelLists.mistral(
                        json("{'data':[{'id':'m','name':'M','capabilities':{'completion_chat':true}},"
                                + "{'id':'e','capabilities':{'completion_chat':false}}]}"))))
                .containsExactly("m M TEXT");
        assertThat(said(ModelLists.openRouter(json("{'data':[{'id':'a/b','name':'B'},"
                        + "{'id':'a/c','architecture':{'output_modalities':['image','text']}}]}"))))
                .containsExactly("a/b B TEXT", "a/c a/c IMAGE");
    }

    @Test
    void takesOfGoogleWhatAnswersOrDraws() {
        assertThat(said(ModelLists.google(json("{'models':["
                        + "{'name':'models/g-1','displayName':'G 1','supportedGenerationMethods':['generateContent']},"
                        + "{'name':'models/g-1-image','displayName':'G 1 I','supportedGenerationMethods':['generateContent']},"
                        + "{'name':'models/imagen-4','supportedGenerationMethods':['predict']},"
                        + "{'name':'models/embed','supportedGenerationMethods':['embedContent']}]}"))))
                .containsExactly("g-1 G 1 TEXT", "g-1-image G 1 I IMAGE", "imagen-4 imagen-4 IMAGE");
    }

    @Test
    void namesDeploymentsOfAzure_andLooksAtTheirModels() {
        assertThat(said(ModelLists.azure(
                        json("{'data':[{'id':'ours','model':'gpt-4.1'},{'id':'search','model':'text-embedding-3'}]}"))))
                .containsExactly("ours ours TEXT");
    }

    @Test
    void callsModelsOfBedrockByTheirProfiles() {
        var models = json(
                "{'modelSummaries':["
                        + "{'modelId':'a.text','modelArn':'arn:a','modelName':'A','outputModalities':['TEXT'],'modelLifecycle':{'status':'ACTIVE'}},"
                        + "{'modelId':'b.draw','modelArn':'arn:b','outputModalities':['IMAGE'],'modelLifecycle':{'status':'ACTIVE'}},"
                        + "{'modelId':'c.old','modelArn':'arn:c','outputModalities':['TEXT'],'modelLifecycle':{'status':'LEGACY'}},"
                        + "{'modelId':'d.embed','modelArn':'arn:d','outputModalities':['EMBEDDING'],'modelLifecycle':{'status':'ACTIVE'}}]}");
        var profiles = json(
                "{'inferenceProfileSummaries':[{'inferenceProfileId':'eu.a.text','models':[{'modelArn':'arn:a'}]}]}");

        assertThat(said(ModelLists.bedrock(models, profiles)))
                .containsExactly("eu.a.text A TEXT", "b.draw b.draw IMAGE");
        assertThat(said(ModelLists.bedrock(models, Json.object()))).contains("a.text A TEXT");
    }

    @Test
    void findsNothingInAnAnswerOfAnotherShape() {
        assertThat(ModelLists.openAi(json("[]"))).isEmpty();
        assertThat(ModelLists.google(json("{'models':7}"))).isEmpty();
    }

    private static List<String> said(List<AiModel> models) {
        return models.stream()
                .map(model -> model.id() + " " + model.name() + " " + model.type())
                .toList();
    }

    private static JsonNode json(String text) {
        return Json.trusted(text.replace('\'', '"'));
    }
}
