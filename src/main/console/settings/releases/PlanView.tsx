import { useState } from 'preact/hooks';
import { api } from '../../base/api/client';
import { success } from '../../base/api/failure';
import { Button } from '../../base/components/Button';
import { Checkbox } from '../../base/components/Field';
import { Badge, Notice, Skeleton, type Tone } from '../../base/components/States';
import type { IconName } from '../../base/components/Icon';
import { useQuery } from '../../base/query';
import { t } from '../../base/text';
import type { Step } from '../../builder/steps';
import { changesOf } from '../../builder/versions/diff';
import type { Kind, PlanLine, PlanNote, PlanView as Plan } from './plan';

const LOOKS: Record<Kind, { tone: Tone; icon: IconName }> = {
  create: { tone: 'green', icon: 'plus' },
  update: { tone: 'blue', icon: 'pencil' },
  delete: { tone: 'red', icon: 'trash-2' },
};

interface Props {
  plan: Plan;
  /** Flows to leave out. */
  left: ReadonlySet<string>;
  onLeave: (flowId: string, isLeft: boolean) => void;
  /** True if the user can read both projects: steps of flows can then be compared. */
  comparable: boolean;
}

export function PlanView({ plan, left, onLeave, comparable }: Props) {
  const section = (title: string, lines: PlanLine[]) =>
    lines.length === 0 ? null : (
      <section>
        <h3>{title}</h3>
        <ul class="plan-lines">
          {lines.map((line, at) => (
            <Line
              key={line.flowId ?? at}
              line={line}
              comparable={comparable}
              isLeft={line.flowId !== undefined && left.has(line.flowId)}
              onLeave={onLeave}
            />
          ))}
        </ul>
      </section>
    );
  return (
    <div class="plan">
      {section(t('releases.flows'), plan.flows)}
      {section(t('releases.tables'), plan.tables)}
      {section(t('releases.connections'), plan.connections)}
    </div>
  );
}

function Line({
  line,
  isLeft,
  onLeave,
  comparable,
}: {
  line: PlanLine;
  isLeft: boolean;
  onLeave: Props['onLeave'];
  comparable: boolean;
}) {
  const [open, setOpen] = useState(false);
  const look = LOOKS[line.kind];
  const mayCompare =
    comparable && line.kind === 'update' && line.flowId !== undefined && line.sourceFlowId !== undefined;
  return (
    <li class="plan-line" data-kind={line.kind} data-left={isLeft}>
      <div class="row">
        {line.flowId === undefined ? null : (
          <Checkbox
            label={<span class="visually-hidden">{t('releases.include', { name: line.name })}</span>}
            checked={!isLeft}
            onChange={(on) => onLeave(line.flowId!, !on)}
          />
        )}
        <Badge tone={look.tone} icon={look.icon}>
          {t(`releases.${line.kind}`)}
        </Badge>
        <strong class="cut">{line.name}</strong>
        {line.before === undefined ? null : (
          <span class="faint cut">{t('releases.renamed', { name: line.before })}</span>
        )}
        <span class="spread" />
        {mayCompare ? (
          <Button
            kind="quiet"
            size="small"
            icon={open ? 'chevron-down' : 'chevron-right'}
            more={{ 'aria-expanded': open }}
            onClick={() => setOpen(!open)}>
            {t(open ? 'releases.stepsNot' : 'releases.steps')}
          </Button>
        ) : null}
      </div>
      {line.notes.map((note, at) => (
        <p key={at} class="faint">
          {wordsOf(note)}
        </p>
      ))}
      {open && mayCompare ? <Steps flowId={line.flowId!} sourceFlowId={line.sourceFlowId!} /> : null}
    </li>
  );
}

function wordsOf(note: PlanNote): string {
  switch (note.what) {
    case 'draft':
      return t('releases.draft', { reason: note.reason });
    case 'placeholder':
      return t('releases.placeholder');
    case 'field':
      return t(`releases.field.${note.kind}`, { name: note.name });
  }
}

function Steps({ flowId, sourceFlowId }: { flowId: string; sourceFlowId: string }) {
  const both = useQuery(`release of ${sourceFlowId} into ${flowId}`, async (signal) => {
    const [now, then] = await Promise.all(
      [flowId, sourceFlowId].map((id) => api('GET /v1/flows/{id}', { path: { id }, signal })),
    );
    return !now!.ok
      ? now!
      : !then!.ok
        ? then!
        : success([now!.value.version.trigger, then!.value.version.trigger] as [Step, Step]);
  });
  if (!both.value) {
    return both.failure ? <Notice failure={both.failure} /> : <Skeleton lines={2} />;
  }
  const [now, then] = both.value as [Step, Step];
  const changes = changesOf(now, then);
  return changes.length === 0 ? (
    <p class="faint">{t('versions.same')}</p>
  ) : (
    <ul class="plan-steps">
      {changes.map((change) => (
        <li key={change.name}>
          <span>
            <b>{t(`versions.${change.kind}`)}</b> {change.displayName}
          </span>
          {change.parts.map((part) => (
            <div key={part.path} class="plan-part">
              <span class="faint">{part.path}</span>
              {part.before ? <del>{part.before}</del> : null}
              {part.after ? <ins>{part.after}</ins> : null}
            </div>
          ))}
        </li>
      ))}
    </ul>
  );
}
