import { api, type Answer } from '../../base/api/client';
import { DataTable, type Column } from '../../base/components/DataTable';
import { Badge, Empty } from '../../base/components/States';
import { useRows } from '../../base/query';
import { linkTo } from '../../base/router';
import { useStore } from '../../base/store';
import { t, type TextKey } from '../../base/text';
import { PieceLogo } from '../../builder/canvas/PieceLogo';
import { pieceTitle, summaries } from '../../builder/canvas/pieces';

type Connection = Answer<'GET /v1/app-connections/{id}'> & { projects: Array<{ id: string; displayName: string }> };

const ROWS = 50;

export function EveryConnection({ name }: { name: string }) {
  useStore(summaries);
  const rows = useRows<Connection>(`every connection ${name}`, (cursor, signal) =>
    api('GET /v1/platform-app-connections', { query: { limit: ROWS, cursor, displayName: name || undefined }, signal }),
  );
  const columns: Column<Connection>[] = [
    {
      key: 'name',
      title: t('flows.column.name'),
      cell: (each) => (
        <div class="connection-name">
          <PieceLogo pieceName={each.pieceName} size={20} />
          <span class="connection-words">
            <strong class="cut">{each.displayName}</strong>
            <span class="faint cut">{pieceTitle(each.pieceName)}</span>
          </span>
        </div>
      ),
    },
    { key: 'projects', title: t('connections.projects'), width: '26%', cell: (each) => <Projects connection={each} /> },
    {
      key: 'owner',
      title: t('platformConnections.owner'),
      width: '22%',
      wideOnly: true,
      cell: (each) => <span class="faint cut">{each.owner?.email ?? ''}</span>,
    },
    {
      key: 'status',
      title: t('flows.column.status'),
      width: '130px',
      cell: (each) => (
        <Badge
          tone={each.status === 'ACTIVE' ? 'green' : each.status === 'MISSING' ? 'amber' : 'red'}
          icon={each.status === 'ACTIVE' ? 'circle-check' : each.status === 'MISSING' ? 'unplug' : 'circle-x'}>
          {t(`connections.status.${each.status}` as TextKey)}
        </Badge>
      ),
    },
  ];
  return (
    <DataTable
      label={t('platformConnections.every')}
      rows={rows}
      columns={columns}
      id={(each) => each.id}
      empty={
        <div class="card">
          {name ? (
            <Empty icon="search" title={t('flows.none.title')} text={t('connections.none', { text: name })} />
          ) : (
            <Empty icon="plug" title={t('connections.empty.title')} text={t('connections.empty.text')} />
          )}
        </div>
      }
    />
  );
}

function Projects({ connection }: { connection: Connection }) {
  if (connection.scope === 'PLATFORM') {
    return (
      <Badge tone="grey" icon="share-2">
        {t('connections.global.mark')}
      </Badge>
    );
  }
  return (
    <span class="cut">
      {connection.projects.map((project) => (
        <a key={project.id} {...linkTo(`/projects/${project.id}/connections`)}>
          {project.displayName}
        </a>
      ))}
    </span>
  );
}
