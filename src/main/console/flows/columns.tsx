import { Badge } from '../base/components/States';
import { RowMenu } from '../base/components/RowMenu';
import { Switch } from '../base/components/Field';
import { Tooltip } from '../base/components/Tooltip';
import type { Column } from '../base/components/DataTable';
import { PieceLogo } from '../builder/canvas/PieceLogo';
import { pieceTitle, summaries } from '../builder/canvas/pieces';
import { useMay } from '../base/permissions';
import type { Rows } from '../base/query';
import { linkTo, navigate } from '../base/router';
import { useStore } from '../base/store';
import { count, t } from '../base/text';
import { ago, moment } from '../base/time';
import { duplicate, exportFile, switchFlow } from './actions';
import type { Asked } from './FlowDialogs';
import { hasChanges, piecesOf, standing, stepsOf, type Flow, type Folder, type Run } from './model';
import { Strip } from './Strip';

interface Context {
  projectId: string;
  flows: Rows<Flow>;
  strips: Map<string, Run[]>;
  folders: Folder[];
  selected: ReadonlySet<string>;
  toggle: (flow: Flow) => void;
  ask: (asked: Asked) => void;
  changed: () => void;
}

export function columnsOf(context: Context): Column<Flow>[] {
  return [
    {
      key: 'select',
      title: t('runs.column.select'),
      hidden: true,
      width: '40px',
      cell: (flow) => (
        <input
          type="checkbox"
          class="select-run"
          checked={context.selected.has(flow.id)}
          aria-label={t('flows.select', { name: flow.version.displayName })}
          onClick={() => context.toggle(flow)}
        />
      ),
    },
    { key: 'name', title: t('flows.column.name'), cell: (flow) => <Name flow={flow} projectId={context.projectId} /> },
    {
      key: 'pieces',
      title: t('flows.column.pieces'),
      width: '132px',
      roomyOnly: true,
      cell: (flow) => <Pieces flow={flow} />,
    },
    {
      key: 'runs',
      title: t('flows.column.runs'),
      width: '164px',
      wideOnly: true,
      cell: (flow) => <Strip runs={context.strips.get(flow.id)} projectId={context.projectId} />,
    },
    {
      key: 'changed',
      title: t('flows.column.changed'),
      width: '132px',
      wideOnly: true,
      cell: (flow) => (
        <Tooltip text={moment(flow.version.updated)}>
          <span class="faint">{ago(flow.version.updated, Date.now())}</span>
        </Tooltip>
      ),
    },
    {
      key: 'status',
      title: t('flows.column.status'),
      width: '64px',
      cell: (flow) => <Status flow={flow} flows={context.flows} />,
    },
    {
      key: 'menu',
      title: t('base.more'),
      hidden: true,
      width: '56px',
      cell: (flow) => <FlowMenu flow={flow} context={context} />,
    },
  ];
}

function Name({ flow, projectId }: { flow: Flow; projectId: string }) {
  const steps = stepsOf(flow.version.trigger).length;
  const to = `/projects/${projectId}/flows/${flow.id}`;
  return (
    <div class="flow-name">
      <a class="cut row-link" {...linkTo(to)}>
        {flow.version.displayName}
      </a>
      <span class="row faint">
        <span>{count('flows.steps', steps)}</span>
        {standing(flow) === 'unpublished' ? (
          <Badge tone="grey" icon="pencil">
            {t('flows.status.unpublished')}
          </Badge>
        ) : null}
        {!flow.version.valid ? (
          <Badge tone="amber" icon="triangle-alert">
            {t('flows.status.invalid')}
          </Badge>
        ) : null}
        {flow.version.valid && hasChanges(flow) ? (
          <Badge tone="blue" icon="pencil">
            {t('flows.status.changes')}
          </Badge>
        ) : null}
      </span>
    </div>
  );
}

const LOGOS_MAX = 3;

function Pieces({ flow }: { flow: Flow }) {
  useStore(summaries);
  const names = piecesOf(flow.version.trigger);
  const titles = names.map(pieceTitle).join(', ');
  return names.length === 0 ? null : (
    <Tooltip text={titles}>
      <span class="flow-pieces" role="img" aria-label={titles}>
        {names.slice(0, LOGOS_MAX).map((name) => (
          <PieceLogo key={name} pieceName={name} size={14} />
        ))}
        {names.length > LOGOS_MAX ? <span class="faint figures">+{names.length - LOGOS_MAX}</span> : null}
      </span>
    </Tooltip>
  );
}

function Status({ flow, flows }: { flow: Flow; flows: Rows<Flow> }) {
  const now = standing(flow);
  const maySwitch = useMay('UPDATE_FLOW_STATUS');
  const button = (
    <Switch
      on={now === 'on'}
      disabled={now === 'unpublished' || !maySwitch}
      label={t('flows.switch', { name: flow.version.displayName })}
      onChange={(on) => void switchFlow(flow, on, flows)}
    />
  );
  return now === 'unpublished' ? <Tooltip text={t('flows.publishFirst')}>{button}</Tooltip> : button;
}

function FlowMenu({ flow, context }: { flow: Flow; context: Context }) {
  const name = flow.version.displayName;
  const { ask, changed } = context;
  return (
    <RowMenu
      name={name}
      groups={[
        {
          items: [
            {
              label: t('nav.runs'),
              icon: 'activity',
              needs: 'READ_RUN',
              perform: () => navigate(`/projects/${context.projectId}/runs?flow=${flow.id}`),
            },
            {
              label: t('base.rename'),
              icon: 'pencil',
              needs: 'WRITE_FLOW',
              perform: () => ask({ what: 'rename', flow }),
            },
            { label: t('flows.duplicate'), icon: 'copy', needs: 'WRITE_FLOW', perform: () => duplicate(flow, changed) },
            {
              label: t('flows.move'),
              icon: 'folder-input',
              needs: 'WRITE_FLOW',
              perform: () => ask({ what: 'move', flow }),
            },
            { label: t('flows.export'), icon: 'download', perform: () => exportFile(flow) },
          ],
        },
        {
          items: [
            {
              label: t('flows.delete'),
              icon: 'trash-2',
              danger: true,
              needs: 'WRITE_FLOW',
              perform: () => ask({ what: 'delete', flow }),
            },
          ],
        },
      ]}
    />
  );
}
