import { useState } from 'preact/hooks';
import { api } from '../base/api/client';
import { Button } from '../base/components/Button';
import { ConfirmDialog } from '../base/components/ConfirmDialog';
import { changedColumn } from '../base/components/columns';
import { DataTable, type Column } from '../base/components/DataTable';
import { SearchField } from '../base/components/Field';
import { RowMenu } from '../base/components/RowMenu';
import { Empty } from '../base/components/States';
import { useCommands } from '../base/commands';
import { useRows } from '../base/query';
import { linkTo, narrow, navigate, usePlace } from '../base/router';
import { count, t } from '../base/text';
import { Page } from '../frame/Page';
import { AgentDialog } from './AgentDialog';
import { AgentSign, StandingBadge } from './AgentSign';
import { ModelUsage } from './ModelUsage';
import type { Summary } from './model';

const ROWS = 50;

export default function AgentsPage({ params }: { params: Record<string, string> }) {
  const projectId = params['projectId']!;
  const search = usePlace().query.get('name') ?? '';
  const [asked, setAsked] = useState<'new' | Summary>();
  const rows = useRows<Summary>(`agents ${projectId} ${search}`, (cursor, signal) =>
    api('GET /v1/agents', { query: { projectId, search: search || undefined, limit: ROWS, cursor }, signal }),
  );
  const to = (id: string): string => `/projects/${projectId}/agents/${id}`;
  const begin = (): void => setAsked('new');
  useCommands(
    [{ id: 'new-agent', label: t('agents.new'), icon: 'plus', keys: 'c', needs: 'WRITE_AGENT', perform: begin }],
    [],
  );
  const columns: Column<Summary>[] = [
    {
      key: 'name',
      title: t('flows.column.name'),
      cell: (agent) => (
        <div class="connection-name">
          <AgentSign icon={agent.icon} color={agent.color} size={28} />
          <span class="row-name">
            <a class="cut row-link" {...linkTo(to(agent.id))}>
              {agent.displayName}
            </a>
            <span class="faint cut">{agent.description ?? ''}</span>
          </span>
        </div>
      ),
    },
    {
      key: 'tools',
      title: t('agents.tools'),
      width: '110px',
      wideOnly: true,
      cell: (agent) => count('agents.toolCount', agent.toolCount),
    },
    {
      key: 'status',
      title: t('flows.column.status'),
      width: '130px',
      cell: (agent) => <StandingBadge now={agent.isPublished ? 'live' : 'draft'} />,
    },
    changedColumn(),
    {
      key: 'menu',
      title: t('base.more'),
      hidden: true,
      width: '56px',
      cell: (agent) => (
        <RowMenu
          name={agent.displayName}
          groups={[
            {
              items: [
                { label: t('agents.try'), icon: 'play', perform: () => navigate(`${to(agent.id)}?view=try`) },
                { label: t('agents.runs'), icon: 'activity', perform: () => navigate(`${to(agent.id)}?view=runs`) },
              ],
            },
            {
              items: [
                {
                  label: t('base.delete'),
                  icon: 'trash-2',
                  danger: true,
                  needs: 'WRITE_AGENT',
                  perform: () => setAsked(agent),
                },
              ],
            },
          ]}
        />
      ),
    },
  ];
  return (
    <Page
      title={t('agents.title')}
      actions={
        <Button kind="primary" icon="plus" needs="WRITE_AGENT" onClick={begin}>
          {t('agents.new')}
        </Button>
      }>
      <div class="connections">
        <SearchField label={t('agents.search')} value={search} onValue={(value) => narrow({ name: value })} />
        <DataTable
          label={t('agents.title')}
          rows={rows}
          columns={columns}
          id={(agent) => agent.id}
          empty={
            <div class="card">
              {search ? (
                <Empty icon="search" title={t('flows.none.title')} text={t('agents.noneSuch', { text: search })} />
              ) : (
                <Empty
                  icon="bot"
                  title={t('agents.none')}
                  text={t('agents.noneText')}
                  needs="WRITE_AGENT"
                  readerText={t('agents.noneReader')}>
                  <Button icon="plus" needs="WRITE_AGENT" onClick={begin}>
                    {t('agents.new')}
                  </Button>
                </Empty>
              )}
            </div>
          }
        />
        <ModelUsage projectId={projectId} />
      </div>
      {asked === 'new' ? (
        <AgentDialog projectId={projectId} close={() => setAsked(undefined)} made={(id) => navigate(to(id))} />
      ) : null}
      {asked && asked !== 'new' ? (
        <ConfirmDialog
          title={t('flows.delete.title', { name: asked.displayName })}
          text={t('agents.deleteText')}
          done={t('flows.deleted', { name: asked.displayName })}
          perform={() => api('DELETE /v1/agents/{id}', { path: { id: asked.id } })}
          close={() => setAsked(undefined)}
          changed={rows.reload}
        />
      ) : null}
    </Page>
  );
}
