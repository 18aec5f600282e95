import { Button } from '../../base/components/Button';
import { Dialog } from '../../base/components/Dialog';
import { Badge, Notice } from '../../base/components/States';
import { saveFile } from '../../base/download';
import { linkTo } from '../../base/router';
import { count, t } from '../../base/text';
import { inexact, type Entry, type Figures, type Imported } from './files';
import type { Outcome } from './perform';

interface Props {
  outcome: Outcome;
  isTrial: boolean;
  projectId: string;
  close: () => void;
  again: () => void;
}

/** Flows shown with their details; the downloaded report has all of them. */
const SHOWN_MAX = 200;

export function ImportReport({ outcome, isTrial, projectId, close, again }: Props) {
  const { n8n, flows, problems, failure } = outcome;
  const created = n8n.flows.filter((flow) => flow.id).length + flows.length;
  const download = (): void =>
    saveFile(
      'import-report.json',
      JSON.stringify({ ...n8n, importedFlows: flows, problems }, null, 2),
      'application/json',
    );
  const ofWorkflows = n8n.report.workflows.flatMap((each) =>
    each.problems.map((problem) => ({ file: each.name, text: problem })),
  );
  return (
    <Dialog title={t(isTrial ? 'import.report.trial' : 'import.report.title')} onClose={close} wide={760}>
      <div class="body import-report">
        <p>
          {isTrial
            ? count('import.report.would', n8n.flows.length + flows.length)
            : `${count('import.report.created', created)} ${created > 0 ? count('import.report.drafts', created) : ''}`}
        </p>
        {failure ? <Notice failure={failure} /> : null}
        {n8n.report.workflows.length > 0 ? (
          <Sums nodes={n8n.report.nodes} expressions={n8n.report.expressions} />
        ) : null}
        {problems.length + ofWorkflows.length > 0 ? (
          <Notice tone="amber">
            <ul class="import-problems">
              {[...problems, ...ofWorkflows].slice(0, SHOWN_MAX).map((each, at) => (
                <li key={at}>
                  <strong>{each.file}</strong>: {each.text}
                </li>
              ))}
            </ul>
          </Notice>
        ) : null}
        <ul class="import-flows">
          {n8n.flows.slice(0, SHOWN_MAX).map((flow, at) => (
            <FlowLine key={flow.id ?? at} flow={flow} projectId={projectId} close={close} />
          ))}
        </ul>
        {n8n.flows.length > SHOWN_MAX ? (
          <p class="faint">{t('import.report.more', { shown: SHOWN_MAX, all: n8n.flows.length })}</p>
        ) : null}
      </div>
      <footer>
        <Button icon="download" onClick={download}>
          {t('import.report.download')}
        </Button>
        <span class="spread" />
        {isTrial ? <Button onClick={again}>{t('base.back')}</Button> : null}
        <Button kind="primary" onClick={close}>
          {t('import.report.done')}
        </Button>
      </footer>
    </Dialog>
  );
}

function Sums({ nodes, expressions }: { nodes: Figures; expressions: Figures }) {
  return (
    <table class="import-sums">
      <thead>
        <tr>
          <th scope="col">
            <span class="visually-hidden">{t('import.report.part')}</span>
          </th>
          {(['exact', 'near', 'byHand'] as const).map((key) => (
            <th key={key} scope="col" title={t(`import.meaning.${key}`)}>
              {t(`import.result.${key}`)}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        <tr>
          <th scope="row">{t('import.report.nodes')}</th>
          <td>{nodes.exact}</td>
          <td>{nodes.near}</td>
          <td>{nodes.byHand}</td>
        </tr>
        <tr>
          <th scope="row">{t('import.report.expressions')}</th>
          <td>{expressions.exact}</td>
          <td>{expressions.near}</td>
          <td>{expressions.byHand}</td>
        </tr>
      </tbody>
    </table>
  );
}

function FlowLine({
  flow,
  projectId,
  close,
}: {
  flow: Imported['flows'][number];
  projectId: string;
  close: () => void;
}) {
  const { report } = flow;
  const entries = inexact(report);
  const { nodes } = report;
  return (
    <li class="import-flow">
      <div class="import-flow-head">
        {flow.id ? (
          <FlowLink to={`/projects/${projectId}/flows/${flow.id}`} name={flow.displayName} close={close} />
        ) : (
          <strong>{flow.displayName}</strong>
        )}
        {flow.error ? (
          <Badge tone="red" icon="circle-x">
            {t('import.refused')}
          </Badge>
        ) : flow.valid === false ? (
          <Badge tone="amber" icon="triangle-alert">
            {t('flows.status.invalid')}
          </Badge>
        ) : flow.valid ? (
          <Badge tone="green" icon="circle-check">
            {t('import.valid')}
          </Badge>
        ) : null}
        <span class="faint">{t('import.figures', { exact: nodes.exact, near: nodes.near, byHand: nodes.byHand })}</span>
      </div>
      {flow.error ? <p>{flow.error}</p> : null}
      {entries.length + report.differences.length + (flow.problems?.length ?? 0) > 0 ? (
        <details>
          <summary>{t('import.details')}</summary>
          <ul class="import-entries">
            {(flow.problems ?? []).map((problem, at) => (
              <li key={`p${at}`}>
                {problem.stepName ? <code>{problem.stepName}</code> : null} {problem.message}
              </li>
            ))}
            {report.differences.map((text, at) => (
              <li key={`d${at}`}>{text}</li>
            ))}
            {entries.map((entry, at) => (
              <EntryLine key={`e${at}`} entry={entry} />
            ))}
          </ul>
        </details>
      ) : null}
    </li>
  );
}

/** Link that also closes the dialog, unless the flow opens in another tab. */
function FlowLink({ to, name, close }: { to: string; name: string; close: () => void }) {
  const link = linkTo(to);
  return (
    <a
      href={link.href}
      onClick={(event) => {
        link.onClick(event);
        if (event.defaultPrevented) {
          close();
        }
      }}>
      {name}
    </a>
  );
}

function EntryLine({ entry }: { entry: Entry }) {
  const isOpen = entry.result === 'byHand';
  return (
    <li>
      <Badge tone={isOpen ? 'red' : 'amber'} icon={isOpen ? 'hand' : 'circle-alert'}>
        {t(`import.result.${entry.result}`)}
      </Badge>{' '}
      <strong>{entry.node}</strong> <span class="faint">{entry.type.split('.').at(-1)}</span>
      {entry.differences.length > 0 ? (
        <ul>
          {entry.differences.map((text, at) => (
            <li key={at}>{text}</li>
          ))}
        </ul>
      ) : null}
    </li>
  );
}
