import { DataTable, type Column } from '../../base/components/DataTable';
import { Panel } from '../../base/components/Panel';
import { Empty } from '../../base/components/States';
import { linkTo } from '../../base/router';
import { t } from '../../base/text';
import { duration } from '../../base/time';
import { busiest, type Busy, type Report } from './figures';

const FLOWS = 10;

export function BusyFlows({ report }: { report: Report }) {
  const flows = busiest(report, FLOWS);
  const most = flows[0]?.runs ?? 1;
  const columns: Column<Busy>[] = [
    {
      key: 'name',
      title: t('agents.flow'),
      cell: (flow) => (
        <div class="row-name">
          <a class="cut" {...linkTo(`/projects/${flow.projectId}/flows/${flow.flowId}`)}>
            {flow.flowName}
          </a>
          <span class="faint cut">{flow.projectName}</span>
        </div>
      ),
    },
    {
      key: 'runs',
      title: t('insight.runs'),
      width: '34%',
      cell: (flow) => (
        <div class="load">
          <meter class="flow-meter" min={0} max={most} value={flow.runs} aria-label={t('insight.runs')}>
            {flow.runs}
          </meter>
          <span class="figures">{flow.runs}</span>
        </div>
      ),
    },
    {
      key: 'failed',
      title: t('insight.failures'),
      width: '96px',
      cell: (flow) =>
        flow.failed === 0 ? (
          <span class="faint">0</span>
        ) : (
          <a class="figures" {...linkTo(`/projects/${flow.projectId}/runs?flow=${flow.flowId}&status=failed`)}>
            {flow.failed}
          </a>
        ),
    },
    {
      key: 'mean',
      title: t('insight.duration'),
      width: '120px',
      wideOnly: true,
      cell: (flow) => <span class="figures">{duration(flow.meanMs)}</span>,
    },
  ];
  return (
    <Panel plain title={t('insight.busiest')} text={t('insight.busiestText')}>
      <DataTable
        label={t('insight.busiest')}
        rows={{ value: flows, loading: false, reload: () => undefined, put: () => undefined }}
        columns={columns}
        id={(flow) => flow.flowId}
        empty={
          <div class="card">
            <Empty icon="activity" title={t('insight.none')} text={t('insight.noneText')} />
          </div>
        }
      />
    </Panel>
  );
}
