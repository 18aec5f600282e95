import { useState } from 'preact/hooks';
import type { AiToolCapability, AiToolService } from '#api';
import { api, type Answer } from '../../base/api/client';
import { settle, type Failure } from '../../base/api/failure';
import { Button } from '../../base/components/Button';
import { FormDialog } from '../../base/components/Dialog';
import { SelectField, Switch, TextField } from '../../base/components/Field';
import { Panel } from '../../base/components/Panel';
import { complain } from '../../base/components/Toasts';
import { useQuery } from '../../base/query';
import { t } from '../../base/text';
import { Loaded } from '../Loaded';

type Tool = Answer<'GET /v1/ai-tools'>[number];

const SERVICES: Record<AiToolCapability, readonly AiToolService[]> = {
  WEB_SEARCH: ['TAVILY'],
  WEB_SCRAPING: ['FIRECRAWL', 'APIFY'],
  IMAGE_GENERATION: ['FAL'],
};
const CAPABILITIES = Object.keys(SERVICES) as AiToolCapability[];

export function AiTools() {
  const tools = useQuery<Tool[]>('ai tools', (signal) => api('GET /v1/ai-tools', { signal }));
  const [editing, setEditing] = useState<AiToolCapability>();
  const turn = async (tool: Tool, enabled: boolean): Promise<void> => {
    const failure = settle(await api('POST /v1/ai-tools/{id}', { path: { id: tool.id }, body: { enabled } }), () =>
      tools.put((all) => all.map((each) => (each.id === tool.id ? { ...each, enabled } : each))),
    );
    if (failure) {
      complain(failure);
    }
  };
  return (
    <Panel title={t('ai.tools')} text={t('ai.toolsText')}>
      <Loaded query={tools} lines={3}>
        {(all) => (
          <div>
            {CAPABILITIES.map((capability) => {
              const tool = all.find((each) => each.capability === capability);
              return (
                <div key={capability} class="setting">
                  <div>
                    <strong>{t(`ai.tool.${capability}`)}</strong>
                    <span class="faint">
                      {tool ? t('ai.toolBy', { service: title(tool.provider) }) : t('ai.toolNone')}
                    </span>
                  </div>
                  <Button size="small" onClick={() => setEditing(capability)}>
                    {t(tool ? 'ai.toolChange' : 'ai.toolSet')}
                  </Button>
                  {tool ? (
                    <Switch
                      on={tool.enabled}
                      label={t(`ai.tool.${capability}`)}
                      onChange={(on) => void turn(tool, on)}
                    />
                  ) : null}
                </div>
              );
            })}
          </div>
        )}
      </Loaded>
      {editing ? <ToolDialog capability={editing} close={() => setEditing(undefined)} changed={tools.reload} /> : null}
    </Panel>
  );
}

const title = (service: AiToolService): string => service.charAt(0) + service.slice(1).toLowerCase();

function ToolDialog({
  capability,
  close,
  changed,
}: {
  capability: AiToolCapability;
  close: () => void;
  changed: () => void;
}) {
  const [provider, setProvider] = useState<AiToolService>(SERVICES[capability][0]!);
  const [apiKey, setApiKey] = useState('');
  const perform = async (): Promise<Failure | undefined> =>
    settle(
      await api('POST /v1/ai-tools', {
        body: { capability, provider, auth: { apiKey: apiKey.trim() }, enabled: true },
      }),
      changed,
    );
  return (
    <FormDialog
      title={t(`ai.tool.${capability}`)}
      submit={t('base.save')}
      onClose={close}
      perform={perform}
      disabled={apiKey.trim() === ''}>
      {(problems) => (
        <>
          <SelectField
            label={t('ai.service')}
            value={provider}
            onValue={(value) => setProvider(value as AiToolService)}
            options={SERVICES[capability].map((value) => ({ value, label: title(value) }))}
          />
          <TextField
            label={t('ai.apiKey')}
            value={apiKey}
            onValue={setApiKey}
            problem={problems['auth.apiKey']}
            control={{ name: 'apiKey', type: 'password', autocomplete: 'off' }}
          />
        </>
      )}
    </FormDialog>
  );
}
