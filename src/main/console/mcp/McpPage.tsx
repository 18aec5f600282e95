import { api } from '../base/api/client';
import { Tabs } from '../base/components/Tabs';
import { Failed, Skeleton } from '../base/components/States';
import { useQuery } from '../base/query';
import { narrow, usePlace } from '../base/router';
import { t } from '../base/text';
import { Page } from '../frame/Page';
import { Address } from './Address';
import { GrantList } from './GrantList';
import { Guide } from './Guide';
import type { McpServer } from './model';
import { ServerList } from './ServerList';
import { ToolList } from './ToolList';

const VIEWS = ['connect', 'tools', 'servers', 'granted'] as const;

export default function McpPage({ params }: { params: Record<string, string> }) {
  const projectId = params['projectId']!;
  const { query } = usePlace();
  const view = VIEWS.find((each) => each === query.get('view')) ?? 'connect';
  const server = useQuery<McpServer>(`mcp ${projectId}`, (signal) =>
    api('GET /v1/mcp/{projectId}', { path: { projectId }, signal }),
  );
  return (
    <Page title={t('mcp.title')}>
      <p class="faint">{t('mcp.text')}</p>
      <Tabs
        label={t('mcp.title')}
        chosen={view}
        onChoose={(key) => narrow({ view: key === 'connect' ? '' : key })}
        tabs={VIEWS.map((key) => ({ key, label: t(`mcp.${key}`) }))}>
        <div class="connections">
          {view === 'granted' ? (
            <GrantList />
          ) : view === 'servers' ? (
            <ServerList projectId={projectId} />
          ) : server.value === undefined ? (
            server.failure ? (
              <Failed failure={server.failure} retry={server.reload} />
            ) : (
              <Skeleton lines={5} />
            )
          ) : view === 'tools' ? (
            <ToolList server={server.value} put={(value) => server.put(() => value)} />
          ) : (
            <>
              <Address server={server.value} put={(value) => server.put(() => value)} />
              <Guide server={server.value} />
            </>
          )}
        </div>
      </Tabs>
    </Page>
  );
}
