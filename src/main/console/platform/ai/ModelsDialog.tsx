import { api, type Answer } from '../../base/api/client';
import { Dialog } from '../../base/components/Dialog';
import { useQuery } from '../../base/query';
import { t } from '../../base/text';
import { Loaded } from '../Loaded';
import type { Provider } from './model';

type Model = Answer<'GET /v1/ai-providers/{provider}/models'>[number];

export function ModelsDialog({ provider, close }: { provider: Provider; close: () => void }) {
  const models = useQuery<Model[]>(`models of ${provider.id}`, (signal) =>
    api('GET /v1/ai-providers/{provider}/models', {
      path: { provider: provider.provider },
      query: { configId: provider.id },
      signal,
    }),
  );
  return (
    <Dialog title={t('ai.modelsTitle', { name: provider.name })} onClose={close}>
      <div class="body">
        <Loaded query={models}>
          {(all) =>
            all.length === 0 ? (
              <p class="faint">{t('ai.noModels')}</p>
            ) : (
              <ul class="plain-list" tabIndex={0}>
                {all.map((model) => (
                  <li key={model.id} class="row">
                    <code class="cut">{model.id}</code>
                    <span class="spread" />
                    <span class="tag">{t(model.type === 'image' ? 'ai.image' : 'ai.text')}</span>
                  </li>
                ))}
              </ul>
            )
          }
        </Loaded>
      </div>
    </Dialog>
  );
}
