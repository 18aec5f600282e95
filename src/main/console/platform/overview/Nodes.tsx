import { useEffect } from 'preact/hooks';
import { api, type Answer } from '../../base/api/client';
import { Button } from '../../base/components/Button';
import { DataTable, type Column } from '../../base/components/DataTable';
import { Panel } from '../../base/components/Panel';
import { Badge, Empty } from '../../base/components/States';
import { useQuery } from '../../base/query';
import { t, type TextKey } from '../../base/text';
import { ago } from '../../base/time';
import { bytes, share } from './limits';

type Node = Answer<'GET /v1/worker-machines'>[number];

/** Polling interval of the load while the page is open. */
const LOOK_MS = 10_000;

export function Nodes() {
  const nodes = useQuery<Node[]>('nodes', (signal) => api('GET /v1/worker-machines', { signal }));
  useEffect(() => {
    const timer = setInterval(nodes.reload, LOOK_MS);
    return () => clearInterval(timer);
  }, [nodes.reload]);
  const columns: Column<Node>[] = [
    {
      key: 'ip',
      title: t('nodes.address'),
      cell: (node) => (
        <div class="row-name">
          <strong class="cut">{node.information.ip}</strong>
          <span class="faint cut">
            {t(`nodes.role.${node.information.role}` as TextKey)} · {node.information.version}
          </span>
        </div>
      ),
    },
    {
      key: 'status',
      title: t('flows.column.status'),
      width: '100px',
      cell: (node) =>
        node.status === 'ONLINE' ? (
          <Badge tone="green" icon="circle-check">
            {t('nodes.online')}
          </Badge>
        ) : (
          <Badge tone="grey" icon="circle-slash">
            {t('nodes.offline')}
          </Badge>
        ),
    },
    {
      key: 'cpu',
      title: t('nodes.cpu'),
      width: '116px',
      cell: (node) => <Load percent={node.information.cpuUsagePercentage} label={t('nodes.cpu')} />,
    },
    {
      key: 'ram',
      title: t('nodes.memory'),
      width: '136px',
      wideOnly: true,
      cell: (node) => <Load percent={node.information.ramUsagePercentage} label={t('nodes.memory')} />,
    },
    {
      key: 'heap',
      title: t('nodes.heap'),
      width: '204px',
      roomyOnly: true,
      cell: ({ information: { heapUsedBytes, heapMaxBytes } }) =>
        heapMaxBytes ? (
          <Load
            percent={share(heapUsedBytes, heapMaxBytes)}
            label={t('nodes.heap')}
            text={`${bytes(heapUsedBytes ?? 0)} / ${bytes(heapMaxBytes)}`}
          />
        ) : null,
    },
    {
      key: 'seen',
      title: t('nodes.seen'),
      width: '120px',
      wideOnly: true,
      cell: (node) => <span class="faint">{ago(node.updated, Date.now())}</span>,
    },
  ];
  return (
    <Panel
      plain
      title={t('nodes.title')}
      text={t('nodes.text')}
      actions={
        <Button size="small" icon="refresh-cw" onClick={nodes.reload}>
          {t('nodes.look')}
        </Button>
      }>
      <DataTable
        label={t('nodes.title')}
        rows={{ ...nodes, loading: nodes.loading && !nodes.value }}
        columns={columns}
        id={(node) => node.id}
        empty={
          <div class="card">
            <Empty icon="activity" title={t('nodes.none')} />
          </div>
        }
      />
    </Panel>
  );
}

function Load({ percent, label, text }: { percent: number | undefined; label: string; text?: string }) {
  if (percent === undefined) {
    return <span class="faint">–</span>;
  }
  const rounded = Math.round(percent);
  return (
    <div class="load">
      <meter min={0} max={100} high={90} value={rounded} aria-label={label}>
        {rounded}%
      </meter>
      <span class="figures">{text ?? `${rounded}%`}</span>
    </div>
  );
}
