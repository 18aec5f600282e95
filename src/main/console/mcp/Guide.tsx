import { brand } from '../base/brand';
import { Once } from '../base/components/SecretDialog';
import { Panel } from '../base/components/Panel';
import { Tabs } from '../base/components/Tabs';
import { prefix } from '../base/prefix';
import { narrow, usePlace } from '../base/router';
import { useStore } from '../base/store';
import { t } from '../base/text';
import { addressesOf, CLIENTS, shortName } from './clients';
import type { McpServer } from './model';

export function Guide({ server }: { server: McpServer }) {
  const name = useStore(brand, (known) => known.name);
  const { query } = usePlace();
  const client = CLIENTS.find((each) => each.key === query.get('client')) ?? CLIENTS[0]!;
  return (
    <Panel title={t('mcp.guide')} text={t('mcp.guideText')}>
      <Tabs
        label={t('mcp.guide')}
        chosen={client.key}
        onChoose={(key) => narrow({ client: key === CLIENTS[0]!.key ? '' : key })}
        tabs={CLIENTS.map((each) => ({ key: each.key, label: each.title || t('mcp.other') }))}>
        <div class="guide">
          <ol>
            {client.steps.map((step) => (
              <li key={step}>{t(step)}</li>
            ))}
          </ol>
          <Once text={client.code(addressesOf(location.origin + prefix, server.projectId).project, shortName(name))} />
        </div>
      </Tabs>
    </Panel>
  );
}
