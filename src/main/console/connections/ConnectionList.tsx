import { useEffect } from 'preact/hooks';
import { api } from '../base/api/client';
import { DataTable, type Column } from '../base/components/DataTable';
import { Button } from '../base/components/Button';
import { deletion, RowMenu } from '../base/components/RowMenu';
import { Badge, Empty } from '../base/components/States';
import { complain, say } from '../base/components/Toasts';
import { useRows, type Rows } from '../base/query';
import { useStore } from '../base/store';
import { count, t, type TextKey } from '../base/text';
import { ago } from '../base/time';
import { PieceLogo } from '../builder/canvas/PieceLogo';
import { pieceTitle, summaries } from '../builder/canvas/pieces';
import { isGlobal, type Asked, type Connection } from './model';

const ROWS = 50;

interface Props {
  projectId: string;
  name: string;
  /** Connections of the platform instead of the project's. */
  global: boolean;
  ask: (asked: Asked) => void;
  /** A new value reloads the list. */
  turn: number;
}

export function ConnectionList({ projectId, name, global, ask, turn }: Props) {
  useStore(summaries);
  const rows = useRows<Connection>(`connections ${projectId} ${global} ${name}`, (cursor, signal) => {
    const query = { limit: ROWS, cursor, displayName: name || undefined };
    return global
      ? api('GET /v1/global-connections', { query, signal })
      : api('GET /v1/app-connections', { query: { ...query, projectId }, signal });
  });
  useEffect(() => {
    if (turn > 0) {
      rows.reload();
    }
  }, [turn]);
  const columns: Column<Connection>[] = [
    { key: 'name', title: t('flows.column.name'), cell: (each) => <Name connection={each} inProject={!global} /> },
    {
      key: 'type',
      title: t('connections.type'),
      width: '148px',
      roomyOnly: true,
      cell: (each) => t(`connections.type.${each.type}` as TextKey),
    },
    { key: 'status', title: t('flows.column.status'), width: '120px', cell: (each) => <Status status={each.status} /> },
    {
      key: 'used',
      title: t('connections.used'),
      width: '112px',
      wideOnly: true,
      cell: (each) =>
        each.flowIds.length === 0 ? (
          <span class="faint">{t('connections.unused')}</span>
        ) : (
          <Button kind="quiet" size="small" onClick={() => ask({ what: 'used', connection: each })}>
            {count('connections.flows', each.flowIds.length)}
          </Button>
        ),
    },
    {
      key: 'changed',
      title: t('flows.column.changed'),
      width: '124px',
      wideOnly: true,
      cell: (each) => <span class="faint">{ago(each.updated, Date.now())}</span>,
    },
    {
      key: 'menu',
      title: t('base.more'),
      hidden: true,
      width: '56px',
      cell: (each) => <ConnectionMenu connection={each} rows={rows} global={global} ask={ask} />,
    },
  ];
  return (
    <DataTable
      label={t(global ? 'connections.global' : 'nav.connections')}
      rows={rows}
      columns={columns}
      id={(each) => each.id}
      empty={
        <div class="card">
          {name ? (
            <Empty icon="search" title={t('flows.none.title')} text={t('connections.none', { text: name })} />
          ) : (
            <Empty
              icon="plug"
              title={t(global ? 'connections.noGlobal.title' : 'connections.empty.title')}
              text={t(global ? 'connections.noGlobal.text' : 'connections.empty.text')}
              {...(global ? {} : { needs: 'WRITE_APP_CONNECTION', readerText: t('connections.empty.reader') })}>
              <Button icon="plus" needs="WRITE_APP_CONNECTION" onClick={() => ask({ what: 'new', global })}>
                {t(global ? 'connections.newGlobal' : 'connections.new')}
              </Button>
            </Empty>
          )}
        </div>
      }
    />
  );
}

function Name({ connection, inProject }: { connection: Connection; inProject: boolean }) {
  return (
    <div class="connection-name">
      <PieceLogo pieceName={connection.pieceName} size={20} />
      <span class="connection-words">
        <strong class="cut">{connection.displayName}</strong>
        <span class="row faint">
          <span class="cut">{pieceTitle(connection.pieceName)}</span>
          {inProject && isGlobal(connection) ? (
            <Badge tone="grey" icon="share-2">
              {t('connections.global.mark')}
            </Badge>
          ) : null}
          {connection.usingSecretManager ? (
            <Badge tone="grey" icon="key-round">
              {t('connections.secretManager')}
            </Badge>
          ) : null}
        </span>
      </span>
    </div>
  );
}

function ConnectionMenu({
  connection,
  rows,
  global,
  ask,
}: {
  connection: Connection;
  rows: Rows<Connection>;
  global: boolean;
  ask: (asked: Asked) => void;
}) {
  const name = connection.displayName;
  const mine = global || !isGlobal(connection);
  const check = async (): Promise<void> => {
    const checked = await api('POST /v1/app-connections/{id}/revalidate', { path: { id: connection.id } });
    if (!checked.ok) {
      complain(checked.failure);
    } else {
      rows.put((all) =>
        all.map((each) => (each.id === connection.id ? { ...each, status: checked.value.status } : each)),
      );
      say(t(checked.value.status === 'ACTIVE' ? 'connections.checked.good' : 'connections.checked.bad', { name }));
    }
  };
  return (
    <RowMenu
      name={name}
      groups={[
        {
          items: [
            ...(global
              ? []
              : [
                  {
                    label: t('connections.check'),
                    icon: 'shield-check' as const,
                    needs: 'WRITE_APP_CONNECTION' as const,
                    perform: () => check(),
                  },
                ]),
            { label: t('connections.where'), icon: 'workflow', perform: () => ask({ what: 'used', connection }) },
            ...(mine
              ? [
                  {
                    label: t('connections.again'),
                    icon: 'plug' as const,
                    needs: 'WRITE_APP_CONNECTION' as const,
                    perform: () => ask({ what: 'again', connection }),
                  },
                  {
                    label: t(global ? 'connections.share' : 'base.rename'),
                    icon: 'pencil' as const,
                    needs: 'WRITE_APP_CONNECTION' as const,
                    perform: () => ask({ what: global ? 'share' : 'rename', connection }),
                  },
                ]
              : []),
            ...(global
              ? []
              : [
                  {
                    label: t('connections.replace'),
                    icon: 'repeat' as const,
                    needs: 'WRITE_APP_CONNECTION' as const,
                    perform: () => ask({ what: 'replace', connection }),
                  },
                ]),
          ],
        },
        { items: mine ? [deletion(() => ask({ what: 'delete', connection }), 'WRITE_APP_CONNECTION')] : [] },
      ]}
    />
  );
}

function Status({ status }: { status: Connection['status'] }) {
  switch (status) {
    case 'ACTIVE':
      return (
        <Badge tone="green" icon="circle-check">
          {t('connections.status.ACTIVE')}
        </Badge>
      );
    case 'MISSING':
      return (
        <Badge tone="amber" icon="unplug">
          {t('connections.status.MISSING')}
        </Badge>
      );
    case 'ERROR':
      return (
        <Badge tone="red" icon="circle-x">
          {t('connections.status.ERROR')}
        </Badge>
      );
  }
}
