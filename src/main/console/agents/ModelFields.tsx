import { api, type Answer } from '../base/api/client';
import { success, type Result } from '../base/api/failure';
import { ComboField } from '../base/components/Combobox';
import { useQuery } from '../base/query';
import { t } from '../base/text';
import type { Config } from './model';
import { NoProvider } from './NoProvider';

type Provider = Answer<'GET /v1/ai-providers'>[number];
type Model = Answer<'GET /v1/ai-providers/{provider}/models'>[number];

/** Empty fields mean the default of the platform. */
export function ModelFields({
  draft,
  edit,
  problems,
}: {
  draft: Config;
  edit: (draft: Config) => void;
  problems: Record<string, string>;
}) {
  const providers = useQuery<Provider[]>('ai providers', (signal) => api('GET /v1/ai-providers', { signal }));
  const chosen =
    providers.value?.find((each) => each.id === draft.providerConfigId) ??
    providers.value?.find((each) => each.provider === draft.provider);
  const models = useQuery<Model[]>(
    `models ${chosen?.id ?? ''}`,
    async (signal): Promise<Result<Model[]>> =>
      chosen
        ? await api('GET /v1/ai-providers/{provider}/models', {
            path: { provider: chosen.provider },
            query: { configId: chosen.id },
            signal,
          })
        : success<Model[]>([]),
  );
  const names = (models.value ?? [])
    .filter((model) => model.type === 'text')
    .map((model) => ({ value: model.id, label: model.name }));
  const known =
    draft.modelName && !names.some((each) => each.value === draft.modelName)
      ? [{ value: draft.modelName, label: draft.modelName }, ...names]
      : names;
  return (
    <>
      {providers.value?.length === 0 ? <NoProvider /> : null}
      <ComboField
        label={t('agents.provider')}
        empty={t('agents.usualProvider')}
        value={chosen?.id ?? ''}
        problem={problems['draft.provider']}
        options={(providers.value ?? []).map((each) => ({ value: each.id, label: each.name }))}
        onValue={(id) => {
          const next = providers.value?.find((each) => each.id === id);
          edit({ ...draft, provider: next?.provider ?? null, providerConfigId: next?.id ?? null, modelName: null });
        }}
      />
      {chosen ? (
        <ComboField
          label={t('agents.modelName')}
          empty={t('agents.usualModel')}
          value={draft.modelName ?? ''}
          onValue={(value) => edit({ ...draft, modelName: value || null })}
          problem={problems['draft.modelName'] ?? models.failure?.message}
          options={known}
        />
      ) : null}
    </>
  );
}
